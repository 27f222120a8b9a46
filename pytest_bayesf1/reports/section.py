"""The section of a gate: what it came to, its classes, errors and examples, and the statistics behind them."""

import shlex
from collections.abc import Iterator, Sequence
from functools import partial
from hashlib import sha256
from math import sqrt

from pytest_bayesf1.figures.pictures import Posterior, change_of, posterior, score_of, trend
from pytest_bayesf1.reports.entry import Answered, ComparisonEntry, Entry, EstimateEntry, Judged
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
from pytest_bayesf1.reports.parts import part_sections
from pytest_bayesf1.results.comparison import ErrorChange, ExampleChange, ReportedChanges
from pytest_bayesf1.results.policy import Ends
from pytest_bayesf1.text import MINUS, Scale, counted, first_few, flowed, level, one_line
from pytest_bayesf1.words.amounts import format_chance, gate_finds, likely, name_text
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
from pytest_bayesf1.words.results import entry_facts, statistics

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
