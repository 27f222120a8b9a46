"""Classes that differ from a stored baseline's fail its gate until the printed command is run."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from pytest_bayesf1.cli.main import main
from tests.unit.committed import Committed

N = 200
BEFORE = ["ham", "spam", "eggs", "spam"] * (N // 4)
ROWS = range(N)
CHANGED = {
    "renamed": (ROWS, [{"spam": "promo"}.get(each, each) for each in BEFORE]),
    "merged": (ROWS, [{"spam": "ham"}.get(each, each) for each in BEFORE]),
    "split": (ROWS, [f"spam {row % 4}" if each == "spam" else each for row, each in enumerate(BEFORE)]),
    "dropped": ([row for row in ROWS if BEFORE[row] != "spam"], [each for each in BEFORE if each != "spam"]),
    "another test set": (range(1_000, 1_000 + N), [each.upper() for each in BEFORE]),
}
TEST = """
import csv
from pathlib import Path
from pytest_bayesf1 import MultilabelCounts, SpanCounts
def test_spam(bayes_regression):
    rows = list(csv.DictReader(Path("new.csv").read_text().splitlines()))
    ids, true, pred = ([row[name] for row in rows] for name in ("id", "y_true", "y_pred"))
    how = dict(measure="f1_micro", rope=0.05, {how})
    {check}
"""
CHECKS = {
    "classes": "bayes_regression.check(true, pred, ids=ids, slices={'even': [int(each) % 2 for each in ids]}, **how)",
    "labels": "bayes_regression.check([[each] for each in true], [[each] for each in pred], kind='labels', **how)",
    "spans": (
        "bayes_regression.check(SpanCounts.from_spans([[(0, 3, each)] for each in true],"
        " [[(0, 3, each)] for each in pred], documents=ids), **how)"
    ),
}


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
            done = CliRunner().invoke(main, words[1:], env={"COLUMNS": "300"})
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


class TestATest:
    @pytest.mark.parametrize(
        ("kind", "change", "how"),
        [
            *(("classes", change, "") for change in ("merged", "dropped", "another test set")),
            ("labels", "renamed", ""),
            ("spans", "renamed", "on_new_test_set='error'"),
        ],
    )
    def test_the_printed_command_ends_green(self, project, run, kind, change, how):
        Path("test_spam.py").write_text(TEST.format(check=CHECKS[kind], how=how))
        assert run("pytest test_spam.py --bayesf1-update=new")[0] == 0
        project.commit()
        write("new.csv", *CHANGED[change])
        code, text = run("pytest test_spam.py")
        assert code == 1
        code, told = run(printed(text))
        assert code == 0
        assert re.search(r"replaced .*test_spam.json: other classes", told)
        assert run("pytest test_spam.py")[0] == 0

    def test_a_change_is_judged_by_the_baseline_that_it_updated(self, project, run):
        Path("test_spam.py").write_text(TEST.format(check=CHECKS["classes"], how=""))
        assert run("pytest test_spam.py --bayesf1-update")[0] == 0
        project.commit()
        write("new.csv", *CHANGED["renamed"])
        of_base = "pytest test_spam.py --bayesf1-baseline-ref=HEAD"
        code, text = run(of_base)
        assert code == 1
        assert run(printed(text))[0] == 0
        code, text = run(of_base)
        assert code == 0
        assert "classes: was 'eggs', 'ham', 'spam', is 'eggs', 'ham', 'promo'" in " ".join(text.split())


class TestAGateFile:
    @pytest.fixture
    def gate(self, project, run):
        def written(settings=""):
            files = "baseline: old.csv, candidate: new.csv, anchor: v1.csv"
            Path("bayesf1.yaml").write_text(f"gates:\n  spam: {{{files}, rope: 0.05, measure: f1_micro{settings}}}\n")
            write("old.csv", ROWS, BEFORE)
            write("v1.csv", ROWS, BEFORE)
            write("new.csv", ROWS, [*BEFORE[:-1], "eggs"])
            project.commit()

        return written

    @pytest.mark.parametrize("change", ["renamed", "split"])
    def test_the_printed_command_ends_green(self, gate, run, change):
        gate()
        write("new.csv", *CHANGED[change])
        code, text = run("bayesf1 gate")
        assert code == 4
        code, told = run(printed(text))
        assert code == 0
        assert "old.csv: other classes" in told
        assert run("bayesf1 gate")[0] == 0
        assert Path("v1.csv").read_bytes() == Path("new.csv").read_bytes()

    def test_listed_classes_are_changed_with_the_baseline(self, gate, run):
        gate(", labels: [eggs, ham, promo]")
        write("new.csv", *CHANGED["renamed"])
        code, text = run("bayesf1 gate")
        assert code == 4
        assert run(printed(text))[0] == 0
        assert run("bayesf1 gate")[0] == 0

    def test_history_shows_a_break(self, gate, run, project):
        gate()
        write("new.csv", *CHANGED["renamed"])
        code, told = run("bayesf1 baseline update bayesf1.yaml --gate spam")
        assert code == 0
        assert f"{told.strip()}\n" in (Path(__file__).parents[2] / "docs/how-to/change-classes.md").read_text("utf-8")
        project.commit()
        code, text = run("bayesf1 history old.csv")
        assert code == 0
        assert "other classes (gone: 'spam'; new: 'promo')" in text
