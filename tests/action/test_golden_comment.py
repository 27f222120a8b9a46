"""A comment as GitHub shows it, reviewed by people; `nox -s regenerate` writes it."""

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_bayesf1 import Decision, InputError
from pytest_bayesf1.github.comment import Origin, body
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.markdown import Source
from tests.unit.made_up import comparison, entry, error, estimate, score
from tests.unit.reports.golden_report import judged, steady

from .github_markdown import as_github_shows

GOLDEN = Path(__file__).parents[1] / "golden"
ORIGIN = Origin(
    Source("https://github.com/octo/spam", "0123456789abcdef", "models"),
    "https://github.com/octo/spam/actions/runs/1",
    "https://github.com/octo/spam/artifacts/2",
)
WORSE = {
    "decision": Decision.MUCH_WORSE,
    "mean": -0.03,
    "hdi": (-0.04, -0.02),
    "baseline": score(0.93),
    "candidate": score(0.9),
}
HOSTILE = "<img src=x onerror=alert(1)> | @octocat #1 **bold** `code` [x](https://evil.example) \u202eabc\n\n# title"


def report(*entries, **more):
    return replace(
        Report.of(map(judged, map(steady, entries)), **more), versions={"python": "3.11.0", "pytest-bayesf1": "0.1.0"}
    )


COMMENTS = {
    "comment-passed": report(
        entry(comparison(decision=Decision.EQUIVALENT)), entry(estimate(), gate="assert_at_least", test="test_b")
    ),
    "comment-failed": report(
        entry(comparison(**WORSE), "failed", test="bayesf1.yaml::spam", advice="Find what changed."),
        entry(comparison(**WORSE), "failed", test="bayesf1.yaml::spam", part="class ham"),
        error(InputError("a", "b", "c"), test="bayesf1.yaml::eggs", file="bayesf1.yaml", line=9),
        missing=["test_a.py::test_late"],
        changed=["tests/__bayesf1__/test_a/test_a.json"],
    ),
    "comment-expected": report(entry(comparison(**WORSE), "failed").of_expected_failure()),
    "comment-without-a-gate": report(entry(comparison(), "")),
    "comment-hostile": report(
        entry(comparison(**WORSE, measure=f"f1[{HOSTILE}]"), "failed", test=HOSTILE, part=HOSTILE, advice=HOSTILE),
        missing=[HOSTILE],
        changed=[HOSTILE],
    ),
}


@pytest.mark.parametrize("name", COMMENTS)
def test_a_comment_is_shown_as_it_was_reviewed(name, generated):
    generated(GOLDEN / f"{name}.html", as_github_shows(body(COMMENTS[name], "default", ORIGIN)))
