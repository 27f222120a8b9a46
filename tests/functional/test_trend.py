"""Reports show the last versions of baselines where git has a history of them, and nothing where it has none."""

import json

import pytest
from click.testing import CliRunner

from pytest_bayesf1.cli.main import main
from tests.unit.baselines.test_history import csv
from tests.unit.baselines.versioned import predicted, store
from tests.unit.committed import Committed

TEST = """
import numpy as np

from pytest_bayesf1 import ConfusionMatrix


def test_f1(bayes_regression):
    truth = np.arange(1_000) % 2
    said = np.where(np.arange(1_000) < 115, 1 - truth, truth)
    candidate = ConfusionMatrix.from_predictions(truth, said, ids=np.arange(1_000))
    bayes_regression.check(candidate, measure="accuracy", rope=0.05)
"""
GATES = "gates: {spam: {baseline: spam.csv, candidate: new.csv, measure: accuracy, rope: 0.05}}"


@pytest.fixture
def repository(pytester):
    repository = Committed.new(pytester.path)
    for n_wrong in (100, 110):
        repository.write("spam.csv", csv(n_wrong))
        store(repository, predicted(n_wrong))
    for name, text in {"new.csv": csv(115), "bayesf1.yaml": GATES, "tests/test_spam.py": TEST}.items():
        repository.write(name, text)
    return repository


@pytest.fixture
def trends(pytester):
    """Run, and return the trends of the report by test or gate and part."""

    def trends(*arguments, report="out.json"):
        result = pytester.runpytest("-p", "no:randomly", f"--bayesf1-report={report}", *arguments)
        result.assert_outcomes(passed=2)
        document = pytester.path / report
        entries = json.loads((document / "report.json" if document.is_dir() else document).read_text("utf-8"))[
            "entries"
        ]
        return {(entry["test"], entry["part"]): entry["trend"] for entry in entries}

    return trends


def test_of_stored_baselines_and_of_gate_files(repository, trends, pytester):
    found = trends(report="out")
    of_test, of_gate = found["tests/test_spam.py::test_f1", ""], found["bayesf1.yaml::spam", ""]
    assert found["tests/test_spam.py::test_f1", "since the anchor"] is None
    assert (of_test["file"], of_test["budget"]) == ("tests/__bayesf1__/test_spam/test_f1.json", 0.1)
    assert (of_gate["file"], of_gate["budget"], of_gate["anchor"]) == ("spam.csv", None, None)
    for trend in (of_test, of_gate):
        assert [point["date"] for point in trend["points"]] == ["2026-05-01", "2026-05-02"]
        assert [point["score"] for point in trend["points"]] == pytest.approx([0.9, 0.89], abs=2e-3)
    assert of_test["anchor"] == of_test["points"][0]["score"]
    page = (pytester.path / "out" / "report.html").read_text("utf-8")
    assert page.count("The last 2 baselines: 0.89") == 4  # each with a figure that says the same
    assert "(baselines 0.899 █▁ 0.889)" in (pytester.path / "out" / "report.md").read_text("utf-8")


@pytest.mark.long
def test_workers_find_the_same(repository, trends):
    assert trends("-n", "2") == trends()


def test_a_change_tells_nothing_of_its_own(repository, trends):
    base = repository.commit()
    store(repository, predicted(112))
    assert len(trends()["tests/test_spam.py::test_f1", ""]["points"]) == 3
    of_base = trends(f"--bayesf1-baseline-ref={base}")
    assert [len(trend["points"]) for (_, part), trend in of_base.items() if not part] == [2, 2]


@pytest.mark.long
def test_not_where_nobody_wants_them_nor_without_git(repository, trends, pytester):
    assert set(trends("--bayesf1-no-trend").values()) == {None}
    pytester.makeini("[pytest]\nbayesf1_no_trend = true\n")
    assert set(trends().values()) == {None}
    (pytester.path / "tox.ini").unlink()
    (pytester.path / ".git").rename(pytester.path / ".no-git")
    assert set(trends().values()) == {None}


def test_the_command_line_has_them_too(repository):
    result = CliRunner().invoke(main, ["gate", "--json"], catch_exceptions=False)
    (entry,) = json.loads(result.stdout)["entries"]
    assert len(entry["trend"]["points"]) == 2
