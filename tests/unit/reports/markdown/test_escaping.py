import pytest

from pytest_bayesf1.reports.markdown import (
    as_markdown,
    code_block,
    escape_markdown,
    escape_name,
    escape_summary,
)
from tests.unit.hostile import LONG


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a|b", r"a\|b"),
        ("*bold* _italic_ `code` ~gone~", r"\*bold\* \_italic\_ \`code\` \~gone\~"),
        ("[text](address)", r"\[text\](address)"),
        ("back\\slash", r"back\\slash"),
        ("<b>&amp;", "&lt;b&gt;&amp;amp;"),
        ("one\ntwo\r\n\tthree\u2028four", "one two three four"),
        ("@name", "@\u200bname"),
        ("see #12", "see #\u200b12"),
        ("a @ b # c", "a @ b # c"),
        ("f1 ≪ späm 猫", "f1 ≪ späm 猫"),
        ("\u202egnp \x1b[31m", "\\\\u202egnp \\\\x1b\\[31m"),
        (12, "12"),
        ("# title", r"\# title"),
        ("- - -", r"\- - -"),
        ("+ item, - item", r"\+ item, - item"),
        ("=== = ===", r"\=== = ==="),
        (":- : -:", r"\:- : -:"),
        ("1. item, 2. item", r"1\. item, 2. item"),
        ("12)", r"12\)"),
        ("0.95", "0.95"),
        ("-1", r"\-1"),
        ("$5 or $x$", "<span>$</span>5 or <span>$</span>x<span>$</span>"),
        ("www.a.org 1https://a.org a@b.org", "www\u200b.a.org 1https\u200b://a.org a@\u200bb.org"),
        ("gh-1 HIGH-5", "gh-\u200b1 HIGH-5"),
        ("deadbeef decade 0123456789abcdef", "deadbe\u200bef decade 012345\u200b6789ab\u200bcdef"),
        (":+1: a:b test_a.py::TestA::test_b", "\\:\u200b+1: a:b test\\_a.py::TestA::test\\_b"),
    ],
)
def test_markdown_escapes(text, escaped):
    assert escape_markdown(text) == escaped


def test_inside_an_html_element_backslashes_would_show():
    assert escape_summary("f1[a_b] <i> @me $") == "f1[a_b] &lt;i&gt; @\u200bme <span>$</span>"


@pytest.mark.parametrize(
    ("text", "block"),
    [
        ("ls", "```sh\nls\n```"),
        ("a\n```\nb\n", "````sh\na\n```\nb\n````"),
        ("`````", "``````sh\n`````\n``````"),
    ],
)
def test_a_block_of_code_ends_where_it_should(text, block):
    assert code_block(text, "sh") == block


def test_what_is_markdown_already_is_escaped_no_more():
    assert as_markdown(escape_markdown("*")) == r"\*"
    assert as_markdown("*") == r"\*"
    assert as_markdown(["*"]) == r"\['\*'\]"


def test_a_name_may_be_shorter_than_a_text():
    assert len(escape_name(LONG)) < len(escape_markdown(LONG)) < len(LONG)
    assert len(escape_summary(LONG)) == len(escape_name(LONG).replace("\\", ""))
