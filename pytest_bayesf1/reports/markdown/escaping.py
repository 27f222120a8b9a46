"""Text of strangers -> text that GitHub's Markdown shows as it is, wherever it stands."""

import re
from html import escape
from textwrap import wrap

from pytest_bayesf1.results.formatting import LONGEST_TEXT, name_text, shortened, visible

_MARKUP = str.maketrans({character: f"\\{character}" for character in r"\`*_[]|~"})
_BLOCK_START = re.compile(r"\A(?:(?=[-+=:#])|\d{1,9}(?=[.)](?:\s|\Z)))")
_LINK_START = re.compile(
    r"""
    @(?=\S) | \#(?=\w) | (?<![a-z\d])gh-(?=\d)                # people and issues
    | (?:https?|ftp|mailto|xmpp)(?=:) | www(?=\.)
    | (?-i::(?=[a-z\d_+-]+:))                                 # pictures by their names
    """,
    re.IGNORECASE | re.VERBOSE,
)
_COMMIT = re.compile(r"\b[\da-f]{7,40}\b", re.IGNORECASE)


class Markdown(str):
    """What is Markdown already: whoever makes one promises that every stranger's text in it is escaped."""

    __slots__ = ()

    def __html__(self) -> "Markdown":
        """Tell templates to print it as it is."""
        return self


def as_markdown(value: object) -> object:
    """Escape whatever a template prints that is not Markdown already, as what its macros return is."""
    return value if hasattr(value, "__html__") else escape_markdown(value)


def escape_markdown(text: object) -> Markdown:
    """Make any text safe, even where a line begins: no markup, no mention, no reference, one line."""
    return _without_markup(shortened(visible(text), LONGEST_TEXT))


def escape_name(text: object) -> Markdown:
    """Make a name safe, even where a line begins, and no longer than a name need be."""
    return _without_markup(name_text(text))


def escape_summary(text: object) -> Markdown:
    """Make a name safe inside an HTML element of a Markdown document, where backslashes would show."""
    return Markdown(_as_html(_unlinked(name_text(text))))


def code_block(text: str, language: str) -> Markdown:
    """Put lines into a block of code that none of them can end."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return Markdown(f"{fence}{language}\n{text.rstrip()}\n{fence}")


def _without_markup(line: str) -> Markdown:
    escaped = _as_html(_unlinked(line).translate(_MARKUP))
    return Markdown(_BLOCK_START.sub(r"\g<0>\\", escaped))


def _as_html(line: str) -> str:
    """Escape what begins an element or an entity, and put what would begin a formula into an element of its own."""
    return escape(line, quote=False).replace("$", "<span>$</span>")


def _unlinked(line: str) -> str:
    """Put a zero-width space into what would become a link or a picture."""
    return _LINK_START.sub("\\g<0>\u200b", _COMMIT.sub(lambda found: "\u200b".join(wrap(found[0], 6)), line))
