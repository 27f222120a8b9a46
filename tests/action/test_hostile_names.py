"""Names that were made to break the Markdown report, as GitHub shows them."""

from html.parser import HTMLParser

import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.markdown import markdown
from pytest_bayesf1.results.comparison import Move
from pytest_bayesf1.results.formatting import name_text
from tests.unit.hostile import HOSTILE
from tests.unit.made_up import comparison, entry

from .github_markdown import as_github_shows

OURS = {
    "h2",
    "p",
    "ul",
    "li",
    "strong",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "details",
    "summary",
    "pre",
    "code",
    "sub",
}

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
        entry(
            comparison(
                decision=Decision.MUCH_WORSE, measure=f"f1[{name}]", largest_moves=(Move(name, name, 1, 2),), prior=name
            ),
            "failed",
            test=f"test_{number}[{name}]",
            part=name,
            advice=name,
        )
        for number, name in enumerate(names)
    ]
    reports = (Report.of(made[start : start + EXPLAINED], names, names) for start in range(0, len(made), EXPLAINED))
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
