"""What commands print, and the exit codes they end with."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import IntEnum
from functools import partial
from shutil import get_terminal_size
from typing import Any, TextIO, TypeVar

import click

from pytest_bayesf1.errors import BaselineError, BayesF1Error, EngineError, RenderError, printable
from pytest_bayesf1.text import aligned, encodable

T = TypeVar("T")


def columns() -> int | None:
    """Tell how wide the terminal is; None for a file or another program, which take lines of any length."""
    return get_terminal_size().columns if sys.stdout.isatty() else None


def say(text: str, colour: str = "", *, bold: bool = False) -> None:
    """Write text, never as orders to the terminal; coloured on a terminal only."""
    click.secho(_writable(text, sys.stdout), fg=colour or None, bold=bold or None)


def complain(text: str) -> None:
    """Write text to standard error."""
    click.echo(_writable(text, sys.stderr), err=True)


def _writable(text: str, stream: TextIO) -> str:
    return encodable(printable(text), stream.encoding or "utf-8")


def say_lines(lines: Iterable[tuple[str, Mapping[str, bool]]]) -> None:
    """Write lines, each with its markup as pytest's terminal takes it."""
    for line, markup in lines:
        colour = next((name for name in markup if name != "bold"), "")
        say(line, colour.replace("purple", "magenta"), bold="bold" in markup)


def say_document(text: str) -> None:
    """Write what machines read, in UTF-8 whatever the terminal's encoding."""
    click.echo(text.encode("utf-8", "backslashreplace"), nl=False)


def say_json(value: Any) -> None:
    """Write a value as JSON, for machines."""
    say_document(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def show_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Write aligned columns; the last, which may be long, is left as it is."""
    head, *body = aligned([columns, *rows])
    say(head, bold=True)
    for line in body:
        say(line)


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[], object]]:
    """Show a progress bar on standard error where a person watches; what is yielded moves it on by one."""
    hidden = total == 1 or not sys.stderr.isatty()
    with click.progressbar(length=total, label=what, file=sys.stderr, hidden=hidden) as bar:
        yield partial(bar.update, 1)


def with_progress(items: Iterable[T], what: str, total: int) -> Iterator[T]:
    """Go through so many items, with a progress bar where a person watches."""
    with progress(what, total) as advance:
        for item in items:
            yield item
            advance()


class Exit(IntEnum):
    """What the command's exit code means."""

    PASSED = 0
    FAILED = 1
    """A gate failed: the candidate is worse."""
    USAGE = 2
    """The arguments, a gate file or the data cannot be used."""
    UNDECIDED = 3
    """A strict gate failed, but only for want of data."""
    BASELINE = 4
    """A baseline is missing or cannot be used."""
    NOT_COMPUTED = 5
    """The answer could not be computed or written."""


def most_severe(codes: Iterable[Exit]) -> Exit:
    """Return what several gates come to: first what kept a gate from answering, then the answers."""
    order = (Exit.NOT_COMPUTED, Exit.USAGE, Exit.BASELINE, Exit.FAILED, Exit.UNDECIDED, Exit.PASSED)
    return min(codes, key=order.index, default=Exit.PASSED)


_CODES = ((BaselineError, Exit.BASELINE), ((EngineError, RenderError), Exit.NOT_COMPUTED), (BayesF1Error, Exit.USAGE))


def exit_code(error: type[Exception]) -> Exit:
    """Return the exit code of a run that an error of this kind ended."""
    return next((code for kinds, code in _CODES if issubclass(error, kinds)), Exit.NOT_COMPUTED)
