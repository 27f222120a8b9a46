"""The arguments of a comparison, each declared once.

A call, an ini key, an option, a gate file and the reference page take name, default, check and help from `ARGUMENTS`.
Light, for the plugin registers its options by it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Flag, auto
from math import isfinite
from numbers import Integral
from types import MappingProxyType
from typing import Any, TypeAlias

from pytest_bayesf1.checks import as_float, require_choice
from pytest_bayesf1.choices import AUTO, COMPARISONS, AnyModel, EngineName, Model, PriorName
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.stats.decision import CONFIRMED, Rope
from pytest_bayesf1.text import shown

FEWEST_DRAWS = 1_000

Check: TypeAlias = Callable[[Any], Any]
"""Returns the value to go on with, or raises `InputError`."""


class Offered(Flag):
    """Where an argument can be given, besides in a call that compares two sides."""

    NOWHERE_ELSE = 0
    FLOOR = auto()
    """In a call that sets one classifier against a floor."""
    PROJECT = auto()
    """As an option of pytest and as an ini key."""
    GATE = auto()
    """In a gate file, and as an option of ``bayesf1 compare``."""
    EVERYWHERE = FLOOR | PROJECT | GATE


@dataclass(frozen=True, kw_only=True)
class Argument:
    """An argument, wherever it is given.

    Attributes
    ----------
    name
        As in a call.
    meaning
        What it is, without the words of `choices`.
    metavar
        What stands for its value in a help text.
    default
        What is taken where nobody gives it; None where it then stays open, or is required.
    required
        What is expected of who has to give it; empty where it may be left out.
    choices
        The words that it may be; empty where it is no word, or one of too many to be listed.
    offered
        Where it can be given.
    check
        What values have to pass, the default and those of a call included.
    read
        Makes of a text what `check` takes; raises ValueError where that cannot be.
    """

    name: str
    meaning: str
    metavar: str
    check: Check
    default: Any = None
    required: str = ""
    choices: tuple[str, ...] = ()
    offered: Offered = Offered.EVERYWHERE
    read: Callable[[str], Any] = str

    @property
    def help(self) -> str:
        """What it is, and which words it may be."""
        if not self.choices:
            return self.meaning
        *others, last = self.choices
        return f"{self.meaning}: {', '.join(others)} or {last}"

    @property
    def sentence(self) -> str:
        """The meaning as a sentence."""
        return as_sentence(self.meaning)

    def parse(self, text: str) -> Any:
        """Read the value off a text.

        Parameters
        ----------
        text
            From an option or an ini key.

        Returns
        -------
        Any
            What a call would be given.

        Raises
        ------
        InputError
            When the text is no such value.

        Examples
        --------
        >>> ARGUMENTS["hdi_prob"].parse("0.9")
        0.9
        """
        try:
            value = self.read(text)
        except ValueError:
            raise InputError(self.name, self.help, repr(text)) from None
        return self.check(value)


def as_sentence(text: str) -> str:
    """Write a help text with a capital letter and a full stop."""
    return f"{text[0].upper()}{text[1:].removesuffix('.')}."


def offered(where: Offered) -> Iterator[Argument]:
    """List the arguments that can be given somewhere, in their order."""
    return (argument for argument in ARGUMENTS.values() if where in argument.offered)


def _measure(value: Any) -> Any:
    """Check a name but for its label, which only the data know; a function is checked by what it returns."""
    return parse_name(value).text if isinstance(value, str) else value


def _read_rope(text: str) -> Any:
    parts = [part.strip() for part in text.strip("[]() ").split(",")]
    values = [part if part == CONFIRMED else float(part) for part in parts]
    return values[0] if len(values) == 1 else values


def _hdi_prob(value: Any) -> float:
    """Take a probability from 1/2 up to 1; below lies the error that some would give in its place."""
    probability = as_float(value)
    if probability is None or not 0 < probability < 1:
        usual = f"The usual value is {ARGUMENTS['hdi_prob'].default}."
        raise InputError("hdi_prob", "a probability between 0 and 1", shown(value), usual)
    if probability < 0.5:
        raise InputError(
            "hdi_prob",
            "the probability inside the interval, at least 0.5",
            shown(value),
            f"Did you mean {1 - probability:g}?",
        )
    return probability


def _model(value: Any) -> AnyModel:
    require_choice("model", value, (AUTO, *COMPARISONS))
    return AUTO if value == AUTO else Model(value)


def _prior(value: Any) -> Any:
    """Take a name, or a prior itself."""
    if not isinstance(value, str):
        from pytest_bayesf1.priors.priors import Prior  # noqa: PLC0415 (it loads numpy, and names need none)

        if isinstance(value, Prior):
            return value
    require_choice("prior", value, (AUTO, *PriorName))
    return value


def _engine(value: Any) -> Any:
    """Take a name, or an engine itself."""
    if not hasattr(value, "sampler"):
        require_choice("engine", value, EngineName)
    return value


def _seed(value: Any) -> int:
    if not (_is_whole(value) and value >= 0):
        raise InputError("seed", "a whole number that is not negative", shown(value))
    return int(value)


def _n_draws(value: Any) -> int | None:
    """Take enough for a Monte Carlo error; None leaves the number open."""
    if value is None:
        return None
    if not (_is_whole(value) and value >= FEWEST_DRAWS):
        raise InputError(
            "n_draws",
            f"a whole number of at least {FEWEST_DRAWS:,}",
            shown(value),
            "Leave it out to draw until the decision is settled.",
        )
    return int(value)


def checked_floor(value: Any) -> float:
    """Return a floor as a number; raise `InputError` for one that is none, or not finite."""
    floor = as_float(value)
    if floor is None or not isfinite(floor):
        raise InputError("floor", "a finite number", shown(value))
    return floor


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


ARGUMENTS = MappingProxyType(
    {
        argument.name: argument
        for argument in (
            Argument(
                name="measure",
                meaning="what to compare: f1_macro, accuracy, f1[spam], fbeta_macro(2), ...",
                metavar="NAME",
                default="f1_macro",
                check=_measure,
            ),
            Argument(
                name="rope",
                meaning=(
                    "differences that do not matter: a half-width such as 0.01, or both ends; above 0.1 with the word "
                    f"{CONFIRMED} behind it"
                ),
                metavar=f"WIDTH|LOW,HIGH[,{CONFIRMED}]",
                required="the largest difference that does not matter, such as 0.01",
                offered=Offered.PROJECT | Offered.GATE,
                check=Rope.of,
                read=_read_rope,
            ),
            Argument(
                name="hdi_prob",
                meaning="probability inside the highest-density interval",
                metavar="P",
                default=0.95,
                check=_hdi_prob,
                read=float,
            ),
            Argument(
                name="model",
                meaning="what the two sides share, auto being the strongest model that the data allow",
                metavar="NAME",
                default=AUTO,
                choices=(AUTO, *COMPARISONS),
                offered=Offered.GATE,
                check=_model,
            ),
            Argument(
                name="prior",
                meaning="the prior of the cell probabilities",
                metavar="NAME",
                default=AUTO,
                choices=(AUTO, *PriorName),
                check=_prior,
            ),
            Argument(
                name="engine",
                meaning="how to sample the posterior",
                metavar="NAME",
                default=EngineName.EXACT,
                choices=tuple(EngineName),
                check=_engine,
            ),
            Argument(
                name="seed",
                meaning="seed of the random numbers",
                metavar="N",
                default=0,
                check=_seed,
                read=int,
            ),
            Argument(
                name="n_draws",
                meaning="number of posterior draws; where it is left out as many as settle the decision",
                metavar="N",
                offered=Offered.FLOOR,
                check=_n_draws,
                read=int,
            ),
        )
    }
)
