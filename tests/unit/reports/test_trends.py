"""Which entries of a report show their baseline's history."""

from dataclasses import replace

import pytest

from pytest_bayesf1.reports import trends as module
from pytest_bayesf1.reports.entry import Report, entry_of
from pytest_bayesf1.reports.trends import with_trends, without_trends
from pytest_bayesf1.results.versions import Trend
from pytest_bayesf1.settings import Record
from tests.unit.baselines.versioned import FILE, manifest, predicted, store
from tests.unit.committed import Committed
from tests.unit.made_up import comparison, entry, estimate


@pytest.fixture
def repository(tmp_path):
    repository = Committed.new(tmp_path / "repository")
    for n_wrong in (100, 110):
        store(repository, predicted(n_wrong))
    return repository


def asked(test="a", file=FILE, **given):
    return replace(entry(comparison(measure="accuracy", **given), test=test), trend=Trend(file, 0.02))


def lengths(report):
    return [each.trend and len(each.trend.points) for each in report.entries if each.kind == "comparison"]


def test_entries_with_a_history_get_it(repository):
    report = Report.of([asked(), asked("b", "no/such/file.json"), entry(comparison(), test="c"), entry(estimate())])
    shown = with_trends(report, repository.path)
    assert lengths(shown) == [2, None, None]
    assert shown.entries[0].trend.anchor == pytest.approx(0.9, abs=2e-3)
    assert lengths(without_trends(report)) == [None] * 3


def test_one_version_is_no_trend_nor_is_a_clone_of_one_commit(repository, tmp_path):
    report = Report.of([asked()])
    first = repository.git("rev-parse", "HEAD^")
    assert lengths(with_trends(report, repository.path, first)) == [None]
    assert lengths(with_trends(report, repository.shallow_clone(tmp_path / "clone"))) == [None]
    assert lengths(with_trends(report, tmp_path)) == [None]


def test_functions_and_priors_of_the_users_own(repository):
    report = Report.of([asked(custom_measure=True), asked("b", prior="Prior(concentration=2)")])
    assert lengths(with_trends(report, repository.path)) == [None, 2]


def test_a_damaged_gate_file_is_no_obstacle(repository):
    repository.write("bayesf1.yaml", "gates: {")
    manifest(repository).write_text("{")
    assert lengths(with_trends(Report.of([asked(), asked("b", "spam.csv")]), repository.path)) == [None, None]


def test_the_first_entries_as_many_as_cost_little(repository, monkeypatch):
    report = Report.of(asked(name) for name in "abc")
    monkeypatch.setattr(module, "_MOST_TRENDS", 2)
    assert lengths(with_trends(report, repository.path)) == [2, 2, None]
    monkeypatch.setattr(module, "_MOST_EXAMPLES", 15_000)
    report = Report.of([asked("a"), asked("b", n_samples=(501, 501)), asked("c", n_samples=(500, 500))])
    assert lengths(with_trends(report, repository.path)) == [2, None, 2]


def test_a_record_knows_where_its_baseline_is(tmp_path):
    record = Record(comparison(), "bayes_regression", baseline=tmp_path / "a" / "b.json", budget=0.03)
    assert entry_of(record).trend is None
    assert entry_of(replace(record, baseline=None), in_full=False).trend is None
