"""The last versions of a baseline, for a report."""

import numpy as np
import pytest

from pytest_bayesf1 import BaselineError, InputError
from pytest_bayesf1.baselines.history import Trends
from pytest_bayesf1.comparison.result import run_estimate
from pytest_bayesf1.results.versions import Trend
from tests.unit.baselines.test_history import csv
from tests.unit.baselines.versioned import FILE, N, predicted, store
from tests.unit.committed import Committed


@pytest.fixture
def repository(tmp_path):
    return Committed.new(tmp_path / "repository")


def filled(repository, file=FILE, budget=0.02, kept=None, ref="HEAD", **given):
    asked = {"measure": "accuracy", "rope": 0.01, "hdi_prob": 0.95, "prior": "auto"} | given
    return Trends(repository.path, ref, kept).filled(Trend(file, budget), **asked)


def errors(trend):
    """How many of the thousand were wrong at each point, but for what the prior adds."""
    return [round(N * (1 - point.score), -1) for point in trend.points]


def test_the_last_ten_versions_the_oldest_first(repository):
    commits = [store(repository, predicted(10 * number)) for number in range(1, 14)]
    trend = filled(repository)
    assert [point.commit for point in trend.points] == commits[-10:]
    assert errors(trend) == list(range(40, 140, 10))
    assert trend.points[0].date == "2026-05-04"
    expected = run_estimate(predicted(40), 0.5, measure="accuracy").score
    assert trend.points[0].score == pytest.approx(expected.mean, abs=0.1 * expected.std)
    assert trend.points[0].hdi == pytest.approx(expected.hdi, abs=0.25 * expected.std)
    assert round(N * (1 - trend.anchor), -1) == 10
    assert trend.least == trend.anchor - 0.02


def test_the_same_predictions_are_one_point_of_the_day_they_came(repository):
    store(repository, predicted(10))
    text = (repository.path / FILE).read_bytes()
    repository.commit("other line ends", **{FILE: text.replace(b"\n", b"\r\n")})
    store(repository, predicted(20))
    trend = filled(repository)
    assert [point.date for point in trend.points] == ["2026-05-01", "2026-05-03"]


def test_only_versions_on_the_last_test_set_and_none_that_are_damaged(repository):
    store(repository, predicted(10))
    ids = np.arange(N) + 7
    store(repository, predicted(20, ids=ids))
    good = (repository.path / FILE).read_bytes()
    repository.commit("damaged", **{FILE: "{"})
    repository.write(FILE, good)
    store(repository, predicted(30, ids=ids))
    assert errors(filled(repository)) == [20, 30]


def test_a_baseline_that_is_its_own_anchor(repository):
    store(repository, predicted(10))
    store(repository, predicted(30), anchor_moves=True)
    trend = filled(repository)
    assert trend.anchor == trend.points[-1].score


def test_up_to_a_commit(repository):
    first = store(repository, predicted(10))
    store(repository, predicted(30))
    assert errors(filled(repository, ref=first)) == [10]


def test_scores_are_computed_once(repository, tmp_path, monkeypatch):
    for n_wrong in (10, 20, 30):
        store(repository, predicted(n_wrong))
    first = filled(repository, kept=tmp_path / "kept")
    for file in (tmp_path / "kept").rglob("*.json"):
        assert file.stat().st_size < 1_000
    monkeypatch.setattr("pytest_bayesf1.baselines.history.brief_score", None)
    assert filled(repository, kept=tmp_path / "kept") == first


def test_a_file_of_a_gate(repository):
    for n_wrong in (10, 20):
        repository.commit(**{"old/spam.csv": csv(n_wrong)})
    assert filled(repository, "old/spam.csv", budget=None).anchor is None
    repository.write("v1.csv", csv(5))
    repository.write(
        "bayesf1.yaml", "gates: {a: {baseline: old/spam.csv, candidate: a.csv, anchor: v1.csv, rope: 0.1}}"
    )
    trend = filled(repository, "old/spam.csv")
    assert errors(trend) == [10, 20]
    assert N * (1 - trend.anchor) == pytest.approx(6, abs=1)


def test_what_has_no_trend(repository, tmp_path):
    store(repository, predicted(10))
    with pytest.raises(BaselineError, match="expected a file in a git repository"):
        filled(repository, str(tmp_path / "a.json"))
    with pytest.raises(InputError):
        filled(repository, measure="my_own_function")
    assert filled(repository, measure="f1[spam]").points == ()
