"""PyMC's models of experiments, and chains of their draws by NUTS. The only importer of PyMC and ArviZ.

NUTS has a hard time with Dirichlet weights far below 1, as theta has them under the hierarchical priors. So theta is
integrated out of the models where classes share parameters: what is left to sample are mu and the shared eta, and theta
follows from them by a conjugate draw. Where every cell has a pseudo-count of its own, theta itself is sampled.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pytensor.tensor as pt

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.choices import EngineName, Model
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.engines.hyperparameters import group_weights, nested_weights
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.priors import EvenCells, NestedGroups, Prior
from pytest_bayesf1.text import counted


@contextmanager
def quiet_arviz() -> Iterator[None]:
    """Import ArviZ, or PyMC that imports it, without the announcement: it would be an error under ``-W error``."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"\s*ArviZ is undergoing", FutureWarning)
        yield


with quiet_arviz():
    import arviz as az
    import pymc as pm


def bulk_ess(values: Floats) -> float:
    """Effective number of independent draws; all of them where they do not vary.

    References
    ----------
    Vehtari et al. (2021), Rank-normalization, folding, and localization: an improved R-hat.
    """
    return float(az.ess(values)) if np.ptp(values) > 0 else float(values.size)


def largest_r_hat(variables: Iterable[Floats]) -> float:
    """Largest rank-normalised split R-hat of all components of variables; 1 where nothing varies.

    References
    ----------
    Vehtari et al. (2021), Rank-normalization, folding, and localization: an improved R-hat.
    """
    parts = (each for values in variables for each in values.reshape(*values.shape[:2], -1).transpose(2, 0, 1))
    return max((float(az.rhat(each)) for each in parts if np.ptp(each) > 0), default=1.0)


def to_arviz(variables: Mapping[str, Floats]) -> Any:
    """Wrap draws as ArviZ's data: a DataTree from version 1 on, an InferenceData before."""
    convert = az.convert_to_datatree if hasattr(az, "convert_to_datatree") else az.convert_to_inference_data
    return convert(dict(variables))


VariablePrior: TypeAlias = Callable[[str, Floats], Any]
"""Takes a variable's name and its default's Dirichlet weights, and creates it in the model that is being built."""

_MOST_CELLS = 2_000


class Names(NamedTuple):
    """What the variables of one table are called."""

    mu: str
    eta: str
    theta: str


def names_of(experiment: Experiment) -> list[Names]:
    """Name each table's variables; tables that share mu name it alike."""
    if len(experiment.tables) == 1:
        return [Names("mu", "eta", "theta")]
    mu = "mu" if experiment.model == Model.SAME_SET else "mu_{}"
    return [Names(mu.format(side), f"eta_{side}", f"theta_{side}") for side in ("baseline", "candidate")]


def build_model(experiment: Experiment, prior: Prior, mu: VariablePrior, eta: VariablePrior) -> pm.Model:
    """Build the model of an experiment.

    Parameters
    ----------
    experiment, prior
        What was counted, and the prior on it.
    mu, eta
        Priors in place of the Dirichlet ones. mu has shape (M,), of the classes that have examples, eta shape (2,) for
        one side (right, wrong) and (4,) for pairs (both right, only the baseline, only the candidate, neither). Of
        multi-label data mu has shape (L, 2) and eta shape (2, ...), absences first.
    """
    if experiment.spans:
        raise InputError("engine", f"{EngineName.EXACT!r} for spans", f"{EngineName.PYMC!r}")
    with pm.Model() as model:
        for table, known, names in zip(experiment.tables, experiment.known, names_of(experiment), strict=True):
            if names.mu not in model:
                _add_proportions(table, known, prior, names.mu, mu)
            _add_outcomes(table, known, prior, names, eta)
    return model


def _add_proportions(table: OutcomeTable, known: OutcomeTable, prior: Prior, name: str, mu: VariablePrior) -> None:
    if table.unsupported and table.multilabel:
        problem = f"{counted(len(table.unsupported), 'label')} without an example"
        raise InputError.plain("engine", problem, "Use 'exact', which needs none.")
    weights = prior.class_weights(table) + (known.row_totals - table.row_totals)
    rows, shape = table.may_be_true, table.class_shape if table.multilabel else (-1,)
    shares = mu(name, weights[rows].reshape(shape))
    pm.Potential(f"{name}_counts", pt.sum(table.row_totals[rows].reshape(shape) * pt.log(shares)))


def _add_outcomes(table: OutcomeTable, known: OutcomeTable, prior: Prior, names: Names, eta: VariablePrior) -> None:
    rows = prior.rows
    if isinstance(rows, EvenCells):
        _add_cells(table, known, rows.weight, names.theta)
        return
    if isinstance(rows, NestedGroups):  # its weights are those after the data
        _eta(table, nested_weights(known, rows), names.eta, eta)
        return
    weights = group_weights(rows.alpha, table.n_sides)
    shares = _eta(table, np.stack([weights, weights]), names.eta, eta)
    pm.Potential(f"{names.eta}_counts", _shared(known, shares))


def _eta(table: OutcomeTable, weights: Floats, name: str, eta: VariablePrior) -> Any:
    """Create eta from the weights of every kind of row; as (kinds, groups), whatever it is to the user."""
    return eta(name, weights) if table.multilabel else eta(name, weights[0])[None]


def _shared(table: OutcomeTable, eta: Any) -> Any:
    """Collapsed likelihood of eta; equal cells are visited once."""
    cells = np.stack([table.row_kinds[table.true], table.group, table.count])
    (kind, group, count), times = np.unique(cells, axis=1, return_counts=True)
    kind, group = kind.astype(int), group.astype(int)
    return pt.sum(times * _log_rising(eta[kind, group] / table.group_sizes[group], count))


def _add_cells(table: OutcomeTable, known: OutcomeTable, weight: float, name: str) -> None:
    n_cells = table.n_classes * table.n_outcomes**table.n_sides
    if n_cells > _MOST_CELLS:
        advice = "Use 'exact', which takes far more."
        raise InputError("engine", f"at most {_MOST_CELLS:,} cells", f"{n_cells:,}", advice)
    now, before = dense(table), dense(known) - dense(table)
    theta = pm.Dirichlet(name, weight + before)
    pm.Potential(f"{name}_counts", pt.sum(now * pt.log(theta)))


def dense(table: OutcomeTable) -> Floats:
    """Return all outcomes of every row; with two sides the candidate's prediction varies fastest."""
    cells: Floats = np.zeros((table.n_classes, table.n_outcomes**table.n_sides))
    column = np.zeros_like(table.true)
    for predicted in table.predicted % table.n_outcomes:
        column = column * table.n_outcomes + predicted
    cells[table.true, column] = table.count
    return cells


def _log_rising(x: Any, n: Any) -> Any:
    return pt.gammaln(x + n) - pt.gammaln(x)


class Trace(NamedTuple):
    """Draws of a model's variables, by name, each (chains, draws, ...), and the number of divergent transitions."""

    variables: dict[str, Floats]
    divergences: int


def run_nuts(model: pm.Model, seed: int, **options: Any) -> Trace:
    """Sample a model with NUTS."""
    with model, _without_advice():
        found = pm.sample(random_seed=seed, compute_convergence_checks=False, discard_tuned_samples=True, **options)
    variables = {name: np.asarray(found.posterior[name]) for name in _free(model)}
    return Trace(variables, int(np.asarray(found.sample_stats["diverging"]).sum()))


def draw_forward(model: pm.Model, n: int, seed: int) -> Trace:
    """Draw a model's variables from their priors, for a model without data."""
    names = _free(model)
    with _without_advice():
        drawn = pm.draw([model[name] for name in names], draws=n, random_seed=seed)
    return Trace({name: np.asarray(values)[None] for name, values in zip(names, drawn, strict=True)}, 0)


@contextmanager
def _without_advice() -> Iterator[None]:
    """Keep back PyTensor's advice on installing a BLAS, which these models do not use."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="PyTensor could not link to a BLAS")
        yield


def _free(model: pm.Model) -> list[str]:
    """Name the variables of interest, a user's own parameters among them."""
    return [variable.name for variable in (*model.free_RVs, *model.deterministics)]
