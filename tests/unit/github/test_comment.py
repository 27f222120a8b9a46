"""What the comment says, and when it is written."""

import pytest

from pytest_bayesf1 import InputError
from pytest_bayesf1.github.comment import (
    MOST_BYTES,
    Comment,
    CommentAction,
    Origin,
    When,
    body,
    choose,
    marker,
    own_comments,
)
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.markdown import Source
from pytest_bayesf1.results.run import Finding, FindingKind
from tests.unit.made_up import comparison, entry

SOURCE = Source("https://github.com/t/s", "0123456789abcdef")
ORIGIN = Origin(SOURCE, "https://github.com/t/s/actions/runs/1", "https://github.com/t/s/artifacts/2")
US = "github-actions[bot]"


def report(*verdicts, **more):
    return Report.of([entry(comparison(), verdict, test=f"test_{n}") for n, verdict in enumerate(verdicts)], **more)


def comment_on(found, number=1, author=US, comment_id="default"):
    return Comment(number, author, body(found, comment_id, ORIGIN))


def test_it_begins_with_the_marker_and_ends_with_where_it_comes_from():
    text = body(report("failed"), "default", ORIGIN)
    assert text.splitlines()[0] == "<!-- pytest-bayesf1:default -->"
    assert text.splitlines()[2].startswith("## ❌ The gate failed · blocks merge")
    assert "[`0123456`](https://github.com/t/s/commit/0123456789abcdef)" in text
    assert "[test\\_0](https://github.com/t/s/blob/0123456789abcdef/test_0#L1)" in text
    assert text.rstrip().splitlines()[-1] == (
        "<sub>[workflow run](https://github.com/t/s/actions/runs/1) · "
        "[report with figures](https://github.com/t/s/artifacts/2)</sub>"
    )


def test_it_counts_what_the_data_cannot_tell():
    text = body(report("passed", "passed", "passed", "undecided", "undecided"), "default", ORIGIN)
    assert text.splitlines()[2].startswith("## ❔ 2 of 5 gates could not tell")
    assert "\n2 could not tell · 3 passed · [`0123456`]" in text


@pytest.mark.slow
def test_it_fits_whatever_the_number_of_gates():
    text = body(report(*["failed"] * 400), "default", ORIGIN)
    assert len(text.encode()) <= MOST_BYTES
    assert text.count("```mermaid") == 8
    assert "more gates in report.html" in text
    assert "[workflow run]" in text


@pytest.mark.parametrize("comment_id", ["", "a b", "--> <b>", "x" * 65, "ä", "a\n"])
def test_an_id_cannot_break_out_of_the_marker(comment_id):
    with pytest.raises(InputError, match="comment-id"):
        marker(comment_id)


def test_own_comments_have_our_marker_first_and_are_by_us():
    ours = comment_on(report("passed"))
    others = [
        comment_on(report("passed"), 2, author="stranger"),
        comment_on(report("passed"), 3, comment_id="other"),
        Comment(4, US, f"Look:\n{marker('default')}"),
        Comment(5, US, "hello"),
    ]
    assert own_comments([*others, ours], "default", US) == [ours]


@pytest.mark.parametrize(
    ("when", "verdicts", "existing", "expected"),
    [
        (When.AUTO, ["passed"], None, CommentAction.NOTHING),
        (When.AUTO, ["passed", "failed"], None, CommentAction.CREATE),
        (When.AUTO, ["warned"], None, CommentAction.CREATE),
        (When.AUTO, ["passed", "undecided"], None, CommentAction.CREATE),
        (When.AUTO, ["passed"], ["failed"], CommentAction.UPDATE),
        (When.AUTO, ["passed"], ["passed"], CommentAction.UPDATE),
        (When.ALWAYS, ["passed"], None, CommentAction.CREATE),
        (When.ALWAYS, ["passed"], ["passed"], CommentAction.UPDATE),
        (When.ON_CHANGE, ["passed"], None, CommentAction.CREATE),
        (When.ON_CHANGE, ["passed"], ["passed"], CommentAction.NOTHING),
        (When.ON_CHANGE, ["passed"], ["failed"], CommentAction.UPDATE),
        (When.NEVER, ["failed"], ["passed"], CommentAction.NOTHING),
    ],
)
def test_when_to_comment(when, verdicts, existing, expected):
    there = None if existing is None else comment_on(report(*existing))
    assert choose(when, report(*verdicts), there) is expected


@pytest.mark.parametrize("more", [{"missing": ["test_x"]}, {"changed": {"a/__bayesf1__/x.json": "base"}}])
def test_missing_tests_and_changed_baselines_are_worth_a_comment(more):
    assert choose(When.AUTO, report("passed", **more), None) is CommentAction.CREATE
    assert choose(When.ON_CHANGE, report("passed", **more), comment_on(report("passed"))) is CommentAction.UPDATE


@pytest.mark.parametrize("kind", [FindingKind.MISSING, FindingKind.UNLISTED])
def test_gates_that_are_not_as_listed_are_worth_a_comment(kind):
    more = {"findings": [Finding("test_0", kind, "", "it did not run")]}
    assert choose(When.AUTO, report("passed", **more), None) is CommentAction.CREATE
    assert choose(When.ON_CHANGE, report("passed", **more), comment_on(report("passed"))) is CommentAction.UPDATE


@pytest.mark.parametrize("verdicts", [[], [""]])
def test_so_is_a_run_in_which_no_gate_judged(verdicts):
    assert choose(When.AUTO, report(*verdicts), None) is CommentAction.CREATE
