"""The comment of a job on a pull request."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.markdown import SourceCommit, escape_markdown, markdown

MOST_BYTES = 60_000  # GitHub takes 65,536 characters


class When(StrEnum):
    """When to comment."""

    AUTO = "auto"
    """When something failed, warned, is undecided, missing or loosened; and to update a comment that is there."""
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True)
class Comment:
    """A comment that is there."""

    number: int
    author: str
    body: str


@dataclass(frozen=True)
class Stamp:
    """The first line of a comment, which readers do not see.

    Attributes
    ----------
    key
        Names the job.
    run
        Which run it is about, and which attempt: "12.1".
    """

    key: str
    run: str

    @property
    def line(self) -> str:
        """The line without its end."""
        return f"<!-- pytest-bayesf1 {self.key} run {self.run} -->"


_STAMP = re.compile(r"<!-- pytest-bayesf1 (?P<key>\S{1,80}) run (?P<run>\S*) -->")


@dataclass(frozen=True)
class Draft:
    """A comment to write.

    Attributes
    ----------
    number
        Of the pull request.
    key, run
        As in its `Stamp`.
    source
        What was tested.
    run_url, artefact_url
        Pages of the workflow run and of the report's files; empty when there are none.
    """

    number: int
    report: Report
    key: str
    run: str
    source: SourceCommit
    run_url: str = ""
    artefact_url: str = ""


def key_of(*names: str) -> str:
    """Make a key of names, another one of other names."""
    text = "-".join(filter(None, names))
    safe = re.sub(r"[^\w.-]+", "-", text, flags=re.ASCII)[:60]
    return safe if safe and safe == text else f"{safe}-{sha256(text.encode('utf-8', 'replace')).hexdigest()[:6]}"


def body(draft: Draft) -> str:
    """Write the comment: the report as far as it fits, and where it comes from."""
    pages = {"workflow run": draft.run_url, "report with figures": draft.artefact_url}
    links = [f"[{name}]({url})" for name, url in pages.items() if url]
    head = f"{Stamp(draft.key, draft.run).line}\n\n"
    foot = f"\n\n<sub>{' · '.join([escape_markdown(draft.key), *links])}</sub>\n"
    shown = markdown(draft.report, MOST_BYTES - len((head + foot).encode()), draft.source)
    return f"{head}{shown}{foot}".encode("utf-8", "replace").decode()


def stamped(comments: Iterable[Comment], author: str, key: str) -> dict[int, Stamp]:
    """Find the comments of a job, with their stamps: those by us alone, for anybody can write a stamp."""
    found = {each.number: _STAMP.match(each.body) for each in comments if each.author == author}
    stamps = {number: Stamp(**match.groupdict()) for number, match in found.items() if match}
    return {number: stamp for number, stamp in stamps.items() if stamp.key == key}


def is_worth(when: When, report: Report, existing: Stamp | None) -> bool:
    """Decide whether to write the comment."""
    if when is When.NEVER:
        return False
    problem = (
        report.verdict != "passed"
        or any(entry.needs_attention for entry in report.entries)
        or bool(report.changed)
        or any(finding.gate for finding in report.findings)
    )
    return problem or existing is not None or when is not When.AUTO
