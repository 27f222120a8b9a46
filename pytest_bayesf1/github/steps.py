"""The steps of the Action. Inputs come as environment variables; what a step finds out goes to the next as outputs."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from pytest_bayesf1._util import require_choice
from pytest_bayesf1.github.annotations import annotations_of
from pytest_bayesf1.github.api import GitHubApi, Token
from pytest_bayesf1.github.base import baseline_ref
from pytest_bayesf1.github.comment import Origin, When
from pytest_bayesf1.github.context import Context
from pytest_bayesf1.github.finished import finished_report
from pytest_bayesf1.github.publish import Draft, Published, publish
from pytest_bayesf1.github.runner import Demands, Outcome, outcome_of, pytest_command, run
from pytest_bayesf1.github.workflow import MOST_SUMMARY_BYTES, Annotation, add_summary, set_outputs
from pytest_bayesf1.reports.markdown import escape_name, markdown
from pytest_bayesf1.results.formatting import visible

Environment: TypeAlias = Mapping[str, str]

ARTEFACT = "bayesf1-report"


def find_base(environment: Environment) -> int:
    """Make the commit available that baselines are read from."""
    context, token = Context.read(environment), Token(environment["BAYESF1_TOKEN"])
    _output(environment, {"ref": baseline_ref(environment["BAYESF1_BASELINE_REF"], context, token)})
    return 0


def run_gates(environment: Environment) -> int:
    """Run pytest; write annotations, the job summary and outputs. Whether the job fails is told by its last step."""
    demands = Demands.of(environment["BAYESF1_FAIL_ON"], environment["BAYESF1_ALLOW_NO_GATES"])
    report_dir = Path(environment["RUNNER_TEMP"]) / ARTEFACT
    refs = environment["BAYESF1_REF"], _gates_ref(environment)
    command = pytest_command(environment["BAYESF1_ARGS"], report_dir, demands, *refs)
    outcome = run(command, report_dir)
    context = Context.read(environment)
    for annotation in annotations_of(outcome.report, context.folder):
        print(annotation.command())
    name = environment["BAYESF1_ARTEFACT"] or f"{ARTEFACT}-{environment['BAYESF1_JOB']}"
    told = markdown(outcome.report, MOST_SUMMARY_BYTES, context.source)
    add_summary(Path(environment["GITHUB_STEP_SUMMARY"]), f"{told}\n\n{_where(report_dir, name, context)}")
    _output(environment, _found(outcome, report_dir, demands) | {"artefact-name": name})
    return 0


def comment(environment: Environment) -> int:
    """Comment on the pull request that this run, or the one that has just finished, is about."""
    require_choice("comment", environment["BAYESF1_COMMENT"], [choice.value for choice in When])
    context, when = Context.read(environment), When(environment["BAYESF1_COMMENT"])
    api = GitHubApi(Token(environment["BAYESF1_TOKEN"]), context.api_url, context.repository)
    if environment["BAYESF1_MODE"] == "comment":
        published = _publish_finished(api, when, context, environment)
    else:
        published = _publish_own(api, when, context, environment)
    if published.problem:
        print(Annotation("notice", "pytest-bayesf1", published.problem).command())
    _output(environment, {"comment-url": published.url})
    return 0


def _publish_finished(api: GitHubApi, when: When, context: Context, environment: Environment) -> Published:
    found = finished_report(api, context, environment["BAYESF1_ARTEFACT"])
    if isinstance(found, str):
        return Published(problem=found)
    return publish(api, found.number, when, Draft(found.report, environment["BAYESF1_COMMENT_ID"], found.origin))


def _publish_own(api: GitHubApi, when: When, context: Context, environment: Environment) -> Published:
    if context.pull_request is None:
        return Published()
    exit_code = int(environment["BAYESF1_TEST_EXIT_CODE"] or 1)
    outcome = outcome_of(exit_code, Path(environment["RUNNER_TEMP"]) / ARTEFACT)
    origin = Origin(context.source, context.run_url, environment["BAYESF1_ARTEFACT_URL"])
    draft = Draft(outcome.report, environment["BAYESF1_COMMENT_ID"], origin)
    return publish(api, context.pull_request.number, when, draft)


STEPS: Mapping[str, Callable[[Environment], int]] = {"base": find_base, "run": run_gates, "comment": comment}


def _where(report_dir: Path, artefact: str, context: Context) -> str:
    """Say where the figures are: a summary shows no picture that is not on the web already."""
    if not report_dir.is_dir():
        return ""
    place = f"[artefact {escape_name(artefact)}]({context.run_url}#artifacts)"
    return f"<sub>The page with all figures and the card as a picture: {place}</sub>"


def _gates_ref(environment: Environment) -> str:
    """Return the commit to read gate files from: that of the baselines, or none."""
    asked = environment["BAYESF1_GATES_REF"]
    require_choice("gates-ref", asked, ("head", "base"))
    return environment["BAYESF1_REF"] if asked == "base" else ""


def _found(outcome: Outcome, report_dir: Path, demands: Demands) -> dict[str, str]:
    failed = dict.fromkeys(
        visible(entry.test) for entry in outcome.report.entries if entry.verdict in ("failed", "error")
    )
    there = report_dir.is_dir()
    return {
        "verdict": outcome.verdict,
        "failed-gates": "\n".join(failed),
        "loosened-gates": "\n".join(dict.fromkeys(finding.gate for finding in outcome.report.loosened)),
        "test-exit-code": str(outcome.exit_code),
        "exit-code": str(demands.exit_code(outcome)),
        "report-directory": str(report_dir) if there else "",
        **{f"report-{kind}": str(report_dir / name) if there else "" for kind, name in _FILES.items()},
    }


_FILES = {"json": "report.json", "markdown": "report.md", "html": "report.html"}


def _output(environment: Environment, outputs: Mapping[str, str]) -> None:
    set_outputs(Path(environment["GITHUB_OUTPUT"]), outputs)
