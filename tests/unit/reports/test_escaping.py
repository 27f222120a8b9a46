import pytest

from pytest_bayesf1.reports.escaping import escape_markdown, escape_name, escape_summary
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
    ],
)
def test_markdown_escapes(text, escaped):
    assert escape_markdown(text) == escaped


def test_inside_an_html_element_backslashes_would_show():
    assert escape_summary("f1[a_b] <i> @me") == "f1[a_b] &lt;i&gt; @\u200bme"


def test_a_name_may_be_shorter_than_a_text():
    assert len(escape_name(LONG)) < len(escape_markdown(LONG)) < len(LONG)
    assert len(escape_summary(LONG)) == len(escape_name(LONG).replace("\\", ""))
