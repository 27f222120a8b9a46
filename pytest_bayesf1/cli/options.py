"""Options that several commands take."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from pytest_bayesf1.choices import CLUSTERS_HELP, INVALID, INVALID_DEFAULT, INVALID_HELP, RUNS_HELP, SHOW_HELP, Runs
from pytest_bayesf1.comparison.arguments.argument import Argument, Offered, as_sentence
from pytest_bayesf1.comparison.arguments.table import ARGUMENTS, offered
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


def _as_runs(_context: click.Context, _parameter: click.Parameter, value: str | None) -> Runs | None:
    return None if value is None else Runs(value)


def reading(function: F) -> F:
    """Add the options that say how files of predictions are to be read; see `pytest_bayesf1.files.reading.Reading`."""
    for add in (
        click.option("--runs", type=click.Choice([each.value for each in Runs]), callback=_as_runs, help=RUNS_HELP),
        click.option("--clusters", default="", metavar="COLUMN", help=CLUSTERS_HELP),
        click.option(
            "--invalid", type=click.Choice(list(INVALID)), default=INVALID_DEFAULT, show_default=True, help=INVALID_HELP
        ),
    ):
        function = add(function)
    return function


show = click.option("--show", multiple=True, metavar="COLUMN", help=f"{SHOW_HELP} May be repeated.")
gate_names = click.option("--gate", "names", multiple=True, metavar="NAME", help="Only this gate; may be repeated.")


def _parser(argument: Argument) -> Callable[[click.Context, click.Parameter, str | None], Any]:
    """Parse a comparison's argument as pytest's options do."""

    def parse(_context: click.Context, _parameter: click.Parameter, value: str | None) -> Any:
        try:
            return None if value is None else argument.parse(value)
        except InputError as error:
            raise click.BadParameter(str(error).removeprefix(f"{error.where}: ")) from None

    return parse


def _option(argument: Argument) -> Callable[[F], F]:
    flag = f"--{argument.name.replace('_', '-')}"
    shown: dict[str, Any] = {"metavar": argument.metavar, "help": as_sentence(argument.help)}
    if argument.default is not None:
        shown |= {"default": str(argument.default), "show_default": True}
    return click.option(flag, argument.name, callback=_parser(argument), required=bool(argument.required), **shown)


measure = _option(ARGUMENTS["measure"])


def comparison_options(function: F) -> F:
    """Add an option for each argument of a comparison that a gate file may say."""
    for argument in reversed(list(offered(Offered.GATE))):
        function = _option(argument)(function)
    return function
