"""The HTML report: what it shows, its drawings, and its rendering.

Every text has a line of its own and stays within the width, so that none is cut off and none lies on another.
"""

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from hashlib import sha256
from html import escape
from importlib.resources import files
from math import log10, sqrt
from typing import TYPE_CHECKING, Any

from pytest_bayesf1.errors import printable
from pytest_bayesf1.figures.plots import round_numbers
from pytest_bayesf1.reports.entry import VERDICTS, AnyEntry, ComparisonEntry, Gate, Report, VerdictName
from pytest_bayesf1.reports.parts import PartTable, part_tables
from pytest_bayesf1.reports.templating import Templates, trusted
from pytest_bayesf1.reports.verdict_card import CardAxis, VerdictCard, verdict_card
from pytest_bayesf1.reports.wording import short_names
from pytest_bayesf1.results.comparison import ComparisonFigures, Density
from pytest_bayesf1.results.formatting import format_score, name_text, scaled
from pytest_bayesf1.results.run import RunIdentity
from pytest_bayesf1.results.schema import Chain
from pytest_bayesf1.results.versions import History, Trend
from pytest_bayesf1.text import MINUS, POINTS, Interval, scale_of

if TYPE_CHECKING:
    from pytest_bayesf1.ranking import Ranking

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

_ROW, _ROW_MIDDLE = 24, 12
_POINTS = 100
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


def posterior(card: CardAxis, shared: Axis | None = None) -> Plot:
    """Draw the posterior of a verdict card with its interval, what is allowed, and no change or the floor."""
    axis = shared or _own_axis(card)
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


def _own_axis(card: CardAxis) -> Axis:
    return Axis.over(
        (card.density.low, card.density.high, card.observed, card.reference, *card.hdi, *(card.rope or ()))
    )


def wide_axis(entries: Iterable[AnyEntry]) -> Axis | None:
    """Return an axis for the pictures of all gates in points: two wide at least, so that little looks little."""
    known = [entry for entry in entries if isinstance(entry, ComparisonEntry)]
    if not known:
        return None
    ends = [POINTS.factor * end for each in known for end in (each.density.low, each.density.high, each.change)]
    reach = 2 * max(1.0, *map(abs, ends))
    allowed = (min(max(POINTS.factor * end, -reach), reach) for each in known for end in each.rope)
    return Axis.over([*ends, *allowed, -1.0, 1.0])


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
    last = round(100 * columns[-2] / WIDTH, 1)
    first_day, last_day = (name_text(known.points[place].date)[:10] for place in (0, -1))
    return Plot(tuple(paths), axis, ticks=(Label(0.0, first_day), Label(last, last_day)))


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
    """An interval among others on one axis, with the observed number and what is allowed."""

    at: float
    hdi: Interval
    rope: Interval | None = None


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
        return cls(tuple(bar(axis, row.at, row.hdi, _ROW_MIDDLE) for row in rows), tuple(axis.ticks()))

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
    return (
        *([band("rope", axis, row.rope, _ROW)] if row.rope else []),
        upright("zero", axis, 0.0, _ROW),
        *bar(axis, row.at, row.hdi, _ROW_MIDDLE),
    )


MOST_IN_FULL = 10
"""Gates that are shown in full: first those that somebody should look at. More would make a slow page."""

MOST_ARTICLES = 100
"""Gates that have a section of their own; the others have a row."""

MOST_AT_ONCE = 200
"""Rows of a table of gates that are rendered at first; the script renders the others when they come into view."""

MOST_BELOW = 3
"""Classes and slices that have a row below their gate."""

FEWEST_TO_GROUP, MOST_GROUPS = 30, 40


@dataclass(frozen=True)
class Card:
    """A gate and how it is shown.

    Attributes
    ----------
    name
        Short, and none other's.
    in_full
        Whether there are figures and tables, or its verdict and its advice alone.
    has_article
        Whether it has a section of its own.
    axis
        What all pictures of changes in points share; None where the measure has another unit.
    parts_axis
        The same of classes and slices.
    """

    gate: Gate
    run: RunIdentity
    name: str
    in_full: bool
    has_article: bool
    axis: Axis | None
    parts_axis: Axis | None

    @property
    def entry(self) -> AnyEntry:
        """What is about all the data."""
        return self.gate.whole

    @property
    def anchor(self) -> str:
        """Where links find it, in this report and in later ones."""
        return f"gate-{sha256(self.gate.test.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"

    @cached_property
    def glance(self) -> VerdictCard:
        """What a reader should see first."""
        return verdict_card(self.gate, self.run)

    @property
    def decided_by(self) -> AnyEntry | None:
        """The class, slice or anchor that decided, where all the data did not."""
        return self.gate.worst if self.gate.worst is not self.gate.whole else None

    @property
    def below(self) -> list[AnyEntry]:
        """Parts that have a row below it."""
        return self.gate.shown_parts[:MOST_BELOW]

    @cached_property
    def tables(self) -> list["DrawnTable"]:
        """Its classes, slices and anchor, each with its picture."""
        entry = self.entry
        if not isinstance(entry, ComparisonEntry):
            return []
        rope = scaled(entry.rope, POINTS.factor) if not entry.custom_measure else None
        found = part_tables(self.gate)
        return [DrawnTable.of(table, self.parts_axis or axis_of([table]), rope) for table in found]


@dataclass(frozen=True)
class DrawnTable:
    """A table of parts, a picture of each row, and the ticks of their axis."""

    table: PartTable
    rows: tuple[tuple[SvgPath, ...], ...]
    ticks: tuple[Label, ...]

    @classmethod
    def of(cls, table: PartTable, axis: Axis, rope: Interval | None) -> "DrawnTable":
        """Draw every row on an axis, which others may share."""
        rows = (_drawn(Row(part.at, part.interval, rope), axis) for part in table.rows)
        return cls(table, tuple(rows), tuple(axis.ticks()))


def axis_of(tables: Iterable[PartTable]) -> Axis:
    """Return an axis that shows all parts of some tables."""
    return Axis.over([0.0, *(end for table in tables for part in table.rows for end in (*part.interval, part.at))])


def row_of(entry: AnyEntry) -> Row | None:
    """Return what is drawn of an entry on the axis of all gates; None where its measure is not in points."""
    if not isinstance(entry, ComparisonEntry) or entry.custom_measure:
        return None
    return Row(POINTS.factor * entry.change, scaled(entry.hdi, POINTS.factor), scaled(entry.rope, POINTS.factor))


@dataclass(frozen=True)
class GateGroup:
    """Gates of one folder, file or prefix: how many there are, and how many came to each verdict."""

    name: str
    total: int
    counts: Mapping[VerdictName, int]


@dataclass(frozen=True)
class Page:
    """Everything that the template needs."""

    report: Report
    most_at_once: int = MOST_AT_ONCE

    @cached_property
    def cards(self) -> list[Card]:
        """One per gate, the worst first."""
        gates = self.report.gates
        attention_first = sorted(range(len(gates)), key=lambda place: not gates[place].needs_attention)
        in_full = set(attention_first[:MOST_IN_FULL])
        grave = [place for place, gate in enumerate(gates) if gate.verdict not in ("passed", "undecided")]
        with_article = in_full | set(grave[:MOST_ARTICLES])
        names = short_names(gate.test for gate in gates)
        in_points = [gates[place] for place in in_full if row_of(gates[place].whole)]
        tables = [table for gate in in_points for table in part_tables(gate)]
        axes = wide_axis([gate.whole for gate in in_points]), axis_of(tables) if tables else None
        return [
            Card(gate, self.report.run, names[gate.test], place in in_full, place in with_article, *shared)
            for place, gate in enumerate(gates)
            for shared in [axes if row_of(gate.whole) else (None, None)]
        ]

    @property
    def names(self) -> dict[str, str]:
        """The short name of each gate."""
        return {card.gate.test: card.name for card in self.cards}

    @property
    def sections(self) -> list[tuple[str, list[Card]]]:
        """The rows of the overview: those that are seen, those that could not tell, and those that passed."""
        kinds: tuple[tuple[str, tuple[VerdictName, ...]], ...] = (
            ("", ("failed", "error", "accepted", "warned", "expected")),
            ("could not tell", ("undecided",)),
            ("passed", ("passed",)),
            ("without a gate", ("",)),
        )
        found = ((words, [card for card in self.cards if card.gate.verdict in kind]) for words, kind in kinds)
        return [(words, cards) for words, cards in found if cards]

    @property
    def groups(self) -> list[GateGroup]:
        """Files, or prefixes, of very many gates, the worst first; none of few."""
        gates = self.report.gates
        if len(gates) <= FEWEST_TO_GROUP:
            return []
        files = {_file_of(gate.test) for gate in gates}
        found: dict[str, list[Gate]] = {}
        for gate in gates:
            found.setdefault(_file_of(gate.test) if len(files) > 1 else _prefix_of(gate.test), []).append(gate)
        groups = [GateGroup(name, len(each), Counter(gate.verdict for gate in each)) for name, each in found.items()]
        return groups[:MOST_GROUPS] if len(groups) > 1 else []

    @cached_property
    def forest(self) -> tuple[Mapping[int, tuple[SvgPath, ...]], tuple[Label, ...]]:
        """Rows by the id of their entry, and the axis that they share."""
        shown = (each for card in self.cards for each in (card.entry, *card.below) if card.gate.verdict != "passed")
        rows = {id(entry): row for entry in shown if (row := row_of(entry))}
        if not rows:
            return {}, ()
        forest = Forest.of(list(rows.values()))
        return dict(zip(rows, forest.rows, strict=True)), forest.ticks


def _file_of(test: str) -> str:
    return test.partition("::")[0]


def _prefix_of(test: str) -> str:
    return re.split(r"[-_/.:\[ ]", test.partition("::")[2] or test, maxsplit=1)[0]


def html(report: Report) -> str:
    """Render one self-contained HTML file."""
    script = files("pytest_bayesf1.reports").joinpath("templates", "report.js").read_text("utf-8")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return html_templates().render("report.html.j2", page=Page(report), script=script, script_source=f"sha256-{digest}")


def history_html(histories: Sequence[History]) -> str:
    """Render one self-contained HTML file."""
    return html_templates().render("history.html.j2", drawn=[(history, *_forests(history)) for history in histories])


def ranking_html(ranking: "Ranking") -> str:
    """Render one self-contained HTML file."""
    head, *rows = ranking.table()
    forest = Forest.of_scores([Row(each.observed, each.hdi) for each in ranking.systems])
    return html_templates().render("ranking.html.j2", ranking=ranking, head=head, rows=rows, forest=forest)


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
    plots = (posterior, sides, prior_and_posterior, trend, trace, heat_map)
    return Templates(
        _as_text,
        {
            "trusted": trusted,
            "breakable": breakable,
            "identity": id,
            "in_words": lambda counts: [
                (each, shown.counted(counts[each])) for each, shown in VERDICTS.items() if counts[each]
            ],
            "verdict_words": lambda verdict: VERDICTS[verdict].words,
            **{plot.__name__: plot for plot in plots},
        },
    )


_BEFORE_A_BREAK = re.compile(r"([._/:,=-])(?=[^\s._/:,=-])")


def breakable(name: str) -> str:
    """Let a name go on in the next line behind its punctuation, rather than anywhere."""
    return trusted(_BEFORE_A_BREAK.sub(r"\1<wbr>", escape(printable(name))))


def _as_text(value: Any) -> Any:
    """Let nothing in a text hide, or turn the direction of what follows; lines stay lines. Scripts need few digits."""
    if type(value) is float:
        return f"{value:.6g}"
    return printable(value) if type(value) is str else value
