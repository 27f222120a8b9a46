"""The command ``bayesf1``: its subcommands, each imported when it is called, and what becomes of errors."""

import os
import sys
import traceback
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

import click

from pytest_bayesf1.cli.console import Exit, complain, exit_code
from pytest_bayesf1.errors import BayesF1Error
from pytest_bayesf1.session import Session, active

_COMMANDS = {
    "accept": "Accept a loss that a gate failed for, with a reason.",
    "baseline": "Update baselines.",
    "changes": "Show which examples a candidate predicts otherwise.",
    "check": "Check that a score reaches a floor.",
    "compare": "Compare two files of predictions or counts.",
    "floor": "Propose a floor, from runs of an unchanged system.",
    "gate": "Evaluate the gates of gate files.",
    "history": "List every version of stored baselines, from git.",
    "init": "Propose a gate file from what a folder holds.",
    "label": "Reach a verdict by labelling few examples of a large pool.",
    "plan": "Compute how many examples a gate needs, before you label them.",
    "rank": "Rank several files of predictions.",
    "report": "Write a report.json as HTML, Markdown or text.",
    "schema": "Print the JSON Schema of gate files or of report.json.",
}

_HOME = {"baseline": "baseline", "history": "baseline", "init": "init", "label": "label"}
"""The modules of commands that are not in `commands`."""


class _Commands(click.Group):
    """Knows its commands by name, so that asking for help or completing a word imports none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        module = _HOME.get(cmd_name, "commands")
        command: click.Command = getattr(import_module(f"pytest_bayesf1.cli.{module}"), f"{cmd_name}_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(sorted(_COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        warnings.showwarning = _show_warning
        ctx.call_on_close(_complain_of_warnings)
        try:
            Path.cwd()
        except FileNotFoundError:
            complain("Error: The working directory no longer exists. Change to another one, and run this again.")
            sys.exit(Exit.NOT_COMPUTED)
        try:
            with active(Session()):
                return super().invoke(ctx)
        except BayesF1Error as error:
            complain(f"Error: {error}")
            sys.exit(exit_code(type(error)))
        except KeyboardInterrupt:
            complain("Interrupted before everything was done.")
            sys.exit(Exit.NOT_COMPUTED)
        except (click.ClickException, click.exceptions.Exit, BrokenPipeError):
            raise
        except OSError as error:  # a full disk, a folder for a file
            complain(f"Error: {f'{error.filename}: ' if error.filename else ''}{error.strerror or error}")
            sys.exit(Exit.NOT_COMPUTED)
        except Exception:  # noqa: BLE001 (Python's own exit code 1 would say that the candidate is worse)
            traceback.print_exc()
            sys.exit(Exit.NOT_COMPUTED)


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,  # noqa: ARG001 (Python's own has them)
    line: str | None = None,  # noqa: ARG001
) -> None:
    """Keep a warning as one line, with its place if that is in a file."""
    place = f"{os.path.relpath(filename)}:{lineno}: " if Path(filename).is_file() else ""
    _WARNINGS.append(f"{place}{category.__name__}: {message}")


_WARNINGS: list[str] = []


def _complain_of_warnings() -> None:
    """Write warnings below the result, to standard error."""
    for line in dict.fromkeys(_WARNINGS):
        complain(line)
    _WARNINGS.clear()


_EXIT_CODES = """\b
Exit codes:
  0  passed, or undecided: the data cannot tell
  1  a gate failed: the candidate is worse
  2  the arguments, a gate file or the data are unusable
  3  a strict gate (--fail-on unproven) failed, but only for want of data
  4  a baseline is missing or unusable
  5  no answer: computing or writing it failed, or the run ended early
"""


@click.group(cls=_Commands, epilog=_EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pytest-bayesf1")
def main() -> None:
    """Is the candidate classifier worse than the baseline, or is the drop in F1 noise?"""
