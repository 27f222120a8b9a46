"""What an HTML report shows and in which order, worked out before the template lays it out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from pytest_bayesf1.figures.bayes_factor import factor_svg
from pytest_bayesf1.figures.heat_map import heat_map_svg
from pytest_bayesf1.figures.posterior import posterior_svg
from pytest_bayesf1.figures.sides import sides_svg
from pytest_bayesf1.figures.ticks import round_numbers
from pytest_bayesf1.figures.trace import trace_svg
from pytest_bayesf1.reports.html.forest import Axis, Bar, PlacedBar
from pytest_bayesf1.reports.report import Entry, Report, needs_attention

MOST_FIGURES = 40
"""Entries that get figures: the first, which are the worst. More would make a page that no browser likes."""

_FIGURES: Mapping[str, tuple[Callable[[Entry, str], str], Callable[[Entry], bool]]] = MappingProxyType(
    {
        "posterior": (posterior_svg, lambda entry: "density" in entry),
        "sides": (sides_svg, lambda entry: _is_known(entry, "baseline", "candidate")),
        "factor": (factor_svg, lambda entry: entry.get("prior_density") is not None),
        "trace": (trace_svg, lambda entry: entry["trace"] is not None),
        "heat_map": (heat_map_svg, lambda entry: bool(entry.get("breakdown") and entry["breakdown"]["cells"])),
    }
)


def _is_known(entry: Entry, *sides: str) -> bool:
    return all(side in entry and entry[side]["density"] is not None for side in sides)


@dataclass(frozen=True)
class Forest:
    """Rows on one axis.

    Attributes
    ----------
    bars
        One a row.
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
    entry: Entry
    most_figures: int = MOST_FIGURES

    @property
    def anchor(self) -> str:
        """Where links find it."""
        return f"entry-{self.number}"

    @property
    def needs_attention(self) -> bool:
        """Whether somebody should look at it."""
        return needs_attention(self.entry)

    @cached_property
    def figures(self) -> Mapping[str, str]:
        """SVG by name; none beyond the first 40 entries."""
        if self.entry["kind"] == "error" or self.number > self.most_figures:
            return {}
        return {
            name: draw(self.entry, f"{self.anchor}-{name}")
            for name, (draw, is_possible) in _FIGURES.items()
            if is_possible(self.entry)
        }

    @cached_property
    def classes(self) -> Forest | None:
        """The classes of a comparison below one another, in points; None where there are none."""
        breakdown = self.entry.get("breakdown")
        if not breakdown or not breakdown["classes"]:
            return None
        rope = self.entry["rope"]
        return Forest.of([_bar(part, rope, 100.0) for part in breakdown["classes"]])


@dataclass(frozen=True)
class Page:
    """Everything that the template needs."""

    report: Report

    @cached_property
    def cards(self) -> list[Card]:
        """One an entry, the worst first."""
        return [Card(number, entry) for number, entry in enumerate(self.report.entries, start=1)]

    @cached_property
    def verdicts(self) -> dict[str, int]:
        """How many entries came to each verdict that any came to."""
        found = [entry["verdict"] for entry in self.report.entries]
        return {verdict: found.count(verdict) for verdict in dict.fromkeys(found)}

    @cached_property
    def overview(self) -> tuple[Forest | None, Mapping[int, PlacedBar]]:
        """Bars by the number of their card, for differences of measures that have one unit in common: points."""
        cards = [card for card in self.cards if card.entry["kind"] == "comparison" and not card.entry["custom_measure"]]
        if not cards:
            return None, {}
        forest = Forest.of([_bar(card.entry, card.entry["rope"], 100.0) for card in cards])
        return forest, {card.number: bar for card, bar in zip(cards, forest.bars, strict=True)}


def _bar(posterior: Entry, rope: list[float], factor: float) -> Bar:
    (low, high), (band_low, band_high) = posterior["hdi"], rope
    return Bar((factor * low, factor * high), factor * posterior["mean"], (factor * band_low, factor * band_high))
