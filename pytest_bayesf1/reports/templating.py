"""Templates, and the filters all of them share. The only importer of jinja2."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, TemplateError
from markupsafe import Markup

from pytest_bayesf1._util import counted, grouped, level, p_value, percent
from pytest_bayesf1.errors import RenderError
from pytest_bayesf1.reports.wording import (
    factor_at_zero,
    factor_inside_rope,
    format_changes,
    format_findings,
    format_no_gate,
    format_trend,
    format_unsupported,
    headline,
    of_other_decision,
    of_outcomes,
    python_call,
    redo,
    score,
    tested,
)
from pytest_bayesf1.results.formatting import gate_finds, losses_found

_SHARED: dict[str, Callable[..., Any]] = {
    "changes": format_changes,
    "count": grouped,
    "counted": counted,
    "factor_at_zero": factor_at_zero,
    "factor_inside_rope": factor_inside_rope,
    "findings": format_findings,
    "gate_finds": gate_finds,
    "headline": headline,
    "level": level,
    "losses_found": losses_found,
    "unsupported": format_unsupported,
    "no_gate": format_no_gate,
    "other_decision": of_other_decision,
    "outcomes": of_outcomes,
    "p_value": p_value,
    "percent": percent,
    "python_call": python_call,
    "redo": redo,
    "score": score,
    "tested": tested,
    "trend": format_trend,
}
"""Filters of every format, by the names that templates know them by."""


class Templates:
    """The templates of one format."""

    def __init__(self, escape: Callable[[Any], Any], filters: dict[str, Callable[..., Any]]) -> None:
        self.environment = Environment(
            loader=PackageLoader("pytest_bayesf1.reports"),
            autoescape=True,
            undefined=StrictUndefined,
            finalize=escape,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        self.environment.filters.update(_SHARED, **filters)

    def render(self, template: str, **names: Any) -> str:
        """Render a template; raise `RenderError` when it cannot be."""
        with self._errors(template):
            return self.environment.get_template(template).render(**names)

    @contextmanager
    def macros(self, template: str) -> Iterator[Any]:
        """Lend a template whose macros are called as methods; raise `RenderError` for what goes wrong with them."""
        with self._errors(template):
            yield self.environment.get_template(template).module

    @contextmanager
    def _errors(self, template: str) -> Iterator[None]:
        try:
            yield
        except TemplateError as error:
            raise RenderError(f"{template}: {error}") from error


def trusted(text: str) -> Markup:
    """Let a template print a text as it is: markup that this package made."""
    return Markup(text)  # noqa: S704
