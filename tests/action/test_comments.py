from dataclasses import replace
from pathlib import Path

from pytest_bayesf1 import InputError
from pytest_bayesf1.github.api import Draft, body
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.markdown import SourceCommit
from tests.action.github_markdown import as_github_shows
from tests.unit.made_up import error
from tests.unit.reports.golden_report import judged, steady

# A comment as GitHub shows it, reviewed by people; `nox -s regenerate` writes it.
GOLDEN = Path(__file__).parents[1] / "golden"
ORIGIN = (
    SourceCommit("https://github.com/octo/spam", "0123456789abcdef", "models"),
    "https://github.com/octo/spam/actions/runs/1",
    "https://github.com/octo/spam/artifacts/2",
)
GOLDEN_COMMENT_HOSTILE = (
    "<img src=x onerror=alert(1)> | @octocat #1 **bold** `code` [x](https://evil.example) \u202eabc\n\n# title"
)


def report(*entries, **more):
    return replace(
        Report.of(map(judged, map(steady, entries)), **more), versions={"python": "3.11.0", "pytest-bayesf1": "0.1.0"}
    )


HOSTILE_COMMENT = report(
    error(InputError(GOLDEN_COMMENT_HOSTILE, "b", "c"), test=GOLDEN_COMMENT_HOSTILE, file="bayesf1.yaml", line=9),
    missing=[GOLDEN_COMMENT_HOSTILE],
    changed={GOLDEN_COMMENT_HOSTILE: "new"},
)


def test_a_comment_with_hostile_names_is_shown_as_it_was_reviewed(generated):
    generated(
        GOLDEN / "comment-hostile.html", as_github_shows(body(Draft(1, HOSTILE_COMMENT, "gates", "1.1", *ORIGIN)))
    )
