"""How the commands write to a terminal. The only importer of rich."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import track
from rich.text import Text

from pytest_bayesf1._util import aligned

T = TypeVar("T")

_OUT = Console(highlight=False, soft_wrap=True)
_ERR = Console(stderr=True, highlight=False, soft_wrap=True)
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
_SYMBOLS = {"≪": "<<", "≈": "~", "≫": ">>", "→": "->", "−": "-", "±": "+-"}
_IN_ASCII = str.maketrans({**_SYMBOLS, "δ": "delta", "Δ": "Delta", "π": "pi", "ρ": "rho", "₁": "_1", "₂": "_2"})


def prints_unicode() -> bool:
    """Tell whether the terminal's encoding has the symbols and pictures of the reports."""
    from pytest_bayesf1.reports.terminal import prints_pictures

    return prints_pictures(_OUT.encoding)


def columns() -> int | None:
    """Tell how wide the terminal is; None for a file or another program, which take lines of any length."""
    return _OUT.width if _OUT.is_terminal else None


def say(text: str, style: str = "") -> None:
    """Write text, never as markup or as orders to the terminal; coloured on a terminal only."""
    _write(_OUT, text, style)


def complain(text: str) -> None:
    """Write text to standard error."""
    _write(_ERR, text, "")


def say_lines(lines: Iterable[tuple[str, Mapping[str, bool]]]) -> None:
    """Write lines, each with its markup as pytest's terminal takes it."""
    for line, markup in lines:
        say(line, " ".join(name for name, on in markup.items() if on))


def say_document(text: str) -> None:
    """Write what machines read, in UTF-8 whatever the terminal's encoding."""
    click.echo(text.encode("utf-8", "backslashreplace"), nl=False)


def say_json(value: Any) -> None:
    """Write a value as JSON, for machines."""
    say_document(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def show_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Write aligned columns; the last, which may be long, is left as it is."""
    head, *body = aligned([columns, *rows])
    say(head, "bold")
    for line in body:
        say(line)


def show_pairs(pairs: Mapping[str, Any]) -> None:
    """Write names and values side by side, the values of a list below one another."""
    width = max(map(len, pairs), default=0)
    for name, value in pairs.items():
        first, *others = (value if isinstance(value, list) else [value]) or ["none"]
        say(f"  {name:<{width}}  {first}")
        for line in others:
            say(f"  {'':<{width}}  {line}")
    if not pairs:
        say("  none")


def with_progress(items: Iterable[T], what: str, total: int) -> Iterator[T]:
    """Go through so many items, with a progress bar on standard error where a person watches."""
    shown = _ERR.is_terminal and total > 1
    yield from track(items, what, total, console=_ERR, transient=True) if shown else items


def _write(console: Console, text: str, style: str) -> None:
    shown = _CONTROL.sub(lambda found: repr(found[0])[1:-1], text)
    try:
        shown.encode(console.encoding)
    except UnicodeEncodeError:
        known = shown.translate(_IN_ASCII)
        shown = known.encode(console.encoding, "backslashreplace").decode(console.encoding)
    console.print(Text(shown, style))
