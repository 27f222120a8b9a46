"""Options that several commands take."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from pytest_bayesf1.comparison.option_text import TEXT_OPTIONS, TextOption
from pytest_bayesf1.errors import InputError

F = TypeVar("F", bound=Callable[..., Any])

FILE = click.Path(path_type=Path)

as_json = click.option("--json", "as_json", is_flag=True, help="Write JSON, for machines.")
report = click.option(
    "--report",
    type=FILE,
    metavar="PATH",
    help="Write report.json, .md and .html to this directory; to FILE.json the first alone.",
)
root = click.option(
    "--root",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=Path(),
    show_default="where you are",
    help="Folder outside of which no file is read.",
)
gate_names = click.option("--gate", "names", multiple=True, metavar="NAME", help="Only this gate; may be repeated.")


def _parser(option: TextOption) -> Callable[[click.Context, click.Parameter, str | None], Any]:
    """Parse a comparison's argument as pytest's options do."""

    def parse(_context: click.Context, _parameter: click.Parameter, value: str | None) -> Any:
        try:
            return None if value is None else option.parse(value)
        except InputError as error:
            raise click.BadParameter(str(error).removeprefix(f"{error.where}: ")) from None

    return parse


def comparison_options(function: F) -> F:
    """Add an option for each of a comparison's arguments."""
    for name, option in reversed(TEXT_OPTIONS.items()):
        flag = f"--{name.replace('_', '-')}"
        required = name == "rope"
        text = f"{option.help[0].upper()}{option.help[1:]}."
        add = click.option(flag, name, callback=_parser(option), metavar=option.metavar, required=required, help=text)
        function = add(function)
    return function
