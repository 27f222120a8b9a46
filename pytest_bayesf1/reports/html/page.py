"""What an HTML report shows and in which order, worked out before the template lays it out."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from pytest_bayesf1.figures.bayes_factor import factor_svg
from pytest_bayesf1.figures.curves import change_factor
from pytest_bayesf1.figures.heat_map import heat_map_svg
from pytest_bayesf1.figures.history import trend_svg
from pytest_bayesf1.figures.posterior import posterior_svg
from pytest_bayesf1.figures.sides import sides_svg
from pytest_bayesf1.figures.ticks import round_numbers
from pytest_bayesf1.figures.trace import trace_svg
from pytest_bayesf1.reports.entry import AnyEntry, ComparisonEntry, ErrorEntry, EstimateEntry
from pytest_bayesf1.reports.html.forest import Axis, Bar, PlacedBar
from pytest_bayesf1.reports.report import Report
from pytest_bayesf1.results.breakdown import ClassDifference
from pytest_bayesf1.results.groups import Group, MeanAndHdi
from pytest_bayesf1.text import Interval

MOST_FIGURES = 40
"""Entries that get figures: the first, which are the worst. More would make a page that no browser likes."""


@dataclass(frozen=True)
class Forest:
    """Rows on one axis.

    Attributes
    ----------
    bars
        One per row.
    ticks
        Places and numbers of the axis.
    zero
        Where no difference is.
    """

    bars: tuple[PlacedBar, ...]
    ticks: list[tuple[float, str]]
    zero: float

    @classmethod
    def of(cls, bars: list[Bar]) -> "Forest":
        """Choose an axis that shows all of them."""
        axis = Axis.over(bars)
        ticks = axis.ticks(round_numbers(axis.low, axis.high, 4))
        return cls(tuple(map(axis.placed, bars)), ticks, axis.place(0.0))


@dataclass(frozen=True)
class Card:
    """One entry and what is drawn of it."""

    number: int
    entry: AnyEntry
    most_figures: int = MOST_FIGURES

    @property
    def anchor(self) -> str:
        """Where links find it."""
        return f"entry-{self.number}"

    @cached_property
    def figures(self) -> Mapping[str, str]:
        """SVG by name; none beyond the first 40 entries."""
        if isinstance(self.entry, ErrorEntry) or self.number > self.most_figures:
            return {}
        return dict(_figures(self.entry, self.anchor))

    @cached_property
    def classes(self) -> Forest | None:
        """The classes of a comparison below one another, in points; None where there are none."""
        entry = self.entry
        if not isinstance(entry, ComparisonEntry) or entry.breakdown is None or not entry.breakdown.classes:
            return None
        return Forest.of([_bar(part, entry.rope) for part in entry.breakdown.classes])

    @cached_property
    def groups(self) -> list[tuple[Group, Forest]]:
        """Classes and slices that were compared too: of each part its own bar, and the one shrunk toward the others."""
        entry = self.entry
        if not isinstance(entry, ComparisonEntry):
            return []
        factor = change_factor(entry)
        return [
            (
                group,
                Forest.of(
                    [_bar(each, entry.rope, factor) for part in group.parts for each in (part.alone, part.shrunk)]
                ),
            )
            for group in entry.groups
        ]


def _figures(entry: ComparisonEntry | EstimateEntry, anchor: str) -> Iterator[tuple[str, str]]:
    """Draw what the entry holds the figures of."""
    yield "posterior", posterior_svg(entry, f"{anchor}-posterior")
    factor = 1.0
    if isinstance(entry, ComparisonEntry):
        yield from _figures_of_comparison(entry, anchor)
        factor = change_factor(entry)
    if entry.trace is not None:
        yield "trace", trace_svg(entry.trace, f"{anchor}-trace", factor)


def _figures_of_comparison(entry: ComparisonEntry, anchor: str) -> Iterator[tuple[str, str]]:
    densities = entry.baseline.density, entry.candidate.density
    if densities[0] is not None and densities[1] is not None:
        yield "sides", sides_svg(entry, (densities[0], densities[1]), f"{anchor}-sides")
    if entry.prior_density is not None:
        yield "factor", factor_svg(entry, entry.prior_density, f"{anchor}-factor")
    if entry.trend is not None and entry.trend.points:
        yield "trend", trend_svg(entry.trend, entry.candidate.mean, f"{anchor}-trend")
    if entry.breakdown is not None and entry.breakdown.cells:
        yield "heat_map", heat_map_svg(entry.breakdown, f"{anchor}-heat_map")


@dataclass(frozen=True)
class Page:
    """Everything that the template needs."""

    report: Report

    @cached_property
    def cards(self) -> list[Card]:
        """One per entry, the worst first."""
        return [Card(number, entry) for number, entry in enumerate(self.report.entries, start=1)]

    @cached_property
    def verdicts(self) -> dict[str, int]:
        """How many entries came to each verdict that any came to."""
        found = [entry.verdict for entry in self.report.entries]
        return {verdict: found.count(verdict) for verdict in dict.fromkeys(found)}

    @cached_property
    def overview(self) -> tuple[Forest | None, Mapping[int, PlacedBar]]:
        """Bars by the number of their card, for differences of measures that have one unit in common: points."""
        bars = {
            card.number: _bar(card.entry, card.entry.rope)
            for card in self.cards
            if isinstance(card.entry, ComparisonEntry) and not card.entry.custom_measure
        }
        if not bars:
            return None, {}
        forest = Forest.of(list(bars.values()))
        return forest, dict(zip(bars, forest.bars, strict=True))


def _bar(posterior: ComparisonEntry | ClassDifference | MeanAndHdi, rope: Interval, factor: float = 100) -> Bar:
    """Return an interval, by default in points."""
    (low, high), (rope_low, rope_high) = posterior.hdi, rope
    return Bar((factor * low, factor * high), factor * posterior.mean, (factor * rope_low, factor * rope_high))
