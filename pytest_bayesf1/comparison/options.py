"""The arguments that a comparison and an estimate share: defaults, project settings, checks."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import isfinite
from numbers import Integral
from typing import Any, TypedDict, Unpack

from pytest_bayesf1.engines import ENGINES
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.session import current_session
from pytest_bayesf1.stats.measures import MeasureLike
from pytest_bayesf1.stats.priors import PRIORS, require_choice
from pytest_bayesf1.stats.scalars import as_float, shown

FEWEST_DRAWS = 1_000


class SharedArguments(TypedDict, total=False):
    """Keyword arguments of every call that samples a posterior; see `pytest_bayesf1.compare`."""

    measure: MeasureLike | None
    hdi_prob: float | None
    prior: str | None
    engine: str | None
    seed: int | None
    n_draws: int | None


_DEFAULTS: dict[str, Any] = {
    "measure": "f1_macro",
    "hdi_prob": 0.95,
    "prior": "auto",
    "engine": "exact",
    "seed": 0,
    "n_draws": None,
}


@dataclass(frozen=True)
class Options:
    """Checked arguments; see `pytest_bayesf1.compare`."""

    measure: MeasureLike
    hdi_prob: float
    prior: str
    engine: str
    seed: int
    n_draws: int | None

    @classmethod
    def resolve(cls, **given: Unpack[SharedArguments]) -> "Options":
        """Take each argument from the caller, else from the project's settings, else from the defaults.

        Raises
        ------
        InputError
            For a value that cannot be used.
        """
        values = {name: setting(name, given.get(name), default) for name, default in _DEFAULTS.items()}
        for name, check in _CHECKS.items():
            check(name, values[name])
        return cls(**values)


def require_known(given: Iterable[str], known: Iterable[str]) -> None:
    """Raise `InputError` for a keyword argument that does not exist."""
    for name in given:
        require_choice("arguments", name, known)


def setting(name: str, given: Any, default: Any = None) -> Any:
    """Return the caller's value, else the project's, else the default; None means not given."""
    if given is not None:
        return given
    project = current_session().settings.get(name)
    return default if project is None else project


def _require_probability(where: str, value: Any) -> None:
    probability = as_float(value)
    if probability is None or not 0 < probability < 1:
        raise InputError(where, "a probability between 0 and 1", shown(value), "The usual value is 0.95.")


def _require_seed(where: str, value: Any) -> None:
    if not (_is_whole(value) and value >= 0):
        raise InputError(where, "a whole number that is not negative", shown(value))


def _require_draws(where: str, value: Any) -> None:
    if value is not None and not (_is_whole(value) and value >= FEWEST_DRAWS):
        raise InputError(
            where,
            f"a whole number of at least {FEWEST_DRAWS:,}",
            shown(value),
            "Leave it out to draw until the decision is settled.",
        )


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def require_finite(where: str, value: Any) -> float:
    """Return a finite number, or raise `InputError`."""
    number = as_float(value)
    if number is None or not isfinite(number):
        raise InputError(where, "a finite number", shown(value))
    return number


_CHECKS: dict[str, Callable[[str, Any], None]] = {
    "hdi_prob": _require_probability,
    "seed": _require_seed,
    "n_draws": _require_draws,
    "prior": lambda where, value: require_choice(where, value, ("auto", *PRIORS)),
    "engine": lambda where, value: require_choice(where, value, ENGINES),
}
