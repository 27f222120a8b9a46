"""The arguments of a call, checked and completed by the settings of the session."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from inspect import Parameter, signature
from typing import Any, ParamSpec, Self, TypedDict, TypeVar

from pytest_bayesf1._util import require_choice
from pytest_bayesf1.comparison.arguments import ARGUMENTS
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.engines import load_engine
from pytest_bayesf1.engines.protocol import Engine
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.measures.classification import MeasureLike
from pytest_bayesf1.priors import Prior, PseudoCounts, prior_by_name
from pytest_bayesf1.settings import AnyModel, current_session
from pytest_bayesf1.stats.decision import Rope, RopeLike


class SharedArguments(TypedDict, total=False):
    """Keyword arguments of every call that samples a posterior; see `pytest_bayesf1.compare`."""

    measure: MeasureLike | None
    hdi_prob: float | None
    prior: str | Prior | None
    engine: str | Engine | None
    seed: int | None
    n_draws: int | None


class CompareArguments(SharedArguments, total=False):
    """Keyword arguments of `pytest_bayesf1.compare`."""

    rope: RopeLike | None
    model: str | None
    agreement: float | tuple[float, float] | None


@dataclass(frozen=True)
class Options:
    """Checked arguments of a call that samples a posterior; see `pytest_bayesf1.compare`."""

    measure: MeasureLike
    hdi_prob: float
    prior: str | Prior
    engine: Engine
    seed: int
    n_draws: int | None

    @classmethod
    def resolve(cls, **given: Any) -> Self:
        """Decide on every argument."""
        names = [field.name for field in fields(cls)]
        for name in given:
            require_choice("arguments", name, names)
        values = {name: resolved(name, given.get(name)) for name in names}
        return cls(**values | {"engine": load_engine(values["engine"])})

    @property
    def earlier(self) -> PseudoCounts | None:
        """What the prior counted already."""
        return self.prior.counts if isinstance(self.prior, Prior) else None

    def prior_for(self, experiment: Experiment) -> Prior:
        """Return the prior itself, which may depend on the kind of data; raise `InputError` where it cannot serve."""
        prior = self.prior if isinstance(self.prior, Prior) else prior_by_name(self.prior, experiment)
        if experiment.spans:
            return prior.over_spans()
        return prior.over_clusters(experiment.tables[0]) if experiment.clusters else prior


@dataclass(frozen=True)
class CompareOptions(Options):
    """Checked arguments of `pytest_bayesf1.compare`."""

    rope: Rope
    model: AnyModel
    agreement: tuple[float, float] | None


def resolved(name: str, given: Any = None) -> Any:
    """Return the checked value of an argument: the caller's, else the project's, else the default."""
    argument = ARGUMENTS[name]
    candidates = (given, current_session().settings.get(name), argument.default)
    value = next((value for value in candidates if value is not None), None)
    if value is None and argument.required:
        advice = f"Pass {name}=..., or set bayesf1_{name} in the project's pytest configuration."
        raise InputError(name, argument.required, "nothing", advice)
    return argument.check(value)


def asked_prior(given: str | Prior | None) -> str:
    """Name the prior that is asked for."""
    return str(resolved("prior", given))


P = ParamSpec("P")
T = TypeVar("T")

_POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
TWO_SIDES = (
    "Of arrays of labels make PairedCounts.from_predictions(y_true, baseline_pred, candidate_pred), and pass it alone."
)
ONE_SIDE = "Of arrays of labels make ConfusionMatrix.from_predictions(y_true, y_pred)."


def positional(advice: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Let a function raise `InputError` when it is handed more by position than it has places."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        places = [each.name for each in signature(function).parameters.values() if each.kind in _POSITIONAL]
        names = [name for name in places if name != "self"]

        @wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> T:
            if len(args) > len(places):
                raise InputError(
                    "arguments",
                    f"{' and '.join(names)} alone by position",
                    f"{len(args) - len(places) + len(names)} arguments",
                    f"{advice} All else goes by name, such as rope=0.01.",
                )
            return function(*args, **kwargs)

        return checked

    return decorate
