"""A ranking as Markdown, every name of which is shown as it is."""

from pytest_bayesf1.ranking import Ranking
from pytest_bayesf1.reports.markdown.escaping import escape_markdown, escape_name


def ranking_markdown(ranking: Ranking) -> str:
    """Write the outcome, a table of the systems and the notes."""
    head, *rows = ranking.table()
    lines = [
        f"| {' | '.join(head)} |",
        f"|{' --- |' * len(head)}",
        *(f"| {' | '.join((escape_name(name), *map(escape_markdown, cells)))} |" for name, *cells in rows),
    ]
    below = [f"- {escape_markdown(note)}" for note in (*ranking.notes(), f"{ranking.computed()}.")]
    return "\n".join([f"**{escape_markdown(ranking.title)}**", "", *lines, "", *below, ""])
