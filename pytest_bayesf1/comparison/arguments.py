"""The arguments of a comparison, each declared once: name, default, check, help, where it can be given."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Flag, auto
from math import isfinite
from numbers import Integral
from types import MappingProxyType
from typing import Any, TypeAlias

from pytest_bayesf1._util import as_float, as_floats, require_choice, shown
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.settings import AUTO, COMPARISONS, AnyModel, EngineName, Model, PriorName
from pytest_bayesf1.stats.decision import CONFIRMED, Rope


class Offered(Flag):
    """Where an argument can be given, besides in a call that compares two sides."""

    FLOOR = auto()
    """In a call that sets one classifier against a floor."""
    PROJECT = auto()
    """As an option of pytest and as an ini key."""
    GATE = auto()
    """In a gate file, and as an option of ``bayesf1 compare``."""
    ANCHORED = auto()
    """Where there is an anchor: with a stored baseline, and in a gate file."""
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
    validate
        The check that every value has to pass, the default and those of a call included.
    read
        Makes of a text what `check` takes; raises ValueError where that cannot be.
    """

    name: str
    meaning: str
    metavar: str
    validate: "Validator"
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
        """The meaning with a capital letter and a full stop."""
        return as_sentence(self.meaning)

    def check(self, value: Any) -> Any:
        """Check a value, wherever it comes from."""
        return self.validate(value, self)

    def parse(self, text: str) -> Any:
        """Read the value off a text.

        Examples
        --------
        >>> from pytest_bayesf1.comparison.arguments import ARGUMENTS
        >>> ARGUMENTS["hdi_prob"].parse("0.9")
        0.9
        """
        try:
            value = self.read(text)
        except ValueError:
            raise InputError(self.name, self.help, repr(text)) from None
        return self.check(value)


def as_sentence(text: str) -> str:
    """Write a help text as a sentence.

    Examples
    --------
    >>> as_sentence("seed of the random numbers")
    'Seed of the random numbers.'
    """
    return f"{text[0].upper()}{text[1:].removesuffix('.')}."


Validator: TypeAlias = Callable[[Any, Argument], Any]
"""Of a value and its argument: returns the value to go on with, or raises `InputError`."""


FEWEST_DRAWS = 1_000


def check_measure(value: Any, _argument: Argument) -> Any:
    """Check a measure's name but for its label, which only the data know."""
    return parse_name(value).text if isinstance(value, str) else value


def check_rope(value: Any, argument: Argument) -> Rope:
    """Make a ROPE of what stands for one."""
    return Rope.of(value, argument.name)


def read_bounds(text: str) -> Any:
    """Split a text that is a number, or several and perhaps a word behind them, into its parts.

    Examples
    --------
    >>> read_bounds("-0.01, 0.02")
    [-0.01, 0.02]
    """
    parts = [part.strip() for part in text.strip("[]() ").split(",")]
    values = [part if part == CONFIRMED else float(part) for part in parts]
    return values[0] if len(values) == 1 else values


def check_budget(value: Any, argument: Argument) -> float | None:
    """Check a total loss."""
    if value is None:
        return None
    loss = as_float(value)
    if loss is None or not (isfinite(loss) and loss > 0):
        raise InputError(argument.name, "a loss above 0, such as 0.02", shown(value))
    return loss


def check_inner_probability(value: Any, argument: Argument) -> float:
    """Check the probability that an interval holds."""
    probability = as_float(value)
    if probability is None or not 0 < probability < 1:
        usual = f"The usual value is {argument.default}."
        raise InputError(argument.name, "a probability between 0 and 1", shown(value), usual)
    if probability < 0.5:
        advice = f"Did you mean {1 - probability:g}?"
        raise InputError(argument.name, "the probability inside the interval, at least 0.5", shown(value), advice)
    return probability


def check_model(value: Any, argument: Argument) -> AnyModel:
    """Make a `Model` of its name."""
    require_choice(argument.name, value, argument.choices)
    return AUTO if value == AUTO else Model(value)


def check_agreement(value: Any, argument: Argument) -> tuple[float, float] | None:
    """Check the share of the examples on which both sides predict the same."""
    if value is None:
        return None
    share = as_float(value)
    bounds = as_floats(value) if share is None else (share, share)
    if bounds is None or len(bounds) != 2 or not 0 <= bounds[0] <= bounds[1] <= 1:
        raise InputError(argument.name, "a share from 0 to 1 such as 0.93, or the least and the greatest", shown(value))
    return bounds[0], bounds[1]


def check_prior(value: Any, argument: Argument) -> Any:
    """Check that a prior is one, or has the name of one."""
    if not isinstance(value, str):
        from pytest_bayesf1.priors import Prior  # noqa: PLC0415 (it loads numpy, and names need none)

        if isinstance(value, Prior):
            return value
    require_choice(argument.name, value, argument.choices)
    return value


def check_engine(value: Any, argument: Argument) -> Any:
    """Check that an engine is one, or has the name of one."""
    if not hasattr(value, "sampler"):
        require_choice(argument.name, value, argument.choices)
    return value


def check_not_negative(value: Any, argument: Argument) -> int:
    """Check a whole number from 0 up."""
    if not (_is_whole(value) and value >= 0):
        raise InputError(argument.name, "a whole number that is not negative", shown(value))
    return int(value)


def check_number_of_draws(value: Any, argument: Argument) -> int | None:
    """Check that draws are enough for a Monte Carlo error."""
    if value is None:
        return None
    if not (_is_whole(value) and value >= FEWEST_DRAWS):
        advice = "Leave it out to draw until the decision is settled."
        raise InputError(argument.name, f"a whole number of at least {FEWEST_DRAWS:,}", shown(value), advice)
    return int(value)


def checked_floor(value: Any) -> float:
    """Return a floor as a number."""
    floor = as_float(value)
    if floor is None or not isfinite(floor):
        raise InputError("floor", "a finite number", shown(value))
    return floor


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


_DECLARED = (
    Argument(
        name="measure",
        meaning="what to compare: f1_macro, accuracy, f1[spam], fbeta_macro(2), ...",
        metavar="NAME",
        default="f1_macro",
        validate=check_measure,
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
        validate=check_rope,
        read=read_bounds,
    ),
    Argument(
        name="budget",
        meaning="the loss since the anchor that is tolerated in all; where it is left out twice the ROPE's lower half",
        metavar="LOSS",
        offered=Offered.PROJECT | Offered.ANCHORED,
        validate=check_budget,
        read=float,
    ),
    Argument(
        name="hdi_prob",
        meaning="probability inside the highest-density interval",
        metavar="P",
        default=0.95,
        validate=check_inner_probability,
        read=float,
    ),
    Argument(
        name="model",
        meaning="what the two sides share, auto being the strongest model that the data allow",
        metavar="NAME",
        default=AUTO,
        choices=(AUTO, *COMPARISONS),
        offered=Offered.GATE,
        validate=check_model,
    ),
    Argument(
        name="agreement",
        meaning="the share of the examples on which both sides predict the same, or its bounds, where counts are bare",
        metavar="SHARE|LEAST,MOST",
        offered=Offered.GATE,
        validate=check_agreement,
        read=read_bounds,
    ),
    Argument(
        name="prior",
        meaning="the prior of the cell probabilities",
        metavar="NAME",
        default=AUTO,
        choices=(AUTO, *PriorName),
        validate=check_prior,
    ),
    Argument(
        name="engine",
        meaning="how to sample the posterior",
        metavar="NAME",
        default=EngineName.EXACT,
        choices=tuple(EngineName),
        validate=check_engine,
    ),
    Argument(
        name="seed",
        meaning="seed of the random numbers",
        metavar="N",
        default=0,
        validate=check_not_negative,
        read=int,
    ),
    Argument(
        name="n_draws",
        meaning="number of posterior draws; where it is left out as many as settle the decision",
        metavar="N",
        offered=Offered.FLOOR,
        validate=check_number_of_draws,
        read=int,
    ),
)

ARGUMENTS = MappingProxyType({argument.name: argument for argument in _DECLARED})
"""By name, in the order of `pytest_bayesf1.compare`, which knows of no anchor."""


def offered(where: Offered) -> Iterator[Argument]:
    """List the arguments that can be given somewhere.

    Examples
    --------
    >>> [argument.name for argument in offered(Offered.PROJECT)]
    ['measure', 'rope', 'budget', 'hdi_prob', 'prior', 'engine', 'seed']
    """
    return (argument for argument in ARGUMENTS.values() if where & argument.offered)
