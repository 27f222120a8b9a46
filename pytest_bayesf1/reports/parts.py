"""Tables of the classes, slices and other parts of a gate, each part in one row of one table."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType

from pytest_bayesf1.figures.pictures import Bar, axis_of_changes
from pytest_bayesf1.figures.plot import Axis
from pytest_bayesf1.reports.entry import ComparisonEntry, Judged, VerdictName
from pytest_bayesf1.reports.page import Block, Column, Extent, Paragraph, Section, Span, Style, Verdict, table
from pytest_bayesf1.results.comparison import ClassDifference
from pytest_bayesf1.results.formatting import Amounts, format_score, likely, likely_to_miss, name_text, scaled
from pytest_bayesf1.text import POINTS, one_line, scale_of


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
    change: str
    interval: str
    bar: Bar
    beyond: bool = False


@dataclass(frozen=True)
class PartTable:
    """Parts of one kind, the worst first.

    Attributes
    ----------
    by
        What tells them apart: ``class``, a column, or ``comparison``.
    score
        Whose values they are.
    few
        Of how many they are the first, in a sentence.
    """

    by: str
    score: str
    rows: tuple[Part, ...]
    few: str = ""

    @property
    def name(self) -> str:
        """What it is called."""
        return f"By {self.by}" if self.by != _OTHERS else "Also compared"

    @property
    def title(self) -> str:
        """The same, and how many failed; of parts that were not judged, how many clearly lost too much."""
        is_judged = any(row.verdict for row in self.rows)
        n = sum(row.verdict == "failed" or (not row.verdict and row.beyond) for row in self.rows)
        came_to = "failed" if is_judged else "clearly lost more than you allow"
        return f"{self.name} – {n} of {len(self.rows)} {came_to}" if n else self.name


_OTHERS = "comparison"


def part_sections(gate: Judged, extent: Extent, axis: Axis | None) -> Iterator[Section]:
    """Yield a table for each kind of part."""
    whole = gate.whole
    for each in part_tables(gate):
        assert isinstance(whole, ComparisonEntry)
        columns = (
            Column[Part]("", lambda part: Verdict(part.verdict) if part.verdict else None, "verdict"),
            Column[Part](each.by, lambda part: Span(part.name, Style.NAME), "name"),
            Column[Part](f"{whole.example}s", lambda part: part.size, "number"),
            Column[Part](f"{each.score} before → after", lambda part: part.scores),
            Column[Part]("change", lambda part: part.change),
            Column[Part](likely(whole), lambda part: Span(part.interval, Style.WHOLE)),
            Column[Part]("shaded: allowed", lambda part: part.bar, "picture", axis=axis),
        )
        rows = table(each.name, columns, each.rows, row_kind=_kind)
        blocks: list[Block] = list(rows.cut(extent.rows, folds=extent.is_file))
        miss = likely_to_miss(whole, len(each.rows)) if len(each.rows) > 1 else ""
        if note := " ".join(filter(None, (each.few, miss))):
            blocks.append(Paragraph(note, "soft"))
        yield Section(each.title, tuple(blocks))


def _kind(part: Part) -> str:
    return f"{part.verdict or 'none'}{' worse' if part.beyond else ''}"


def shared_axis(gates: Iterable[Judged]) -> Axis | None:
    """Return an axis for the parts of some gates."""
    bars = [part.bar for part in chain.from_iterable(each.rows for gate in gates for each in part_tables(gate))]
    return axis_of_changes(Bar(bar.at, bar.hdi) for bar in bars) if bars else None


def part_tables(gate: Judged) -> list[PartTable]:
    """Return the tables of a gate: its classes, its slices by each column, and whatever else was compared."""
    whole = gate.whole
    if not isinstance(whole, ComparisonEntry):
        return []
    left = {part.part or part.measure_words: part for part in gate.parts if isinstance(part, ComparisonEntry)}
    tables = [_classes(whole, left)]
    tables += [_table(gap.by, _taken(gap.by, left)) for gap in whole.gaps]
    for column in dict.fromkeys(name.partition("=")[0] for name, part in left.items() if part.gate == "slices"):
        tables.append(_table(column, _taken(column, left)))
    tables.append(_table(_OTHERS, left))
    return [table for table in tables if table.rows]


def _taken(column: str, left: dict[str, ComparisonEntry]) -> Mapping[str, ComparisonEntry]:
    """Take the slices by a column out of what is left."""
    return {name: left.pop(name) for name in list(left) if name.startswith(f"{one_line(column)}=")}


def _classes(whole: ComparisonEntry, left: dict[str, ComparisonEntry]) -> PartTable:
    """Take the classes that were judged, or else F1 of all of them."""
    known = whole.breakdown.classes if whole.breakdown else ()
    judged = {name: left.pop(name) for name in list(left) if left[name].gate == "per_class"}
    if judged:
        sizes = {f"{whole.category} {one_line(each.label)}": _size(each.n_samples) for each in known}
        return _table(whole.category, judged, sizes)
    few = f"The {len(known)} of {whole.n_classes:,} classes whose observed F1 changed most."
    rows = tuple(_of_class(each, whole) for each in known)
    return PartTable(whole.category, "F1", rows, few if whole.n_classes > len(rows) else "")


def _size(n_samples: Iterable[int]) -> str:
    return ", ".join(dict.fromkeys(f"{n:,}" for n in n_samples))


def _of_class(each: ClassDifference, whole: ComparisonEntry) -> Part:
    amounts, rope = Amounts(POINTS, each.hdi), scaled(whole.rope, POINTS.factor)
    return Part(
        name=name_text(each.label),
        size=_size(each.n_samples),
        scores=f"{format_score(each.baseline)} → {format_score(each.candidate)}",
        change=amounts.signed(each.change),
        interval=amounts.interval(each.hdi),
        bar=Bar(POINTS.factor * each.change, scaled(each.hdi, POINTS.factor), None if whole.custom_measure else rope),
        beyond=not whole.custom_measure and each.hdi[1] < whole.rope[0],
    )


def _table(by: str, parts: Mapping[str, ComparisonEntry], sizes: Mapping[str, str] = MappingProxyType({})) -> PartTable:
    measures = {entry.measure_words.removesuffix(f" of {_short(name, by)}") for name, entry in parts.items()}
    score = name_text(measures.pop()) if len(measures) == 1 else "score"
    return PartTable(name_text(by), score, tuple(_rows(by, parts, sizes)))


def _short(name: str, by: str) -> str:
    return name.removeprefix(f"{by} ").removeprefix(f"{by}=")


def _rows(by: str, parts: Mapping[str, ComparisonEntry], sizes: Mapping[str, str]) -> Iterator[Part]:
    for name, entry in parts.items():
        change, interval = entry.change_and_interval
        factor = scale_of(custom_measure=entry.custom_measure).factor
        yield Part(
            name=name_text(_short(name, by)),
            verdict=entry.verdict,
            size=sizes.get(name, "" if sizes else _size(entry.n_samples)),
            scores=entry.observed,
            change=change,
            interval=interval,
            bar=Bar(factor * entry.change, scaled(entry.hdi, factor), scaled(entry.rope, factor)),
            beyond=entry.hdi[1] < entry.rope[0],
        )
