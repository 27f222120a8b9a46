"""The last versions of a baseline in words and as a row of blocks."""

from dataclasses import dataclass

from pytest_bayesf1.reports.entry import ComparisonEntry
from pytest_bayesf1.reports.wording import score
from pytest_bayesf1.results.formatting import name_text
from pytest_bayesf1.results.other import Trend

_BLOCKS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True)
class ToldTrend:
    """What a report says of a trend.

    Attributes
    ----------
    short
        The first and the last score, between them a block for every version.
    begin
        The day of the first.
    sentence
        The same in words.
    legend
        What the lines of the figure mean.
    """

    short: str
    begin: str
    sentence: str
    legend: str


def told_trend(entry: ComparisonEntry) -> ToldTrend | None:
    """Tell how a gate's baseline came to its score; None where nothing is known."""
    trend = entry.trend
    if trend is None or not trend.points:
        return None
    first, last = trend.points[0], trend.points[-1]
    days = name_text(first.date), name_text(last.date)
    return ToldTrend(
        short=f"{score(first.score)} {blocks([point.score for point in trend.points])} {score(last.score)}",
        begin=days[0],
        sentence=(
            f"The last {len(trend.points)} baselines: {score(first.score)} on {days[0]} to {score(last.score)} on "
            f"{days[1]}; the candidate {score(entry.candidate.mean)}."
        ),
        legend=_legend(trend),
    )


def _legend(trend: Trend) -> str:
    if trend.least is None:
        return "The dot is the candidate."
    return f"The dot is the candidate, the dashed line ({score(trend.least)}) the anchor less the budget."


def blocks(values: list[float]) -> str:
    """Draw numbers as blocks, from the lowest to the highest of them.

    Examples
    --------
    >>> blocks([0.90, 0.91, 0.93])
    '▁▃█'
    """
    low, high = min(values), max(values)
    if low == high:
        return _BLOCKS[len(_BLOCKS) // 2] * len(values)
    steps = len(_BLOCKS) - 1
    return "".join(_BLOCKS[round(steps * (value - low) / (high - low))] for value in values)
