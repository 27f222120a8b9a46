"""Text of strangers -> text that Markdown shows as it is."""

import re

from pytest_bayesf1.reports.plain_text import LONGEST_TEXT, name_text, shortened, visible

_MARKDOWN_SPECIAL = re.compile(r"([\\`*_\[\]|~$])")
_LINK_STARTS = re.compile(r"([@#](?=\w)|\b(?:GH-(?=\d)|https?(?=:)|ftp(?=:)|www(?=\.)))", re.IGNORECASE)


def escape_markdown(text: object) -> str:
    """Make any text safe inside a Markdown table: no markup, no mention, no reference, one line."""
    return _without_markup(shortened(visible(text), LONGEST_TEXT))


def escape_name(text: object) -> str:
    """Make a name safe inside a Markdown table, and no longer than a name need be."""
    return _without_markup(name_text(text))


def escape_summary(text: object) -> str:
    """Make a name safe inside an HTML element of a Markdown document, where backslashes would show."""
    return _without_html(name_text(text))


def _without_markup(line: str) -> str:
    return _MARKDOWN_SPECIAL.sub(r"\\\1", _without_html(line))


def _without_html(line: str) -> str:
    escaped = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    # a zero-width space keeps @name, #1, GH-1 and addresses from becoming links
    return _LINK_STARTS.sub("\\1\u200b", escaped)
