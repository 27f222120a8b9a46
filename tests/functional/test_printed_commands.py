"""Every command that is printed can be pasted: it runs where it was printed, and exits with 0."""

import random
import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.unit.called import call
from tests.unit.committed import Committed

GATE = "spam: {baseline: %s, candidate: new.csv, rope: %s, measure: accuracy}"
TEST = """\
def test_spam(bayes_regression):
    bayes_regression.check([[90, 10], [5, 95]], rope=0.05)
"""
START = ("bayesf1", "label", "start", "pool.csv", "--baseline", "old", "--candidate", "new", "--rope", "0.01")
NEXT = ("bayesf1", "label", "next", "--state", "pool.labelling.json", "--count", "600", "-o", "all.csv")
SITUATIONS = {
    "a gate is loosened": ["bayesf1", "gate"],
    "a gate file is proposed": ["bayesf1", "init"],
    "there is no gate file": ["bayesf1", "gate"],
    "there is no baseline": ["bayesf1", "gate"],
    "several gates lack a baseline": ["bayesf1", "gate"],
    "a test has no baseline": ["pytest", "test_spam.py"],
    "a pool is described": START,
    "a pool is described again": START,
    "nothing is labelled": ["bayesf1", "label", "status"],
    "all is labelled": NEXT,
    "there is no pool": ["bayesf1", "label", "status"],
}


@pytest.fixture
def run(pytester, monkeypatch):
    """Run a command in this folder as its user would, not in CI; return its exit code and what it prints."""
    monkeypatch.setenv("COLUMNS", "200")

    def run(words):
        program, *words = ["half the size" if word == "..." else word for word in words]
        if program == "pytest":
            result = pytester.runpytest(*words)
            return result.ret, result.stdout.str()
        done = call(*words)
        return done.exit_code, done.output

    return run


def commands(text):
    """Find the commands in what was printed: each ends its line."""
    return re.findall(r"(?:^|: )\s*((?:bayesf1|pytest) [a-z-][^\n]*?)\.?$", text, flags=re.MULTILINE)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = tmp_path / "project"
    found.mkdir()
    (tmp_path / ".git").mkdir()  # other tests may have left a gate file above
    monkeypatch.chdir(found)
    monkeypatch.delenv("CI", raising=False)
    return found


def predictions(error):
    drawn = random.Random(3)  # noqa: S311 (no secret)
    truth = ["ham", "spam"] * 500
    return [(n, t, t if drawn.random() > error else truth[n - 1]) for n, t in enumerate(truth)]


def write_predictions(name, error, header="id,y_true,y_pred"):
    Path(name).write_text("\n".join([header, *(",".join(map(str, row)) for row in predictions(error))]) + "\n")


def write_gates(*gates):
    Path("bayesf1.yaml").write_text("\n  ".join(["gates:", *gates]) + "\n")


def arrange(situation, run):
    """Write the files of a situation, and do what comes before."""
    write_predictions("new.csv", 0.05)
    if "baseline" not in situation:
        write_predictions("old.csv", 0.05)
    match situation:
        case "there is no baseline":
            write_gates(GATE % ("old.csv", 0.01))
        case "several gates lack a baseline":
            write_gates(*(f"{name}-{GATE % (f'{name}.csv', 0.01)}" for name in ("de", "en", "fr")))
        case "a gate is loosened":
            write_gates(GATE % ("old.csv", 0.01))
            assert run(["bayesf1", "gate", "--update-manifest"])[0] == 0
            Committed.new(Path.cwd()).commit()
            write_gates(GATE % ("old.csv", 0.05))
        case "a test has no baseline":
            Path("test_spam.py").write_text(TEST)
    rows = [f"{n},{'spam' if n % 2 else 'ham'},{'spam' if n % 3 else 'ham'}" for n in range(600)]
    Path("pool.csv").write_text("id,old,new\n" + "\n".join(rows) + "\n")
    if situation in ("a pool is described again", "nothing is labelled", "all is labelled"):
        assert run(START)[0] == 0
    if situation == "all is labelled":
        assert run(NEXT)[0] == 0
        text = Path("all.csv").read_text()
        Path("all.csv").write_text(text.replace(",\n", ",ham\n").replace(",\r\n", ",ham\n"))
        assert run(["bayesf1", "label", "add", "all.csv"])[0] == 0


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_printed_command_runs_as_printed(folder, monkeypatch, run, situation):
    arrange(situation, run)
    _, shown = run(SITUATIONS[situation])
    found = commands(shown)
    assert found, shown
    for number, command in enumerate(dict.fromkeys(found)):
        copy = shutil.copytree(folder, folder.parent / f"copy-{number}")
        monkeypatch.chdir(copy)
        code, text = run(shlex.split(command))
        assert code == 0, f"{command}\n{text}"


@pytest.mark.parametrize("words", [["bayesf1", "gate", "--root", ".."], ["pytest", ".."]], ids=["gate", "pytest"])
def test_a_change_is_accepted_from_the_folder_where_it_is_told(folder, monkeypatch, run, words):
    arrange("a gate is loosened", run)
    (folder / "sub").mkdir()
    monkeypatch.chdir(folder / "sub")
    (command,) = (each for each in commands(run(words)[1]) if "--loosened" in each)
    assert run(shlex.split(command))[0] == 0
    assert "as accepted" in run(words)[1]


def test_a_damaged_baseline_is_written_anew_as_the_error_says(folder, run):
    Path("test_spam.py").write_text(TEST)
    stored = Path("__bayesf1__/test_spam/test_spam.json")
    stored.parent.mkdir(parents=True)
    stored.write_text("{")
    _, shown = run(["pytest", "test_spam.py"])
    (option,) = set(re.findall(r"or delete it and write a new one with (--\S+?)\.$", shown, flags=re.MULTILINE))
    stored.unlink()
    assert run(["pytest", "test_spam.py", option])[0] == 0
    assert stored.exists()
