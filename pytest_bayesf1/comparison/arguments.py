"""The arguments of a comparison, each declared once: name, default, check, help, where it can be given.

To add one, add a row to `_DECLARED`, its types to `SharedArguments` or `CompareArguments` and to `Options` or
`CompareOptions`, a parameter to `pytest_bayesf1.compare`, and a field to the results and to the manifest that record
it. Settings, options of both command lines, gate files and reports follow; tests check that all agree.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import Flag, auto
from functools import wraps
from inspect import Parameter, signature
from math import inf, isfinite
from numbers import Integral
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypedDict, TypeVar

from pytest_bayesf1.choices import AUTO, COMPARISONS, AnyModel, EngineName, Invalid, Model, OnNewTestSet, PriorName
from pytest_bayesf1.engines import load_engine
from pytest_bayesf1.errors import InputError, ends_here, shown
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.results.schema import plain
from pytest_bayesf1.session import current_session
from pytest_bayesf1.stats.decision import CONFIRMED, Rope, RopeLike
from pytest_bayesf1.text import begun, brief, class_named, level, one_line
from pytest_bayesf1.values import as_float, require_choice, require_once

if TYPE_CHECKING:
    from pytest_bayesf1.comparison.human import HumanGrades
    from pytest_bayesf1.data.outcomes import Experiment
    from pytest_bayesf1.engines.protocol import Engine
    from pytest_bayesf1.measures.classification import MeasureLike
    from pytest_bayesf1.priors import EarlierCounts, Prior
    from pytest_bayesf1.results.comparison import DeltaFigures
    from pytest_bayesf1.stats.posterior import Draws


TEST_SET, BASELINE, CANDIDATE = "test-set", "baseline", "candidate"
_WORDS = (TEST_SET, BASELINE, CANDIDATE)
_EXPECTED = "test-set, baseline, candidate, or shares of classes such as fraud=0.01"


@dataclass(frozen=True)
class Prevalence:
    """Which class shares scores are about: those of a test set, or stated ones.

    Attributes
    ----------
    word
        ``test-set``: each side's own. ``baseline`` or ``candidate``: those of this side's test set, for both sides.
        Empty where shares are stated.
    shares
        Name of a class and its share. The other classes divide the rest in proportion to their shares in the test sets.
    """

    word: str = ""
    shares: tuple[tuple[str, float], ...] = ()

    @classmethod
    def of(cls, value: Any, where: str = "prevalence") -> "Prevalence":
        """Take a word, a mapping of classes to shares, or a text such as ``fraud=0.01,spam=0.1``.

        Examples
        --------
        >>> str(Prevalence.of({"fraud": 0.01})), Prevalence.of("fraud=0.01").phrase
        ('fraud=0.01', 'at 1% fraud')
        """
        if isinstance(value, Prevalence):
            return value
        if isinstance(value, str) and value in _WORDS:
            return cls(value)
        pairs = _pairs(value) if isinstance(value, str) else [*value.items()] if isinstance(value, Mapping) else []
        if not pairs:
            raise InputError(where, _EXPECTED, shown(value))
        require_once([str(label) for label, _ in pairs], where, "class")
        named = ((str(plain(each)), share) for each, share in pairs)
        found = cls(shares=tuple((each, _share(share, f"{where}: {one_line(each)}")) for each, share in named))
        if found.total > 1 + _ROUNDING:
            raise InputError(where, "shares that sum to 1 at most", f"{found.total:g}")
        return found

    @property
    def total(self) -> float:
        """The sum of the shares that are stated."""
        return sum(share for _, share in self.shares)

    @property
    def phrase(self) -> str:
        """Say at which shares a score is taken, behind the score; nothing for those of each side's test set."""
        if self.shares:
            return "at " + " and ".join(_share_of(label, level(share)) for label, share in self.shares)
        return "" if self.word == TEST_SET else f"at the {self.word}'s class shares"

    def __str__(self) -> str:
        """Write it as an option takes it."""
        return self.word or ",".join(f"{label}={share:g}" for label, share in self.shares)


PrevalenceLike: TypeAlias = str | Mapping[Any, Any] | Prevalence

_ROUNDING = 1e-9


def _share_of(label: str, share: str) -> str:
    name = class_named(label)
    return f"{share} {name}" if name == brief(label) else f"{share} of {name}"


def _pairs(text: str) -> list[tuple[str, Any]]:
    """Read the classes and their shares off a text; none where it has another form."""
    return [*_each_pair(text)] if all("=" in part for part in text.split(",")) else []


def _each_pair(text: str) -> Iterator[tuple[str, Any]]:
    for part in text.split(","):
        label, _, share = part.rpartition("=")
        try:
            yield label.strip(), float(share)
        except ValueError:
            yield label.strip(), share.strip()


def _share(value: Any, where: str) -> float:
    share = as_float(value)
    if share is None or not 0 < share < 1:
        raise InputError(where, "a share between 0 and 1 such as 0.01", shown(value))
    return share


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
    PLAN = auto()
    RANK = auto()
    HISTORY = auto()
    """As an option of ``bayesf1 plan``, ``bayesf1 rank`` or ``bayesf1 history``."""
    EVERYWHERE = FLOOR | PROJECT | GATE


@dataclass(frozen=True, kw_only=True)
class Argument:
    """An argument, wherever it is given."""

    name: str
    meaning: str
    """What it is, without the words of `choices`."""
    metavar: str
    """Its value in a help text."""
    default: Any = None
    """Used when the argument is left out; None where it then stays open, or is required."""
    required: str = ""
    """What is expected of the caller; empty where it may be left out."""
    choices: tuple[str, ...] = ()
    """The words that it may be; empty where it is no word, or one of too many to list."""
    offered: Offered = Offered.EVERYWHERE
    read: Callable[[str], Any] = str
    """Reads a text, or raises ValueError; a gate file expects its type if it is one."""
    limits: Mapping[str, float] = field(default_factory=dict)
    """What the JSON Schema of gate files says of its range."""
    recorded: str = ""
    """Field of a result that records it as asked; empty where the field of its name records what was used instead."""
    listed: bool = True
    """Whether the manifest of gates lists it."""
    validate: "Callable[[Any, Argument], Any]" = field(default_factory=lambda: check_choice)
    """Returns the value to use, or raises `InputError`; sees every value, the default and those of a call included."""

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

    @property
    def optional(self) -> bool:
        """Whether it may stay open."""
        return self.default is None and not self.required

    def check(self, value: Any) -> Any:
        """Check a value, wherever it comes from."""
        return None if value is None and self.optional else self.validate(value, self)

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
            value = text  # the check says what is expected
        return self.check(value)

    def of(self, result: Any) -> Any:
        """Return what a result records of it; None where it records nothing."""
        return getattr(result, self.recorded or self.name, None)


def as_sentence(text: str) -> str:
    """Write a help text as a sentence.

    Examples
    --------
    >>> as_sentence("seed of the random numbers")
    'Seed of the random numbers.'
    """
    return f"{begun(text).removesuffix('.')}."


FEWEST_DRAWS = 1_000


def check_choice(value: Any, argument: Argument) -> Any:
    """Check a word."""
    require_choice(argument.name, value, argument.choices)
    return value


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


def check_budget(value: Any, argument: Argument) -> float:
    """Check a total loss."""
    loss = as_float(value)
    if loss is None or not (isfinite(loss) and loss > 0):
        raise InputError(argument.name, "a loss above 0, such as 0.02", shown(value))
    return loss


def check_inner_probability(value: Any, argument: Argument) -> float:
    """Check the probability that an interval holds."""
    probability = as_float(value)
    if probability is None or not 0.5 <= probability < 1:
        expected = f"the probability inside the interval, from 0.5 to 1, usually {argument.default}"
        raise InputError(argument.name, expected, shown(value))
    return probability


def check_model(value: Any, argument: Argument) -> AnyModel:
    """Make a `Model` of its name."""
    name = check_choice(value, argument)
    return AUTO if name == AUTO else Model(name)


def check_prior(value: Any, argument: Argument) -> Any:
    """Check that a prior is one, or has the name of one."""
    if not isinstance(value, str):
        from pytest_bayesf1.priors import Prior  # noqa: PLC0415 (it loads numpy, and names need none)

        if isinstance(value, Prior):
            return value
    return check_choice(value, argument)


def check_not_negative(value: Any, argument: Argument) -> int:
    """Check a whole number from 0 up."""
    if not (_is_whole(value) and value >= 0):
        raise InputError(argument.name, "a whole number that is not negative", shown(value))
    return int(value)


def check_human(value: Any, _: Argument) -> "HumanGrades":
    """Read people's grades."""
    from pytest_bayesf1.comparison.human import HumanGrades  # noqa: PLC0415 (it loads numpy, and names need none)

    return HumanGrades.of(value)


def check_truth_value(value: Any, argument: Argument) -> bool:
    """Check that a value is true or false."""
    if not isinstance(value, bool):
        raise InputError(argument.name, "true or false", shown(value))
    return value


_MOST_DRAWS = 10_000_000


def check_number_of_draws(value: Any, argument: Argument) -> int:
    """Check that draws are enough for a Monte Carlo error, and no more than memory holds."""
    if not (_is_whole(value) and FEWEST_DRAWS <= value <= _MOST_DRAWS):
        advice = "Leave it out to draw as many as settle the decision."
        expected = f"a whole number from {FEWEST_DRAWS:,} to {_MOST_DRAWS:,}"
        raise InputError(argument.name, expected, shown(value), advice)
    return int(value)


def checked_floor(value: Any) -> float:
    """Return a floor as a number."""
    floor = as_float(value)
    if floor is None or not isfinite(floor):
        raise InputError("floor", "a finite number", shown(value))
    return floor


def checked_run_sd(value: Any) -> float:
    """Return how far a score varies from run to run as a number."""
    run_sd = as_float(value)
    if run_sd is None or not 0 < run_sd < inf:
        raise InputError("run_sd", "a standard deviation above 0, such as 0.012 for 1.2 points", shown(value))
    return run_sd


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


_DECLARED = (
    Argument(
        name="measure",
        meaning="what to compare: f1_macro, accuracy, f1[spam], fbeta_macro(2), ...",
        metavar="NAME",
        default="f1_macro",
        offered=Offered.EVERYWHERE | Offered.PLAN | Offered.RANK | Offered.HISTORY,
        validate=lambda value, _: parse_name(value).text if isinstance(value, str) else value,  # the data know labels
    ),
    Argument(
        name="rope",
        meaning=(
            f"what you allow: a half-width such as 0.01, or both ends; above 0.1 with the word {CONFIRMED} behind it"
        ),
        metavar=f"WIDTH|LOW,HIGH[,{CONFIRMED}]",
        required="the largest difference that does not matter",
        offered=Offered.PROJECT | Offered.GATE | Offered.PLAN | Offered.RANK | Offered.HISTORY,
        validate=lambda value, argument: Rope.of(value, argument.name),
        read=read_bounds,
    ),
    Argument(
        name="budget",
        meaning="the total loss since the anchor that you allow; by default twice the loss that rope allows",
        metavar="LOSS",
        offered=Offered.PROJECT | Offered.ANCHORED | Offered.HISTORY,
        limits={"exclusiveMinimum": 0},
        validate=check_budget,
        read=float,
    ),
    Argument(
        name="hdi_prob",
        meaning="probability inside the highest-density interval",
        metavar="P",
        default=0.95,
        offered=Offered.EVERYWHERE | Offered.PLAN | Offered.RANK | Offered.HISTORY,
        limits={"minimum": 0.5, "exclusiveMaximum": 1},
        recorded="hdi_prob",
        validate=check_inner_probability,
        read=float,
    ),
    Argument(
        name="human",
        meaning=(
            "people's grades of some answers, which correct a judge's: a file with the columns id, baseline and "
            "candidate, or of one side id and value"
        ),
        metavar="FILE",
        offered=Offered.FLOOR | Offered.GATE,
        validate=check_human,
        listed=False,  # by a checksum
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
        name="on_new_test_set",
        meaning="how to compare test sets that differ, shared being on the examples that both have",
        metavar="NAME",
        default=OnNewTestSet.SHARED,
        choices=tuple(OnNewTestSet),
        offered=Offered.PROJECT | Offered.GATE | Offered.RANK,
        validate=lambda value, argument: OnNewTestSet(check_choice(value, argument)),
        recorded="on_new_test_set",
    ),
    Argument(
        name="weak_baseline",
        meaning="whether the baseline may be no better than chance, which is refused otherwise",
        metavar="true|false",
        default=False,
        offered=Offered.GATE,
        validate=check_truth_value,
        read=bool,
        listed=False,  # by the demand
    ),
    Argument(
        name="prevalence",
        meaning=(
            "the class shares to score both sides at: baseline, candidate, or shares such as fraud=0.01; by default "
            "test-set, each side at its own"
        ),
        metavar="NAME|CLASS=SHARE,...",
        offered=Offered.EVERYWHERE | Offered.PLAN | Offered.RANK | Offered.HISTORY,
        validate=lambda value, argument: Prevalence.of(value, argument.name),
    ),
    Argument(
        name="prior",
        meaning="the prior of the cell probabilities",
        metavar="NAME",
        default=AUTO,
        choices=(AUTO, *PriorName),
        offered=Offered.EVERYWHERE,
        validate=check_prior,
    ),
    Argument(
        name="engine",
        meaning="how to sample the posterior",
        metavar="NAME",
        default=EngineName.EXACT,
        choices=tuple(EngineName),
        validate=lambda value, argument: value if hasattr(value, "sampler") else check_choice(value, argument),
        listed=False,
    ),
    Argument(
        name="seed",
        meaning="seed of the random numbers",
        metavar="N",
        default=0,
        offered=Offered.EVERYWHERE | Offered.RANK,
        limits={"minimum": 0},
        recorded="seed",
        listed=False,
        validate=check_not_negative,
        read=int,
    ),
    Argument(
        name="n_draws",
        meaning="number of posterior draws; by default as many as settle the decision",
        metavar="N",
        offered=Offered.FLOOR,
        validate=check_number_of_draws,
        read=int,
        listed=False,
    ),
)

ARGUMENTS = MappingProxyType({argument.name: argument for argument in _DECLARED})
"""By name, in the order of `pytest_bayesf1.compare`, which knows of no anchor."""


def offered(where: Offered) -> Iterator[Argument]:
    """List the arguments that can be given somewhere.

    Examples
    --------
    >>> [argument.name for argument in offered(Offered.PROJECT)]
    ['measure', 'rope', 'budget', 'hdi_prob', 'on_new_test_set', 'prevalence', 'prior', 'engine', 'seed']
    """
    return (argument for argument in ARGUMENTS.values() if where & argument.offered)


class SharedArguments(TypedDict, total=False):
    """Keyword arguments of every call that samples a posterior; see `pytest_bayesf1.compare`."""

    measure: "MeasureLike | None"
    hdi_prob: float | None
    human: Any
    prevalence: PrevalenceLike | None
    prior: "str | Prior | None"
    engine: "str | Engine | None"
    seed: int | None
    n_draws: int | None


class ArrayArguments(TypedDict, total=False):
    """Keyword arguments of a call that takes arrays; see `pytest_bayesf1.ConfusionMatrix.from_predictions`."""

    kind: str | None
    labels: Iterable[Any] | None
    ids: Iterable[Any] | None
    clusters: Iterable[Any] | None
    runs: str | None
    run_ids: Iterable[Any] | None
    invalid: Invalid
    show: Iterable[Any] | Mapping[str, Iterable[Any]] | None


ARRAY_ARGUMENTS = (*ArrayArguments.__annotations__,)


class CompareArguments(SharedArguments, total=False):
    """Keyword arguments of `pytest_bayesf1.compare`."""

    rope: RopeLike | None
    model: str | None
    on_new_test_set: str | None
    weak_baseline: bool | None


class ArrayCompareArguments(CompareArguments, ArrayArguments, total=False):
    """Keyword arguments of `pytest_bayesf1.compare` with arrays."""


@dataclass(frozen=True)
class Options:
    """Checked arguments of a call that samples a posterior; see `pytest_bayesf1.compare`."""

    measure: "MeasureLike"
    hdi_prob: float
    human: "HumanGrades | None"
    prevalence: Prevalence | None
    prior: "str | Prior"
    engine: "Engine"
    seed: int
    n_draws: int | None

    @classmethod
    def resolve(cls, **given: Any) -> Self:
        """Decide on every argument."""
        names = [field.name for field in fields(cls)]
        require_arguments(given, names)
        values = {name: resolved(name, given.get(name)) for name in names}
        return cls(**values | {"engine": load_engine(values["engine"])})

    @property
    def earlier(self) -> "EarlierCounts | None":
        """What the prior counted already."""
        return None if isinstance(self.prior, str) else self.prior.counts

    @property
    def recorded(self) -> dict[str, Any]:
        """The fields of a result that record what was asked for."""
        names = {each.name for each in fields(self)}
        asked = (each for each in ARGUMENTS.values() if each.recorded and each.name in names)
        return {each.recorded: getattr(self, each.name) for each in asked}

    def prior_for(self, experiment: "Experiment") -> "Prior":
        """Return the prior itself, which may depend on the kind of data; raise `InputError` where it cannot serve."""
        from pytest_bayesf1.priors import prior_by_name  # noqa: PLC0415 (it loads numpy)

        prior = prior_by_name(self.prior, experiment) if isinstance(self.prior, str) else self.prior
        if experiment.spans:
            return prior.over_spans()
        return prior.over_clusters(experiment.tables[0]) if experiment.clusters else prior


def require_arguments(given: Mapping[str, object], names: Iterable[str]) -> None:
    """Raise `InputError` for the first argument that there is not, with the one spelt most alike as advice."""
    known = tuple(dict.fromkeys(names))
    for name in given:
        require_choice("arguments", name, known)


@dataclass(frozen=True)
class CompareOptions(Options):
    """Checked arguments of `pytest_bayesf1.compare`."""

    rope: Rope
    model: AnyModel
    on_new_test_set: OnNewTestSet
    weak_baseline: bool

    def summarise(self, delta: "Draws", tail: float = 1.0) -> "DeltaFigures":
        """Summarise draws of delta, and decide."""
        from pytest_bayesf1.stats.posterior import summarise_delta  # noqa: PLC0415 (it loads numpy)

        return summarise_delta(delta, self.rope, self.hdi_prob, tail)


def resolved(name: str, given: Any = None) -> Any:
    """Return the checked value of an argument: the caller's, else the project's, else the default."""
    argument = ARGUMENTS[name]
    candidates = (given, current_session().settings.get(name), argument.default)
    value = next((value for value in candidates if value is not None), None)
    if value is None and argument.required:
        advice = f"Pass {name}, or set bayesf1_{name} in the project's pytest configuration."
        raise InputError(name, f"{argument.required}, such as 0.01", "nothing", advice)
    return argument.check(value)


def asked_prior(given: "str | Prior | None") -> str:
    """Name the prior that is asked for."""
    return str(resolved("prior", given))


T = TypeVar("T")

_POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


def of_arrays(*arrays: str) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Let a function take arrays, the truth first, instead of its sides; its deliberate errors end in its frame.

    By position or by these names. `ArrayArguments` serve arrays only.
    """

    def decorate(function: Callable[..., T]) -> Callable[..., T]:
        parameters = signature(function).parameters
        places = [name for name, each in parameters.items() if each.kind in _POSITIONAL and name != "self"]
        names = [*arrays, *places[len(arrays) - 1 :]]
        n_self = "self" in parameters
        closed = all(each.kind is not Parameter.VAR_KEYWORD for each in parameters.values())  # else it checks them
        call = f"{function.__name__}({', '.join(names)}, ...)"

        def with_sides(args: tuple[Any, ...], named: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
            """Replace arrays by sides."""
            in_order = names[1:] if "y_true" in named else names
            if len(args) > len(in_order):
                problem = f"Pass only {', '.join(in_order)} by position"
                raise InputError.plain("arguments", problem, "All else goes by name, such as rope=0.01.")
            if closed:
                require_arguments(named, [*parameters, *names, *ARRAY_ARGUMENTS])
            known = {name: named[name] for name in ARRAY_ARGUMENTS if name in named}
            n_given = len(args) + len(named.keys() & {*names, *places})
            if n_given < len(names) and "y_true" not in named:
                for name in known:
                    otherwise = "leave it out" if name == "kind" else "pass it to from_predictions"
                    advice = f"Pass it with arrays, as {call}, or {otherwise}."
                    raise InputError.plain(name, "It describes arrays, and there are none", advice)
                return args, named
            given, others = dict(zip(in_order, args, strict=False)), named.keys() - known.keys()
            for name in arrays:
                if (name in given) == (name in named):
                    problem = "The call passes it twice" if name in given else "It is missing"
                    raise InputError.plain(name, problem, f"Call {call}.")
            from pytest_bayesf1.data.paired import sides_of  # noqa: PLC0415 (it loads numpy)

            given |= {name: named[name] for name in others}
            sides = sides_of({name: given.pop(name) for name in arrays}, **known)
            return (), {**dict(zip(places, sides, strict=False)), **given}

        @wraps(function)
        def taking(*args: Any, **named: Any) -> T:
            given, others = with_sides(args[n_self:], named)
            return function(*args[:n_self], *given, **others)

        return ends_here(taking)

    return decorate
