"""Templates, and `Report` -> HTML. The only importer of jinja2."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, TemplateError, select_autoescape
from markupsafe import Markup

from pytest_bayesf1.comparison.numbers import p_value
from pytest_bayesf1.errors import RenderError
from pytest_bayesf1.reports.notices import changed_line, incomplete_line
from pytest_bayesf1.reports.plots import posterior_svg
from pytest_bayesf1.reports.report import Report, name_of
from pytest_bayesf1.reports.wording import TESTED, factor_of

_HTML = "report.html.j2"


def html(report: Report) -> str:
    """Render one self-contained HTML file."""
    figures = [
        _own_svg("" if entry["kind"] == "error" else posterior_svg(entry, f"posterior-{number}"))
        for number, entry in enumerate(report.entries)
    ]
    with template_errors(_HTML):
        return _html_environment().get_template(_HTML).render(report=report, figures=figures)


def macros(template: str, **filters: Callable[..., Any]) -> Any:
    """Return a template whose macros are called as methods; filters are the template's own."""
    return _environment(**filters).get_template(template).module


@contextmanager
def template_errors(template: str) -> Iterator[None]:
    """Tell of a template's errors as the package's own."""
    try:
        yield
    except TemplateError as error:
        raise RenderError(f"{template}: {error}") from error


def _own_svg(text: str) -> Markup:
    """Trust the figures that this package draws; matplotlib escapes the texts inside."""
    return Markup(text)  # noqa: S704


@cache
def _html_environment() -> Environment:
    return _environment(
        name=name_of,
        incomplete=incomplete_line,
        changed=changed_line,
        signed=lambda value: f"{value:+z.4f}",
        score=lambda value: f"{value:.4f}",
        level=lambda value: f"{100 * value:g}%",
        percent=lambda value: f"{100 * value:.1f}%",
        factor=factor_of,
        p_value=p_value,
        tested=TESTED.__getitem__,
    )


def _environment(**filters: Callable[..., Any]) -> Environment:
    environment = Environment(
        loader=PackageLoader("pytest_bayesf1.reports"),
        autoescape=select_autoescape(enabled_extensions=("html.j2",)),  # Markdown has an escape of its own
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(filters)
    return environment
