"""The report of a workflow run that has finished, such as a fork's: read as what a stranger may have written."""

import zipfile
from dataclasses import dataclass, replace
from io import BytesIO

from pytest_bayesf1.errors import ReportError
from pytest_bayesf1.files.tables import DAMAGED
from pytest_bayesf1.github.api import ApiError, Artefact, GitHubApi
from pytest_bayesf1.github.comment import Origin
from pytest_bayesf1.github.context import Context, FinishedRun
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.reading import LARGEST, read_report

PREFIX = "bayesf1-report"
_MEMBER = "report.json"
_UNUSABLE: tuple[type[Exception], ...] = (*DAMAGED, OSError)


@dataclass(frozen=True)
class FinishedReport:
    """A checked report, and the pull request that it is about."""

    report: Report
    number: int
    origin: Origin


def finished_report(api: GitHubApi, context: Context, artefact_name: str) -> FinishedReport | str:
    """Fetch the report of the run that started this one, or say why there is none to show.

    Which pull request it is about is asked of GitHub and not of the artefact; that must still end with the commit that
    was tested. Nothing of the artefact is unpacked to a file, run, or trusted to be Markdown.
    """
    run = context.finished_run
    if run is None:
        return "mode: comment works in workflows that start on: workflow_run."
    try:
        number = _pull_request(api, run)
        found = _artefact(api, run, artefact_name)
        if isinstance(found, str):
            return found
        if number is None:
            return f"No open pull request ends with the commit {run.head_sha[:10]}: it has newer commits, or is closed."
        text = _member(api.download(found, LARGEST))
        report = read_report(text, f"{found.name}: {_MEMBER}")
    except (ApiError, ReportError, _UnusableZipError) as error:
        return f"The report of the finished run cannot be used: {error}"
    return FinishedReport(report, number, Origin(replace(context.source, commit=run.head_sha), run.url))


class _UnusableZipError(Exception):
    """An archive without a report of a reasonable size."""


def _pull_request(api: GitHubApi, run: FinishedRun) -> int | None:
    matching = [head.number for head in api.heads(run.head_owner, run.head_branch) if head.sha == run.head_sha]
    return matching[0] if matching else None


def _artefact(api: GitHubApi, run: FinishedRun, name: str) -> Artefact | str:
    found = [
        each for each in api.artefacts(run.run_id) if each.name == name or (not name and each.name.startswith(PREFIX))
    ]
    if len(found) != 1:
        wanted = repr(name) if name else f"that begins with {PREFIX!r}"
        advice = "Name one with artefact-name." if found else "Did the run end before it could report?"
        return f"Expected one artefact {wanted} of the finished run, found {len(found)}. {advice}"
    return found[0]


def _member(content: bytes) -> str:
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive, archive.open(_MEMBER) as member:
            data = member.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise _UnusableZipError(f"{_MEMBER} is larger than {LARGEST:,} bytes")
        return data.decode("utf-8")
    except _UNUSABLE as error:
        raise _UnusableZipError(f"the artefact holds no readable {_MEMBER} ({type(error).__name__})") from None
