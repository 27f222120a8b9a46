"""Classes that differ from a stored baseline's fail its gate until the printed command is run."""

import re
import shlex
from pathlib import Path

import pytest

from tests.unit.called import call
from tests.unit.committed import Committed

N = 200
BEFORE = ["ham", "spam", "eggs", "spam"] * (N // 4)
ROWS = range(N)
RENAMED = [{"spam": "promo"}.get(each, each) for each in BEFORE]
TEST = """
import csv
from pathlib import Path
def test_spam(bayes_regression):
    rows = list(csv.DictReader(Path("new.csv").read_text().splitlines()))
    ids, true, pred = ([row[name] for row in rows] for name in ("id", "y_true", "y_pred"))
    even = [int(each) % 2 for each in ids]
    bayes_regression.check(true, pred, ids=ids, slices={"even": even}, measure="f1_micro", rope=0.05)
"""


def write(name, rows, truth):
    said = [truth[0] if place % 10 == 9 else true for place, true in enumerate(truth)]
    lines = [f"{key},{true},{found}" for key, true, found in zip(rows, truth, said, strict=True)]
    Path(name).write_text("\n".join(["id,y_true,y_pred", *lines]) + "\n")


@pytest.fixture
def run(pytester):
    """Run a command in the project's folder; return its exit code and what it prints."""

    def run(command):
        words = shlex.split(command)
        if words[0] == "bayesf1":
            done = call(*words[1:], env={"COLUMNS": "300"})
            return done.exit_code, done.output
        result = pytester.runpytest(*words[1:], "-p", "no:randomly")
        return result.ret, result.stdout.str()

    return run


@pytest.fixture
def project(pytester, monkeypatch):
    monkeypatch.setenv("BAYESF1_CACHE", "")
    committed = Committed.new(pytester.path)
    write("new.csv", ROWS, BEFORE)
    return committed


def printed(text):
    (command,) = {each.rstrip(".") for each in re.findall(r"on purpose, run: ([^\n]+)", text)}
    return command


@pytest.mark.parametrize("change", [(ROWS, RENAMED), (range(1_000, 1_000 + N), [each.upper() for each in BEFORE])])
def test_the_command_that_a_test_prints_ends_green(project, run, change):
    Path("test_spam.py").write_text(TEST)
    assert run("pytest test_spam.py --bayesf1-update=new")[0] == 0
    project.commit()
    write("new.csv", *change)
    of_base = "pytest test_spam.py --bayesf1-baseline-ref=HEAD"
    code, text = run(of_base)
    assert code == 1
    code, told = run(printed(text))
    assert code == 0
    assert re.search(r"replaced .*test_spam.json: other classes", told)
    code, text = run(of_base)
    assert code == 0
    assert "classes: was 'eggs', 'ham', 'spam', is '" in " ".join(text.split())


class TestAGateFile:
    @pytest.fixture
    def gate(self, project):
        files = "baseline: old.csv, candidate: new.csv, anchor: v1.csv"
        Path("bayesf1.yaml").write_text(f"gates:\n  spam: {{{files}, rope: 0.05, measure: f1_micro}}\n")
        write("old.csv", ROWS, BEFORE)
        write("v1.csv", ROWS, BEFORE)
        project.commit()

    @pytest.mark.usefixtures("gate")
    def test_the_printed_command_ends_green(self, run):
        write("new.csv", ROWS, RENAMED)
        code, text = run("bayesf1 gate")
        assert code == 4
        code, told = run(printed(text))
        assert code == 0
        assert "old.csv: other classes" in told
        assert run("bayesf1 gate")[0] == 0

    @pytest.mark.usefixtures("gate")
    def test_history_shows_a_break(self, run, project):
        write("new.csv", ROWS, RENAMED)
        code, told = run("bayesf1 baseline update bayesf1.yaml --gate spam")
        assert code == 0
        assert f"{told.strip()}\n" in (Path(__file__).parents[2] / "docs/how-to/change-classes.md").read_text("utf-8")
        project.commit()
        code, text = run("bayesf1 history old.csv")
        assert code == 0
        assert "other classes (gone: 'spam'; new: 'promo')" in text
