"""The comment on a pull request."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256
from itertools import count

from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.markdown import SourceCommit, escape_markdown, markdown
from pytest_bayesf1.text import short_commit

MOST_BYTES = 60_000  # GitHub takes 65,536 characters
_MARKER = "<!-- pytest-bayesf1 -->"
_END = "<!-- bayesf1 end -->"
_BEGIN = re.compile(
    r"^<!-- bayesf1 part (?P<key>\S{1,80}) commit (?P<commit>\w*) run (?P<run>\S*) result (?P<result>\w+) -->\n",
    re.MULTILINE,
)


class When(StrEnum):
    """When to comment."""

    AUTO = "auto"
    """When something failed, warned, is undecided, missing or loosened; and to update a comment that is there."""
    ALWAYS = "always"
    ON_CHANGE = "on-change"
    """When the result is another one than the last comment's."""
    NEVER = "never"


@dataclass(frozen=True)
class Comment:
    """A comment that is there."""

    number: int
    author: str
    body: str
    url: str = ""


@dataclass(frozen=True)
class Part:
    """What one job says in the comment, about one commit.

    Attributes
    ----------
    run
        Of which run and attempt it is, and of which of its jobs: "12.1.8f2a", or "12.1." where that is not known.
    result
        Stays the same as long as the verdicts do.
    """

    key: str
    commit: str
    run: str
    result: str
    text: str


@dataclass(frozen=True)
class Origin:
    """Where a report comes from, for its reader.

    Attributes
    ----------
    source
        What was tested.
    run_url, artefact_url
        Pages of the workflow run and of the report's files; empty when there are none.
    """

    source: SourceCommit
    run_url: str = ""
    artefact_url: str = ""


def key_of(*names: str) -> str:
    """Make a key of names, another one of other names."""
    text = "-".join(filter(None, names))
    safe = re.sub(r"[^\w.-]+", "-", text, flags=re.ASCII)[:60]
    return safe if safe == text else f"{safe}-{sha256(text.encode('utf-8', 'replace')).hexdigest()[:6]}"


def part_of(report: Report, key: str, origin: Origin, run: str = "", most_bytes: int = MOST_BYTES) -> Part:
    """Write a part of the comment: the report as far as it fits, and where it comes from."""
    foot = f"\n\n<sub>{_origin(origin)}</sub>\n"
    shown = markdown(report, most_bytes - len(foot.encode()) - _ROOM, origin.source)
    text = f"{shown}{foot}".encode("utf-8", "replace").decode().replace("<!-- bayesf1", "<!- bayesf1")
    return Part(key, origin.source.commit, run, _result(report), text)


_ROOM = 400
"""Bytes for what is around a part."""


def body(parts: Iterable[Part], commit: str, most_bytes: int = MOST_BYTES) -> str:
    """Write the comment: every part that is not all right first, and shorter ones where all would not fit.

    ``commit`` is the newest of the pull request.
    """
    shown = sorted(parts, key=lambda part: (_is_passed(part), part.key))
    left_out = 0
    while len((text := _joined(shown, commit, left_out)).encode()) > most_bytes and len(shown) > 1:
        longest = max(shown, key=lambda part: len(part.text))
        if (shorter := _shortened(longest)) != longest.text:
            shown[shown.index(longest)] = replace(longest, text=shorter)
        else:
            shown, left_out = shown[:-1], left_out + 1
    return text


def _joined(parts: list[Part], commit: str, left_out: int) -> str:
    blocks = [f"{_MARKER}\n"]
    for part in parts:
        if len(parts) > 1:
            blocks.append(f"\n---\n**{escape_markdown(part.key)}**\n\n")
        if part.commit != commit:
            blocks.append(f"> This part is about an earlier commit, {short_commit(part.commit)}.\n\n")
        begin = f"<!-- bayesf1 part {part.key} commit {part.commit} run {part.run} result {part.result} -->"
        blocks.append(f"{begin}\n{part.text}{_END}\n")
    if left_out:
        blocks.append(f"\n{left_out} more reports: see the checks of the pull request.\n")
    return "".join(blocks)


def _is_passed(part: Part) -> bool:
    return part.text.startswith("## ✅")


def _shortened(part: Part) -> str:
    """Keep the title, and where the report is."""
    first, last = part.text.partition("\n")[0], part.text.rstrip().rpartition("\n")[2]
    return f"{first}\n\n{last}\n"


def parts_of(comments: Iterable[Comment]) -> dict[str, Part]:
    """Read the parts of comments, by their keys; of two of one key the newer."""
    found: dict[str, Part] = {}
    for comment in comments:
        text = comment.body.replace("\r\n", "\n")
        for match in _BEGIN.finditer(text):
            part = Part(**match.groupdict(), text=text[match.end() :].partition(_END)[0])
            if part.key not in found or _age(found[part.key]) <= _age(part):
                found[part.key] = part
    return found


def _age(part: Part) -> list[int]:
    return [int(number) for number in part.run.split(".")[:2] if number.isdecimal()]


def slot(parts: Mapping[str, Part], key: str, run: str) -> str:
    """Return the key of a job's part: its own or, where another job of this run has that already, a numbered one."""
    attempt, _, job = run.rpartition(".")
    for part in parts.values():
        if job and part.run == run:
            return part.key
    for number in count(1):
        free = key if number == 1 else f"{key}-{number}"
        if not job or free not in parts or parts[free].run.rpartition(".")[0] != attempt:
            return free
    raise AssertionError  # count() never ends


def is_worth(when: When, report: Report, run: str, existing: Part | None) -> bool:
    """Decide whether to write a part; its own run knows best what it has written."""
    if when is When.NEVER:
        return False
    if existing is not None and run.endswith(".") and existing.run.startswith(run):
        return False
    if when is When.ON_CHANGE and existing is not None:
        return _result(report) != existing.result
    problem = (
        report.verdict != "passed"
        or any(entry.needs_attention for entry in report.entries)
        or bool(report.changed)
        or bool(report.findings)
    )
    return problem or existing is not None or when is not When.AUTO


def own_comments(comments: Iterable[Comment], author: str) -> list[Comment]:
    """Find the comments that begin with our marker and are by us: anybody can write the marker."""
    return [each for each in comments if each.author == author and each.body.startswith(_MARKER)]


def _result(report: Report) -> str:
    """Return what stays the same as long as the verdicts do."""
    rows = [(entry.test, entry.part, entry.verdict, entry.glyph) for entry in report.entries]
    loosened = [(finding.gate, finding.text) for finding in report.findings]
    content = repr((sorted(rows), report.missing, report.changed, loosened)).encode("utf-8", "replace")
    return sha256(content).hexdigest()[:16]


def _origin(origin: Origin) -> str:
    pages = {"workflow run": origin.run_url, "report with figures": origin.artefact_url}
    return " · ".join(f"[{name}]({url})" for name, url in pages.items() if url)
