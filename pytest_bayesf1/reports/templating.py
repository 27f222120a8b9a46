"""Templates, and the filters all of them share. The only importer of jinja2."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import isfunction
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, TemplateError
from markupsafe import Markup

from pytest_bayesf1 import text
from pytest_bayesf1.errors import RenderError
from pytest_bayesf1.reports import wording
from pytest_bayesf1.results import formatting

_SHARED: dict[str, Callable[..., Any]] = {
    name: function
    for module in (text, formatting, wording)
    for name, function in vars(module).items()
    if isfunction(function) and not name.startswith("_")
}
"""Filters of every format: each function of these modules, by its own name."""


GUIDE = "https://github.com/pytest-bayesf1/pytest-bayesf1/blob/main/docs/explanation/how-to-read-a-verdict.md"
"""How to read a report."""


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
        self.environment.globals["guide"] = GUIDE
        self.environment.filters.update(_SHARED, amounts=formatting.Amounts.of, **filters)

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
