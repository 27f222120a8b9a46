"""What the comment says, and when it is written."""

import re
from dataclasses import replace

import pytest

from pytest_bayesf1.github.api import MOST_BYTES, Comment, Draft, Stamp, When, body, is_worth, key_of, stamped
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.markdown import SourceCommit
from pytest_bayesf1.results.run import Finding, FindingKind
from tests.unit.made_up import comparison, entry

SOURCE = SourceCommit("https://github.com/t/s", "0123456789abcdef")
ORIGIN = (SOURCE, "https://github.com/t/s/actions/runs/1", "https://github.com/t/s/artifacts/2")
US = "github-actions[bot]"


def report(*verdicts, **more):
    return Report.of([entry(comparison(), verdict, test=f"test_{n}") for n, verdict in enumerate(verdicts)], **more)


def text_of(*verdicts):
    return body(Draft(7, report(*verdicts), "gates", "2.1", *ORIGIN))


def stamp_of(*verdicts):
    return stamped([Comment(1, US, text_of(*verdicts))], US, "gates")[1]


def test_it_begins_with_a_stamp_and_ends_with_where_it_comes_from():
    text = text_of("failed")
    assert text.startswith("<!-- pytest-bayesf1 gates run 2.1 -->")
    assert text.splitlines()[2].startswith("## ❌ The gate failed · blocks merge")
    assert "[`0123456`](https://github.com/t/s/commit/0123456789abcdef)" in text
    assert "[test\\_0](https://github.com/t/s/blob/0123456789abcdef/test_0#L1)" in text
    assert text.splitlines()[-1] == (
        "<sub>gates · [workflow run](https://github.com/t/s/actions/runs/1) · "
        "[report with figures](https://github.com/t/s/artifacts/2)</sub>"
    )


@pytest.mark.slow
def test_it_fits_whatever_the_number_of_gates():
    text = text_of(*["failed"] * 400)
    assert len(text.encode()) <= MOST_BYTES
    assert text.count("<summary>❌ test") == 8
    assert "more gates in report.html" in text
    assert "[workflow run]" in text


def test_other_names_have_other_keys():
    names = ["a b", "a-b", "a_b", "ä", "ö", "--> <b>", "a\n", "", "x" * 61, "x" * 62]
    keys = [key_of(name) for name in names]
    assert len(set(keys)) == len(names)
    assert all(re.fullmatch(r"[\w.-]{1,67}", key, re.ASCII) for key in keys)


def test_the_comments_of_a_job_begin_with_its_stamp_and_are_by_us():
    stamp = Stamp("gates", "1.1")
    others = [
        Comment(2, "stranger", stamp.line),
        Comment(3, US, Stamp("gates-2", "1.1").line),
        Comment(4, US, f"Look:\n{stamp.line}"),
        Comment(5, US, "hello"),
    ]
    ours = Comment(1, US, f"{stamp.line}\r\nText.")
    assert stamped([*others, ours], US, "gates") == {1: stamp}


@pytest.mark.parametrize(
    ("when", "verdicts", "existing", "expected"),
    [
        (When.AUTO, ["passed"], None, False),
        (When.AUTO, [], None, True),
        (When.AUTO, [""], None, True),
        (When.AUTO, ["passed", "failed"], None, True),
        (When.AUTO, ["warned"], None, True),
        (When.AUTO, ["passed", "undecided"], None, True),
        (When.AUTO, ["passed"], ["failed"], True),
        (When.ALWAYS, ["passed"], None, True),
        (When.NEVER, ["failed"], ["passed"], False),
    ],
)
def test_when_to_comment(when, verdicts, existing, expected):
    there = None if existing is None else stamp_of(*existing)
    assert is_worth(when, report(*verdicts), there) is expected


MISSING, OUTDATED = (Finding("test_0", kind, "", "x") for kind in (FindingKind.MISSING, FindingKind.OUTDATED))


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"missing": ["test_x"]}, True),
        ({"changed": {"a/__bayesf1__/x.json": "base"}}, True),
        ({"findings": [MISSING]}, True),
        ({"findings": [OUTDATED]}, True),
        ({"findings": [replace(OUTDATED, gate="")]}, False),
    ],
)
def test_what_is_missing_changed_or_not_as_listed_is_worth_a_comment(more, expected):
    """But not that nothing is listed at all."""
    assert is_worth(When.AUTO, report("passed", **more), None) is expected
