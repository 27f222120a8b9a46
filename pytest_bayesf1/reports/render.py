"""Templates, and `Report` -> HTML. The only importer of jinja2."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, TemplateError
from markupsafe import Markup

from pytest_bayesf1.errors import RenderError
from pytest_bayesf1.reports.amounts import Amounts, class_change, clearly_worse, pairing_gain
from pytest_bayesf1.reports.gate_findings import NO_GATE, findings_told
from pytest_bayesf1.reports.headline import headline
from pytest_bayesf1.reports.notices import changed_line, incomplete_line, never_true_told
from pytest_bayesf1.reports.plain_text import name_text, spelt_out
from pytest_bayesf1.reports.redo import python_call, redo
from pytest_bayesf1.reports.report import Report, name_of
from pytest_bayesf1.reports.wording import factor_of, of_outcomes, tested
from pytest_bayesf1.text import error, level, p_value, percent, scores

_HTML = "report.html.j2"


def html(report: Report) -> str:
    """Render one self-contained HTML file."""
    from pytest_bayesf1.reports.html.page import Page  # noqa: PLC0415 (Markdown needs no figures)

    with template_errors(_HTML):
        return _html_environment().get_template(_HTML).render(page=Page(report))


def macros(template: str, escape: Callable[[Any], Any], **filters: Callable[..., Any]) -> Any:
    """Return a template whose macros are called as methods; ``escape`` makes whatever it prints safe to print."""
    return _environment(escape, **filters).get_template(template).module


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
        _as_text,
        amounts=Amounts,
        changed=changed_line,
        class_change=class_change,
        clearly_worse=clearly_worse,
        errors=_errors,
        factor=factor_of,
        findings=findings_told,
        headline=headline,
        incomplete=incomplete_line,
        level=level,
        name=lambda entry: name_text(name_of(entry)),
        outcomes=of_outcomes,
        never_true=never_true_told,
        no_gate=lambda report: NO_GATE if report.verdict == "none" else "",
        p_value=p_value,
        pairing_gain=pairing_gain,
        percent=percent,
        python_call=python_call,
        redo=redo,
        score=lambda value: f"{value:.3f}",
        scores=scores,
        svg=_own_svg,
        tested=tested,
    )


def _errors(sizes: Sequence[float | None], factor: float = 1.0) -> str:
    """Write Monte Carlo standard errors, of which some may be unknown."""
    return ", ".join("unknown" if size is None else error(factor * size) for size in sizes)


def _as_text(value: Any) -> Any:
    """Let nothing in a text hide, or turn the direction of what follows; lines stay lines."""
    return "\n".join(map(spelt_out, value.split("\n"))) if type(value) is str else value


def _environment(finalize: Callable[[Any], Any], **filters: Callable[..., Any]) -> Environment:
    environment = Environment(
        loader=PackageLoader("pytest_bayesf1.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(filters)
    return environment
