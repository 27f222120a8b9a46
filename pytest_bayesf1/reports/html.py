"""The HTML report: what it shows, and its rendering."""

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from html import escape
from importlib.resources import files
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_bayesf1.errors import printable
from pytest_bayesf1.figures.pictures import (
    Row,
    axis_of_changes,
    axis_of_scores,
    interval_row,
    posterior,
    prior_and_posterior,
    scale_of_axis,
    sides,
    trace,
    trend,
)
from pytest_bayesf1.figures.plot import Axis, Plot, css, svg
from pytest_bayesf1.reports.entry import VERDICTS, AnyEntry, ComparisonEntry, Gate, Report, VerdictName
from pytest_bayesf1.reports.parts import PartTable, part_tables
from pytest_bayesf1.reports.templating import Templates, trusted
from pytest_bayesf1.reports.verdict_card import VerdictCard, verdict_card
from pytest_bayesf1.reports.wording import short_names
from pytest_bayesf1.results.formatting import name_text, scaled
from pytest_bayesf1.results.run import RunIdentity
from pytest_bayesf1.results.versions import History
from pytest_bayesf1.text import MINUS, POINTS, Interval, scale_of

if TYPE_CHECKING:
    from pytest_bayesf1.ranking import Ranking

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


def wide_axis(entries: Iterable[AnyEntry]) -> Axis | None:
    """Return an axis for the pictures of all gates in points: two wide at least, so that little looks little."""
    known = [entry for entry in entries if isinstance(entry, ComparisonEntry)]
    if not known:
        return None
    ends = [POINTS.factor * end for each in known for end in (each.density.low, each.density.high, each.change)]
    reach = 2 * max(1.0, *map(abs, ends))
    allowed = (min(max(POINTS.factor * end, -reach), reach) for each in known for end in each.rope)
    return Axis.over([*ends, *allowed, -1.0, 1.0])


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
        return [DrawnTable(table, self.parts_axis or axis_of([table]), rope) for table in part_tables(self.gate)]


@dataclass(frozen=True)
class DrawnTable:
    """A table of parts, the axis of their pictures, and what is allowed of each."""

    table: PartTable
    axis: Axis
    rope: Interval | None

    @property
    def rows(self) -> list[Plot]:
        """A picture of each row."""
        return [interval_row(Row(part.at, part.interval, self.rope), self.axis) for part in self.table.rows]


def axis_of(tables: Iterable[PartTable]) -> Axis:
    """Return an axis that shows all parts of some tables."""
    return axis_of_changes(Row(part.at, part.interval) for table in tables for part in table.rows)


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
    def forest(self) -> tuple[Mapping[int, Plot], Axis | None]:
        """Rows by the id of their entry, and the axis that they share."""
        shown = (each for card in self.cards for each in (card.entry, *card.below) if card.gate.verdict != "passed")
        rows = {id(entry): row for entry in shown if (row := row_of(entry))}
        if not rows:
            return {}, None
        axis = axis_of_changes(rows.values())
        return {entry: interval_row(row, axis) for entry, row in rows.items()}, axis


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
    forest = Forest.of([Row(each.observed, each.hdi) for each in ranking.systems], axis_of_scores)
    return html_templates().render("ranking.html.j2", ranking=ranking, head=head, rows=rows, forest=forest)


class Forest(NamedTuple):
    """Pictures on one axis, a row each; None where there is nothing to draw."""

    rows: list[Plot | None]
    axis: Axis | None

    @classmethod
    def of(cls, rows: Sequence[Row | None], axis_of: Callable[[list[Row]], Axis]) -> "Forest":
        """Choose an axis that shows all of them."""
        known = [row for row in rows if row]
        if not known:
            return cls([None] * len(rows), None)
        axis = axis_of(known)
        return cls([interval_row(row, axis) if row else None for row in rows], axis)


def _forests(history: History) -> tuple[Forest, Forest]:
    """Draw every version's score, and its change since the anchor; nothing where one is not known."""
    factor = scale_of(custom_measure=not history.bounded).factor
    tolerated = (-factor * history.budget, 0.0)
    scores = [Row(each.score.mean, each.score.hdi) if each.score else None for each in history.versions]
    totals = [
        Row(factor * each.total.mean, scaled(each.total.hdi, factor), tolerated) if each.total else None
        for each in history.versions
    ]
    return Forest.of(scores, axis_of_scores), Forest.of(totals, axis_of_changes)


@cache
def html_templates() -> Templates:
    """Return the HTML templates."""
    filters: dict[str, Callable[..., Any]] = {
        "trusted": trusted,
        "breakable": breakable,
        "identity": id,
        "in_words": lambda counts: [
            (each, shown.counted(counts[each])) for each, shown in VERDICTS.items() if counts[each]
        ],
        "verdict_words": lambda verdict: VERDICTS[verdict].words,
        "svg": lambda plot, label="": trusted(svg(plot, label)),
        "scale": lambda axis: trusted(svg(scale_of_axis(axis))) if axis else "",
        "sides": lambda entry: sides(entry.baseline, entry.candidate),
        "prior_and_posterior": _prior_and_posterior,
        **{each.__name__: each for each in (posterior, trend, trace, heat_map)},
    }
    templates = Templates(_as_text, filters)
    templates.environment.globals["plot_css"] = trusted(css())
    return templates


def _prior_and_posterior(entry: ComparisonEntry) -> Plot | None:
    if entry.prior_density is None:
        return None
    factor = scale_of(custom_measure=entry.custom_measure).factor
    return prior_and_posterior(entry.prior_density, entry.density, factor)


_BEFORE_A_BREAK = re.compile(r"([._/:,=-])(?=[^\s._/:,=-])")


def breakable(name: str) -> str:
    """Let a name go on in the next line behind its punctuation, rather than anywhere."""
    return trusted(_BEFORE_A_BREAK.sub(r"\1<wbr>", escape(printable(name))))


def _as_text(value: Any) -> Any:
    """Let nothing in a text hide, or turn the direction of what follows; lines stay lines. Scripts need few digits."""
    if type(value) is float:
        return f"{value:.6g}"
    return printable(value) if type(value) is str else value
