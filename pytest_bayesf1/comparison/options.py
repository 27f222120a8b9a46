"""The arguments that a comparison and an estimate share: defaults, project settings, checks."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

from pytest_bayesf1.checks import require_choice
from pytest_bayesf1.comparison import rules
from pytest_bayesf1.counts.experiment import Experiment
from pytest_bayesf1.engines import load_engine
from pytest_bayesf1.engines.protocol import Engine
from pytest_bayesf1.measures.measures import MeasureLike
from pytest_bayesf1.priors.priors import Prior, prior_by_name
from pytest_bayesf1.priors.pseudo_counts import PseudoCounts
from pytest_bayesf1.session import current_session


class SharedArguments(TypedDict, total=False):
    """Keyword arguments of every call that samples a posterior; see `pytest_bayesf1.compare`."""

    measure: MeasureLike | None
    hdi_prob: float | None
    prior: str | Prior | None
    engine: str | Engine | None
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
    engine: Engine
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
        return cls(**{name: _CHECKS[name](name, value) for name, value in values.items()})

    @property
    def earlier(self) -> PseudoCounts | None:
        """What the prior counted already."""
        return self.prior.counts if isinstance(self.prior, Prior) else None

    def prior_for(self, experiment: Experiment) -> Prior:
        """Return the prior itself."""
        return self.prior if isinstance(self.prior, Prior) else prior_by_name(self.prior, experiment)


def _as_it_is(where: str, value: Any) -> Any:  # noqa: ARG001
    return value


def _prior(where: str, value: Any) -> str | Prior:
    return value if isinstance(value, Prior) else rules.prior(where, value)


def _engine(where: str, value: Any) -> Engine:
    return value if hasattr(value, "sampler") else load_engine(rules.engine(where, value))


_CHECKS: Mapping[str, Callable[[str, Any], Any]] = {
    "measure": _as_it_is,  # its labels are not known yet
    "hdi_prob": rules.hdi_probability,
    "prior": _prior,
    "engine": _engine,
    "seed": rules.seed,
    "n_draws": rules.n_draws,
}


def asked_prior(given: str | Prior | None) -> str:
    """Name the prior that a call or the project's setting asks for; ``auto`` stays what it is."""
    return str(setting("prior", given, _DEFAULTS["prior"]))


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
