"""Tables of the classes, slices and other parts of a gate, each part in one row of one table."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from pytest_bayesf1.figures.pictures import Bar
from pytest_bayesf1.measures.names import recorded_measure
from pytest_bayesf1.reports.entry import ComparisonEntry, VerdictName
from pytest_bayesf1.reports.page import Block, Column, Extent, Paragraph, Section, Span, Style, VerdictMark, grid
from pytest_bayesf1.results.comparison import ClassDifference
from pytest_bayesf1.text import POINTS
from pytest_bayesf1.words.amounts import Amounts, format_score, likely, likely_to_miss, name_text, scaled
from pytest_bayesf1.words.results import change_and_interval, observed


@dataclass(frozen=True, kw_only=True)
class Part:
    """A row; what is not known is empty.

    Attributes
    ----------
    size
        How many examples either side has.
    beyond
        Whether its whole interval lies below what is allowed.
    """

    name: str
    verdict: VerdictName = ""
    size: str = ""
    scores: str
    interval: str
    bar: Bar
    beyond: bool = False


@dataclass(frozen=True)
class PartTable:
    """Parts of one kind, the worst first.

    Attributes
    ----------
    name
        What it is called.
    by
        What tells them apart: ``class``, a column, or ``comparison``.
    score
        Whose values they are.
    few
        Of how many they are the first, in a sentence.
    """

    name: str
    by: str
    score: str
    rows: tuple[Part, ...]
    few: str = ""

    @property
    def title(self) -> str:
        """The same, and how many failed; of parts that were not judged, how many clearly lost too much."""
        is_judged = any(row.verdict for row in self.rows)
        n = sum(row.verdict == "failed" or (not row.verdict and row.beyond) for row in self.rows)
        came_to = "failed" if is_judged else "clearly lost more than you allow"
        return f"{self.name} – {n} of {len(self.rows)} {came_to}" if n else self.name


def part_sections(whole: ComparisonEntry, compared: Iterable[ComparisonEntry], extent: Extent) -> Iterator[Section]:
    """Yield a table for each kind of part."""
    for each in part_tables(whole, compared):
        columns = (
            Column[Part]("verdict", lambda part: VerdictMark(part.verdict) if part.verdict else None, "verdict"),
            Column[Part](each.by, lambda part: Span(part.name, Style.NAME), "name"),
            Column[Part](f"{whole.example}s", lambda part: part.size, "number"),
            Column[Part](f"{each.score} before → after", lambda part: part.scores),
            Column[Part](f"{likely(whole)} change", lambda part: Span(part.interval, Style.WHOLE)),
            Column[Part]("shaded: allowed", lambda part: part.bar, "picture"),
        )
        rows = grid(
            each.name,
            columns,
            each.rows,
            verdict=lambda part: part.verdict,
            is_worse=lambda part: part.beyond,
            noun=each.by if each.by == whole.category else "part",
        )
        blocks: list[Block] = list(rows.cut(extent.rows, folds=extent.is_file))
        miss = likely_to_miss(whole, len(each.rows)) if len(each.rows) > 1 else ""
        if note := " ".join(filter(None, (each.few, miss))):
            blocks.append(Paragraph(note, "soft"))
        yield Section(each.title, tuple(blocks))


def part_tables(whole: ComparisonEntry, compared: Iterable[ComparisonEntry]) -> list[PartTable]:
    """Return the tables of a gate: its classes, its slices by each column, and whatever else was compared."""
    slices: dict[str, list[ComparisonEntry]] = {gap.by: [] for gap in whole.gaps}
    classes, others = [], []
    for part in compared:
        if part.gate == "per_class":
            classes.append(part)
        elif part.gate == "slices":
            slices.setdefault(part.by, []).append(part)
        else:
            others.append(part)
    of_columns = (_table(_by(column), column, parts) for column, parts in slices.items())
    tables = (_classes(whole, classes), *of_columns, _table("Also compared", "comparison", others))
    return [table for table in tables if table.rows]


def _classes(whole: ComparisonEntry, judged: Sequence[ComparisonEntry]) -> PartTable:
    """Show the classes that were judged, or else F1 of all of them."""
    known = whole.breakdown.classes if whole.breakdown else ()
    if judged:
        return _table(
            _by(whole.category), whole.category, judged, {str(each.label): _size(each.n_samples) for each in known}
        )
    few = f"The {len(known)} of {whole.n_classes:,} classes whose observed F1 changed most."
    rows = tuple(_of_class(each, whole) for each in known)
    return PartTable(_by(whole.category), whole.category, "F1", rows, few if whole.n_classes > len(rows) else "")


def _by(what: str) -> str:
    return f"By {name_text(what)}"


def _size(n_samples: Iterable[int]) -> str:
    return ", ".join(dict.fromkeys(f"{n:,}" for n in n_samples))


def _of_class(each: ClassDifference, whole: ComparisonEntry) -> Part:
    amounts, rope = Amounts(POINTS, each.hdi), scaled(whole.rope, POINTS.factor)
    return Part(
        name=name_text(each.label),
        size=_size(each.n_samples),
        scores=f"{format_score(each.baseline)} → {format_score(each.candidate)}",
        interval=amounts.interval(each.hdi),
        bar=Bar(POINTS.factor * each.change, scaled(each.hdi, POINTS.factor), None if whole.custom_measure else rope),
        beyond=not whole.custom_measure and each.hdi[1] < whole.rope[0],
    )


def _table(
    name: str, by: str, parts: Sequence[ComparisonEntry], sizes: Mapping[str, str] = MappingProxyType({})
) -> PartTable:
    measures = {_measure(part) for part in parts}
    score = name_text(measures.pop()) if len(measures) == 1 else "score"
    return PartTable(name, name_text(by), score, tuple(_rows(parts, sizes)))


def bar_of(entry: ComparisonEntry) -> Bar:
    """Draw a change, its HDI and what is allowed."""
    factor = entry.scale.factor
    return Bar(factor * entry.change, scaled(entry.hdi, factor), scaled(entry.rope, factor))


def _measure(part: ComparisonEntry) -> str:
    """Return the words of its measure; without the class, where the row names that."""
    named = recorded_measure(part.measure, bounded=not part.custom_measure) if part.gate == "per_class" else None
    return replace(named, label=None).words if named else part.measure_words


def _rows(parts: Iterable[ComparisonEntry], sizes: Mapping[str, str]) -> Iterator[Part]:
    for entry in parts:
        _, interval = change_and_interval(entry)
        yield Part(
            name=name_text(entry.value or entry.title),
            verdict=entry.verdict,
            size=sizes.get(entry.value, "" if sizes else _size(entry.n_samples)),
            scores=observed(entry),
            interval=interval,
            bar=bar_of(entry),
            beyond=entry.hdi[1] < entry.rope[0],
        )
