"""Links from a page to a file that is no page, such as an example: on the site they lead to the repository."""

import posixpath
import re

REPOSITORY = "https://github.com/pytest-bayesf1/pytest-bayesf1/blob/main"
_LINK = re.compile(r"\]\(((?:\.\./)+[^)\s]+)\)")


def links(markdown: str, uri: str) -> str:
    """Lead every relative link that leaves docs/ to the repository."""

    def led(match: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(uri), match[1]))
        return match[0] if path.startswith("docs/") else f"]({REPOSITORY}/{path})"

    return _LINK.sub(led, markdown)
