"""The steps of the GitHub Action."""

import base64
import os
import re
import secrets
import shlex
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from pytest_bayesf1.errors import BaselineError, BayesF1Error, InputError, ReportError, printable
from pytest_bayesf1.files.opening import DAMAGED
from pytest_bayesf1.git import commit_of, git
from pytest_bayesf1.github.api import ApiError, Artefact, Context, FinishedRun, GitHubApi, Token
from pytest_bayesf1.github.comment import MOST_BYTES, Comment, CommentAction, Origin, When, body, choose, own_comments
from pytest_bayesf1.reports.entry import AnyEntry, Place, Report, error_entry
from pytest_bayesf1.reports.markdown import escape_markdown, markdown
from pytest_bayesf1.reports.reading import load_report, read_report
from pytest_bayesf1.results.run import Finding, FindingKind
from pytest_bayesf1.text import one_line
from pytest_bayesf1.values import require_choice

MOST_ANNOTATIONS = 9  # of one level: GitHub shows 10 an action, and one tells that a step has failed
MOST_SUMMARY_BYTES = 900_000  # GitHub drops the whole summary above 1 MiB


@dataclass(frozen=True)
class Annotation:
    """A message at a line of a file.

    Attributes
    ----------
    level
        ``error``, ``warning`` or ``notice``.
    file, line
        Relative to the repository, counted from 1; empty and 0 when it is about none.
    """

    level: str
    title: str
    message: str
    file: str = ""
    line: int = 0

    def command(self) -> str:
        """Write the workflow command."""
        found = {"file": self.file, "line": str(self.line) if self.line else "", "title": self.title}
        properties = ",".join(f"{name}={_escaped_property(value)}" for name, value in found.items() if value)
        return f"::{self.level} {properties}::{_escaped(self.message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escaped_property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


@contextmanager
def no_commands() -> Iterator[None]:
    """Keep what is printed meanwhile, by whatever process, from passing for commands."""
    token = secrets.token_hex(16)
    print(f"::stop-commands::{token}", flush=True)
    try:
        yield
    finally:
        print(f"\n::{token}::", flush=True)


def set_outputs(file: Path, outputs: Mapping[str, str]) -> None:
    """Append outputs to the file that GITHUB_OUTPUT names; no value can pass for another output."""
    with file.open("a", encoding="utf-8", errors="backslashreplace", newline="\n") as target:
        for name, value in outputs.items():
            delimiter = f"bayesf1-{secrets.token_hex(16)}"
            printable = re.sub(r"\r\n?", "\n", value)
            target.write(f"{name}<<{delimiter}\n{printable}\n{delimiter}\n")


def add_summary(file: Path, text: str) -> None:
    """Append to the job summary."""
    with file.open("a", encoding="utf-8", errors="backslashreplace", newline="\n") as target:
        target.write(f"{text}\n")


_LEVELS = {"failed": "error", "error": "error", "accepted": "warning", "warned": "warning"}
"""Of verdicts; all others are but a notice."""


def annotations_of(report: Report, folder: str = "") -> list[Annotation]:
    """Annotate what needs attention or was loosened; the last of a level that is full tells how many were left out.

    ``folder`` is where pytest ran, relative to the repository.
    """
    first: dict[tuple[str, str], AnyEntry] = {}
    for entry in (*report.accepted, *report.entries):
        if entry.needs_attention:
            first.setdefault((_LEVELS.get(entry.verdict, "notice"), entry.test), entry)
    found: dict[str, list[Annotation]] = {}
    for (level, _), entry in first.items():
        found.setdefault(level, []).append(_annotation(level, entry, folder))
    warnings, n_accepted = found.get("warning", []), len({entry.test for entry in report.accepted})
    found["warning"] = [*warnings[:n_accepted], *map(_loosened, report.loosened), *warnings[n_accepted:]]
    return [annotation for level in found for annotation in _limited(found[level])]


def _annotation(level: str, entry: AnyEntry, folder: str) -> Annotation:
    way_out = f"{entry.way_out}:" if entry.way_out else ""
    lines = filter(None, [f"{entry.headline.removesuffix('.')}.", entry.advice, way_out, entry.command])
    file = printable(str(PurePosixPath(folder) / entry.file)) if entry.file else ""
    return Annotation(level, one_line(entry.name), printable("\n".join(lines)), file, entry.line)


def _loosened(finding: Finding) -> Annotation:
    what = "This file cannot be read" if finding.kind is FindingKind.UNREADABLE else "This gate was loosened"
    return Annotation("warning", one_line(finding.gate), f"{what}: {one_line(finding.text).removesuffix('.')}.")


def _limited(annotations: list[Annotation]) -> list[Annotation]:
    if len(annotations) <= MOST_ANNOTATIONS:
        return annotations
    kept = annotations[: MOST_ANNOTATIONS - 1]
    left = len(annotations) - len(kept)
    return [*kept, Annotation(kept[0].level, "pytest-bayesf1", f"{left} more: see the job summary.")]


_TAKE_NONE = "Give the job the permission contents: read, or read the checked out baselines with baseline-ref: none."


def baseline_ref(asked: str, context: Context, token: Token) -> str:
    """Return the commit to read baselines from, fetched if it is not there yet; empty for the files as checked out."""
    if asked == "none" or (asked == "auto" and context.pull_request is None):
        return ""
    ref = context.pull_request.base_sha if asked == "auto" and context.pull_request else asked
    if commit_of(ref, Path()) is not None:
        return ref
    # of a branch there is no name after a shallow fetch
    fetched = commit_of("FETCH_HEAD", Path()) if _fetched(ref, context, token) else None
    if fetched is None:
        raise BaselineError.plain("baseline-ref", f"The commit {ref!r} cannot be fetched", _TAKE_NONE)
    return fetched


def _fetched(ref: str, context: Context, token: Token) -> bool:
    """Fetch the commit alone; the token goes by the environment, where no list of processes shows it."""
    credentials = base64.b64encode(f"x-access-token:{token.value}".encode()).decode()
    header = {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"http.{context.server_url}/.extraheader",
        "GIT_CONFIG_VALUE_0": f"AUTHORIZATION: basic {credentials}",
    }
    fetch = ("fetch", "--quiet", "--no-tags", "--depth=1", "--")
    own = f"{context.server_url}/{context.repository}"
    from_origin = git(Path(), *fetch, "origin", ref)
    return from_origin is not None or git(Path(), *fetch, own, ref, environment=header) is not None


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
        heads = api.heads(run.head_owner, run.head_branch)
        number = next((head.number for head in heads if head.sha == run.head_sha), None)
        found = _artefact(api, run, artefact_name)
        if isinstance(found, str):
            return found
        if number is None:
            return f"No open pull request ends with the commit {run.head_sha[:10]}: it has newer commits, or is closed."
        text = _member(api.download(found, _LARGEST))
        report = read_report(text, f"{found.name}: {_MEMBER}")
    except (ApiError, ReportError, _UnusableZipError) as error:
        return f"The report of the finished run cannot be used: {error}"
    return FinishedReport(report, number, Origin(replace(context.source, commit=run.head_sha), run.url))


_LARGEST = 25_000_000
"""Bytes of a report from a run of strangers: some three thousand comparisons, which any machine holds."""


class _UnusableZipError(Exception):
    """An archive without a report of a reasonable size."""


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
            data = member.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            raise _UnusableZipError(f"{_MEMBER} is larger than {_LARGEST:,} bytes")
        return data.decode("utf-8")
    except _UNUSABLE as error:
        raise _UnusableZipError(f"the artefact holds no readable {_MEMBER} ({type(error).__name__})") from None


_READ_ONLY = (
    "The report could not be posted as a comment, for the job's token can only read: it needs the permission "
    "pull-requests: write, which pull requests from forks never have. The report is in the job summary and among the "
    "artefacts; see 'Forks' in the documentation of the Action."
)


@dataclass(frozen=True)
class Draft:
    """What is to be published.

    Attributes
    ----------
    notices
        What a reader should know first.
    """

    report: Report
    comment_id: str
    origin: Origin
    notices: Sequence[str] = ()

    def text(self, most_bytes: int = MOST_BYTES) -> str:
        """Write the comment's body."""
        return body(self.report, self.comment_id, self.origin, self.notices, most_bytes)


@dataclass(frozen=True)
class Published:
    """What became of it: the comment's address, or the problem; neither when there was nothing to do."""

    url: str = ""
    problem: str = ""


def publish(api: GitHubApi, number: int, when: When, draft: Draft) -> Published:
    """Create or update the comment on pull request ``number``."""
    if when is When.NEVER:
        return Published()
    try:
        own = own_comments(api.comments(number), draft.comment_id, api.own_login())
        action = choose(when, draft.report, own[0] if own else None)
        if action is CommentAction.NOTHING:
            return Published()
        url = _write(api, number, own[0] if own else None, draft)
        for duplicate in own[1:]:
            api.delete(number, duplicate.number)
    except ApiError as error:
        return Published(problem=_READ_ONLY if error.status == 403 else f"The report could not be posted: {error}.")
    return Published(url=url)


def _write(api: GitHubApi, number: int, existing: Comment | None, draft: Draft) -> str:
    """Write the comment; a shorter one where GitHub finds it too long, a new one where the old one is gone."""
    try:
        return _written(api, number, existing, draft.text())
    except ApiError as error:
        if error.status != 422:
            raise
        return _written(api, number, existing, draft.text(MOST_BYTES // 4))


def _written(api: GitHubApi, number: int, existing: Comment | None, text: str) -> str:
    if existing is None:
        return api.create(number, text)
    try:
        return api.update(number, existing.number, text)
    except ApiError as error:
        if error.status != 404:
            raise
        return api.create(number, text)


_ENDINGS = {
    2: "pytest was interrupted, or could not collect the tests",
    3: "pytest ended with an internal error",
    4: "pytest could not be started with these arguments",
    5: "pytest collected no test",
}
_NO_TESTS = 5
_TESTED = (0, 1)


class FailOn(StrEnum):
    """What makes the job fail."""

    UNACCEPTED = "unaccepted"
    """Nothing else."""
    ACCEPTED = "accepted"
    WARNED = "warned"
    LOOSENED = "loosened"
    NEVER = "never"


@dataclass(frozen=True)
class Demands:
    """What makes the job fail: always what pytest fails on, and whatever else is asked for.

    Attributes
    ----------
    accepted, warned, loosened
        Whether a loss does that gates.json accepts, a candidate that leans worse, and a gate that is not as listed.
    never
        Whether nothing does.
    no_gates
        Whether a run in which no gate judged does not.
    """

    accepted: bool = False
    warned: bool = False
    loosened: bool = False
    never: bool = False
    no_gates: bool = False

    @classmethod
    def of(cls, fail_on: str, allow_no_gates: str) -> "Demands":
        """Read the inputs of the Action; raise `InputError` for what is none of their choices."""
        named = [name.strip() for name in fail_on.split(",")]
        for name in named:
            require_choice("fail-on", name, [choice.value for choice in FailOn])
        if FailOn.NEVER in named and len(named) > 1:
            raise InputError.plain("fail-on", f"never goes with no other value, but found {fail_on!r}")
        require_choice("allow-no-gates", allow_no_gates, ("true", "false"))
        return cls(
            accepted=FailOn.ACCEPTED in named,
            warned=FailOn.WARNED in named,
            loosened=FailOn.LOOSENED in named,
            never=FailOn.NEVER in named,
            no_gates=allow_no_gates == "true",
        )

    def exit_code(self, outcome: "Outcome") -> int:
        """Return the job's exit code."""
        if self.never:
            return 0
        if outcome.exit_code not in (0, _NO_TESTS):
            return outcome.exit_code
        is_missing = outcome.report.verdict == "none" and not self.no_gates
        found = (self.accepted and outcome.report.accepted) or (self.loosened and outcome.report.loosened)
        return 1 if is_missing or found else 0


@dataclass(frozen=True)
class Outcome:
    """What came of a run.

    Attributes
    ----------
    exit_code
        pytest's; neither 0 nor that of a run without tests when there is no report.
    report
        What it reported; an error entry says what kept it from a whole report.
    """

    exit_code: int
    report: Report


def pytest_command(
    arguments: str, report_dir: Path, demands: Demands, baseline_ref: str, gates_ref: str = ""
) -> list[str]:
    """Build the command; ``arguments`` are split as a shell would, and never seen by one."""
    try:
        given = shlex.split(arguments)
    except ValueError as error:
        raise InputError.plain("args", f"A shell could not read {arguments!r}: {error}") from None
    strict = ["-W", "error::pytest_bayesf1.BayesF1Warning"] if demands.warned else []
    refs = {"baseline": baseline_ref, "gates": gates_ref}
    read_from = [f"--bayesf1-{name}-ref={ref}" for name, ref in refs.items() if ref]
    return [sys.executable, "-m", "pytest", *given, *strict, *read_from, f"--bayesf1-report={report_dir}"]


def run(command: Sequence[str], report_dir: Path) -> Outcome:
    """Run pytest; an older report is removed first, so that it cannot pass for this run's."""
    (report_dir / _MEMBER).unlink(missing_ok=True)
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("BAYESF1_")}
    with no_commands():
        done = subprocess.run(command, check=False, env=inherited)  # noqa: S603 (no shell, and the tests are the caller's own)
    return outcome_of(done.returncode, report_dir)


def outcome_of(exit_code: int, report_dir: Path) -> Outcome:
    """Read what a run left behind."""
    file = report_dir / _MEMBER
    is_reported = exit_code == _NO_TESTS and file.exists()  # by the report: no gate ran
    tested = exit_code in _TESTED or is_reported
    problem = "" if tested else f"{_ENDINGS.get(exit_code, f'pytest ended with exit code {exit_code}')}."
    report = Report.of([])
    if file.exists():
        try:
            report = load_report(file)
        except ReportError as error:
            problem = f"{problem} The report cannot be read: {error}".strip()
    else:
        problem = f"{problem} There is no report, so nothing is known of the candidate.".strip()
    if not problem:
        return Outcome(exit_code, report)
    entry = error_entry(problem, Place(test="pytest", file="", line=0))
    with_error = Report.of([*report.entries, entry], report.missing, report.changed, report.findings, report.run)
    return Outcome(1 if exit_code in (0, _NO_TESTS) else exit_code, with_error)


Environment: TypeAlias = Mapping[str, str]

ARTEFACT = "bayesf1-report"


def find_base(environment: Environment) -> int:
    """Make the commit available that baselines are read from."""
    context, token = Context.read(environment), Token(environment["BAYESF1_TOKEN"])
    set_outputs(
        Path(environment["GITHUB_OUTPUT"]), {"ref": baseline_ref(environment["BAYESF1_BASELINE_REF"], context, token)}
    )
    return 0


def run_gates(environment: Environment) -> int:
    """Run pytest; write annotations, the job summary and outputs. The last step decides whether the job fails."""
    demands = Demands.of(environment["BAYESF1_FAIL_ON"], environment["BAYESF1_ALLOW_NO_GATES"])
    report_dir = Path(environment["RUNNER_TEMP"]) / ARTEFACT
    require_choice("gates-ref", environment["BAYESF1_GATES_REF"], ("head", "base"))
    ref = environment["BAYESF1_REF"]
    gates_ref = ref if environment["BAYESF1_GATES_REF"] == "base" else ""
    command = pytest_command(environment["BAYESF1_ARGS"], report_dir, demands, ref, gates_ref)
    outcome = run(command, report_dir)
    context = Context.read(environment)
    for annotation in annotations_of(outcome.report, context.folder):
        print(annotation.command())
    name = environment["BAYESF1_ARTEFACT"] or f"{ARTEFACT}-{environment['BAYESF1_JOB']}"
    text = markdown(outcome.report, MOST_SUMMARY_BYTES, context.source)
    add_summary(Path(environment["GITHUB_STEP_SUMMARY"]), f"{text}\n\n{_where(report_dir, name, context)}")
    found = _found(outcome, report_dir, demands) | {"artefact-name": name}
    set_outputs(Path(environment["GITHUB_OUTPUT"]), found)
    return 0


def comment(environment: Environment) -> int:
    """Comment on the pull request that this run, or the one that has just finished, is about."""
    require_choice("comment", environment["BAYESF1_COMMENT"], [choice.value for choice in When])
    context, when = Context.read(environment), When(environment["BAYESF1_COMMENT"])
    api = GitHubApi(Token(environment["BAYESF1_TOKEN"]), context.api_url, context.repository)
    published = Published()
    if environment["BAYESF1_MODE"] == "comment":
        found = finished_report(api, context, environment["BAYESF1_ARTEFACT"])
        if isinstance(found, str):
            published = Published(problem=found)
        else:
            draft = Draft(found.report, environment["BAYESF1_COMMENT_ID"], found.origin)
            published = publish(api, found.number, when, draft)
    elif context.pull_request is not None:
        exit_code = int(environment["BAYESF1_TEST_EXIT_CODE"] or 1)
        outcome = outcome_of(exit_code, Path(environment["RUNNER_TEMP"]) / ARTEFACT)
        origin = Origin(context.source, context.run_url, environment["BAYESF1_ARTEFACT_URL"])
        draft = Draft(outcome.report, environment["BAYESF1_COMMENT_ID"], origin)
        published = publish(api, context.pull_request.number, when, draft)
    if published.problem:
        print(Annotation("notice", "pytest-bayesf1", published.problem).command())
    set_outputs(Path(environment["GITHUB_OUTPUT"]), {"comment-url": published.url})
    return 0


STEPS: Mapping[str, Callable[[Environment], int]] = {"base": find_base, "run": run_gates, "comment": comment}


def _where(report_dir: Path, artefact: str, context: Context) -> str:
    """Say where the figures are: a summary shows no picture that is not on the web already."""
    if not report_dir.is_dir():
        return ""
    place = f"[artefact {escape_markdown(artefact)}]({context.run_url}#artifacts)"
    return f"<sub>The page with all figures and the card as a picture: {place}</sub>"


def _found(outcome: Outcome, report_dir: Path, demands: Demands) -> dict[str, str]:
    failed = dict.fromkeys(
        one_line(entry.test) for entry in outcome.report.entries if entry.verdict in ("failed", "error")
    )
    there = report_dir.is_dir()
    return {
        "verdict": outcome.report.verdict,
        "failed-gates": "\n".join(failed),
        "loosened-gates": "\n".join(dict.fromkeys(finding.gate for finding in outcome.report.loosened)),
        "test-exit-code": str(outcome.exit_code),
        "exit-code": str(demands.exit_code(outcome)),
        "report-directory": str(report_dir) if there else "",
        **{f"report-{kind}": str(report_dir / name) if there else "" for kind, name in _FILES.items()},
    }


_FILES = {"json": "report.json", "markdown": "report.md", "html": "report.html"}


def main() -> int:
    """Run the step that is named; a problem becomes an annotation and exit code 1."""
    try:
        return STEPS[sys.argv[1]](dict(os.environ))
    except BayesF1Error as error:
        print(Annotation("error", "pytest-bayesf1", str(error)).command())
        return 1


if __name__ == "__main__":
    sys.exit(main())
