"""Sessions of `bayesf1 label`, as people have reviewed them."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_bayesf1.cli import label
from pytest_bayesf1.results.comparison import ExamplesNeeded, PoolFigures
from tests.unit.made_up import comparison

KINDS = {"calm": 24, "gl|ad": 11, "<b>sad": 7}
TRUE = [kind for kind, n in KINDS.items() for _ in range(n)]
START = "label start pool.csv --id key --baseline old --candidate new --rope 0.05"


@pytest.fixture
def pool(tmp_path):
    """Write 42 examples: the baseline mistakes four, the candidate most of one class besides."""
    old = [{0: "gl|ad", 7: "calm"}.get(k % 11, kind) for k, kind in enumerate(TRUE)]
    new = [
        "<b>sad" if kind == "gl|ad" and k % 3 else said for k, (kind, said) in enumerate(zip(TRUE, old, strict=True))
    ]
    rows = [f"-k{k},=text {k},{k % 5},{old[k]},{new[k]}" for k in range(len(TRUE))]
    (tmp_path / "pool.csv").write_text("\n".join(["key,text,shop,old,new", *rows]), "utf-8")
    return [f"-k{k}" for k in range(len(TRUE))]


def labelled(name, **others):
    """Return the ids of a batch with their labels, of which some are others, or empty."""
    keys = [line.split(",")[0].removeprefix("'") for line in Path(name).read_text("utf-8").splitlines()[1:]]
    return {key: others.get(key.removeprefix("-"), TRUE[int(key[2:])]) for key in keys}


def write(name, labels, head="id,label"):
    Path(name).write_text("\n".join([head, *(f"{key},{label}" for key, label in labels.items())]), "utf-8")


@pytest.mark.usefixtures("pool")
def test_how_labelling_starts(transcript, tmp_path):
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "gold.csv").write_text("key,old,new,truth\n-k1,calm,calm,calm\nz,calm,gl|ad,calm\n")
    gold = [{"key": "z", "old": "calm", "new": "calm", "y_true": 1}]
    (tmp_path / "below" / "gold.json").write_text(json.dumps(gold))
    (tmp_path / "odd.csv").write_text("id,old,new\na,calm,\nb,calm,NA\n,calm,glad\n")
    (tmp_path / "twice.csv").write_text("id,old,new\na,calm,glad\na,calm,calm\n")
    (tmp_path / "empty.csv").write_text("id,old,new\n")
    for options in (
        "pool.csv --rope 0.05",
        "pool.csv --rope 0.05 --id key --baseline old",
        "pool.csv --rope 0.05 --id key --baseline alt --candidate new",
        "pool.csv --rope 0.05 --baseline old --candidate new",
        "none.csv --rope 0.05 --baseline old --candidate new",
        "below/none.csv --rope 0.05",
        "odd.csv --rope 0.05 --baseline old --candidate new",
        "odd.csv --rope 0.05 --baseline old --candidate new --class calm --class NA",
        "twice.csv --rope 0.05 --baseline old --candidate new",
        "empty.csv --rope 0.05 --baseline old --candidate new",
    ):
        transcript.bayesf1(f"label start {options}")
    for options in (
        "--show new --show old",
        "--show label",
        "--show text --show text",
        "--show txt",
        "--class calm --class other",
        "--measure roc_auc",
        "--measure f1[glad]",
        "--rope 5",
        "--rope 0.5",
        "--hdi-prob 95",
        "--labelled none.csv",
        "--labelled ../gold.csv",
        "--labelled below/gold.csv",
        "--labelled below/gold.csv --truth truth",
        "--labelled below/gold.json",
    ):
        transcript.bayesf1(f"{START} {options}")
    assert not list(tmp_path.glob("*.label*"))
    transcript.bayesf1(f"{START} --show text --show shop --measure f1[gl|ad] --rope=-0.02,0.1 --hdi-prob .9 --seed 3")
    transcript.cat("pool.labelling.json")
    transcript.cat("pool.labels.csv")
    for options in ("", "--class calm"):
        transcript.bayesf1(f"{START} {options}")
    for command in ("status", "status --state none.labelling.json", "next", "next -o a.csv --count 0", "add none.csv"):
        transcript.bayesf1(f"label {command}")
    (tmp_path / "b.labelling.json").write_text("{}")
    transcript.bayesf1("label status")
    transcript.bayesf1("label status --state b.labelling.json")


def test_which_labels_are_refused(transcript, pool):
    transcript.bayesf1(START)
    transcript.bayesf1("label next --count 8 -o one.csv")
    transcript.bayesf1("label next --count 8 -o one.csv")
    transcript.bayesf1("label next --count 3 -o no/folder.csv")
    transcript.bayesf1("label next --count 2 -o plain.json --format argilla")
    transcript.cat("plain.json")
    transcript.cat("one.csv")
    right = labelled("one.csv")
    first, second, *others = right
    outside = next(key for key in pool if key not in right)
    for name, labels, head in (
        ("columns.csv", right, "id,answer"),
        ("unknown.csv", right | {"z": "calm"}, "id,label"),
        ("class.csv", right | {first: "angry", second: "Calm"}, "id,label"),
        ("chosen.csv", {outside: "calm"}, "id,label"),
        ("some.csv", {key: right[key] for key in others}, "id,label"),
        ("none.csv", dict.fromkeys(right, ""), "id,label"),
    ):
        write(name, labels, head)
        transcript.bayesf1(f"label add {name}")
    write("again.csv", {first: "gl|ad" if right[first] != "gl|ad" else "calm"})
    write("one.csv", right | {others[-1]: " "})
    transcript.bayesf1("label add one.csv again.csv --annotator me")
    transcript.bayesf1("label add one.csv --annotator me")
    transcript.bayesf1("label add one.csv")
    transcript.bayesf1("label add again.csv")
    transcript.bayesf1("label status")
    transcript.cat("pool.labels.csv")
    Path("pool.csv").write_text(Path("pool.csv").read_text("utf-8").replace("gl|ad,gl|ad", "gl|ad,calm"), "utf-8")
    transcript.bayesf1("label status")
    Path("pool.labels.csv").write_text("id,label\n")
    transcript.bayesf1("label status")
    Path("pool.labels.csv").unlink()
    transcript.bayesf1("label status")


@pytest.mark.usefixtures("pool")
def test_batches_for_tools_and_what_they_export(transcript):
    transcript.bayesf1(f"{START} --show text --show shop")
    transcript.bayesf1("label next --count 6 -o studio.json --format label-studio")
    transcript.cat("studio.json")
    tasks = json.loads(Path("studio.json").read_text("utf-8"))
    keys = [task["data"]["id"] for task in tasks]

    def answer(key, who=3, control="mood", **more):
        choices = {"from_name": control, "type": "choices", "value": {"choices": [TRUE[int(key[2:])]]}}
        return {"completed_by": who, "result": [choices], **more}

    def export(name, answers):
        exported = [{**task, "annotations": found} for task, found in zip(tasks, answers, strict=True)]
        Path(name).write_text(json.dumps(exported), "utf-8")
        transcript.bayesf1(f"label add {name}")

    export("unanswered.json", [[] for _ in keys])
    export("cancelled.json", [[answer(key, was_cancelled=True)] for key in keys])
    export("two.json", [[answer(key), answer(key, control="tone")] for key in keys])
    transcript.bayesf1("label add two.json --control tune")
    several = [[answer(key)] for key in keys]
    several[1][0]["result"][0]["value"]["choices"].append("calm, too")
    export("several.json", several)
    others = [[answer(key), answer(key, who={"email": "b@c.org"})] for key in keys]
    others[2][1]["result"][0]["value"]["choices"] = ["gl|ad" if TRUE[int(keys[2][2:])] == "calm" else "calm"]
    export("disagree.json", others)
    export("right.json", [[answer(key, who={"email": "b@c.org"})] if key != keys[4] else [] for key in keys])
    transcript.bayesf1("label next --count 5 -o argilla.json --format argilla")
    transcript.bayesf1("label next --count 5 -o excel.xls --format excel")
    transcript.cat("argilla.json")
    records = json.loads(Path("argilla.json").read_text("utf-8"))
    keys = [record["id"] for record in records]

    def responses(key, status="submitted"):
        return {"label": [{"value": TRUE[int(key[2:])], "status": status, "user_id": "u-1"}]}

    for status in ("draft", "discarded", "submitted"):
        done = [{"id": key, "fields": {}, "responses": responses(key, status)} for key in keys]
        Path(f"{status}.json").write_text(json.dumps(done), "utf-8")
        transcript.bayesf1(f"label add {status}.json")
    Path("other.json").write_text('[{"x": 1}]')
    Path("broken.json").write_text("[")
    transcript.bayesf1("label add other.json")
    transcript.bayesf1("label add broken.json")
    Path("numbers.json").write_text("[1, 2]")
    transcript.bayesf1("label add numbers.json")
    transcript.cat("pool.labels.csv")


@pytest.mark.usefixtures("pool")
def test_a_labelled_test_set_and_a_gate(transcript, tmp_path):
    gold = [f"g{k},{TRUE[k]},{TRUE[k]},{TRUE[k - k // 9 % 2]}" for k in range(0, 42, 2)]
    (tmp_path / "gold.csv").write_text("\n".join(["key,old,new,truth", *gold]), "utf-8")
    asked = "--labelled gold.csv --truth truth --measure accuracy --rope=-0.04,0.02 --hdi-prob 0.9"
    transcript.bayesf1(f"{START} {asked}")
    transcript.bayesf1("label status")
    (tmp_path / "bayesf1.yaml").write_text(
        "gates:\n  pool: {pool: pool.labelling.json, measure: accuracy, rope: [-0.04, 0.02], fail_on: unproven}\n"
    )
    transcript.bayesf1("gate")
    for count in (9, 15, 30, 1):
        transcript.bayesf1(f"label next --count {count} -o {count}.csv")
        if Path(f"{count}.csv").exists():
            write(f"{count}.csv", labelled(f"{count}.csv"))
            transcript.bayesf1(f"label add {count}.csv")
    transcript.bayesf1("label status --figure course.svg")
    transcript.bayesf1("label status --figure course.txt")
    transcript.bayesf1("gate -v --report out")
    transcript.cat("out/report.md")


@pytest.mark.usefixtures("pool")
def test_how_many_labels_are_needed_is_said_and_drawn_of_the_loss_first(run, monkeypatch):
    run(*START.split(), code=0)
    run("label", "next", "--count", "9", "-o", "9.csv", code=0)
    write("9.csv", labelled("9.csv"))
    run("label", "add", "9.csv", code=0)
    counts = {"n_pool": 900, "n_labelled": 9, "n_differ": 40, "n_labelled_differ": 5}
    of_pool = PoolFigures(**counts, n_strata=6, n_unlabelled_strata=0, unlabelled_share=0.0)
    for needed, more, axis in ((ExamplesNeeded(20, 0, 3_000), 20, "20"), (ExamplesNeeded(0, 0, 300), 300, "300")):
        found = replace(comparison(), pool=of_pool, examples_needed=needed)
        monkeypatch.setattr(label, "_compared", lambda *_, found=found: found)
        shown = run("label", "status", "--figure", "course.svg", code=0)
        assert f"\nAbout {more} more labels" in shown.stdout
        texts = re.findall(">([^<>]+)</text>", Path("course.svg").read_text("utf-8"))
        assert texts[texts.index("labels; dashed: forecast until the labels decide") - 1] == axis
