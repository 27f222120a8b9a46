"""Tables of the classes, slices and other parts of a gate, each part in one row of one table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from pytest_bayesf1.reports.entry import ComparisonEntry, Gate, VerdictName
from pytest_bayesf1.reports.wording import before_and_after, change_and_interval
from pytest_bayesf1.results.comparison import ClassDifference
from pytest_bayesf1.results.formatting import Amounts, format_score, likely_to_miss, name_text, scaled
from pytest_bayesf1.text import POINTS, Interval, one_line, scale_of


@dataclass(frozen=True, kw_only=True)
class Part:
    """A row: observed scores, the observed change and its interval.

    Attributes
    ----------
    verdict
        Empty where it was not judged.
    size
        How many examples either side has, in words; empty where that is not known.
    change
        With its interval, in words.
    at, interval
        What is drawn, in points or the measure's own unit.
    beyond
        Whether its whole interval lies below what is allowed.
    """

    name: str
    verdict: VerdictName = ""
    size: str = ""
    scores: str
    change: str
    at: float
    interval: Interval
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
    rows
        One or more.
    note
        What to know of them.
    """

    by: str
    score: str
    rows: tuple[Part, ...]
    note: str

    @property
    def title(self) -> str:
        """What stands above it."""
        return f"By {self.by}" if self.by != _OTHERS else "Also compared"

    @property
    def n_failed(self) -> int:
        """How many failed; of parts that were not judged, how many lie wholly below what is allowed."""
        return sum(row.verdict == "failed" or (not row.verdict and row.beyond) for row in self.rows)

    @property
    def is_judged(self) -> bool:
        """Whether they have verdicts."""
        return any(row.verdict for row in self.rows)


_OTHERS = "comparison"


def part_tables(gate: Gate) -> list[PartTable]:
    """Return the tables of a gate: its classes, its slices by each column, and whatever else was compared."""
    whole = gate.whole
    if not isinstance(whole, ComparisonEntry):
        return []
    left = {part.part or part.measure_words: part for part in gate.parts if isinstance(part, ComparisonEntry)}
    tables = [_classes(whole, left)]
    tables += [_table(gap.by, whole, _taken(gap.by, left)) for gap in whole.gaps]
    for column in dict.fromkeys(name.partition("=")[0] for name, part in left.items() if part.gate == "slices"):
        tables.append(_table(column, whole, _taken(column, left)))
    tables.append(_table(_OTHERS, whole, left))
    return [table for table in tables if table.rows]


def _taken(column: str, left: dict[str, ComparisonEntry]) -> Mapping[str, ComparisonEntry]:
    """Take the slices by a column out of what is left."""
    return {name: left.pop(name) for name in list(left) if name.startswith(f"{one_line(column)}=")}


def _classes(whole: ComparisonEntry, left: dict[str, ComparisonEntry]) -> PartTable:
    """Take the classes that were judged, or else F1 of all of them."""
    known = whole.breakdown.classes if whole.breakdown else ()
    judged = {name: left.pop(name) for name in list(left) if left[name].gate == "per_class"}
    by_name = {f"{whole.category} {one_line(each.label)}": each for each in known}
    if judged:
        sizes = {name: _size(each) for name, each in by_name.items()}
        return _table(whole.category, whole, judged, sizes)
    rows = tuple(_of_class(each, whole) for each in known)
    note = _note(whole, rows)
    if whole.n_classes > len(rows):
        note = f"The {len(rows)} of {whole.n_classes:,} classes whose observed F1 changed most. {note}"
    return PartTable(whole.category, "F1", rows, note)


def _size(each: ClassDifference) -> str:
    return ", ".join(dict.fromkeys(f"{n:,}" for n in each.n_samples))


def _of_class(each: ClassDifference, whole: ComparisonEntry) -> Part:
    interval, amounts = scaled(each.hdi, POINTS.factor), Amounts(POINTS, each.hdi)
    return Part(
        name=name_text(each.label),
        size=_size(each),
        scores=f"{format_score(each.baseline)} → {format_score(each.candidate)}",
        change=amounts.text(each.change, each.hdi),
        at=POINTS.factor * each.change,
        interval=interval,
        beyond=not whole.custom_measure and each.hdi[1] < whole.rope[0],
    )


def _table(
    by: str,
    whole: ComparisonEntry,
    parts: Mapping[str, ComparisonEntry],
    sizes: Mapping[str, str] = MappingProxyType({}),
) -> PartTable:
    rows = tuple(_rows(by, parts, sizes))
    measures = {entry.measure_words.partition(" of ")[0] for entry in parts.values()}
    score = measures.pop() if len(measures) == 1 else "score"
    return PartTable(name_text(by), score, rows, _note(whole, rows))


def _rows(by: str, parts: Mapping[str, ComparisonEntry], sizes: Mapping[str, str]) -> Iterator[Part]:
    for name, entry in parts.items():
        change, interval = change_and_interval(entry)
        factor = scale_of(custom_measure=entry.custom_measure).factor
        both = ", ".join(dict.fromkeys(f"{n:,}" for n in entry.n_samples))
        yield Part(
            name=name_text(name.removeprefix(f"{by} ").removeprefix(f"{by}=")),
            verdict=entry.verdict,
            size=sizes.get(name, "" if sizes else both),
            scores=before_and_after(entry),
            change=f"{change} ({interval})",
            at=factor * entry.change,
            interval=scaled(entry.hdi, factor),
            beyond=entry.hdi[1] < entry.rope[0],
        )


def _note(whole: ComparisonEntry, rows: Sequence[Part]) -> str:
    return likely_to_miss(whole, len(rows)) if len(rows) > 1 else ""
