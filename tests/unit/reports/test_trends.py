from dataclasses import replace

import pytest

from pytest_bayesf1.reports import trends as module
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.html import html
from pytest_bayesf1.reports.markdown import markdown
from pytest_bayesf1.reports.trends import with_trends
from pytest_bayesf1.results.timeline import Trend
from tests.unit.baselines.versioned import FILE, predicted, store
from tests.unit.committed import Committed
from tests.unit.made_up import comparison, entry, estimate


def asked(test="a", file=FILE, **given):
    return replace(entry(comparison(measure="accuracy", **given), test=test), trend=Trend(file, 0.02))


def lengths(report):
    return [each.trend and len(each.trend.points) for each in report.entries if each.kind == "comparison"]


class TestTrends:
    @pytest.fixture
    def repository(self, tmp_path):
        repository = Committed.new(tmp_path / "repository")
        for n_wrong in (100, 110):
            store(repository, predicted(n_wrong))
        return repository

    def test_entries_with_a_history_get_it(self, repository):
        report = Report.of([asked(), asked("b", "no/such/file.json"), entry(comparison(), test="c"), entry(estimate())])
        shown = with_trends(report, repository.path)
        dated = replace(report, run=replace(report.run, date="2100-01-01"))
        assert with_trends(dated, repository.path).entries[0].trend.age > 20_000
        narrow = with_trends(Report.of([replace(asked(), hdi_prob=0.5)]), repository.path)
        low, high = narrow.entries[0].trend.points[0].hdi
        assert high - low < 0.5 * (shown.entries[0].trend.points[0].hdi[1] - shown.entries[0].trend.points[0].hdi[0])
        assert lengths(shown) == [2, None, None]
        assert shown.entries[0].trend.anchor == pytest.approx(0.9, abs=2e-3)

    def test_a_judge_that_people_correct_has_none(self, repository):
        corrected = replace(asked(), judge="figures of a judge")
        assert lengths(with_trends(Report.of([corrected]), repository.path)) == [None]

    def test_one_version_is_no_trend_nor_is_a_clone_of_one_commit(self, repository, tmp_path):
        report = Report.of([asked()])
        first = repository.git("rev-parse", "HEAD^")
        assert lengths(with_trends(report, repository.path, first)) == [None]
        assert lengths(with_trends(report, repository.shallow_clone(tmp_path / "clone"))) == [None]
        assert lengths(with_trends(report, tmp_path)) == [None]
        late = Committed.new(tmp_path / "late")
        late.commit("before there was a baseline")
        store(late, predicted(100))
        assert lengths(with_trends(report, late.path)) == [None]

    def test_functions_and_priors_of_the_users_own(self, repository):
        report = Report.of([asked(custom_measure=True), asked("b", prior="Prior(concentration=2)")])
        assert lengths(with_trends(report, repository.path)) == [None, 2]
        shown = with_trends(Report.of(asked(prior, prior=prior) for prior in ("jeffreys", "uniform")), repository.path)
        assert len({each.trend.points[0].hdi for each in shown.entries}) == 2

    @pytest.mark.parametrize("broken", ["git.Repository.has_parents", "gates.history.trend_of"])
    def test_no_fault_of_a_trend_loses_the_report(self, repository, monkeypatch, broken):
        def fail(*_, **__):
            raise ValueError("not in the <subpath>")

        monkeypatch.setattr(f"pytest_bayesf1.{broken}", property(fail) if "git" in broken else fail)
        shown = with_trends(Report.of([asked(), entry(estimate())]), repository.path)
        assert shown.entries[0].trend.problem == "not in the <subpath> (ValueError)"
        assert "&lt;subpath&gt;" in html(shown)
        assert f"The history of {FILE} is missing: " in markdown(shown).replace("\\", "")

    def test_the_first_entries_as_many_as_cost_little(self, repository, monkeypatch):
        report = Report.of(asked(name) for name in "abc")
        monkeypatch.setattr(module, "_MOST_TRENDS", 2)
        assert lengths(with_trends(report, repository.path)) == [2, 2, None]
        monkeypatch.setattr(module, "_MOST_EXAMPLES", 15_000)
        monkeypatch.setattr(module, "_MOST_TRENDS", 9)
        sizes = {"a": 1_000, "b": 501, "c": 499, "d": 1, "e": 1}
        report = Report.of(asked(name, n_samples=(n, 100)) for name, n in sizes.items())
        assert lengths(with_trends(report, repository.path)) == [2, None, 2, 2, None]
