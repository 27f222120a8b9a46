"""Histories of baselines as documents: Markdown, and one self-contained page."""

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_bayesf1.reports.history_told import ToldHistory
from pytest_bayesf1.reports.html.render import html_templates
from pytest_bayesf1.reports.markdown.sections import markdown_templates
from pytest_bayesf1.results.history import History


@dataclass(frozen=True)
class DrawnHistory:
    """A history as a person reads it, and its figure; empty where there is nothing to draw."""

    told: ToldHistory
    figure: str

    @classmethod
    def of(cls, history: History, number: int) -> "DrawnHistory":
        """Draw a history; its number keeps it apart from the others of the page."""
        from pytest_bayesf1.figures.history import history_figure  # noqa: PLC0415 (matplotlib takes half a second)

        has_scores = any(version.score for version in history.versions)
        return cls(ToldHistory.of(history), history_figure(history, f"history-{number}").svg if has_scores else "")


def history_html(histories: Sequence[History]) -> str:
    """Render one self-contained HTML file."""
    drawn = [DrawnHistory.of(history, number) for number, history in enumerate(histories, start=1)]
    return html_templates().render("history.html.j2", drawn=drawn)


def history_markdown(histories: Sequence[History]) -> str:
    """Render Markdown."""
    told = [ToldHistory.of(history) for history in histories]
    return markdown_templates().render("history.md.j2", histories=told)
