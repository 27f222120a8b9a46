from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from pytest_bayesf1 import Decision, InputError
from pytest_bayesf1.github.api import Draft, body
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.markdown import SourceCommit, markdown
from pytest_bayesf1.results.comparison import ErrorChange, ReportedChanges
from pytest_bayesf1.words.amounts import name_text
from tests.action.github_markdown import as_github_shows
from tests.unit.hostile import HOSTILE
from tests.unit.made_up import comparison, entry, error, score
from tests.unit.reports.golden_report import judged, steady

# A comment as GitHub shows it, reviewed by people; `nox -s regenerate` writes it.
GOLDEN = Path(__file__).parents[1] / "golden"
ORIGIN = (
    SourceCommit("https://github.com/octo/spam", "0123456789abcdef", "models"),
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


# Names that were made to break the Markdown report, as GitHub shows them.
OURS = {"a", "h2", "p", "strong", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "sub"}

EXPLAINED = 8
"""So many of a report have a fold of their own."""

NAMES = (*HOSTILE, "# ✅ All good, approved.", "- - -", "1. first", "===", "+ x", ":-:", "7", "$x$", "www.evil.example")


class Shown(HTMLParser):
    """The elements and the text that a reader gets."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag != "span":  # of a dollar sign
            self.tags.append(tag)

    def handle_data(self, data):
        self.text += data


def shown(names):
    made = [
        replace(
            entry(
                comparison(decision=Decision.MUCH_WORSE, measure=f"f1[{name}]", prior=name),
                "failed",
                test=f"test_{number}[{name}]",
                part=name,
                advice=name,
            ),
            changes=ReportedChanges(-0.1, 0.0, (ErrorChange(name, name, 1, 2, -0.1, ()),), (), None, ()),
        )
        for number, name in enumerate(names)
    ]
    reports = (
        Report.of(made[start : start + EXPLAINED], names, dict.fromkeys(names, "base"))
        for start in range(0, len(made), EXPLAINED)
    )
    return Shown(as_github_shows("\n\n".join(map(markdown, reports)).encode("utf-8", "replace").decode()))


@pytest.fixture(scope="module")
def hostile():
    return shown(NAMES)


def test_they_add_no_element(hostile):
    assert set(hostile.tags) == OURS
    assert hostile.tags == shown([f"name {number}" for number in range(len(NAMES))]).tags


@pytest.mark.parametrize("name", NAMES)
def test_they_are_shown_as_they_are(hostile, name):
    assert name_text(name) in hostile.text.replace("\u200b", "")


def test_they_refer_to_nobody_and_turn_no_line(hostile):
    prose = hostile.text
    assert "@\u200boctocat" in prose
    assert not set(prose) & set("\u202e\u2066\u200f\x1b\x07")
