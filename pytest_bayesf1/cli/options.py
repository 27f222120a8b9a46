"""Options that several commands take."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import click

from pytest_bayesf1.choices import (
    FAIL_ON,
    FAIL_ON_DEFAULT,
    FAIL_ON_HELP,
    INVALID,
    INVALID_DEFAULT,
    OTHER_RULER,
    READING,
    Better,
    Choice,
    Kind,
    Runs,
)
from pytest_bayesf1.comparison.arguments import ARGUMENTS, Argument, Offered, as_sentence, offered
from pytest_bayesf1.errors import InputError

if TYPE_CHECKING:
    from pytest_bayesf1.data.columns import Schema

F = TypeVar("F", bound=Callable[..., Any])

FILE = click.Path(path_type=Path)

as_json = click.option("--json", "as_json", is_flag=True, help="Write JSON, for machines.")
verbose = click.option(
    "-v", "--verbose", is_flag=True, help="List every gate, and posterior means, Bayes factors and other tests."
)
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
    help="Read no file outside this folder.",
)


Callback: TypeAlias = Callable[[click.Context, click.Parameter, Any], Any]


def _read_by(read: Callable[[Any], Any], *, is_named: bool = True) -> Callback:
    """Let a function read what an option says; what it refuses is a mistake of usage, named by click or by itself."""

    def callback(_context: click.Context, _parameter: click.Parameter, value: Any) -> Any:
        try:
            return None if value is None else read(value)
        except InputError as error:
            raise click.BadParameter(str(error) if is_named else error.without_place) from None

    return callback


def _pair(text: str) -> tuple[str, str]:
    """Take ``name=value`` apart."""
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise click.BadParameter(f"expected NAME=VALUE, got {text!r}")
    return name, value


def _pairs(texts: tuple[str, ...]) -> dict[str, str]:
    return dict(map(_pair, texts))


def _columns(texts: tuple[str, ...]) -> dict[str, str]:
    from pytest_bayesf1.data.columns import require_known

    return {require_known(name): column for name, column in _pairs(texts).items()}


def _pattern(text: str) -> str:
    from pytest_bayesf1.files.side import answer_pattern

    answer_pattern(text)
    return text


def _of_files(side: str = "") -> list[Callable[[F], F]]:
    """Make the options that name columns and choose rows, of both files or of one."""

    def option(flag: str, name: str, metavar: str, read: Callable[[Any], Any]) -> Callable[[F], F]:
        text = f"As --{flag}, of the {side}'s file." if side else READING[name].meaning
        names = (f"--{side}-{flag}", f"{side}_{name}") if side else (f"--{flag}", name)
        return click.option(*names, multiple=True, metavar=metavar, callback=_read_by(read), help=f"{text} Repeatable.")

    return [option("rows", "rows", "COLUMN=VALUE", _pairs), option("column", "columns", "NAME=COLUMN", _columns)]


def reading(function: F) -> F:
    """Add the options that say how two files are to be read, and pass ``readings``, a `Schema` by side."""

    @wraps(function)
    def with_readings(**given: Any) -> Any:
        shared, given = _reading(given)
        readings = {side: shared.of_side(*(given.pop(f"{side}_{name}") for name in _OF_SIDE)) for side in _SIDES}
        return function(readings=readings, **given)

    return _add(with_readings, *_of_files("candidate"), *_of_files("baseline"), *_of_all_files())  # type: ignore[return-value]


def reading_alike(function: F) -> F:
    """Add the options that say how any number of files are to be read, all alike, and pass their ``reading``."""

    @wraps(function)
    def with_reading(**given: Any) -> Any:
        shared, given = _reading(given)
        return function(reading=shared, **given)

    return _add(with_reading, *_of_all_files())  # type: ignore[return-value]


_SIDES = ("baseline", "candidate")
_OF_SIDE = ("columns", "rows")


def _reading(given: dict[str, Any]) -> tuple["Schema", dict[str, Any]]:
    """Take from the options what they say of all files."""
    from pytest_bayesf1.data.columns import Schema

    said = {name: given.pop(name) for name in ("kind", "invalid", "clusters", "runs", "gold", "answer", "better")}
    of_gold: dict[str, Any] = {f"gold_{name}": tuple(given.pop(f"gold_{name}").items()) for name in _OF_SIDE}
    labels = given.pop("labels") or None
    chosen = [given.pop(name) for name in _OF_SIDE]
    return Schema(**said, **of_gold, labels=labels, show=given.pop("show", ())).of_side(*chosen), given


def _add(function: Callable[..., Any], *options: Callable[[Any], Any]) -> Callable[..., Any]:
    for option in options:
        function = option(function)
    return function


def _of_all_files() -> list[Callable[[F], F]]:
    """Make the options that are about all files."""
    return [
        *_of_files(),
        _choice("runs", Runs),
        *_of_files("gold"),
        click.option("--gold", metavar="FILE", help=_meaning("gold")),
        click.option("--answer", default="", metavar="PATTERN", callback=_read_by(_pattern), help=_meaning("answer")),
        click.option("--clusters", default="", metavar="COLUMN", help=_meaning("clusters")),
        _choice("better", Better),
        click.option(
            "--invalid",
            type=click.Choice(list(INVALID)),
            default=INVALID_DEFAULT,
            show_default=True,
            help=_meaning("invalid"),
        ),
        click.option("--label", "labels", multiple=True, metavar="CLASS", help=f"{_meaning('labels')} Repeatable."),
        _choice("kind", Kind),
    ]


def _meaning(name: str) -> str:
    return READING[name].meaning


def _choice(name: str, choices: type[Choice]) -> Callable[[F], F]:
    words = click.Choice([each.value for each in choices])
    return click.option(f"--{name}", type=words, callback=_read_by(choices), help=_meaning(name))


other_ruler = click.option("--other-ruler", is_flag=True, help=OTHER_RULER)
show = click.option("--show", multiple=True, metavar="COLUMN", help=f"{_meaning('show')} Repeatable.")


fail_on = click.option(
    "--fail-on", type=click.Choice(list(FAIL_ON)), default=FAIL_ON_DEFAULT, show_default=True, help=FAIL_ON_HELP
)


def parts(function: F) -> F:
    """Add the options that ask for classes and slices too."""
    return _add(  # type: ignore[return-value]
        function,
        click.option(
            "--slice", "slices", multiple=True, metavar="COLUMN", help="Judge every value of this column too."
        ),
        click.option("--per-class", is_flag=True, help="Judge every class too."),
    )


@dataclass(frozen=True)
class Output:
    """What a command writes of the gates that it judges."""

    verbose: bool
    as_json: bool
    report: Path | None

    @property
    def in_full(self) -> bool:
        """Whether machines or pages have every figure."""
        return self.as_json or self.report is not None


def output(function: F) -> F:
    """Add the options that say what is written, and pass them as an ``output``."""

    @wraps(function)
    def with_output(**given: Any) -> Any:
        found = Output(**{each.name: given.pop(each.name) for each in fields(Output)})
        return function(output=found, **given)

    return _add(with_output, report, as_json, verbose)  # type: ignore[return-value]


def formats(*choices: str, text: str = "What to write.") -> Callable[[F], F]:
    """Add the option that chooses a format."""
    return click.option("--format", "form", type=click.Choice(choices), default="text", show_default=True, help=text)


gate_names = click.option("--gate", "names", multiple=True, metavar="NAME", help="Only this gate; repeatable.")


def _option(argument: Argument) -> Callable[[F], F]:
    flag = f"--{argument.name.replace('_', '-')}"
    if argument.read is bool:
        return click.option(flag, argument.name, is_flag=True, help=as_sentence(argument.help))
    shown: dict[str, Any] = {"metavar": argument.metavar, "help": as_sentence(argument.help)}
    if argument.default is not None:
        shown |= {"default": str(argument.default), "show_default": True}
    if argument.required:
        shown["required"] = True
    return click.option(flag, argument.name, callback=_read_by(argument.parse, is_named=False), **shown)


def _arguments(arguments: Iterable[Argument]) -> Callable[[F], F]:
    found = [_option(argument) for argument in reversed(list(arguments))]
    return lambda function: _add(function, *found)  # type: ignore[return-value]


measure = _option(ARGUMENTS["measure"])
comparison = _arguments(offered(Offered.GATE))
_OF_ONE_SIDE = [argument for argument in offered(Offered.FLOOR) if argument.offered & Offered.GATE]
estimate = _arguments(_OF_ONE_SIDE)
runs = _arguments(argument for argument in _OF_ONE_SIDE if argument.name != "human")
plan = _arguments(offered(Offered.PLAN))
labelling = _arguments(ARGUMENTS[name] for name in ("measure", "rope", "hdi_prob", "seed"))
judging = _arguments(ARGUMENTS[name] for name in ("rope", "hdi_prob", "seed"))
ranking = _arguments(offered(Offered.RANK))
demands = _arguments(replace(each, default=None, required="") for each in offered(Offered.HISTORY))
"""Where none is given, a baseline's own gate demands it."""
