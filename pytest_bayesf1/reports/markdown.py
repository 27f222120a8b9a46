"""Markdown as GitHub and others show it, within the size of a comment."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from html import escape
from posixpath import join, normpath
from textwrap import wrap
from urllib.parse import quote

from pytest_bayesf1.reports.entry import VERDICTS, Place, Report
from pytest_bayesf1.reports.overview import page_of
from pytest_bayesf1.reports.page import (
    COMMENT,
    Advice,
    Article,
    Block,
    Code,
    Facts,
    Figure,
    Fold,
    Grid,
    HeatMap,
    Notes,
    Page,
    Paragraph,
    Row,
    Section,
    Span,
    Style,
    VerdictMark,
    Words,
    spans,
    words,
)
from pytest_bayesf1.text import counted, flowed, short_commit
from pytest_bayesf1.words.amounts import LONGEST_TEXT, shortened

_MARKUP = str.maketrans({character: f"\\{character}" for character in r"\`*_[]|~"})
_BLOCK_START = re.compile(r"\A(?:(?=[-+=:#])|\d{1,9}(?=[.)](?:\s|\Z)))")
_LINK_START = re.compile(
    r"""
    @(?!\s) | \#(?=\w) | (?<![a-z\d])gh-(?=\d)                # people and issues
    | (?:https?|ftp|mailto|xmpp)(?=:) | www(?=\.)
    | (?-i::(?=[a-z\d_+-]+:))                                 # pictures by their names
    """,
    re.IGNORECASE | re.VERBOSE,
)
_FEW = 3
_COMMIT = re.compile(r"\b[\da-f]{7,40}\b", re.IGNORECASE)


def escape_markdown(text: object) -> str:
    """Make any text safe, even where a line begins: no markup, no mention, no reference, one line."""
    return _begun(_in_line(str(text)))


def escape_summary(text: str) -> str:
    """Make a text safe inside an HTML element of a Markdown document, where backslashes would show."""
    return _as_html(_unlinked(shortened(flowed(text), LONGEST_TEXT)))


def code_block(text: str, language: str) -> str:
    """Put lines into a block of code that none of them can end."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _in_line(text: str) -> str:
    """Escape a text that does not begin a block."""
    return _as_html(_unlinked(shortened(flowed(text), LONGEST_TEXT)).translate(_MARKUP))


def _begun(line: str) -> str:
    """Let the start of a line begin no other kind of block."""
    return _BLOCK_START.sub(r"\g<0>\\", line)


def _as_html(line: str) -> str:
    """Escape what begins an element or an entity, and put what would begin a formula into an element of its own."""
    return escape(line, quote=False).replace("$", "<span>$</span>")


def _unlinked(line: str) -> str:
    """Put a zero-width space into what would become a link or a picture."""
    return _LINK_START.sub("\\g<0>\u200b", _COMMIT.sub(lambda found: "\u200b".join(wrap(found[0], 6)), line))


@dataclass(frozen=True)
class SourceCommit:
    """A commit of a repository on GitHub.

    Attributes
    ----------
    repository
        Address of its page, such as ``https://github.com/owner/name``.
    commit
        Its full hash.
    folder
        Where pytest ran, relative to the repository: files of a report are relative to it.
    """

    repository: str
    commit: str
    folder: str = "."

    @property
    def commit_url(self) -> str:
        """The page of the commit."""
        return f"{self.repository}/commit/{self.commit}"

    def line_url(self, place: Place) -> str:
        """Return the page of a file at the line of a test or a gate, whatever a stranger named so."""
        path = normpath(join(self.folder, place.file))
        if not place.file or path.startswith(("/", "..")):
            return ""
        line = f"#L{place.line}" if place.line else ""
        return f"{self.repository}/blob/{self.commit}/{quote(path, errors='replace')}{line}"


GUIDE = "https://github.com/pytest-bayesf1/pytest-bayesf1/blob/main/docs/explanation/how-to-read-a-verdict.md"
"""How to read a report."""


def _inline(text: Words, escaped: Callable[[str], str] = _in_line) -> str:
    return "".join(_span(each, escaped) for each in spans(text))


def _span(span: Span, escaped: Callable[[str], str]) -> str:
    text = f"{' ' * span.text.startswith(' ')}{escaped(span.text)}{' ' * span.text.endswith(' ')}"
    match span.style:
        case Style.CODE:
            text = f"`{span.text}`" if span.text.isalnum() else text
        case Style.WHOLE:
            text = text.replace(" ", "&nbsp;")
        case Style.NAME | Style.TITLE:
            text = text.replace("::", "::\u200b")
        case Style.ASIDE:
            text = f" · {text}"
    text = f"[{text}]({span.link})" if span.link else text
    return f"**{text}**" if span.style in (Style.TITLE, Style.STRONG) else text


def _line(text: Words) -> str:
    return _begun(_inline(text))


def _blocks(blocks: Iterable[Block]) -> str:
    return "".join(map(_block, blocks))


def _block(block: Block) -> str:  # noqa: C901, PLR0911 (a case for each kind of block)
    """Write a block and an empty line behind it; nothing of one that Markdown cannot show."""
    match block:
        case Paragraph():
            return (
                f"**{_inline(block.text)}**\n\n" if block.kind in ("notice", "failed") else f"{_line(block.text)}\n\n"
            )
        case Advice():
            commands = f"{code_block(block.commands, 'sh')}\n\n" if block.commands else ""
            return f"**{_in_line(block.title)}** {_in_line(block.text)}\n\n{commands}"
        case Notes():
            return _notes(block)
        case Code():
            return f"{code_block(block.text, 'sh')}\n\n"
        case Facts():
            first, *rest = (f"| {_in_line(name)} | {_inline(text)} |\n" for name, text in block.rows)
            return "".join([first, "| --- | --- |\n", *rest, "\n"])
        case Grid():
            return _table(block)
        case Figure():
            return f"{_line(block.alt)}\n\n" if block.kind == "spark" else ""
        case HeatMap():
            return ""
        case Fold():
            return f"{_opened(block)}{_blocks(block.blocks)}</details>\n\n"
        case Section():
            content = _blocks(block.blocks)
            title = f"## {_in_line(block.title)}" if block.card is not None else f"**{_in_line(block.title)}**"
            return f"{title}\n\n{content}" if content and block.title else content
        case Article():
            return _blocks(block.blocks)


def _notes(notes: Notes) -> str:
    rows = [f"- **{_in_line(name)}**: {_in_line(text)}\n" for name, text in notes.rows]
    left = f"- and {notes.left:,} more: see report.json\n" if notes.left else ""
    sign = {"": "", "loosened": "⚠️ ", "accepted": f"{VERDICTS['accepted'].sign} "}[notes.kind]
    opened = " open" if len(rows) <= _FEW else ""
    summary = f"<summary><b>{sign}{escape_summary(notes.title)}</b></summary>"
    return f"<details{opened}>\n{summary}\n\n{''.join(rows)}{left}\n</details>\n\n"


def _opened(fold: Fold) -> str:
    sign = "" if fold.verdict is None else f"{VERDICTS[fold.verdict].sign} "
    return f"<details>\n<summary>{sign}{_inline(fold.summary, escape_summary)}</summary>\n\n"


def _table(grid: Grid) -> str:
    columns = [column for column in grid.columns if column.kind not in ("verdict", "picture")]
    lines = ("---:" if column.kind == "number" else "---" for column in columns)
    head = f"| {' | '.join(_in_line(each.name) for each in columns)} |\n| {' | '.join(lines)} |\n"
    left = f"{counted(grid.left, f'more {grid.noun}')} in report.html.\n\n" if grid.left else ""
    return "".join([head, *(_row(row, grid) for row in grid.rows), "\n", left])


def _row(row: Row, grid: Grid) -> str:
    """Write a row and those of its parts."""
    return "".join([_cells(row, grid), *(f"{_cells(part, grid, '↳ ')}" for part in row.parts)])


def _cells(row: Row, grid: Grid, mark: str = "") -> str:
    """Write the cells of a row; a verdict is a sign before the next one."""
    texts = []
    for column, cell in zip(grid.columns, row.cells, strict=False):
        if column.kind == "verdict":
            mark += f"{VERDICTS[cell.name].sign} " if isinstance(cell, VerdictMark) else ""
        elif column.kind != "picture":
            texts.append(f"{mark}{_inline(words(cell))}")
            mark = ""
    texts += [_inline(row.said)] if row.said else []
    texts += [""] * (sum(column.kind not in ("verdict", "picture") for column in grid.columns) - len(texts))
    return f"| {' | '.join(texts)} |\n"


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


_SHORTER = (
    COMMENT,
    replace(COMMENT, folded=100),
    replace(COMMENT, folded=30, sections=3),
    replace(COMMENT, folded=10, sections=1, notes=5),
    replace(COMMENT, sections=0, parts=0, notes=3, longest_note=300),
)
"""How much of a report may be shown, the most first; the last has no fold with a table."""


def markdown(report: Report, most_bytes: int | None = None, source: SourceCommit | None = None) -> str:
    """Render Markdown; of many gates as many as there is room for."""
    for extent in _SHORTER:
        page = page_of(report, extent, lambda gate: source.line_url(gate.whole) if source else "")
        text = _whole(page, source)
        if most_bytes is None or _size(text) <= most_bytes:
            return text
    return f"{_title(page)}All of it is in report.html.\n"


def _whole(page: Page, source: SourceCommit | None) -> str:
    tables = page.gates if page.tally else ()
    blocks = (*tables[:1], *page.advice, *page.sections, *tables[1:], *page.caveats)
    return f"{_head(page, source)}{_blocks(blocks)}{_foot(page)}"


def _title(page: Page) -> str:
    return f"## {page.sign} {_in_line(page.title)}\n\n"


def _head(page: Page, source: SourceCommit | None) -> str:
    """Say what the run came to, of which commit it is, and what to know first."""
    commit = source.commit if source else page.run.commit
    tested = Span(short_commit(commit), Style.CODE, source.commit_url if source else "")
    about = " · ".join([*(text for _, text in page.tally), *([_inline(tested)] if commit else [])])
    first = _title(page)
    sentences = () if page.tally else page.gates
    blocks = _blocks((*page.accepted, *sentences, *page.notices, *page.notes))
    return f"{first}{about}\n\n{blocks}" if about else f"{first}{blocks}"


def _foot(page: Page) -> str:
    known = [*page.run.lines_without_commit, *(f"{name} {version}" for name, version in page.versions)]
    return f"[How to read this]({GUIDE})\n\n<sub>{' · '.join(map(_in_line, known))}</sub>\n"
