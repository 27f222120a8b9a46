import re

from hypothesis import assume, given
from hypothesis import strategies as st

from pytest_bayesf1.reports.markdown import escape_markdown, escape_summary
from pytest_bayesf1.results.formatting import visible

SPECIAL = st.sampled_from([*"\\`*_[]|~<>&@#\n\r\t\u2028\x85 ab1_", "@me", "#12", "\r\n", "\\|", "&amp;"])
TEXTS = st.one_of(st.text(), st.lists(SPECIAL).map("".join))


def without_backslashes(text):
    return re.sub(r"\\([\\`*_\[\]|~+=:#.)-])", r"\1", text)


def rendered(text):
    return (
        without_backslashes(text)
        .replace("<span>$</span>", "$")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
    )


@given(TEXTS)
def test_the_text_stays_in_its_cell(text):
    escaped = escape_markdown(text)
    assert len(escaped.splitlines()) <= 1
    for match in re.finditer(r"(\\*)\|", escaped):
        assert len(match[1]) % 2 == 1


@given(TEXTS)
def test_nobody_is_mentioned_and_nothing_referred_to(text):
    for shown in (without_backslashes(escape_markdown(text)), escape_summary(text)):
        assert not re.search(r"[@#]\w", shown)


@given(TEXTS)
def test_no_markup_is_left(text):
    escaped = escape_markdown(text).replace("<span>$</span>", "")
    assert not re.search(r"[<>]", escaped)
    for match in re.finditer(r"(\\*)[`*_\[\]~]", escaped):
        assert len(match[1]) % 2 == 1


@given(TEXTS)
def test_no_entity_is_made_up(text):
    assert set(re.findall(r"&\w*;?", escape_summary(text))) <= {"&amp;", "&lt;", "&gt;"}


@given(TEXTS)
def test_the_reader_sees_the_same_text_on_one_line(text):
    assume("\u200b" not in text)
    assert rendered(escape_markdown(text)).replace("\u200b", "") == visible(text)
