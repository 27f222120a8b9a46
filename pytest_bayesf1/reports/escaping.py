"""Text of strangers -> text that Markdown shows as it is."""

import re

from pytest_bayesf1.stats.scalars import one_line

_MARKDOWN_SPECIAL = re.compile(r"([\\`*_\[\]|~$])")
_LINK_STARTS = re.compile(r"([@#](?=\w)|\b(?:GH-(?=\d)|https?(?=:)|ftp(?=:)|www(?=\.)))", re.IGNORECASE)


def escape_markdown(text: object) -> str:
    """Make any text safe inside a Markdown table: no markup, no mention, no reference, one line."""
    return _MARKDOWN_SPECIAL.sub(r"\\\1", escape_summary(text))


def escape_summary(text: object) -> str:
    """Make any text safe inside an HTML element of a Markdown document, where backslashes would show."""
    line = one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    # a zero-width space keeps @name, #1, GH-1 and addresses from becoming links
    return _LINK_STARTS.sub("\\1\u200b", line)
