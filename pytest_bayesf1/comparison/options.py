"""The arguments that a comparison and an estimate share: defaults, project settings, checks."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

from pytest_bayesf1.comparison.rules import RULES
from pytest_bayesf1.session import current_session
from pytest_bayesf1.stats.choices import require_choice
from pytest_bayesf1.stats.measures import MeasureLike
from pytest_bayesf1.stats.priors import Prior, PseudoCounts, prior_by_name


class SharedArguments(TypedDict, total=False):
    """Keyword arguments of every call that samples a posterior; see `pytest_bayesf1.compare`."""

    measure: MeasureLike | None
    hdi_prob: float | None
    prior: str | Prior | None
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
    prior: str | Prior
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
        return cls(**{name: _checked(name, value) for name, value in values.items()})

    @property
    def earlier(self) -> PseudoCounts | None:
        """What the prior counted already."""
        return self.prior.counts if isinstance(self.prior, Prior) else None

    def prior_for(self, n_classes: int) -> Prior:
        """Return the prior itself."""
        return self.prior if isinstance(self.prior, Prior) else prior_by_name(self.prior, n_classes)


def _checked(name: str, value: Any) -> Any:
    if name not in RULES or (name == "prior" and isinstance(value, Prior)):
        return value
    return RULES[name](name, value)


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
