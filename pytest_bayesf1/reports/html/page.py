"""What an HTML report shows and in which order, worked out before the template lays it out."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from pytest_bayesf1._util import scale_of
from pytest_bayesf1.reports.card import verdict_card
from pytest_bayesf1.reports.entry import AnyEntry, ComparisonEntry, ErrorEntry, VerdictName
from pytest_bayesf1.reports.headline import headline
from pytest_bayesf1.reports.html import plots
from pytest_bayesf1.reports.html.axis import Axis, Label
from pytest_bayesf1.reports.html.heat_map import HeatMap
from pytest_bayesf1.reports.html.plots import Forest, Plot, Row
from pytest_bayesf1.reports.html.shapes import Path
from pytest_bayesf1.reports.order import by_gate
from pytest_bayesf1.reports.report import Report
from pytest_bayesf1.results.comparison import ClassDifference, Group
from pytest_bayesf1.results.other import CardClass, RunIdentity, VerdictCard

MOST_IN_FULL = 10
"""Entries that are told in full: first those that somebody should look at. More would make a slow page."""

MOST_ROWS = 10
"""Of a table; the others are behind a fold."""


@dataclass(frozen=True)
class Dots:
    """A class's score on either side as two dots on an axis that all classes share, in per cent of its width."""

    of: CardClass
    before: float
    after: float


@dataclass(frozen=True)
class Card:
    """One entry and what is drawn of it.

    Attributes
    ----------
    number
        Its place in the report, from 1.
    entry, run
        What it tells of.
    in_full
        Whether there are figures and tables, or its verdict and its advice alone.
    level
        Of its heading: 1 where the page has no other.
    most_rows
        Of its tables, before a fold.
    """

    number: int
    entry: AnyEntry
    run: RunIdentity
    in_full: bool
    level: int
    most_rows: int = MOST_ROWS

    @property
    def anchor(self) -> str:
        """Where links find it."""
        return f"entry-{self.number}"

    @cached_property
    def glance(self) -> VerdictCard:
        """What a reader should see first."""
        return verdict_card(self.entry, self.run)

    @property
    def is_told(self) -> bool:
        """Whether there is an article of it: what passed among many has a row alone."""
        return self.in_full or self.entry.verdict != "passed"

    @cached_property
    def posterior(self) -> Plot | None:
        """Of the change or of the score."""
        return plots.posterior(self.glance.axis) if self.glance.axis else None

    @cached_property
    def dots(self) -> list[Dots]:
        """The classes that lost most."""
        classes = self.glance.classes
        if not classes:
            return []
        axis = Axis.over(score for each in classes for score in (each.baseline, each.candidate))
        return [Dots(each, axis.place(each.baseline), axis.place(each.candidate)) for each in classes]

    @cached_property
    def sides(self) -> Plot | None:
        """Both scores."""
        return plots.sides(self._comparison) if self._comparison else None

    @cached_property
    def factor(self) -> Plot | None:
        """Prior and posterior."""
        return plots.factor(self._comparison, self._factor) if self._comparison else None

    @cached_property
    def trend(self) -> Plot | None:
        """How the baseline came to its score."""
        return plots.trend(self._comparison.trend, self._comparison.candidate.mean) if self._comparison else None

    @cached_property
    def trace(self) -> Plot | None:
        """Markov chains."""
        return None if isinstance(self.entry, ErrorEntry) else plots.trace(self.entry.trace)

    @cached_property
    def heat_map(self) -> HeatMap | None:
        """Where errors moved."""
        entry = self._comparison
        return HeatMap.of(entry.breakdown, entry.n_classes) if entry and entry.breakdown else None

    @cached_property
    def classes(self) -> list[tuple[ClassDifference, tuple[Path, ...]]]:
        """The classes of a comparison, each with its row of a forest; see `ticks`."""
        parts, forest = self._classes
        return list(zip(parts, forest.rows, strict=True)) if forest else []

    @property
    def ticks(self) -> tuple[Label, ...]:
        """Of the axis that the classes share, in points."""
        _, forest = self._classes
        return forest.ticks if forest else ()

    @cached_property
    def groups(self) -> list[tuple[Group, Forest]]:
        """Classes and slices that were compared too: of each part its own row, and the one shrunk toward the others."""
        entry = self._comparison
        if entry is None:
            return []
        rope = self._scaled(entry.rope)
        return [
            (
                group,
                Forest.of(
                    [
                        Row(self._factor * each.mean, self._scaled(each.hdi), rope)
                        for part in group.parts
                        for each in (part.alone, part.shrunk)
                    ]
                ),
            )
            for group in entry.groups
        ]

    @property
    def row(self) -> Row | None:
        """Of the forest of all gates, in points; None where the measure has another unit."""
        entry = self._comparison
        if entry is None or entry.custom_measure:
            return None
        hdi, rope = self._scaled(entry.hdi), self._scaled(entry.rope)
        return Row(self._factor * entry.mean, hdi, rope, entry.density, self._factor)

    @cached_property
    def _classes(self) -> tuple[tuple[ClassDifference, ...], Forest | None]:
        entry = self._comparison
        if entry is None or entry.breakdown is None or not entry.breakdown.classes:
            return (), None
        parts = entry.breakdown.classes
        # what is tolerated of a measure with another unit says nothing of F1
        rope = None if entry.custom_measure else self._scaled(entry.rope)
        rows = [Row(100 * each.mean, (100 * each.hdi[0], 100 * each.hdi[1]), rope) for each in parts]
        return parts, Forest.of(rows)

    @property
    def _comparison(self) -> ComparisonEntry | None:
        return self.entry if isinstance(self.entry, ComparisonEntry) else None

    @property
    def _factor(self) -> float:
        return scale_of(custom_measure=self._comparison is not None and self._comparison.custom_measure).factor

    def _scaled(self, interval: tuple[float, float]) -> tuple[float, float]:
        return self._factor * interval[0], self._factor * interval[1]


@dataclass(frozen=True)
class FirstWords:
    """What a whole run came to: how it looks, its symbol, and its words."""

    kind: VerdictName
    glyph: str
    words: str


@dataclass(frozen=True)
class Page:
    """Everything that the template needs."""

    report: Report

    @cached_property
    def gates(self) -> list[list[Card]]:
        """One card per entry, those of a gate together, the worst first."""
        gates = by_gate(self.report.entries)
        entries = list(chain.from_iterable(gates))
        attention_first = sorted(range(len(entries)), key=lambda place: not entries[place].needs_attention)
        in_full = set(attention_first[:MOST_IN_FULL])
        level = 1 if len(entries) == 1 and self._worst else 2
        cards = (
            Card(place + 1, entry, self.report.run, place in in_full, level) for place, entry in enumerate(entries)
        )
        return [[next(cards) for _ in gate] for gate in gates]

    @cached_property
    def cards(self) -> list[Card]:
        """All of them."""
        return list(chain.from_iterable(self.gates))

    @property
    def top(self) -> Card | None:
        """What the reader should see first; None where that is no entry: no gate ran, or all passed."""
        return next((card for card in self.cards if card.entry is self._worst), None)

    @property
    def _worst(self) -> AnyEntry | None:
        worst, verdict = self.report.worst, self.report.verdict
        all_passed = verdict == "passed" and len(self.report.entries) > 1
        return worst if worst and worst.verdict == verdict and not all_passed else None

    @property
    def first_words(self) -> FirstWords:
        """What stands first where that is no entry."""
        match self.report.verdict:
            case "passed":
                return FirstWords("passed", "✓", headline(self.report).removesuffix("."))
            case "none":
                return FirstWords("warned", "⚠️", "No gate ran")
            case "loosened":
                return FirstWords("warned", "⚠️", "Gates may let more pass than before")
        return FirstWords("error", "!", "Incomplete")

    @property
    def open_gates(self) -> list[list[Card]]:
        """Gates of which anything did not pass, with that alone below them."""
        open_cards = ([card for card in gate if card.number in self._open] for gate in self.gates)
        return [gate for gate in open_cards if gate]

    @property
    def passed_gates(self) -> list[list[Card]]:
        """Gates and parts of gates that passed."""
        passed = ([card for card in gate if card.number not in self._open] for gate in self.gates)
        return [gate for gate in passed if gate]

    @cached_property
    def _open(self) -> set[int]:
        """Numbers of what did not pass, and of the gates whose parts did not."""
        found = set()
        for gate in self.gates:
            trouble = {card.number for card in gate if card.entry.verdict != "passed"}
            found |= trouble | {gate[0].number} if trouble else set()
        return found

    @property
    def about(self) -> tuple[str, ...]:
        """Of which run it is, and how many entries came to each verdict where there are several."""
        tally = (self.report.tally(),) if len(self.cards) > 1 else ()
        return (*tally, *self.report.run.told)

    @cached_property
    def verdicts(self) -> dict[str, int]:
        """How many entries came to each verdict that any came to."""
        found = [entry.verdict for entry in self.report.entries]
        return {verdict: found.count(verdict) for verdict in dict.fromkeys(found)}

    @cached_property
    def forest(self) -> tuple[Mapping[int, tuple[Path, ...]], tuple[Label, ...]]:
        """Rows by the number of their card, and the axis that they share."""
        rows = {card.number: row for card in self.cards if (row := card.row)}
        if not rows:
            return {}, ()
        forest = Forest.of(list(rows.values()))
        return dict(zip(rows, forest.rows, strict=True)), forest.ticks
