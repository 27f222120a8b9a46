"""The HTML report: what it shows, its drawings, and its rendering.

Every text has a line of its own and stays within the width, so that none is cut off and none lies on another.

PYTEST_DONT_REWRITE
"""

from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from hashlib import sha256
from importlib.resources import files
from itertools import chain
from math import log10, sqrt
from typing import Any

from pytest_bayesf1._util import MINUS, POINTS, Interval, scale_of
from pytest_bayesf1.figures.plots import round_numbers
from pytest_bayesf1.reports.entry import VERDICTS, AnyEntry, ComparisonEntry, Report, VerdictName, by_gate
from pytest_bayesf1.reports.templating import Templates, trusted
from pytest_bayesf1.reports.verdict_card import CardAxis, CardClass, VerdictCard, verdict_card
from pytest_bayesf1.reports.wording import headline
from pytest_bayesf1.results.comparison import ComparisonFigures, Density, Group
from pytest_bayesf1.results.formatting import format_score, name_text, scaled, spelt_out
from pytest_bayesf1.results.run import RunIdentity
from pytest_bayesf1.results.schema import Chain
from pytest_bayesf1.results.versions import History, Trend

WIDTH = 1_000
"""Of every drawing, in units of its own: the page stretches it."""

_MARGIN = 0.03
_EDGE = 6
"""Per cent of the width at either end where half of a number would stick out."""


@dataclass(frozen=True)
class Label:
    """A text, and where on the axis it belongs, in per cent of the width."""

    place: float
    text: str
    kind: str = ""


@dataclass(frozen=True)
class Axis:
    """The numbers that a drawing shows, from ``low`` to ``high``."""

    low: float
    high: float

    @classmethod
    def over(cls, numbers: Iterable[float]) -> "Axis":
        """Show all of some numbers, with a little room around them."""
        shown = list(numbers)
        low, high = min(shown), max(shown)
        margin = _MARGIN * (high - low) or 1.0
        return cls(low - margin, high + margin)

    def place(self, value: float) -> float:
        """Place a number in per cent of the width; what lies beyond an end is placed at that end."""
        share = (value - self.low) / (self.high - self.low)
        return round(100 * min(max(share, 0.0), 1.0), 1)

    def across(self, value: float) -> int:
        """Say the same in units of the drawing."""
        return round(WIDTH / 100 * self.place(value))

    def label(self, value: float, text: str, kind: str = "") -> Label:
        """Put a text at a number."""
        return Label(self.place(value), text, kind)

    def ticks(self, most: int = 5) -> Iterator[Label]:
        """Yield round numbers that do not stick out; differences, which have two sides, with their signs."""
        has_sides = self.low < 0 < self.high
        for number in round_numbers(self.low, self.high, most):
            place = self.place(number)
            if number == 0 or _EDGE <= place <= 100 - _EDGE:
                yield Label(place, f"{number:{'+' if has_sides and number else ''}g}".replace("-", MINUS))


MOST_CLASSES = 20
NUMBERED = 8
"""Up to so many classes have room for numbers."""

SHADES = 4
_FULL = 0.25
"""Share of a class from which on a shade is the darkest; by a square root, so that small changes show too."""


@dataclass(frozen=True)
class Cell:
    """How a class's share of examples that are predicted as another one changed; no kind where it did not.

    Attributes
    ----------
    kind
        ``worse`` or ``better`` and its shade, from 1.
    points
        Of the class's examples.
    """

    kind: str = ""
    points: str = ""


@dataclass(frozen=True)
class HeatMap:
    """The classes whose cells changed most, in the order of their changes, and a row of cells for each.

    Attributes
    ----------
    names
        Of the classes.
    rows
        By true class, its cells by predicted class.
    n_classes
        Of which these are.
    full
        From which share of a class on a change has the darkest shade.
    """

    names: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    n_classes: int
    full: float = _FULL

    @property
    def numbered(self) -> bool:
        """Whether its cells have numbers in them."""
        return len(self.names) <= NUMBERED


def heat_map(entry: ComparisonEntry) -> HeatMap | None:
    """Show at most 20 classes; None where no cell changed, or none is known."""
    breakdown = entry.breakdown
    if breakdown is None or not breakdown.cells:
        return None
    sizes = [each.n_samples for each in breakdown.classes]
    changes: dict[tuple[int, int], float] = {}
    moved = [0.0] * len(sizes)
    for true, predicted, *counts in breakdown.cells:
        before, after = (count / max(size, 1) for count, size in zip(counts, sizes[true], strict=True))
        changes[true, predicted] = after - before
        moved[true] += abs(after - before)
        moved[predicted] += abs(after - before)
    shown = sorted(sorted(range(len(sizes)), key=lambda place: -moved[place])[:MOST_CLASSES])
    labels = [breakdown.classes[place].label for place in shown]
    rows = (
        tuple(_cell(changes.get((true, predicted), 0.0), is_error=true != predicted) for predicted in shown)
        for true in shown
    )
    return HeatMap(tuple(name_text(str(label)) for label in labels), tuple(rows), entry.n_classes)


def _cell(change: float, *, is_error: bool) -> Cell:
    if change == 0:
        return Cell()
    shade = max(1, round(SHADES * min(sqrt(abs(change) / _FULL), 1.0)))
    kind = "worse" if (change > 0) == is_error else "better"
    return Cell(f"{kind}-{shade}", f"{100 * change:+.1f}".replace("-", MINUS))


Points = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class SvgPath:
    """A line or an area; the style sheet knows how to paint its kind."""

    kind: str
    d: str


def line(kind: str, points: Iterable[tuple[int, int]]) -> SvgPath:
    """Join points."""
    return SvgPath(kind, "M" + " ".join(f"{x} {y}" for x, y in points))


def hill(kind: str, points: Points, floor: int) -> SvgPath:
    """Fill what lies between a curve and a floor."""
    return line(kind, [(points[0][0], floor), *points, (points[-1][0], floor)])


def band(kind: str, axis: Axis, interval: Interval, height: int) -> SvgPath:
    """Fill an interval from top to bottom; at least a thousandth of the width, so that it is seen."""
    left, right = map(axis.across, interval)
    return SvgPath(kind, f"M{left} 0h{max(right - left, 1)}v{height}H{left}z")


def upright(kind: str, axis: Axis, value: float, height: int, start: int = 0) -> SvgPath:
    """Draw a line at a number."""
    return SvgPath(kind, f"M{axis.across(value)} {start}V{height}")


def bar(axis: Axis, mean: float, hdi: Interval, y: int) -> tuple[SvgPath, SvgPath]:
    """Draw an interval, and its mean as a dot: a line without length, whose ends the style sheet makes round."""
    left, right = map(axis.across, hdi)
    return SvgPath("hdi", f"M{left} {y}H{right}"), SvgPath("mean", f"M{axis.across(mean)} {y}h0")


def curve(density: Density, axis: Axis, top: int, floor: int, *, most: int, factor: float = 1.0) -> Points:
    """Place a density, whose peak is at the top."""
    steps = len(density.values) - 1
    peak = max(density.values) or 1.0
    every = -(-steps // most)
    kept = sorted({*range(0, steps + 1, every), density.values.index(max(density.values)), steps})
    wide = density.high - density.low
    placed = (
        (axis.across(factor * (density.low + place / steps * wide)), _height(density.values[place] / peak, top, floor))
        for place in kept
    )
    return list(dict.fromkeys(placed))


def _height(share: float, top: int, floor: int) -> int:
    return round(floor - share * (floor - top))


def across_all(n: int) -> list[int]:
    """Return where each of n points is that fill the width."""
    return [round(WIDTH * place / max(n - 1, 1)) for place in range(n)]


_HEIGHT, _PEAK, _FLOOR, _BAR = 100, 6, 84, 93
"""From above: the end, where a curve is highest, where it ends, where its interval lies."""

_ROW, _ROW_FLOOR, _ROW_BAR, _ROW_MIDDLE = 24, 13, 18, 12
_POINTS, _ROW_POINTS = 100, 14
_LOWEST = -4.0
"""Of a density on a logarithmic axis: a power of ten, of the tallest."""


@dataclass(frozen=True)
class Plot:
    """A drawing, and the lines of text above and below it.

    Attributes
    ----------
    paths
        The first ones lie below the others.
    axis
        Its ends are known to the page, which tells how much of a density lies below the pointer.
    above, below
        One line of text each.
    ticks
        In one line.
    """

    paths: tuple[SvgPath, ...]
    axis: Axis
    above: tuple[Label, ...] = ()
    below: tuple[Label, ...] = ()
    ticks: tuple[Label, ...] = ()


def posterior(card: CardAxis) -> Plot:
    """Draw the posterior of a verdict card with its HDI and mean, what is tolerated, and no change or the floor."""
    axis = _wide_axis(card)
    points = curve(card.density, axis, _PEAK, _FLOOR, most=_POINTS)
    low, high = map(axis.across, card.hdi)
    inside = [point for point in points if low <= point[0] <= high]
    paths = [
        *([band("rope", axis, card.rope, _HEIGHT)] if card.rope else []),
        hill("hill", points, _FLOOR),
        *([hill("inside", inside, _FLOOR)] if inside else []),
        upright("zero", axis, card.reference, _HEIGHT),
        *(upright("mark", axis, each.at, _HEIGHT) for each in card.landmarks if each.at != card.reference),
        *bar(axis, card.observed, card.hdi, _BAR),
    ]
    return Plot(
        tuple(paths),
        axis,
        above=tuple(axis.label(each.at, " ".join(each.words.split())) for each in card.landmarks),
        below=(axis.label(card.observed, card.here, "here"),),
        ticks=tuple(axis.ticks()),
    )


def _wide_axis(card: CardAxis) -> Axis:
    return Axis.over(
        (card.density.low, card.density.high, card.observed, card.reference, *card.hdi, *(card.rope or ()))
    )


def sides(comparison: ComparisonFigures) -> Plot | None:
    """Draw the densities of both scores, below them the observed ones; None where an older document has none."""
    scores = comparison.baseline, comparison.candidate
    densities = [score.density for score in scores if score.density is not None]
    if len(densities) < 2:
        return None
    axis = Axis.over(end for density in densities for end in (density.low, density.high))
    paths, labels = [], []
    for kind, score, density in zip(("baseline", "candidate"), scores, densities, strict=True):
        paths += [
            hill(kind, curve(density, axis, _PEAK, _FLOOR, most=_POINTS // 2), _FLOOR),
            upright(f"{kind} observed", axis, score.observed, _HEIGHT, _FLOOR),
        ]
        labels.append(axis.label(score.mean, f"{kind} {format_score(score.mean)}", kind))
    return Plot(tuple(paths), axis, above=tuple(labels), ticks=tuple(axis.ticks()))


def prior_and_posterior(comparison: ComparisonEntry) -> Plot | None:
    """Draw prior and posterior on a logarithmic axis, where the Bayes factor is the distance at 0."""
    if comparison.prior_density is None:
        return None
    scale = scale_of(custom_measure=comparison.custom_measure).factor
    named = {"prior": comparison.prior_density, "posterior": comparison.density}
    axis = Axis.over(scale * end for density in named.values() for end in (density.low, density.high))
    tallest = max(max(density.values) for density in named.values())
    paths, labels = [upright("zero", axis, 0.0, _HEIGHT)], []
    for kind, density in named.items():
        logs = [max(log10(value / tallest) if value else _LOWEST, _LOWEST) for value in density.values]
        raised = replace(density, values=tuple(each - _LOWEST for each in logs))
        top = _HEIGHT - round(max(raised.values) / -_LOWEST * (_HEIGHT - _PEAK))
        paths.append(line(kind, curve(raised, axis, top, _HEIGHT, most=_POINTS // 2, factor=scale)))
        place = density.low + density.values.index(max(density.values)) / (len(density.values) - 1) * (
            density.high - density.low
        )
        labels.append(axis.label(scale * place, kind, kind))
    return Plot(tuple(paths), axis, above=tuple(labels), ticks=tuple(axis.ticks()))


def trend(known: Trend | None, candidate: float) -> Plot | None:
    """Draw the last versions' scores, the candidate behind them, and the budget."""
    if known is None or not known.points:
        return None
    lows, highs = zip(*(point.hdi for point in known.points), strict=True)
    least = () if known.least is None else (known.least,)
    axis = Axis.over((*lows, *highs, candidate, *least))
    columns = across_all(len(known.points) + 1)
    begins = [x for x, point in zip(columns, known.points, strict=False) if point.new_test_set]

    def rising(values: Sequence[float]) -> list[tuple[int, int]]:
        return [(x, _HEIGHT - round(axis.place(value))) for x, value in zip(columns, values, strict=False)]

    means = rising([*(point.score for point in known.points), candidate])
    paths = [
        line("band", [*rising(lows), *reversed(rising(highs))]),
        line("posterior", means[:-1]),
        line("zero", means[-2:]),
        SvgPath("mean", f"M{means[-1][0] - 12} {means[-1][1]}h0"),
        *(SvgPath("budget", f"M0 {_HEIGHT - round(axis.place(each))}h1000") for each in least),
        *(SvgPath("zero", f"M{x} 0v{_HEIGHT}") for x in begins),
    ]
    return Plot(tuple(paths), axis)


def trace(chains: Sequence[Chain] | None) -> Plot | None:
    """Draw Markov chains draw by draw: those that mix lie over one another and go nowhere."""
    if chains is None:
        return None
    axis = Axis.over(value for chain in chains for value in chain)
    paths = [
        line(
            f"chain chain-{number % 4}",
            [(x, _HEIGHT - round(axis.place(value))) for x, value in zip(across_all(len(chain)), chain, strict=True)],
        )
        for number, chain in enumerate(chains)
    ]
    return Plot(tuple(paths), axis)


@dataclass(frozen=True)
class Row:
    """An interval among others on one axis, with its mean, what is tolerated, and its density where it has one."""

    mean: float
    hdi: Interval
    rope: Interval | None = None
    density: Density | None = None
    factor: float = 1.0


@dataclass(frozen=True)
class Forest:
    """Rows on one axis.

    Attributes
    ----------
    rows
        What is drawn of each.
    ticks
        Of the axis.
    """

    rows: tuple[tuple[SvgPath, ...], ...]
    ticks: tuple[Label, ...]

    @classmethod
    def of_scores(cls, rows: Sequence[Row]) -> "Forest":
        """Choose an axis that shows all of them."""
        axis = Axis.over(end for row in rows for end in row.hdi)
        return cls(tuple(bar(axis, row.mean, row.hdi, _ROW_MIDDLE) for row in rows), tuple(axis.ticks()))

    @classmethod
    def of(cls, rows: Sequence[Row]) -> "Forest":
        """Show changes: no change, and of what is tolerated no more than twice as far as they reach."""
        ends = [end for row in rows for end in row.hdi]
        reach = 2 * max(map(abs, ends))
        tolerated = (min(max(end, -reach), reach) for row in rows for end in row.rope or ())
        axis = Axis.over([*ends, *tolerated, 0.0])
        return cls(tuple(_drawn(row, axis) for row in rows), tuple(axis.ticks()))


NO_FOREST = Forest((), ())


def _drawn(row: Row, axis: Axis) -> tuple[SvgPath, ...]:
    known = row.density
    shape = known and curve(known, axis, 1, _ROW_FLOOR, most=_ROW_POINTS, factor=row.factor)
    return (
        *([band("rope", axis, row.rope, _ROW)] if row.rope else []),
        *([hill("hill", shape, _ROW_FLOOR)] if shape else []),
        upright("zero", axis, 0.0, _ROW),
        *bar(axis, row.mean, row.hdi, _ROW_BAR if shape else _ROW_MIDDLE),
    )


MOST_IN_FULL = 10
"""Entries that are shown in full: first those that somebody should look at. More would make a slow page."""

MOST_ROWS = 10
"""Of a table; the others are behind a fold."""


def dots(classes: Sequence[CardClass]) -> list[tuple[CardClass, float, float]]:
    """Place the scores of classes on either side on an axis that they share, in per cent of its width."""
    axis = Axis.over(score for each in classes for score in (each.baseline, each.candidate))
    return [(each, axis.place(each.baseline), axis.place(each.candidate)) for each in classes]


def class_forest(entry: ComparisonEntry) -> Forest:
    """Draw the classes of a comparison in points; a ROPE of a measure with another unit says nothing of F1."""
    assert entry.breakdown is not None
    rope = None if entry.custom_measure else scaled(entry.rope, POINTS.factor)
    return Forest.of(
        [Row(POINTS.factor * each.change, scaled(each.hdi, POINTS.factor), rope) for each in entry.breakdown.classes]
    )


def group_forest(group: Group, entry: ComparisonEntry) -> Forest:
    """Draw every part of a group twice: alone, and shrunk toward the others."""
    factor = scale_of(custom_measure=entry.custom_measure).factor
    both = (each for part in group.parts for each in (part.alone, part.shrunk))
    return Forest.of([Row(factor * each.mean, scaled(each.hdi, factor), scaled(entry.rope, factor)) for each in both])


@dataclass(frozen=True)
class Card:
    """One entry and how it is shown.

    Attributes
    ----------
    number
        Its place in the report, from 1.
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
    def is_reported(self) -> bool:
        """Whether there is an article of it: what passed among many has a row alone."""
        return self.in_full or self.entry.verdict != "passed"

    @property
    def row(self) -> Row | None:
        """Of the forest of all gates, in points; None where the measure has another unit."""
        entry = self.entry
        if not isinstance(entry, ComparisonEntry) or entry.custom_measure:
            return None
        factor = POINTS.factor
        return Row(factor * entry.change, scaled(entry.hdi, factor), scaled(entry.rope, factor), entry.density, factor)


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
    def first_words(self) -> tuple[VerdictName, str, str]:
        """How the whole run looks, its symbol and its words, where no entry comes first."""
        match self.report.verdict:
            case "passed":
                return "passed", "✓", headline(self.report).removesuffix(".")
            case "none":
                return "warned", "⚠️", "No gate ran"
            case "loosened":
                return "warned", "⚠️", "Gates may let more pass than before"
        return "error", "!", "Incomplete"

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
        return (*tally, *self.report.run.text)

    @cached_property
    def verdicts(self) -> Mapping[VerdictName, int]:
        """How many entries came to each verdict that any came to."""
        return Counter(entry.verdict for entry in self.report.entries)

    @cached_property
    def forest(self) -> tuple[Mapping[int, tuple[SvgPath, ...]], tuple[Label, ...]]:
        """Rows by the number of their card, and the axis that they share."""
        rows = {card.number: row for card in self.cards if (row := card.row)}
        if not rows:
            return {}, ()
        forest = Forest.of(list(rows.values()))
        return dict(zip(rows, forest.rows, strict=True)), forest.ticks


def html(report: Report) -> str:
    """Render one self-contained HTML file."""
    script = files("pytest_bayesf1.reports").joinpath("templates", "report.js").read_text("utf-8")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return html_templates().render("report.html.j2", page=Page(report), script=script, script_source=f"sha256-{digest}")


def history_html(histories: Sequence[History]) -> str:
    """Render one self-contained HTML file."""
    return html_templates().render("history.html.j2", drawn=[(history, *_forests(history)) for history in histories])


def _forests(history: History) -> tuple[Forest, Forest]:
    """Draw every version's score, and its change since the anchor; nothing where one is not known."""
    factor = scale_of(custom_measure=not history.bounded).factor
    tolerated = (-factor * history.budget, 0.0)
    scores = [Row(each.score.mean, each.score.hdi) if each.score else None for each in history.versions]
    totals = [
        Row(factor * each.total.mean, scaled(each.total.hdi, factor), tolerated) if each.total else None
        for each in history.versions
    ]
    return _with_gaps(Forest.of_scores, scores), _with_gaps(Forest.of, totals)


def _with_gaps(draw: Callable[[Sequence[Row]], Forest], rows: Sequence[Row | None]) -> Forest:
    known = [row for row in rows if row]
    forest = draw(known) if known else NO_FOREST
    drawn = iter(forest.rows)
    return replace(forest, rows=tuple(next(drawn) if row else () for row in rows))


@cache
def html_templates() -> Templates:
    """Return the HTML templates."""
    plots = (posterior, sides, prior_and_posterior, trend, trace, heat_map, class_forest, group_forest, dots)
    return Templates(
        _as_text,
        {
            "trusted": trusted,
            "verdict_words": lambda verdict: VERDICTS[verdict].words,
            **{plot.__name__: plot for plot in plots},
        },
    )


def _as_text(value: Any) -> Any:
    """Let nothing in a text hide, or turn the direction of what follows; lines stay lines."""
    return "\n".join(map(spelt_out, value.split("\n"))) if type(value) is str else value
