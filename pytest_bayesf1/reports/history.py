"""Histories of baselines as documents: Markdown, and one self-contained page."""

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_bayesf1._util import scale_of
from pytest_bayesf1.reports.history_told import ToldHistory, ToldVersion
from pytest_bayesf1.reports.html.axis import Label
from pytest_bayesf1.reports.html.plots import NO_FOREST, Forest, Row
from pytest_bayesf1.reports.html.render import html_templates
from pytest_bayesf1.reports.html.shapes import Path
from pytest_bayesf1.reports.markdown.sections import markdown_templates
from pytest_bayesf1.results.other import History


@dataclass(frozen=True)
class DrawnVersion:
    """A version as a person reads it; its score and its change since the anchor, drawn where they are known."""

    told: ToldVersion
    score: tuple[Path, ...]
    total: tuple[Path, ...]


@dataclass(frozen=True)
class DrawnHistory:
    """A history as a person reads it, its versions on two axes.

    Attributes
    ----------
    told
        In words.
    versions
        The oldest first.
    scores, totals
        Ticks of the axes; none where nothing is known.
    """

    told: ToldHistory
    versions: tuple[DrawnVersion, ...]
    scores: tuple[Label, ...]
    totals: tuple[Label, ...]

    @classmethod
    def of(cls, history: History) -> "DrawnHistory":
        """Draw a history."""
        told = ToldHistory.of(history)
        factor = scale_of(custom_measure=not history.bounded).factor
        tolerated = (-factor * history.budget, 0.0)
        scores = {at: Row(each.score.mean, each.score.hdi) for at, each in enumerate(history.versions) if each.score}
        totals = {
            at: Row(factor * each.total.mean, (factor * each.total.hdi[0], factor * each.total.hdi[1]), tolerated)
            for at, each in enumerate(history.versions)
            if each.total
        }
        of_scores = Forest.of_scores(list(scores.values())) if scores else NO_FOREST
        of_totals = Forest.of(list(totals.values())) if totals else NO_FOREST
        drawn_scores = dict(zip(scores, of_scores.rows, strict=True))
        drawn_totals = dict(zip(totals, of_totals.rows, strict=True))
        versions = (
            DrawnVersion(each, drawn_scores.get(at, ()), drawn_totals.get(at, ()))
            for at, each in enumerate(told.versions)
        )
        return cls(told, tuple(versions), of_scores.ticks, of_totals.ticks)


def history_html(histories: Sequence[History]) -> str:
    """Render one self-contained HTML file."""
    return html_templates().render("history.html.j2", drawn=[DrawnHistory.of(history) for history in histories])


def history_markdown(histories: Sequence[History]) -> str:
    """Render Markdown."""
    told = [ToldHistory.of(history) for history in histories]
    return markdown_templates().render("history.md.j2", histories=told)
