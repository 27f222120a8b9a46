"""The section of a gate: what it came to, its classes, errors and examples, and the statistics behind them."""

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from math import sqrt
from types import MappingProxyType

from pytest_bayesf1.figures.pictures import Bar, Posterior, change_of, posterior, score_of, trend
from pytest_bayesf1.measures.names import recorded_measure
from pytest_bayesf1.reports.entry import Answered, ComparisonEntry, Entry, EstimateEntry, Judged, VerdictName
from pytest_bayesf1.reports.page import (
    Advice,
    Article,
    Block,
    Code,
    Column,
    Extent,
    Facts,
    Figure,
    Fold,
    Grid,
    HeatMap,
    Paragraph,
    Section,
    Span,
    Style,
    VerdictMark,
    Words,
    grid,
    spans,
)
from pytest_bayesf1.results.comparison import ClassDifference, ErrorChange, ExampleChange, ReportedChanges
from pytest_bayesf1.results.policy import Ends
from pytest_bayesf1.text import MINUS, POINTS, Scale, counted, first_few, flowed, level, one_line
from pytest_bayesf1.words.amounts import (
    Amounts,
    format_chance,
    format_score,
    gate_finds,
    likely,
    likely_to_miss,
    name_text,
    scaled,
)
from pytest_bayesf1.words.evidence import (
    changed_examples,
    changes_headline,
    changes_note,
    error_counts,
    error_name,
    error_share,
    judge_alone,
    judge_errors,
    missing_trend,
    span_errors,
    trend_legend,
    trend_sentence,
)
from pytest_bayesf1.words.results import change_and_interval, entry_facts, observed, statistics


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


_MOST_IDS, _MOST_SHOWN, _MOST_EXAMPLES = 3, 5, 50


def anchor(gate: Judged) -> str:
    """Return where links find a gate, in this report and in later ones."""
    return f"gate-{sha256(gate.test.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def article(
    gate: Judged, name: str, extent: Extent, advice: Sequence[Advice], *, in_full: bool, alone: bool
) -> Article:
    """Explain a gate in a part of the page of its own."""
    entry = gate.whole
    blocks: list[Block] = [*lead(gate), *advice]
    if in_full and entry.answered:
        found = tuple(behind(gate, extent))
        is_quiet = gate.verdict in ("undecided", "passed", "") and not alone
        blocks += [Fold("Figures", found, kind="more")] if is_quiet else found
    elif entry.changes is not None and entry.changes.errors:
        blocks.append(Paragraph(changes_headline(entry.changes, entry.measure_words, entry.scale)))
    if not in_full and (command := _redo(entry)):
        blocks.append(Paragraph(("In full, by itself: ", Span(command, Style.CODE)), "soft"))
    about = (name_text(entry.measure_words), entry.gate, entry.test if entry.test != name else "")
    verdict = VerdictMark(gate.verdict, gate.worst.glyph)
    return Article(anchor(gate), verdict, name, flowed(" · ".join(filter(None, about))), tuple(blocks))


def folded(gate: Judged, name: str, extent: Extent, *, alone: bool) -> Fold:
    """Explain a gate in a fold."""
    found = tuple(behind(gate, extent))
    if alone:
        return Fold("Why: classes, errors and examples", found)
    return Fold(f"{name} · {name_text(gate.whole.measure_words)}", (*lead(gate), *found), gate.verdict)


def lead(gate: Judged, name: Words = ()) -> Iterator[Paragraph]:
    """Say what a gate came to, and a class, slice or anchor where that decided."""
    entry, worst = gate.whole, gate.worst
    if not entry.answered:
        yield Paragraph((*spans(name), entry.headline), "message")
        return
    yield Paragraph((*spans(name), f"{entry.headline}."), "change")
    if entry.answered.judge is not None:
        yield Paragraph(f"The judge alone: {judge_alone(entry.answered)}. It {judge_errors(entry.answered)}.")
    if worst is not entry:
        yield Paragraph((Span(name_text(worst.title), Style.TITLE), f": {worst.headline}."), "change")


def behind(gate: Judged, extent: Extent) -> Iterator[Block]:
    """Show what is behind it: pictures, classes, errors and examples, and in a fold the statistics."""
    match gate.whole:
        case ComparisonEntry() as entry:
            yield from _behind_change(entry, gate.compared, extent)
        case EstimateEntry() as entry:
            yield from _behind_score(entry)


def _behind_change(entry: ComparisonEntry, parts: Sequence[ComparisonEntry], extent: Extent) -> Iterator[Block]:
    picture = change_of(entry, entry.demanded.ends)
    yield _posterior(entry, picture, f"change of {name_text(entry.measure_words)}", "; shaded: allowed")
    if not entry.is_clear:
        yield Paragraph(f"The chance {format_chance(entry, entry.demanded)}.", "soft")
    if entry.demanded.ends is not Ends.HIGH and (sees := gate_finds(entry)):
        yield Paragraph(sees, "soft")
    yield from _trend(entry)
    yield from part_sections(entry, parts, extent)
    if found := tuple(_errors(entry, extent)):
        yield Section("Errors", found)
    for part in parts:
        if _telling_examples(part.changes):
            name = f"Examples of {name_text(part.part)}"
            yield Fold(name, tuple(_examples(part, name, _MOST_SHOWN, extent)))
    yield from _folded(entry)


def _behind_score(entry: EstimateEntry) -> Iterator[Block]:
    yield _posterior(entry, score_of(entry), name_text(entry.measure_words))
    yield Paragraph(f"Tested on {counted(entry.n_samples, entry.example)}.", "soft")
    yield from _folded(entry)


def _posterior(entry: Answered, picture: Posterior, named: str, allowed: str = "") -> Figure:
    unit = f", in {picture.unit}" if picture.unit else ""
    earlier = f"; ticks: the {n} changes before" if (n := len(picture.earlier)) else ""
    judge = "; below it: by the judge alone" if picture.judged else ""
    return Figure(
        partial(posterior, picture),
        f"How likely every true {entry.quantity} is. {entry.headline}.",
        f"How likely every true {named} is{unit}. Dot: observed; bar: {likely(entry)}{judge}{allowed}{earlier}.",
    )


def _trend(entry: ComparisonEntry) -> Iterator[Block]:
    known = entry.trend
    if known is not None and known.problem:
        yield Paragraph(missing_trend(known), "soft")
    elif known is not None and known.points:
        said = trend_sentence(known, entry.candidate.observed)
        yield Figure(partial(trend, known, entry.candidate.observed), said, (f"{said} ", trend_legend(known)), "spark")


def errors_table(changes: ReportedChanges, scale: Scale, example: str, *, excerpts: bool = False) -> Grid:
    """Show the errors that explain most of a change, with the ids of some examples, or excerpts of them."""

    def such_as(error: ErrorChange) -> str:
        if not excerpts:
            return ", ".join(name_text(each.id) for each in error.examples[:_MOST_IDS])
        return first_few(
            ": ".join((one_line(each.id), *map(flowed, filter(None, each.shown)))) for each in error.examples
        )

    columns = (
        Column[ErrorChange]("error", lambda error: Span(error_name(error), Style.NAME), "name"),
        Column(f"{example}s", error_counts, "number"),
        Column[ErrorChange](f"effect, in {scale.units}", lambda error: error_share(error, scale), "number"),
        Column("such as", such_as, "words"),
    )
    telling = [each for each in changes.errors if each.contribution]
    return grid("Errors that explain most of the change", columns, telling)


def _errors(entry: ComparisonEntry, extent: Extent) -> Iterator[Block]:
    """Show the errors that explain most of the change, and some examples."""
    changes, scale = entry.changes, entry.scale
    if changes is not None and (errors := errors_table(changes, scale, entry.example)).rows:
        yield Paragraph(changes_headline(changes, entry.measure_words, scale))
        yield errors
        if wrong := span_errors(changes.span_errors):
            yield Paragraph(f"Of all spans: {wrong}.", "soft")
        differ = changes.n_examples
        differently = "" if differ is None else f" The two answer {counted(differ, entry.example)} differently."
        yield Paragraph(f"{changes_note(changes, scale)}{differently}", "soft")
    elif changes is not None and (said := changed_examples(changes)):
        measure = entry.measure_words if entry.judge is None else f"{entry.measure_words} by the judge"
        yield Paragraph(f"{changes_headline(changes, measure, scale)} {said}.")
    yield from _examples(entry, "Examples that the two answer differently", _MOST_SHOWN, extent)


def _examples(entry: ComparisonEntry, title: str, most: int, extent: Extent) -> Iterator[Block]:
    """Show examples with their truth, if they have one, and both answers."""
    shown = _telling_examples(entry.changes)[:_MOST_EXAMPLES]
    has_truth = any(each.true != "" for each in shown)
    columns = (
        Column[ExampleChange](entry.example, _example, "name"),
        *([Column[ExampleChange]("truth", lambda each: Span(name_text(each.true), Style.NAME), "words")] * has_truth),
        Column[ExampleChange]("old answer", lambda each: _answer(each.baseline, each.true), "words"),
        Column[ExampleChange]("new answer", lambda each: _answer(each.candidate, each.true), "words"),
    )
    if shown:
        found = grid(title, columns, shown, kind="examples", noun=entry.example)
        yield from found.cut(most, folds=extent.is_file)


def _example(each: ExampleChange) -> Words:
    return Span(name_text(each.id), Style.NAME), f": {flowed(' · '.join(each.shown))}" if each.shown else ""


def _answer(given: object, truth: object) -> Words:
    return f"{'✓' if given == truth else '✗'} " if truth != "" else "", Span(name_text(given), Style.NAME)


def _folded(entry: Answered) -> Iterator[Fold]:
    if entry.notes:
        yield Fold("Notes", tuple(map(Paragraph, entry.notes)))
    yield _statistics(entry)


def _statistics(entry: Answered) -> Fold:
    """Show every figure, in a fold."""
    known = (*entry_facts(entry, entry.demanded), *statistics(entry))
    blocks: list[Block] = [Facts(tuple((name, flowed(text.replace("   ", "; "))) for name, text in known))]
    if isinstance(entry, ComparisonEntry) and (heat := heat_map(entry)):
        blocks.append(heat)
    if command := _redo(entry):
        blocks += [Paragraph("To run it again:"), Code(command)]
    return Fold("Statistics", tuple(blocks), kind="statistics")


_MOST_CLASSES, _SHADES = 20, 4
_FULL = 0.25
"""Share of a class from which on a shade is the darkest; by a square root, so that small changes show too."""


def heat_map(entry: ComparisonEntry) -> HeatMap | None:
    """Show the classes whose cells changed most; None where no cell changed, or none is known."""
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
    shown = sorted(sorted(range(len(sizes)), key=lambda place: -moved[place])[:_MOST_CLASSES])
    cells = [[changes.get((true, predicted), 0.0) for predicted in shown] for true in shown]
    title = "The candidate's confusion matrix minus the baseline's, in points of each true class"
    few = f": the {len(shown)} of {entry.n_classes:,} classes whose errors moved most"
    return HeatMap(
        title=f"{title}{few if entry.n_classes > len(shown) else ''}.",
        names=tuple(name_text(breakdown.classes[place].label) for place in shown),
        rows=tuple(tuple(f"{100 * each:+.1f}".replace("-", MINUS) if each else "" for each in row) for row in cells),
        shades=tuple(
            tuple(_shade(-each if true != predicted else each) for predicted, each in enumerate(row))
            for true, row in enumerate(cells)
        ),
        legend=(
            "worse: more errors, or on the diagonal fewer right",
            f"better; darkest from {level(_FULL)} of a class on.",
        ),
    )


def _shade(gain: float) -> int:
    """Return how dark the cell of a gain is; below 0 of a loss."""
    shade = max(1, round(_SHADES * min(sqrt(abs(gain) / _FULL), 1.0))) if gain else 0
    return shade if gain > 0 else -shade


def _telling_examples(changes: ReportedChanges | None) -> list[ExampleChange]:
    """Return the examples that changed, those first that moved the score as it moved."""
    if changes is None:
        return []
    return sorted(changes.examples, key=lambda example: example.contribution * changes.change <= 0)


_GATE_FILES = (".yaml", ".yml")


def _redo(entry: Entry) -> str:
    """Write the shell's command that makes the comparison again; empty where no file is known to make it."""
    file, _, name = entry.test.partition("::")
    if not name:
        return ""
    if file.endswith(_GATE_FILES):
        return f"bayesf1 gate {_quoted(file)} --gate {_quoted(name)}"
    # a fixture's comparisons, which belong to no line, are made whenever its file runs
    return f"pytest {_quoted(entry.test if entry.file else file)}"


def _quoted(text: str) -> str:
    return shlex.quote(flowed(text))
