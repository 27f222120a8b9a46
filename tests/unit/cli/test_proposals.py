"""What `bayesf1 init` proposes for folders as users have them, and how it is judged: all of it reviewed."""

from pathlib import Path
from shutil import copy, copytree

import pytest

from tests.unit.cli.folders import empty_folder, predicted, put
from tests.unit.files.logged import FOLDER, LM_EVAL_RUNS

folder = pytest.fixture(autouse=True)(empty_folder)


@pytest.fixture
def proposal(transcript):
    """Show what is proposed for a folder, and what the gates say of it."""

    def propose(options="", file="bayesf1.yaml", gate="gate"):
        transcript.bayesf1(f"init {options}".rstrip())
        transcript.cat(file)
        transcript.bayesf1(gate)

    return propose


def test_an_old_and_a_new_file_of_each_model(proposal):
    """Names tell the sides, else folders, else numbers; the proposal names what lies between; formats may differ."""
    for kind, n, every in ("spam", 240, 12), ("topics of mail", 310, 15), ("Größe", 90, 20):
        put(f"runs/new/{kind}.csv", predicted(n, every - 7))
        put(f"runs/old/{kind}.csv", {name: each[::-1] for name, each in predicted(n, every).items()})
    for name, every in ("v10", 9), ("v9.1", 11), ("v9", 13), ("v2-prod", 17), ("v8", 12), ("v1-candidate", 8):
        put(f"models/{name}.jsonl", predicted(400, every))
    put("a/LATEST.JSON", predicted(150, 10))
    put("b/before.npz", predicted(150, 30))
    proposal()


def test_files_of_other_shapes(proposal):
    """Grades, scores, several labels and spans; columns of other names; of one file the rows of one model; repeats."""
    names = ("key", "gold_label", "pred_label")
    put("columns/old.csv", predicted(120, 10, names=names))
    put("columns/new.csv", predicted(120, 15, names=names))
    for name, shift in ("old", 0), ("new", 1):
        put(f"grades/{name}.csv", {"id": [f"g{k}" for k in range(80)], "value": [k % 7 + shift / 2 for k in range(80)]})
        put(
            f"scores/{name}.csv",
            {
                "id": [f"s{k}" for k in range(110)],
                "y_true": [k % 2 for k in range(110)],
                "y_score": [(k * 37 % 100 + 40 * (k % 2) - 9 * shift * (k % 2)) / 140 for k in range(110)],
            },
        )
        tags = [["a"] if k % 3 else ["a", "b"] for k in range(70)]
        put(
            f"tags/{name}.jsonl",
            {"y_true": tags, "y_pred": [each[: 1 + (k % 5 > shift)] for k, each in enumerate(tags)]},
        )
        spans = [[[0, 5, "PER"], [7, 9, "LOC"]] for _ in range(60)]
        put(
            f"spans/{name}.jsonl",
            {"gold": spans, "predicted": [each[k % (7 - shift) == 0 :] for k, each in enumerate(spans)]},
        )
        of_both = {key: [*each, *each] for key, each in predicted(100, 9 - shift).items()}
        put(f"several models/{name}.csv", of_both | {"model": ["small #1"] * 100 + ["large: 2"] * 100})
        repeated = predicted(130, 8 - shift)
        put(f"repeated/{name}.csv", {key: [value for value in each for _ in "123"] for key, each in repeated.items()})
    proposal()


@pytest.mark.filterwarnings("default::pytest_bayesf1.BayesF1Warning")
def test_files_that_no_gate_is_made_of(proposal, transcript):
    """Metrics, settings, counts, broken and empty files, too few examples; and files and folders that are not read."""
    put("only.csv", predicted(200, 10))
    put("few.csv", predicted(2, 9))
    put("more/only.csv", predicted(230, 10))
    packages = "dist", "node_modules", "venv", "site-packages", "__pycache__"
    for name in (".hidden", "__bayesf1__", "bayesf1-report", *packages):
        put(f"{name}/{name.strip('._')}.csv", predicted(60, 10))
    put("sub/.git/inner.csv", predicted(60, 10))
    for name, text in {
        "venv/pyvenv.cfg": "",
        "metrics.json": '{"f1": 0.93, "accuracy": 0.95}',
        "settings.json": '["a"]',
        "broken.json": "{",
        "empty.csv": "",
        "head.csv": "id,y_true,y_pred\n",
        "counts.csv": "90,10\n5,95\n",
        "sales.csv": "3,14,15\n92,6,5\n35,8,97\n",
        "prices.csv": "day,price\n1,3.5\n2,4.5\n",
        "latin.csv": "id,y_true,y_pred\n",
        "notes.txt": "ham spam\n",
        "unlike.csv": "id,y_true,y_pred\n1,a\n",
        "tests/test_model.py": "def test():\n    assert f1_score(a, b) > 0.9, ''\n\n    assert model.accuracy >= .85\n",
        "tests/model_test.py": "# assert f1 > 0.5\nassert 0.9 < f1\nassert roc_auc(x)> 0.75\nassert n > 0.5\n"
        "    assert precision() >= 0.8\nassert my_recall > .7\nassert recall > 1\n",
        "tests/helpers.py": "assert f1 > 0.9\n",
    }.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, "utf-8")
    Path("latin.csv").write_bytes("id,y_true,y_pred\n1,größe,größe\n".encode("latin-1"))
    Path("gone.csv").symlink_to("nowhere.csv")
    proposal()


def test_logs_of_evaluations(proposal):
    for log in "inspect-first.json", "inspect-choice.eval", "promptfoo-both.jsonl", "promptfoo-first.json":
        copy(FOLDER / log, ".")
    copytree(LM_EVAL_RUNS, "lm eval")
    copy(FOLDER / "lm-eval-teams.jsonl", "lm eval")
    proposal()


def test_how_gates_are_named(transcript):
    """After files without their endings and stamps, else with the folders above, else with a number; never too long."""
    names = [
        *("no", "2a", 'qu"ote', "back\\slash", "a: #b", "ä ö", "*", "__", "-x-"),
        *("2026-05-08_10-11-12", "2026-05-08 2026-05-09"),
        *("spam.v1", "spam.v2", "deep/spam", "deep/er/spam.v1", "deep/er/spam.v2", "a1b2c3d4e5f60718 hash"),
        *("x" * 50 + " " + "y" * 30, "run 2026-05-08T10-11 of spam"),
    ]
    for n, name in enumerate(names):
        put(f"{name}.csv", predicted(30 + n, 9))
    transcript.bayesf1("init")
    transcript.cat("bayesf1.yaml")


def test_a_pool_that_is_labelled(proposal, transcript):
    columns = predicted(60, 7)
    put("p/pool of mail.csv", {"key": columns["id"], "old": columns["y_true"], "new": columns["y_pred"]})
    put("p/none yet.csv", {"key": columns["id"], "old": columns["y_true"], "new": columns["y_pred"]})
    names = "--id key --baseline old --candidate new --rope=-0.03,0.07 --measure 'recall[Größe]'"
    for pool in "pool of mail", "none yet":
        transcript.bayesf1(f"label start 'p/{pool}.csv' {names}")
    transcript.bayesf1("init")
    transcript.bayesf1("label next --state 'p/pool of mail.labelling.json' --count 25 -o batch.csv")
    head, *rows = Path("batch.csv").read_text("utf-8").splitlines()
    truth = dict(zip(columns["id"], columns["y_true"], strict=True))
    Path("batch.csv").write_text("\n".join([head, *(row + truth[row.split(",")[0]] for row in rows)]), "utf-8")
    transcript.bayesf1("label add batch.csv --state 'p/pool of mail.labelling.json'")
    proposal("p", "p/bayesf1.yaml", "gate --root p")


def test_where_a_proposal_is_written(transcript, folder):
    """Never over a file; as seen from the gate file; with the command that judges it from here."""
    put("of mail/old.csv", predicted(200, 10))
    put("of mail/new.csv", predicted(200, 12))
    Path("taken").write_text("")
    Path("empty").mkdir()
    for command in (
        "init",
        "gate",
        "init",
        "init 'of mail'",
        "gate --root 'of mail'",
        "init 'of mail' -o 'ci/my gates.yaml'",
        "gate 'ci/my gates.yaml'",
        "init -o taken/bayesf1.yaml",
        "init -o taken",
        "init nowhere",
        "init taken",
        "init empty",
        "init empty -o new/deep/bayesf1.yaml",
        "init --output",
        "init a b",
    ):
        transcript.bayesf1(command)
    transcript.cat("of mail/bayesf1.yaml")
    transcript.cat("ci/my gates.yaml")
    for output in "bayesf1.yml", "bayesf1-mail.yaml", "gates.yaml", "ci/bayesf1.yml", "of mail/deep/bayesf1.yaml":
        transcript.bayesf1(f"init 'of mail' -o '{output}'")
        transcript.show(f"head -2 '{output}'", "".join(Path(output).read_text("utf-8").splitlines(keepends=True)[:2]))
    Path("empty/test_model.py").write_text("def test():\n    assert f1 > 0.9\n")
    copy(FOLDER / "lm-eval-teams.jsonl", "empty")
    transcript.bayesf1("init empty")
    Path("of mail/bayesf1.yaml").unlink()
    transcript.show("ls", "".join(f"{each}\n" for each in sorted(path.name for path in folder.iterdir())))
