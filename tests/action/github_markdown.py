"""Markdown as a reader on GitHub gets it."""

from tests.node import run_node


def as_github_shows(text: str) -> str:
    """Render Markdown to the HTML that GitHub shows for it, sanitised."""
    return run_node("action/markdown.mjs", stdin=text)
