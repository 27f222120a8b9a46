"""The Markdown report, within the size of a comment."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import accumulate
from math import ceil, floor, inf, isinf, log10
from posixpath import join, normpath
from textwrap import wrap
from urllib.parse import quote

from pytest_bayesf1.reports.entry import (
    VERDICTS,
    AnyEntry,
    ComparisonEntry,
    ErrorEntry,
    EstimateEntry,
    Gate,
    Place,
    Report,
    VerdictName,
)
from pytest_bayesf1.reports.parts import part_tables
from pytest_bayesf1.reports.templating import Templates
from pytest_bayesf1.reports.wording import changed_line, fitted, incomplete_line, short_names, tally
from pytest_bayesf1.results.comparison import Density
from pytest_bayesf1.results.formatting import LONGEST_TEXT, name_text, shortened
from pytest_bayesf1.results.versions import History
from pytest_bayesf1.text import AS_THEY_ARE, Interval, counted, one_line, scale_of

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
    return _without_markup(shortened(one_line(text), LONGEST_TEXT))


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
        title, axis = "How likely each score is (blue); above the floor (yellow)", "score"
    else:
        wanted, scale = entry.rope, scale_of(custom_measure=entry.custom_measure)
        title, axis = (
            "How likely each change is (blue); what you allow (yellow)",
            f"change in {scale.unit}s" if scale.unit else "change",
        )
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


def sign(about: Report | Gate | AnyEntry) -> str:
    """Show how an entry, a gate or a whole report came out."""
    if not isinstance(about, Report):
        return VERDICTS[about.verdict].sign
    if about.counts.failed or about.counts.error or not about.complete:
        return VERDICTS["failed"].sign
    if about.verdict == "passed":
        return VERDICTS["undecided" if any(gate.needs_attention for gate in about.gates) else "passed"].sign
    match about.verdict:
        case "none" | "loosened":
            return "⚠️"
        case verdict:
            return VERDICTS[verdict].sign


def commit(digits: str) -> Markdown:
    """Write the first digits of a commit, which git made: as code, which GitHub does not link."""
    return Markdown(f"`{digits}`") if digits.isalnum() else escape_markdown(digits)


def unbroken(interval: str) -> Markdown:
    """Keep an interval from being broken in a narrow cell."""
    return Markdown(interval.replace(" to ", "&nbsp;to&nbsp;"))


_SHOWN = 8
"""Rows outside of folds, and gates that are explained: while all folds are closed, three screens of a telephone."""

_MOST_BELOW = 3
"""Classes and slices below a gate."""

_LONGEST_NAME = 40
"""In a table, whose figures are to be seen beside it."""


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
    """Render the head, the parts in the order in which they get their room, and the foot."""
    gates, names = report.gates, short_names(gate.test for gate in report.gates)
    in_tables = dict(zip(names, fitted(names.values(), _LONGEST_NAME), strict=True))
    is_alone = len(gates) == 1
    grave = [gate for gate in gates if gate.verdict in ("failed", "error", "accepted", "warned")]
    says_little = [gate for gate in gates if gate.verdict == "passed" and (gate.needs_attention or _lacks_trend(gate))]
    explained = [
        gate for gate in (gates if is_alone else grave + says_little) if not isinstance(gate.whole, ErrorEntry)
    ]
    with markdown_templates().macros("report.md.j2") as piece:

        def rows(of_gates: Iterable[Gate]) -> list[str]:
            return [
                piece.row(
                    gate, in_tables[gate.test], _url(source, gate.whole), parts[:_MOST_BELOW], len(parts[_MOST_BELOW:])
                )
                for gate in of_gates
                for parts in [gate.shown_parts]
            ]

        def fold(*verdicts: VerdictName) -> Part:
            found = [gate for gate in gates if gate.verdict in verdicts and not is_alone]
            words = " · ".join(text for verdict, text in tally(report) if verdict in verdicts)
            start = piece.fold(found[0], words, report) if found else ""
            return Part(rows(found), "gate", start, "\n</details>\n\n")

        explanations = [
            piece.details(gate, names[gate.test], part_tables(gate), is_alone) for gate in explained[:_SHOWN]
        ]
        shown = [] if is_alone else grave
        rest = shown[_SHOWN:]
        parts = [
            Part(rows(shown[:_SHOWN]), "gate", piece.table_head(report), "\n", left_out=0),
            Part([piece.what_to_do(report, names)], "piece of advice"),
            Part(explanations, "explanation", share=0.75, left_out=len(explained[_SHOWN:])),
            Part(
                rows(rest),
                "gate",
                piece.fold(rest[0], f"{len(rest):,} more", report) if rest else "",
                "\n</details>\n\n",
            ),
            fold("undecided", "expected"),
            fold("passed", ""),
        ]
        return (
            piece.head(report, source, _url(source, gates[0].whole if is_alone else None), names),
            parts,
            piece.foot(report),
        )


def _lacks_trend(gate: Gate) -> bool:
    whole = gate.whole
    return isinstance(whole, ComparisonEntry) and whole.trend is not None and bool(whole.trend.problem)


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
