"""A trend in words and as blocks."""

from dataclasses import replace

from pytest_bayesf1 import Decision
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.markdown import markdown
from pytest_bayesf1.reports.wording import blocks, short_trend, trend_legend, trend_sentence
from pytest_bayesf1.results.versions import Trend, TrendPoint
from tests.unit.made_up import comparison, entry

POINTS = tuple(
    TrendPoint(f"2026-05-{day:02}", "abc", score, (score - 0.01, score + 0.01))
    for day, score in ((1, 0.9), (2, 0.91), (3, 0.93))
)


def shown(trend, verdict="passed"):
    return replace(entry(comparison(decision=Decision.EQUIVALENT), verdict), trend=trend)


def test_words():
    made = shown(Trend("a.json", 0.02, 0.9, POINTS))
    assert short_trend(made) == "0.900 ▁▃█ 0.930"
    assert trend_sentence(made).startswith(
        "The last 3 baselines: 0.900 on 2026-05-01 to 0.930 on 2026-05-03; the candidate 0.8"
    )
    assert trend_legend(made.trend) == "The dot is the candidate, the dashed line (0.880) the anchor less the budget."
    assert trend_legend(Trend("a.json", None, None, POINTS)) == "The dot is the candidate."


def test_nothing_to_tell():
    assert short_trend(shown(None)) == ""
    assert short_trend(shown(Trend("a.json", 0.02))) == ""


def test_blocks_of_equal_numbers():
    assert blocks([0.5, 0.5]) == "▅▅"
    assert blocks([0.5]) == "▅"


def test_a_comment_has_one_row_or_a_few_words():
    trend = Trend("a.json", 0.02, 0.9, POINTS)
    assert "| last 3 baselines | 0.900 ▁▃█ 0.930, since 2026-05-01 |\n" in markdown(Report.of([shown(trend, "failed")]))
    assert "(baselines 0.900 ▁▃█ 0.930) |" in markdown(Report.of([shown(trend), replace(shown(trend), test="other")]))
    without = markdown(Report.of([shown(None, "failed"), shown(None)]))
    assert "baselines" not in without
