"""`Report` -> HTML and Markdown, by templates. The only importer of jinja2."""

import re
from collections.abc import Sequence
from functools import cache
from math import nan

from jinja2 import Environment, PackageLoader, StrictUndefined, TemplateError, select_autoescape
from markupsafe import Markup

from pytest_bayesf1.comparison.numbers import factor, p_value
from pytest_bayesf1.errors import RenderError
from pytest_bayesf1.reports.plots import posterior_svg
from pytest_bayesf1.reports.report import Entry, Report
from pytest_bayesf1.stats.scalars import one_line

_MARKDOWN_SPECIAL = re.compile(r"([\\`*_\[\]|~$])")

_TESTED = {
    "s-test": "decisions that only one side gets right",
    "S-test": "F1 of classes as if independent: whose is higher",
    "T-test": "F1 of classes as if independent: mean difference",
    "T'-test": "F1 of classes as if independent: mean difference of ranks",
    "p-test": "accuracy as if unpaired",
}

_LINK_STARTS = re.compile(r"([@#](?=\w)|\b(?:GH-(?=\d)|https?(?=:)|ftp(?=:)|www(?=\.)))", re.IGNORECASE)


def html(report: Report) -> str:
    """Render one self-contained HTML file."""
    figures = [_own_svg(posterior_svg(entry, f"posterior-{number}")) for number, entry in enumerate(report.entries)]
    return _render("report.html.j2", report, figures)


def _own_svg(text: str) -> Markup:
    """Trust the figures that this package draws; matplotlib escapes the texts inside."""
    return Markup(text)  # noqa: S704


def markdown(report: Report) -> str:
    """Render Markdown as GitHub and others show it."""
    return _render("report.md.j2", report, [])


def _render(template: str, report: Report, figures: list[Markup]) -> str:
    try:
        return _environment().get_template(template).render(report=report, counts=report.counts(), figures=figures)
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
        summary=escape_summary,
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
