"""Sessions of `bayesf1 label`, as people have reviewed them."""

import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_bayesf1.cli import label
from pytest_bayesf1.labelling import Labelling, Started
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
@pytest.mark.parametrize(
    ("command", "found", "not_found"),
    [
        ("label start pool.csv --id key --candidate new --rope 0.05", "--baseline: Name", "'key'"),
        ("label start pool.csv --id key --baseline old --rope 0.05", "--candidate: Name", "'key'"),
        ("label status", "several files: a.labelling.json, b.labelling.json", "42"),
        ("label status --state c.labelling.json", "c.labelling.json: no such file", "a.labelling.json"),
        ("label next -o there.csv --state b.labelling.json", "there.csv exists already", "in there.csv"),
        ("label add there.csv --state b.labelling.json", "there.csv", "several files"),
        ("label judge a.csv b.csv --rope 0.1 --human people.tsv", "ends in .csv", "to grade"),
    ],
)
def test_what_is_refused_of_two(run, command, found, not_found):
    for name in "ab":
        Path(f"{name}.csv").write_text(Path("pool.csv").read_text())
        run(*START.replace("pool", name).split(), code=0)
    Path("there.csv").touch()
    shown = run(*command.split(), code=2).output
    assert found in shown
    assert not_found not in shown


@pytest.mark.usefixtures("pool")
@pytest.mark.parametrize("wide", ["", ",wide"])
def test_what_is_asked_at_the_start_is_kept(run, wide):
    asked = f"--measure accuracy --hdi-prob 0.8 --seed 7 --show text --show shop --rope=-0.1,0.05{wide}"
    classes = " ".join(f"--class {each}" for each in ["'calm'", "'gl|ad'", "'<b>sad'", "odd"])
    shown = run(*shlex.split(f"{START} {classes} {asked}"), code=0).stdout
    rows = [line.split(",") for line in Path("pool.csv").read_text("utf-8").splitlines()[1:]]
    n_differ = sum(row[3] != row[4] for row in rows)
    assert f"42 examples, 4 classes; the two differ on {n_differ}." in shown
    started = Labelling.read(Path("pool.labelling.json")).started
    rope = (-0.1, 0.05, "wide") if wide else (-0.1, 0.05)
    assert replace(started, digest="") == Started(
        pool="pool.csv",
        id="key",
        baseline="old",
        candidate="new",
        show=("text", "shop"),
        classes=("calm", "gl|ad", "<b>sad", "odd"),
        measure="accuracy",
        rope=rope,
        hdi_prob=0.8,
        seed=7,
    )


@pytest.mark.usefixtures("pool")
def test_how_many_labels_are_needed_is_said_of_the_loss_first(run, monkeypatch):
    run(*START.split(), "--hdi-prob", "0.8", code=0)
    run("label", "next", "--count", "9", "-o", "9.csv", code=0)
    write("9.csv", labelled("9.csv"))
    assert "80% likely" in run("label", "add", "9.csv", code=0).stdout
    write("again.csv", dict.fromkeys(list(labelled("9.csv"))[:2], ""))
    shown = run("label", "add", "again.csv", code=0)
    assert "0 labels added, 9 in all" in shown.stdout
    assert "without a label" not in shown.stdout
    counts = {"n_pool": 900, "n_labelled": 9, "n_differ": 40, "n_labelled_differ": 5}
    of_pool = PoolFigures(**counts, n_strata=6, n_unlabelled_strata=0, unlabelled_share=0.0)
    for needed, more in ((ExamplesNeeded(20, 0, 3_000), 20), (ExamplesNeeded(0, 0, 300), 300)):
        found = replace(comparison(), pool=of_pool, examples_needed=needed)
        monkeypatch.setattr(label, "_compared", lambda *_, found=found: found)
        shown = run("label", "status", code=0)
        assert f"\nAbout {more} more labels" in shown.stdout
