import pytest

from pytest_bayesf1.results.formatting import name_text, shortened, spelt_out, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\n b\tc", "a b c"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\u202egnp", "\\u202egnp"),
        ("\ud800", "\\ud800"),
        ("späm 猫 \U0001f468\u200d\U0001f469", "späm 猫 \U0001f468\u200d\U0001f469"),
        (12, "12"),
    ],
)
def test_what_does_not_show_is_written_out(text, shown):
    assert visible(text) == shown


def test_spaces_can_stay():
    assert spelt_out("  a  b\x07") == "  a  b\\x07"


def test_what_is_too_long_loses_its_middle():
    assert shortened("abcdef", 6) == "abcdef"
    assert shortened("ab" + 40 * "x" + "fg", 4) == "ab[40 characters left out]fg"
    assert shortened("abcdefg", 4) == "abcdefg"
    assert len(name_text("x" * 10_000)) < 240
