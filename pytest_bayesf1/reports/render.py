"""`Report` -> HTML and Markdown, by templates. The only importer of jinja2."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from math import nan
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, TemplateError, select_autoescape
from markupsafe import Markup

from pytest_bayesf1.numerals import factor, p_value
from pytest_bayesf1.errors import RenderError
from pytest_bayesf1.reports.notices import changed_line, incomplete_line
from pytest_bayesf1.figures.posterior import posterior_svg
from pytest_bayesf1.reports.report import Entry, Report, name_of
from pytest_bayesf1.stats.scalars import one_line

_MARKDOWN_SPECIAL = re.compile(r"([\\`*_\[\]|~$])")

_TESTED = {
    "s-test": "decisions that only one side gets right",
    "S-test": "F1 of classes as if independent: whose is higher",
    "T-test": "F1 of classes as if independent: mean difference",
    "T'-test": "F1 of classes as if independent: mean difference of ranks",
    "p-test": "accuracy as if unpaired",
}

_HTML, _MARKDOWN = "report.html.j2", "report.md.j2"

_LINK_STARTS = re.compile(r"([@#](?=\w)|\b(?:GH-(?=\d)|https?(?=:)|ftp(?=:)|www(?=\.)))", re.IGNORECASE)


@dataclass(frozen=True)
class MarkdownPieces:
    """Parts of a Markdown report, one row and one fold of details an entry."""

    head: str
    table_head: str
    rows: list[str]
    details: list[str]
    foot: str


def html(report: Report) -> str:
    """Render one self-contained HTML file."""
    figures = [
        _own_svg("" if entry["kind"] == "error" else posterior_svg(entry, f"posterior-{number}"))
        for number, entry in enumerate(report.entries)
    ]
    with _template_errors(_HTML):
        template = _environment().get_template(_HTML)
        return template.render(report=report, figures=figures)


def _own_svg(text: str) -> Markup:
    """Trust the figures that this package draws; matplotlib escapes the texts inside."""
    return Markup(text)  # noqa: S704


def markdown_pieces(report: Report) -> MarkdownPieces:
    """Render the pieces of which `markdown` makes a whole."""
    with _template_errors(_MARKDOWN):
        piece: Any = _environment().get_template(_MARKDOWN).module
        return MarkdownPieces(
            head=piece.head(report),
            table_head=piece.table_head(),
            rows=[piece.row(entry) for entry in report.entries],
            details=[piece.details(entry) for entry in report.entries],
            foot=piece.foot(report),
        )


@contextmanager
def _template_errors(template: str) -> Iterator[None]:
    try:
        yield
    except TemplateError as error:
        raise RenderError(f"{template}: {error}") from error


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("pytest_bayesf1.reports"),
        autoescape=select_autoescape(enabled_extensions=("html.j2",)),  # Markdown has an escape of its own
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(
        md=escape_markdown,
        name=name_of,
        summary=escape_summary,
        incomplete=incomplete_line,
        incomplete_md=lambda report: incomplete_line(report, escape_markdown),
        changed=changed_line,
        changed_md=lambda report: changed_line(report, escape_markdown),
        signed=lambda value: f"{value:+z.4f}",
        rope=_rope,
        score=lambda value: f"{value:.4f}",
        level=lambda value: f"{100 * value:g}%",
        percent=lambda value: f"{100 * value:.1f}%",
        factor=_factor,
        p_value=p_value,
        tested=_TESTED.__getitem__,
    )
    return environment


def _rope(rope: Sequence[float]) -> str:
    low, high = rope
    return f"±{high:g}" if -low == high else f"[{low:+g},&nbsp;{high:+g}]"


def _factor(entry: Entry, name: str) -> str:
    value, mcse = (nan if entry[key] is None else entry[key] for key in (name, f"{name}_mcse"))
    return factor(value, mcse)


def escape_markdown(text: object) -> str:
    """Make any text safe inside a Markdown table: no markup, no mention, no reference, one line."""
    return _MARKDOWN_SPECIAL.sub(r"\\\1", escape_summary(text))


def escape_summary(text: object) -> str:
    """Make any text safe inside an HTML element of a Markdown document, where backslashes would show."""
    line = one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    # a zero-width space keeps @name, #1, GH-1 and addresses from becoming links
    return _LINK_STARTS.sub("\\1\u200b", line)
