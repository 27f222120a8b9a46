"""The Markdown report, within the size of a comment.

PYTEST_DONT_REWRITE
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import accumulate
from math import ceil, floor, inf, isinf, log10
from posixpath import join, normpath
from textwrap import wrap
from typing import NamedTuple, TypeAlias
from urllib.parse import quote

from pytest_bayesf1._util import AS_THEY_ARE, Interval, counted, scale_of
from pytest_bayesf1.reports.entry import (
    VERDICTS,
    AnyEntry,
    ComparisonEntry,
    EstimateEntry,
    Place,
    Report,
    VerdictName,
    badness,
    by_gate,
)
from pytest_bayesf1.reports.templating import Templates
from pytest_bayesf1.reports.verdict_card import VerdictCard, verdict_card
from pytest_bayesf1.reports.wording import changed_line, headline, incomplete_line
from pytest_bayesf1.results.comparison import Decision, Density
from pytest_bayesf1.results.formatting import LONGEST_TEXT, name_text, shortened, visible
from pytest_bayesf1.results.versions import History

_MARKUP = str.maketrans({character: f"\\{character}" for character in r"\`*_[]|~"})
_BLOCK_START = re.compile(r"\A(?:(?=[-+=:#])|\d{1,9}(?=[.)](?:\s|\Z)))")
_LINK_START = re.compile(
    r"""
    @(?=\S) | \#(?=\w) | (?<![a-z\d])gh-(?=\d)                # people and issues
    | (?:https?|ftp|mailto|xmpp)(?=:) | www(?=\.)
    | (?-i::(?=[a-z\d_+-]+:))                                 # pictures by their names
    """,
    re.IGNORECASE | re.VERBOSE,
)
_COMMIT = re.compile(r"\b[\da-f]{7,40}\b", re.IGNORECASE)


class Markdown(str):
    """What is Markdown already: text from outside must be escaped before it becomes one."""

    __slots__ = ()

    def __html__(self) -> "Markdown":
        """Tell templates to print it as it is."""
        return self


def as_markdown(value: object) -> object:
    """Escape whatever a template prints that is not Markdown already, as what its macros return is."""
    return value if hasattr(value, "__html__") else escape_markdown(value)


def escape_markdown(text: object) -> Markdown:
    """Make any text safe, even where a line begins: no markup, no mention, no reference, one line."""
    return _without_markup(shortened(visible(text), LONGEST_TEXT))


def escape_name(text: object) -> Markdown:
    """Make a name safe, even where a line begins, and no longer than a name need be."""
    return _without_markup(name_text(text))


def escape_summary(text: object) -> Markdown:
    """Make a name safe inside an HTML element of a Markdown document, where backslashes would show."""
    return Markdown(_as_html(_unlinked(name_text(text))))


def code_block(text: str, language: str) -> Markdown:
    """Put lines into a block of code that none of them can end."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return Markdown(f"{fence}{language}\n{text.rstrip()}\n{fence}")


def _without_markup(line: str) -> Markdown:
    escaped = _as_html(_unlinked(line).translate(_MARKUP))
    return Markdown(_BLOCK_START.sub(r"\g<0>\\", escaped))


def _as_html(line: str) -> str:
    """Escape what begins an element or an entity, and put what would begin a formula into an element of its own."""
    return escape(line, quote=False).replace("$", "<span>$</span>")


def _unlinked(line: str) -> str:
    """Put a zero-width space into what would become a link or a picture."""
    return _LINK_START.sub("\\g<0>\u200b", _COMMIT.sub(lambda found: "\u200b".join(wrap(found[0], 6)), line))


_N_POINTS = 81
_MOST_TIMES = 10
"""How many times as wide as the density the axis may be, which would else be a stroke of a few points."""

_MOST_DECIMALS = 12
_CHART = """\
---
config:
  xyChart:
    width: 640
    height: 260
  themeVariables:
    xyChart:
      plotColorPalette: "#bf8700, #0969da"
---
xychart-beta
  title "{title}"
  x-axis "{axis}" {low} --> {high}
  y-axis "density, % of its peak" 0 --> 105
  line [{region}]
  line [{density}]
"""


def posterior_chart(entry: ComparisonEntry | EstimateEntry) -> str:
    """Draw the posterior density, and as a plateau the ROPE or the scores above the floor."""
    density = entry.density
    if density.low == density.high:
        return ""
    if isinstance(entry, EstimateEntry):
        wanted, scale = (entry.floor, inf), AS_THEY_ARE
        title, axis = "Posterior (blue) and scores above the floor (yellow)", "score"
    else:
        wanted, scale = entry.rope, scale_of(custom_measure=entry.custom_measure)
        title, axis = "Posterior (blue) and the ROPE (yellow)", f"change in {scale.unit}s" if scale.unit else "change"
    points, region = _points(density, wanted)
    wide = points[-1] - points[0]
    decimals = 2 - floor(log10(scale.factor * wide))
    if decimals > _MOST_DECIMALS or wide > _MOST_TIMES * (density.high - density.low):
        return ""
    low, high = (f"{scale.factor * point:z.{max(decimals, 0)}f}" for point in (points[0], points[-1]))
    heights = [_height(density, point) for point in points]
    peak = max(heights) or 1.0
    inside = ", ".join("100" if region[0] < point < region[1] else "0" for point in points)
    shares = ", ".join(f"{100 * height / peak:.3g}" for height in heights)
    return _CHART.format(title=title, axis=axis, low=low, high=high, region=inside, density=shares)


def _points(density: Density, region: Interval) -> tuple[list[float], Interval]:
    """Spread points over the density and what else is to be seen; the region's ends lie halfway between two of them."""
    low, high = region
    marks = [low] if isinf(high) else [low, high, 0.0]
    margin = 0.1 * (density.high - density.low)
    start, end = min(density.low, min(marks) - margin), max(density.high, max(marks) + margin)
    step = (end - start) / _N_POINTS
    if not isinf(high):
        n_inside = round((high - low) / step)
        step = (high - low) / n_inside if n_inside else step
        low = (low + high - step * max(n_inside, 1)) / 2
        high = low + step * max(n_inside, 1)
    places = range(floor((start - low) / step), ceil((end - low) / step))
    return [low + (place + 1 / 2) * step for place in places], (low, high)


def _height(density: Density, point: float) -> float:
    values = density.values
    place = (point - density.low) / (density.high - density.low) * (len(values) - 1)
    if not 0 <= place <= len(values) - 1:
        return 0.0
    left = min(int(place), len(values) - 2)
    return float(values[left] + (place - left) * (values[left + 1] - values[left]))


@dataclass(frozen=True)
class Source:
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


class Top(NamedTuple):
    """The outcome; what the worst is among all others; the worst, and its card, where a gate judged."""

    title: str
    role: str = ""
    entry: AnyEntry | None = None
    card: VerdictCard | None = None


def top_of(report: Report) -> Top:
    """Choose the worst entry, and say by it what came out, or by all of them where nothing needs attention."""
    worst = min(report.entries, key=lambda entry: (not entry.needs_attention, badness(entry)), default=None)
    if report.verdict == "none":
        return Top("No gate ran")
    text = headline(report).removesuffix(".")
    if worst is None:
        return Top(text)
    card = verdict_card(worst, report.run)
    in_trouble = sum(entry.needs_attention for entry in report.entries)
    if not in_trouble and len(report.entries) > 1:
        return Top(text, "" if worst.verdict == "expected" else "Nearest to failing:", worst, card)
    if worst.verdict == "expected":
        return Top(card.title, "Failed as expected (xfail):", worst, card)
    return Top(card.title, f"The worst of {in_trouble:,}:" if in_trouble > 1 else "", worst, card)


def sign(about: Report | AnyEntry) -> str:
    """Show how an entry, or a whole report, came out."""
    return VERDICTS[_gravest(about) if isinstance(about, Report) else about.verdict].sign


def _gravest(report: Report) -> VerdictName:
    """Return the verdict whose sign a run has; of one without gates, or incomplete, a warning."""
    if report.counts.failed or report.counts.error:
        return "failed"
    match report.verdict:
        case "accepted":
            return "accepted"
        case "undecided" | "expected" | "passed" as verdict:
            return "undecided" if any(entry.needs_attention for entry in report.entries) else verdict
    return "warned"


def tally(entries: Iterable[AnyEntry]) -> str:
    """Count entries by what they came to, the gravest first."""
    number = Counter(entry.verdict for entry in entries)
    return ", ".join(f"{number[verdict]:,} {shown.counted}" for verdict, shown in VERDICTS.items() if number[verdict])


def commit(digits: str) -> Markdown:
    """Write the first digits of a commit, which git made: as code, which GitHub does not link."""
    return Markdown(f"`{digits}`") if digits.isalnum() else escape_markdown(digits)


def unbroken(interval: str) -> Markdown:
    """Keep an interval from being broken in a narrow cell."""
    return Markdown(interval.replace(" to ", "&nbsp;to&nbsp;"))


_SHOWN = 8
"""Rows outside of folds, and results that are explained: while all folds are closed, three screens of a telephone."""


@dataclass(frozen=True)
class Part:
    """A list of pieces that may be cut short.

    Attributes
    ----------
    pieces
        One an entry, the worst first.
    noun
        What one more of them is called.
    start, end
        Text around them if any is left.
    share
        How much of the room that is left when their turn comes they may take.
    left_out
        How many more there would be, whatever the room.
    """

    pieces: list[str]
    noun: str
    start: str = ""
    end: str = ""
    share: float = 1.0
    left_out: int = 0


def _pieces(report: Report, source: Source | None) -> tuple[str, list[Part], str]:
    """Render the verdict card, the parts in the order in which they get their room, and the foot."""
    top = top_of(report)
    explained = [entry for entry in report.entries if not _is_quiet(entry)]
    if not explained and top.entry is not None:
        explained = [top.entry]
    shown = [(top.entry, False)]
    troubled, quiet = ([] if rows == shown else rows for rows in _rows(report))
    with markdown_templates().macros("report.md.j2") as piece:

        def rows(of_rows: Iterable[Row]) -> list[str]:
            return [piece.row(entry, is_below, _url(source, entry)) for entry, is_below in of_rows]

        def fold(of_rows: list[Row]) -> Part:
            entries = [entry for entry, _ in of_rows]
            start = piece.fold(min(entries, key=badness), tally(entries)) if entries else ""
            return Part(rows(of_rows), "comparison", start, "\n</details>\n\n")

        explanations = [piece.details(entry, entry is top.entry) for entry in explained[:_SHOWN]]
        parts = [
            Part(rows(troubled[:_SHOWN]), "comparison", piece.table_head(), "\n"),
            Part(explanations, "explanation", share=0.75, left_out=len(explained[_SHOWN:])),
            fold([(entry, is_below and n > 0) for n, (entry, is_below) in enumerate(troubled[_SHOWN:])]),
            fold(quiet),
        ]
        return piece.head(report, top, source, _url(source, top.entry)), parts, piece.foot(report)


Row: TypeAlias = tuple[AnyEntry, bool]
"""An entry, and whether it has its row below its gate."""


def _rows(report: Report) -> tuple[list[Row], list[Row]]:
    """Take apart which rows somebody should see, with the gates that they are parts of, and the others."""
    troubled: list[Row] = []
    quiet: list[Row] = []
    for gate in by_gate(report.entries):
        seen = [entry for entry in gate[1:] if not _is_quiet(entry)]
        if seen or not _is_quiet(gate[0]):
            troubled += _gate_rows([gate[0], *seen])
            quiet += _gate_rows([entry for entry in gate[1:] if _is_quiet(entry)])
        else:
            quiet += _gate_rows(gate)
    return troubled, quiet


def _gate_rows(entries: Sequence[AnyEntry]) -> list[Row]:
    return [(entry, place > 0) for place, entry in enumerate(entries)]


def _is_quiet(entry: AnyEntry) -> bool:
    """Whether nothing need be done about it: it needs no attention, nor is it a whole open question."""
    is_open = isinstance(entry, ComparisonEntry) and entry.decision == Decision.UNDECIDED and not entry.part
    return not (entry.needs_attention or is_open)


def _url(source: Source | None, entry: AnyEntry | None) -> Markdown:
    return Markdown("" if source is None or entry is None else source.line_url(entry))


@cache
def markdown_templates() -> Templates:
    """Return the Markdown template."""
    return Templates(
        as_markdown,
        {
            "changed": lambda report: Markdown(changed_line(report, escape_name)),
            "chart": posterior_chart,
            "code": code_block,
            "commit": commit,
            "incomplete": lambda report: Markdown(incomplete_line(report, escape_name)),
            "md": escape_markdown,
            "name_md": escape_name,
            "sign": sign,
            "summary": escape_summary,
            "tally": tally,
            "unbroken": unbroken,
        },
    )


_ROOM_FOR_NOTICES = 400


def markdown(report: Report, most_bytes: int | None = None, source: Source | None = None) -> str:
    """Render Markdown as GitHub and others show it."""
    head, parts, foot = _pieces(report, source)
    room = None if most_bytes is None else most_bytes - _size(head + foot) - _ROOM_FOR_NOTICES
    texts = [head]
    for part in parts:
        text = _fitting(part, room)
        room = None if room is None else room - _size(text)
        texts.append(text)
    return "".join([*texts, foot])


def _fitting(part: Part, room: int | None) -> str:
    """Put the first pieces together, as many as there is room for, and say how many are left out."""
    kept = part.pieces
    if room is not None:
        own = int(part.share * room) - _size(part.start + part.end)
        kept = [piece for piece, used in zip(kept, accumulate(map(_size, kept)), strict=True) if used <= own]
    text = "".join([part.start, *kept, part.end]) if kept else ""
    left = len(part.pieces) - len(kept) + part.left_out
    if left:
        text += f"{counted(left, f'more {part.noun}')} in report.html.\n\n"
    return text


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def tables_markdown(
    title: str, tables: Iterable[tuple[str, str, Sequence[Sequence[str]]]], notes: Iterable[str]
) -> str:
    """Write a sentence, tables and notes; of each table its caption, how numbers are aligned, and rows below a head."""
    lines = [f"**{escape_markdown(title)}**"]
    for caption, numbers, (head, *rows) in tables:
        lines += ["", escape_markdown(caption)] if caption else []
        lines += ["", f"| {' | '.join(map(escape_markdown, head))} |", f"| --- |{f' {numbers} |' * (len(head) - 1)}"]
        lines += [f"| {' | '.join((escape_name(name), *map(escape_markdown, cells)))} |" for name, *cells in rows]
    return "\n".join([*lines, "", *(f"- {escape_markdown(note)}" for note in notes), ""])


def history_markdown(histories: Sequence[History]) -> str:
    """Render Markdown."""
    return markdown_templates().render("history.md.j2", histories=histories)
