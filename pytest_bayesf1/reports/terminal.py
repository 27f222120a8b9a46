"""The report in pytest's terminal summary."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate, takewhile
from textwrap import wrap
from typing import TypeAlias

from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.overview import page_of
from pytest_bayesf1.reports.page import (
    TERMINAL,
    VERBOSE,
    Advice,
    Block,
    Cell,
    Fold,
    Grid,
    Notes,
    Page,
    plain,
    spans,
    words,
)
from pytest_bayesf1.text import brief, cut, display_width, fitted, flowed
from pytest_bayesf1.words.amounts import name_text, shortened

Line: TypeAlias = tuple[str, dict[str, bool]]

MARKUP = {
    "failed": {"red": True},
    "error": {"red": True},
    "loosened": {"yellow": True},
    "accepted": {"purple": True},
    "warned": {"yellow": True},
    "undecided": {"cyan": True},
    "expected": {"yellow": True},
    "passed": {"green": True},
    "none": {},
}
_WORDS = {"failed": "FAILED", "error": "ERROR", "none": "no gate"}
_NOTICES = {"notice": MARKUP["warned"], "failed": MARKUP["failed"] | {"bold": True}}
_NOTES = {"": MARKUP["none"], "loosened": MARKUP["warned"], "accepted": MARKUP["accepted"]}
_VERDICT = 10
"""Columns of a verdict."""
_LONGEST_NOTE, _LONGEST_NAME, _SHORTEST_NAME = 400, 60, 12


def report_lines(report: Report, *, width: int | None = None, verbose: bool = False, root: str = ".") -> list[Line]:
    """Tell a report: what the run came to, a line per gate that failed or warned, the others in a line, what to do.

    With ``verbose`` no gate, class, slice or note is left out. ``root`` is the root folder, seen from where you are.
    """
    if not (report.entries or report.missing or report.findings or report.changed):
        return []
    page = page_of(report, replace(VERBOSE if verbose else TERMINAL, root=root))
    lines = [_first(page)]
    for notes in page.accepted:
        lines += _notes(notes)
    for block in page.gates:
        lines += _gates(block, width, cuts=not verbose)
    for advice in page.advice:
        lines += _advice(advice)
    for notes in (*page.notes, *page.caveats):
        lines += _notes(notes)
    lines += [(name_text(page.run.about), {})] if page.run.about else []
    lines += ((plain(each.text), _NOTICES[each.kind]) for each in page.notices)
    commands = {line for advice in page.advice for line in advice.commands.splitlines()}
    return [each for line in lines for each in _wrapped(line, None if line[0] in commands else width)]


def _first(page: Page) -> Line:
    """Say what the run came to, and how many gates came to anything else."""
    gravest = next((verdict for verdict, _ in page.tally if verdict), "")
    others = ", ".join(counted for verdict, counted in page.tally if verdict != gravest)
    return " · ".join(filter(None, (page.title, others))), MARKUP.get(page.verdict, {}) | {"bold": True}


def _notes(notes: Notes) -> Iterator[Line]:
    markup = _NOTES[notes.kind]
    yield notes.title, markup | {"bold": True} if markup else {}
    yield from ((f"  {name}: {text}", markup) for name, text in notes.rows)
    if notes.left:
        yield f"  and {notes.left:,} more (-v lists them)", markup


def _advice(advice: Advice) -> Iterator[Line]:
    first, *rest = advice.text.splitlines()
    yield f"do: {f'{advice.about}: ' if advice.about else ''}{_short(first)}", {}
    yield from ((f"  {_short(line)}", {}) for line in rest)
    yield from ((command, {}) for command in advice.commands.splitlines())


def _gates(block: Block, width: int | None, *, cuts: bool) -> Iterator[Line]:
    """Yield a line per gate; of a fold its summary."""
    match block:
        case Grid():
            yield from _table(block, width, cuts=cuts)
        case Fold():
            yield f"{plain(block.summary)} (-v lists them)", MARKUP[block.verdict or "none"]


def _table(grid: Grid, width: int | None, *, cuts: bool) -> Iterator[Line]:
    """Yield the verdict, the name and the figures of each row; a message in their place may be cut."""
    rows = [each for row in grid.rows for each in ((row, ""), *((part, "- ") for part in row.parts))]
    figures = [
        _aligned(column.name, ["" if row.said else plain(words(row.cells[place])) for row, _ in rows])
        for place, column in enumerate(grid.columns)
        if column.kind not in ("verdict", "name", "picture")
    ]
    taken = _VERDICT + sum(2 + len(column[0]) for column in figures)
    room = _LONGEST_NAME if width is None else max(width - taken, _SHORTEST_NAME)
    name_at = next(place for place, column in enumerate(grid.columns) if column.kind == "name")
    names = _names(grid.columns[name_at].name, [(row.cells[name_at], mark) for row, mark in rows], room)
    if not all(row.said for row, _ in rows):
        yield f"{'':{_VERDICT}}{'  '.join([names[0], *(column[0] for column in figures)])}".rstrip(), {}
    for place, (row, _) in enumerate(rows, 1):
        texts = [plain(row.said)] if row.said else [column[place] for column in figures]
        verdict = row.verdict or "none"
        line = f"{_WORDS.get(verdict, verdict):{_VERDICT}}{'  '.join([names[place], *texts])}".rstrip()
        yield line if width is None or (row.said and not cuts) else _cut(line, width), MARKUP[verdict]


def _aligned(name: str, cells: list[str]) -> list[str]:
    """Write the name of a column and its cells, all of one width."""
    texts = [name, *cells]
    longest = max(map(display_width, texts))
    return [text.rjust(longest) for text in texts]


def _names(head: str, cells: list[tuple[Cell, str]], room: int) -> list[str]:
    """Write names so that each differs from the others, and what follows them as far as there is room for."""
    texts = [brief(head, room)]
    known = [spans(words(cell)) for cell, _ in cells]
    fitting = fitted((f"{mark}{first.text}" for (first, *_), (_, mark) in zip(known, cells, strict=True)), room)
    for name, (_, *more) in zip(fitting, known, strict=True):
        longer = accumulate(map(plain, more), initial=name)
        texts.append(max(takewhile(lambda each: display_width(each) <= room, longer), key=len, default=name))
    longest = max(map(display_width, texts))
    return [f"{text}{' ' * (longest - display_width(text))}" for text in texts]


def _cut(line: str, width: int) -> str:
    return line if display_width(line) <= width else f"{cut(line, width - 1)}…"


def _wrapped(line: Line, width: int | None) -> Iterator[Line]:
    text, markup = line
    if width is None or display_width(text) <= width:
        yield line
        return
    indent = text[: len(text) - len(text.lstrip())]
    yield from (
        (each, markup)
        for each in wrap(text, width, subsequent_indent=f"{indent}  ", break_long_words=False, break_on_hyphens=False)
    )


def _short(text: str) -> str:
    return shortened(flowed(text), _LONGEST_NOTE)
