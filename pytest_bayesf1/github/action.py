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
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256
from io import BytesIO
from itertools import count
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from pytest_bayesf1.errors import BaselineError, BayesF1Error, InputError, ReportError, printable
from pytest_bayesf1.files.opening import DAMAGED
from pytest_bayesf1.git import Revision, commit_of, git
from pytest_bayesf1.github.api import (
    ApiError,
    Artefact,
    Context,
    Draft,
    FinishedRun,
    GitHubApi,
    Token,
    When,
    body,
    is_worth,
    key_of,
    stamped,
)
from pytest_bayesf1.reports.entry import AnyEntry, Place, Report, error_entry
from pytest_bayesf1.reports.markdown import escape_markdown, markdown
from pytest_bayesf1.reports.record import load_report, read_report
from pytest_bayesf1.results.run import Finding, FindingKind
from pytest_bayesf1.text import counted, flowed, one_line
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
    found["warning"] = [
        *warnings[:n_accepted],
        *map(_loosened, (*report.loosened_as_wanted, *report.loosened)),
        *warnings[n_accepted:],
    ]
    return [annotation for level in found for annotation in _limited(found[level])]


def _annotation(level: str, entry: AnyEntry, folder: str) -> Annotation:
    way_out = f"{entry.way_out}:" if entry.way_out else ""
    lines = filter(None, [f"{entry.headline.removesuffix('.')}.", entry.advice, way_out, entry.command])
    file = printable(str(PurePosixPath(folder) / entry.file)) if entry.file else ""
    return Annotation(level, one_line(entry.name), printable("\n".join(lines)), file, entry.line)


_LOOSENED = {FindingKind.FILE: "Check this file", FindingKind.CHANGED: "This gate changed"}
"""How a warning begins; else that the gate is looser."""


def _loosened(finding: Finding) -> Annotation:
    what = _LOOSENED.get(finding.kind, "This gate is looser")
    accepted = f" Accepted: {flowed(finding.accepted)}" if finding.accepted else ""
    text = f"{what}: {flowed(finding.text).removesuffix('.')}.{accepted}"
    return Annotation("warning", one_line(finding.gate), text)


def _limited(annotations: list[Annotation]) -> list[Annotation]:
    if len(annotations) <= MOST_ANNOTATIONS:
        return annotations
    kept = annotations[: MOST_ANNOTATIONS - 1]
    left = len(annotations) - len(kept)
    more = f"{counted(left, 'more annotation')}: see the job summary."
    return [*kept, Annotation(kept[0].level, "pytest-bayesf1", more)]


_TAKE_NONE = (
    "Give the job the permission contents: read. If a force push removed the commit, name another with baseline-ref."
)


def require_tested(context: Context) -> None:
    """Raise `InputError` unless the commit is checked out that the event, and so the job's result, is about."""
    head, folder = commit_of("HEAD", Path()), context.folder
    if head is None:
        advice = "Add - uses: actions/checkout@v7 before this step. In a container, install git before that."
        raise InputError.plain("working-directory", f"git finds no commit in {folder!r}", advice)
    if head in context.tested or (context.pull_request and context.pull_request.head_sha in _merged_by_head()):
        return
    about = f"this run ({context.event}) is about {' or its merge '.join(each[:10] for each in context.tested)}"
    problem = f"In {folder!r} git has the commit {head[:10]}, but {about}"
    advice = "Leave out ref: of actions/checkout, or set it: with: {ref: '${{ github.sha }}'}"
    raise InputError.plain("working-directory", problem, advice)


def _merged_by_head() -> list[str]:
    """Return the parents of the commit that is checked out, if it is a merge; a shallow clone has them too."""
    lines = (git(Path(), "cat-file", "commit", "HEAD") or b"").partition(b"\n\n")[0].decode("utf-8", "replace")
    parents = re.findall(r"^parent (\w+)$", lines, re.MULTILINE)
    return parents if len(parents) > 1 else []


def _base_of(context: Context) -> str:
    """Return the commit that GitHub merged the pull request into: that of the event may be an older one."""
    parents, pull_request = _merged_by_head(), context.pull_request
    return parents[0] if pull_request and pull_request.head_sha in parents[1:] else context.base


def baseline_ref(asked: str, context: Context, token: Token) -> str:
    """Return the commit to read baselines from, fetched if it is not there yet; empty for the files as checked out."""
    ref = {"none": "", "auto": _base_of(context)}.get(asked, asked)
    if not ref or commit_of(ref, Path()) is not None:
        return ref
    # of a branch there is no name after a shallow fetch
    fetched = commit_of("FETCH_HEAD", Path()) if _fetched(ref, context, token) else None
    if fetched is None:
        raise BaselineError.plain("baseline-ref", f"Cannot fetch the commit {ref!r}", _TAKE_NONE)
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
    job = dict(os.environ)  # how the job reaches a server
    from_origin = git(Path(), *fetch, "origin", ref, environment=job)
    return from_origin is not None or git(Path(), *fetch, own, ref, environment=job | header) is not None


PREFIX = "bayesf1-report"
_MEMBER = "report.json"
_UNUSABLE: tuple[type[Exception], ...] = (*DAMAGED, OSError)


def finished_reports(api: GitHubApi, context: Context, artefact_name: str) -> list[Draft] | str:
    """Fetch the reports of the run that started this one, or say why there are none to show.

    Which pull request they are about is asked of GitHub and not of an artefact; it must still end with the commit that
    was tested. Nothing of an artefact is unpacked to a file, run, or trusted to be Markdown.
    """
    run = context.finished_run
    if run is None:
        return "mode: comment works in workflows that start on: workflow_run."
    try:
        heads = api.heads(run.head_owner, run.head_branch)
        numbers = [number for number, sha in heads.items() if sha == run.head_sha]
        artefacts = _artefacts(api, run, artefact_name)
        if isinstance(artefacts, str):
            return artefacts
        if not numbers:
            return f"No open pull request ends with the commit {run.head_sha[:10]}: it has newer commits, or is closed."
        source = replace(context.source, commit=run.head_sha)
        found = []
        for artefact in artefacts:
            content = api.download(artefact, _LARGEST)
            report = read_report(_member(content, _MEMBER), f"{artefact.name}: {_MEMBER}")
            number = numbers[0] if len(numbers) == 1 else _number(content)
            if number not in numbers:
                several = ", ".join(f"#{each}" for each in numbers)
                return f"The commit {run.head_sha[:10]} ends several pull requests ({several}). Close all but one."
            key = key_of(_member(content, _KEY).strip())
            found.append(Draft(number, report, key, f"{run.run_id}.{run.attempt}", source, run.url))
    except (ApiError, ReportError, _UnusableZipError) as error:
        return f"Cannot use the report of the finished run: {error}"
    return found


_NUMBER = "pull-request.txt"
_KEY = "comment-id.txt"


def _number(content: bytes) -> int:
    """Return which of the pull requests of a branch a report says that it is about."""
    told = _member(content, _NUMBER).strip()
    return int(told) if re.fullmatch(r"[0-9]{1,10}", told, re.ASCII) else 0


_MOST_REPORTS = 20


_LARGEST = 25_000_000
"""Bytes of a report from a run of strangers: some three thousand comparisons, which any machine holds."""


class _UnusableZipError(Exception):
    """An archive without a report of a reasonable size."""


def _artefacts(api: GitHubApi, run: FinishedRun, name: str) -> list[Artefact] | str:
    """Return the newest artefact of each name: a run that is repeated uploads another."""
    newest: dict[str, Artefact] = {}
    for each in sorted(api.artefacts(run.run_id), key=lambda artefact: artefact.number):
        if each.name == name or (not name and each.name.startswith(PREFIX)):
            newest[each.name] = each
    if not newest:
        wanted = repr(name) if name else f"that begins with {PREFIX!r}"
        return f"The finished run has no artefact {wanted}. Did it end before it could report?"
    if len(newest) > _MOST_REPORTS:
        return f"The finished run has {len(newest)} reports, more than {_MOST_REPORTS}. Name one with artefact-name."
    return list(newest.values())


def _member(content: bytes, name: str) -> str:
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive, archive.open(name) as member:
            data = member.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            raise _UnusableZipError(f"{name} is larger than {_LARGEST:,} bytes")
        return data.decode("utf-8")
    except _UNUSABLE as error:
        raise _UnusableZipError(f"the artefact holds no readable {name} ({type(error).__name__})") from None


_READ_ONLY = (
    "The job's token can only read: it needs the permission pull-requests: write, which pull requests from forks never "
    "have. The report is in the job summary and among the artefacts; see 'Forks' in the documentation of the Action."
)


def _refusal(error: ApiError) -> str:
    """Say why GitHub refused, in its own words; and what a token needs that can only read."""
    advice = f" {_READ_ONLY}" if "not accessible" in str(error).lower() else ""
    return f"Could not post the report as a comment: {error}.{advice}"


_NOTHING = "", ""


def publish(api: GitHubApi, when: When, draft: Draft, *, is_of_finished_run: bool = False) -> tuple[str, str]:
    """Write the comment, if the draft is about the newest commit; return its address, and what kept it from that."""
    if when is When.NEVER:
        return _NOTHING
    commit = draft.source.commit
    try:
        head = api.head(draft.number)
        if head != commit:
            newest = f"the pull request now ends with {head[:10]}"
            return "", f"The report is about {commit[:10]}, but {newest}: its comment stays as it is."
        own = stamped(api.comments(draft.number), api.own_login(), draft.key)
        # a comment of this run is by another job that has the same key: a call of one reusable workflow
        earlier = {number: stamp for number, stamp in own.items() if stamp.run != draft.run}
        if is_of_finished_run and len(earlier) < len(own):
            return _NOTHING  # the job has written it
        number, stamp = next(iter(earlier.items()), (None, None))
        if not is_worth(when, draft.report, stamp):
            return _NOTHING
        text = body(draft)
        return api.create(draft.number, text) if number is None else api.update(draft.number, number, text), ""
    except ApiError as error:
        return "", _refusal(error)


_ENDINGS = {
    2: "pytest was interrupted, or could not collect the tests",
    3: "pytest ended with an internal error",
    4: "pytest could not start with these arguments",
    5: "pytest collected no test",
}
_NO_TESTS = 5
_TESTED = (0, 1)


class JobFailsOn(StrEnum):
    """What makes the job fail, beside what pytest fails on."""

    UNACCEPTED = "unaccepted"
    """Nothing more."""
    ACCEPTED = "accepted"
    """A loss, or a looser gate, that gates.json accepts."""
    WARNED = "warned"
    """A gate that warned."""
    LOOSENED = "loosened"
    """A looser gate that gates.json does not accept."""
    NEVER = "never"
    """Nothing, what pytest fails on included."""


@dataclass(frozen=True)
class JobDemands:
    """What makes the job fail."""

    fail_on: frozenset[JobFailsOn] = frozenset()

    @classmethod
    def of(cls, fail_on: str) -> "JobDemands":
        """Read the input of the Action; raise `InputError` for what is none of its choices."""
        named = [name.strip() for name in fail_on.split(",")]
        for name in named:
            require_choice("fail-on", name, [choice.value for choice in JobFailsOn])
        if JobFailsOn.NEVER in named and len(named) > 1:
            raise InputError.plain("fail-on", f"never goes with no other value, but found {fail_on!r}")
        return cls(frozenset(map(JobFailsOn, named)))

    def exit_code(self, outcome: "Outcome") -> int:
        """Return the job's exit code."""
        if JobFailsOn.NEVER in self.fail_on:
            return 0
        if outcome.exit_code not in (0, _NO_TESTS):
            return outcome.exit_code
        report = outcome.report
        found = {
            JobFailsOn.ACCEPTED: report.accepted or report.loosened_as_wanted,
            JobFailsOn.LOOSENED: report.loosened,
            JobFailsOn.WARNED: report.counts.warned or any(map(_is_warning_since_anchor, report.entries)),
        }
        has_failed = report.verdict in ("failed", "error", "none")  # in a process whose test passed all the same
        return 1 if has_failed or any(found.get(each) for each in self.fail_on) else 0


def _is_warning_since_anchor(entry: AnyEntry) -> bool:
    """Whether a total loss leans worse, which is no verdict of its gate."""
    return entry.gate == "anchor" and entry.verdict == "warned"


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


def pytest_command(arguments: str, report_dir: Path, baseline_ref: str) -> list[str]:
    """Build the command; ``arguments`` are split as a shell would, and never seen by one."""
    try:
        given = shlex.split(arguments)
    except ValueError as error:
        raise InputError.plain("args", f"A shell could not read {arguments!r}: {error}") from None
    read_from = [f"--bayesf1-baseline-ref={baseline_ref}"] if baseline_ref else []
    return [sys.executable, "-P", "-m", "pytest", *given, *read_from, f"--bayesf1-report={report_dir}"]


def run(command: Sequence[str], report_dir: Path) -> Outcome:
    """Run pytest; an older report is removed first, so that it cannot pass for this run's."""
    (report_dir / _MEMBER).unlink(missing_ok=True)
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("BAYESF1_")}
    with no_commands():
        done = subprocess.run(command, check=False, env=inherited)  # noqa: S603 (no shell, and the tests are the caller's own)
    return outcome_of(done.returncode, report_dir)


def outcome_of(exit_code: int, report_dir: Path, problem: str = "") -> Outcome:
    """Read what a run left behind; ``problem`` says why there was none."""
    file = report_dir / _MEMBER
    is_reported = exit_code == _NO_TESTS and file.exists()  # by the report: no gate ran
    tested = exit_code in _TESTED or is_reported
    if not problem and not tested:
        problem = f"{_ENDINGS.get(exit_code, f'pytest ended with exit code {exit_code}')}."
    report = Report.of([])
    if file.exists():
        try:
            report = load_report(file)
        except ReportError as error:
            problem = f"{problem} Cannot read the report: {error}".strip()
    else:
        problem = f"{problem} There is no report, so the candidate has no answer.".strip()
    if not problem:
        return Outcome(exit_code, report)
    entry = error_entry(problem, Place(test="pytest", file="", line=0))
    with_error = Report.of(
        [*report.entries, entry], report.missing, report.changed, report.findings, report.run, report.attempts
    )
    return Outcome(1 if exit_code in (0, _NO_TESTS) else exit_code, with_error)


Environment: TypeAlias = Mapping[str, str]


def find_base(environment: Environment) -> int:
    """Check which commit is tested, and make the one available that baselines are read from."""
    outputs = Path(environment["GITHUB_OUTPUT"])
    key, report_dir = _place_of_report(environment)
    name = environment["BAYESF1_ARTEFACT"] or f"{PREFIX}-{key}"
    set_outputs(outputs, {"key": key, "artefact-name": name, "report-directory": str(report_dir)})
    context, token = Context.read(environment), Token(environment["BAYESF1_TOKEN"])
    try:
        require_tested(context)
        ref = baseline_ref(environment["BAYESF1_BASELINE_REF"], context, token)
        if ref:
            Revision.of(ref, Path(), report_dir)
    except BayesF1Error as error:
        set_outputs(outputs, {"problem": str(error)})
        raise
    set_outputs(outputs, {"ref": ref})
    return 0


def _place_of_report(environment: Environment) -> tuple[str, Path]:
    """Name this use of the Action in all runs alike, apart from other workflows, jobs and steps; make it a folder."""
    workflow = environment.get("GITHUB_WORKFLOW", "")
    given = repr((workflow, environment["BAYESF1_ARGS"], environment["BAYESF1_FOLDER"])).encode("utf-8", "replace")
    default = (workflow, environment["BAYESF1_JOB"], sha256(given).hexdigest()[:6])
    chosen = environment["BAYESF1_COMMENT_ID"]
    key = key_of(chosen) if chosen else key_of(*default)
    for number in count(1):
        name = key if number == 1 else f"{key}-{number}"
        folder = Path(environment["RUNNER_TEMP"]) / f"bayesf1-{name}"
        with suppress(FileExistsError):
            folder.mkdir()
            return name, folder / PREFIX
    raise AssertionError  # count() never ends


def run_gates(environment: Environment) -> int:
    """Run pytest; write annotations, the job summary and outputs. The last step decides whether the job fails."""
    demands = JobDemands.of(environment["BAYESF1_FAIL_ON"])
    report_dir = Path(environment["BAYESF1_REPORT"])
    command = pytest_command(environment["BAYESF1_ARGS"], report_dir, environment["BAYESF1_REF"])
    outcome = run(command, report_dir)
    context = Context.read(environment)
    for annotation in annotations_of(outcome.report, context.folder):
        print(annotation.command())
    if report_dir.is_dir():
        (report_dir / _KEY).write_text(f"{environment['BAYESF1_KEY']}\n")
    if report_dir.is_dir() and context.pull_request is not None:
        (report_dir / _NUMBER).write_text(f"{context.pull_request.number}\n")
    text = markdown(outcome.report, MOST_SUMMARY_BYTES, context.source)
    where = _where(report_dir, environment["BAYESF1_ARTEFACT"], context)
    add_summary(Path(environment["GITHUB_STEP_SUMMARY"]), f"{text}\n\n{where}")
    set_outputs(Path(environment["GITHUB_OUTPUT"]), _found(outcome, report_dir, demands))
    return 0


def comment(environment: Environment) -> int:
    """Comment on the pull request that this run, or the one that has just finished, is about."""
    require_choice("comment", environment["BAYESF1_COMMENT"], [choice.value for choice in When])
    context, when = Context.read(environment), When(environment["BAYESF1_COMMENT"])
    api = GitHubApi(Token(environment["BAYESF1_TOKEN"]), context.api_url, context.repository)
    drafts: list[Draft] = []
    problems: list[str] = []
    is_of_finished_run = environment["BAYESF1_MODE"] == "comment"
    if is_of_finished_run:
        found = finished_reports(api, context, environment["BAYESF1_ARTEFACT"])
        if isinstance(found, str):
            problems = [found]
        else:
            drafts = found
    elif context.pull_request is not None and environment["BAYESF1_KEY"]:
        exit_code, problem = int(environment["BAYESF1_TEST_EXIT_CODE"] or 1), environment["BAYESF1_PROBLEM"]
        report = outcome_of(exit_code, Path(environment["BAYESF1_REPORT"]), problem).report
        pages = context.run_url, environment["BAYESF1_ARTEFACT_URL"]
        known = report, environment["BAYESF1_KEY"], context.run, context.source
        drafts = [Draft(context.pull_request.number, *known, *pages)]
    published = [publish(api, when, draft, is_of_finished_run=is_of_finished_run) for draft in drafts]
    problems += [problem for _, problem in published if problem]
    for problem in dict.fromkeys(problems):
        print(Annotation("notice", "pytest-bayesf1", problem).command())
    urls = [url for url, _ in published if url]
    set_outputs(Path(environment["GITHUB_OUTPUT"]), {"comment-url": "\n".join(urls)})
    return 0


STEPS: Mapping[str, Callable[[Environment], int]] = {"base": find_base, "run": run_gates, "comment": comment}


def _where(report_dir: Path, artefact: str, context: Context) -> str:
    """Say where the figures are: a summary shows no picture that is not on the web already."""
    if not report_dir.is_dir():
        return ""
    place = f"[artefact {escape_markdown(artefact)}]({context.run_url}#artifacts)"
    return f"<sub>The page with all figures: {place}</sub>"


def _found(outcome: Outcome, report_dir: Path, demands: JobDemands) -> dict[str, str]:
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
