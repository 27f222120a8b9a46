"""The PyMC engine: NUTS, for priors without a closed form. The only importer of PyMC and ArviZ.

NUTS has a hard time with Dirichlet weights far below 1, as theta has them under the hierarchical priors. So theta is
integrated out of the models where classes share parameters: what is left to sample are mu and the shared eta, and theta
follows from them by a conjugate draw. Where every cell has a pseudo-count of its own, theta itself is sampled.

PYTEST_DONT_REWRITE
"""

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, ClassVar, TypeAlias

import numpy as np
import pytensor.tensor as pt

from pytest_bayesf1._util import counted
from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.engines.exact import TableDraws, ThetaDraws, table_draws
from pytest_bayesf1.engines.hyperparameters import draw_kappa, group_mass, group_weights, root_two_grid
from pytest_bayesf1.engines.protocol import ClassScoring, Seed
from pytest_bayesf1.errors import ConvergenceError, InputError
from pytest_bayesf1.measures.classification import Scoring
from pytest_bayesf1.priors import EvenCells, NestedGroups, Prior, SharedGroups
from pytest_bayesf1.results.comparison import Convergence
from pytest_bayesf1.settings import EngineName, Model


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


@dataclass(frozen=True)
class Names:
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


def dirichlet(name: str, weights: Floats) -> Any:
    """Create a Dirichlet variable: the default prior.

    Parameters
    ----------
    name
        The variable's name in the model.
    weights
        Its pseudo-counts, in its shape.
    """
    return pm.Dirichlet(name, weights)


def build_model(
    experiment: Experiment, prior: Prior, mu: VariablePrior = dirichlet, eta: VariablePrior = dirichlet
) -> pm.Model:
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
        found = counted(len(table.unsupported), "label") + " without one"
        raise InputError("engine", "an example with each label", found, "The engine 'exact' needs none.")
    weights = prior.class_weights(table) + (known.row_totals - table.row_totals)
    shape = table.class_shape if table.multilabel else (-1,)
    weights, counts = (each[table.may_be_true].reshape(shape) for each in (weights, table.row_totals))
    pm.Potential(f"{name}_counts", pt.sum(counts * pt.log(mu(name, weights))))


def _add_outcomes(table: OutcomeTable, known: OutcomeTable, prior: Prior, names: Names, eta: VariablePrior) -> None:
    match prior.rows:
        case EvenCells() as rows:
            _add_cells(table, known, rows.weight, names.theta)
        case SharedGroups() as rows:
            log_likelihood = _shared(known, _eta(known, rows.alpha, names.eta, eta))
            pm.Potential(f"{names.eta}_counts", log_likelihood)
        case NestedGroups() as rows:
            log_likelihood = _nested(known, _eta(known, rows.alpha, names.eta, eta), rows)
            pm.Potential(f"{names.eta}_counts", log_likelihood)


def _eta(table: OutcomeTable, alpha: tuple[float, float], name: str, eta: VariablePrior) -> Any:
    """Create eta; as (kinds, groups), whatever it is to the user."""
    weights = group_weights(alpha, table.n_sides)
    if table.multilabel:
        return eta(name, np.stack([weights, weights]))
    return eta(name, weights)[None]


def _shared(table: OutcomeTable, eta: Any) -> Any:
    """Collapsed likelihood of eta; equal cells are visited once."""
    cells = np.stack([table.row_kinds[table.true], table.group, table.count])
    (kind, group, count), times = np.unique(cells, axis=1, return_counts=True)
    kind, group = kind.astype(int), group.astype(int)
    return pt.sum(times * _log_rising(eta[kind, group] / table.group_sizes[group], count))


def _nested(table: OutcomeTable, eta: Any, rows: NestedGroups) -> Any:
    """Collapsed likelihood of eta, summed over kappa's grid."""
    kappas = root_two_grid(rows.kappa)[:, None, None]
    likelihood = 0.0
    for kind in range(table.row_kinds.max() + 1):
        counts = table.group_counts[table.row_kinds == kind]
        rising = pt.sum(_log_rising(kappas * eta[kind], counts), axis=(1, 2))
        totals = pt.sum(_log_rising(kappas[:, :, 0], counts.sum(axis=1)), axis=1)
        likelihood += pt.logsumexp(rising - totals)
    return likelihood


def _add_cells(table: OutcomeTable, known: OutcomeTable, weight: float, name: str) -> None:
    n_cells = table.n_classes * table.n_outcomes**table.n_sides
    if n_cells > _MOST_CELLS:
        advice = "The engine 'exact' takes far more."
        raise InputError("engine", f"at most {_MOST_CELLS:,} cells", f"{n_cells:,}", advice)
    now, before = dense(table), dense(known) - dense(table)
    if not (weight + before).all():
        raise InputError("engine", "a pseudo-count in every cell", "none in some", "The engine 'exact' needs none.")
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


@dataclass(frozen=True)
class Trace:
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


LARGEST_R_HAT = 1.01
FEWEST_EFFECTIVE_DRAWS = 400
MORE_DRAWS = "Sample more: engine=NutsEngine(draws=..., tune=...); or use engine='exact', which needs no chains."
_BLOCK = 500


@dataclass(frozen=True)
class NutsEngine:
    """The engine ``"pymc"``; pass one of your own as ``engine=`` to change its settings.

    Attributes
    ----------
    chains, draws, tune
        Number of chains, draws kept per chain, and tuning steps per chain.
    mu, eta
        Priors in place of the Dirichlet ones: functions of a name and the default's weights that create a PyMC variable
        of that name and shape. The exact engine knows Dirichlet priors only.
    progressbar
        Whether to show one; None shows it on a terminal.
    cores
        Processes.

    Examples
    --------
    >>> NutsEngine(draws=2_000).first_draws
    8000
    """

    chains: int = 4
    draws: int = 1_000
    tune: int = 1_000
    mu: VariablePrior = dirichlet
    eta: VariablePrior = dirichlet
    progressbar: bool | None = None
    cores: int = 1

    name: ClassVar[str] = EngineName.PYMC

    def __post_init__(self) -> None:
        """Require at least 2 chains, 100 draws, 100 tuning steps and a process."""
        for name, least in (("chains", 2), ("draws", 100), ("tune", 100), ("cores", 1)):
            if getattr(self, name) < least:
                raise InputError(f"NutsEngine.{name}", f"at least {least}", f"{getattr(self, name)}")

    @property
    def first_draws(self) -> int:
        """The kept draws of all chains."""
        return self.chains * self.draws

    most_draws = first_draws  # chains do not grow

    def sampler(
        self,
        experiment: Experiment,
        prior: Prior,
        scoring: Scoring,
        seed: Seed,
        class_scoring: ClassScoring | None = None,  # noqa: ARG002
    ) -> "NutsSampler":
        """Prepare to sample; the chains run when draws are asked for."""
        return NutsSampler(self, experiment, prior, scoring, seed)


class NutsSampler:
    """Chains for the shared parameters, conjugate draws for the rest."""

    class_scores: ClassVar[None] = None

    def __init__(self, engine: NutsEngine, experiment: Experiment, prior: Prior, scoring: Scoring, seed: Seed) -> None:
        self._engine, self._experiment, self._prior, self._scoring = engine, experiment, prior, scoring
        self._seeds = np.random.SeedSequence(seed).spawn(2)

    def draw(self, n: int) -> Floats:
        """Run the chains for n draws in all, rounded up to whole chains, and return every side's score, (sides, n)."""
        self._trace = self._sample(n)
        return self._scores()

    def _sample(self, n: int) -> Trace:
        engine = self._engine
        model = build_model(self._experiment, self._prior, engine.mu, engine.eta)
        seed = int(self._seeds[0].generate_state(1)[0])
        if not any(table.count.size for table in self._experiment.known):
            return draw_forward(model, n, seed)
        shown = sys.stderr.isatty() if engine.progressbar is None else engine.progressbar
        sizes = {"draws": -(-n // engine.chains), "tune": engine.tune, "chains": engine.chains, "cores": engine.cores}
        return run_nuts(model, seed, **sizes, progressbar=shown, quiet=not shown)

    def _scores(self) -> Floats:
        """Score every draw of the chains, one chain after the other."""
        rng = np.random.default_rng(self._seeds[1])
        variables = {name: values.reshape(-1, *values.shape[2:]) for name, values in self._trace.variables.items()}
        named = list(zip(self._experiment.known, names_of(self._experiment), strict=True))
        proportions = [_in_rows(variables[names.mu], table) for table, names in named]
        if self._experiment.population is not None:
            sizes = (max(float(table.count.sum()), 1.0) for table, _ in named)
            masses = [size * mu for size, mu in zip(sizes, proportions, strict=True)]
            proportions = [self._experiment.population.draw(masses, rng)] * len(named)
        tables = (self._table_draws(table, variables, names, rng) for table, names in named)
        sources, n = list(zip(tables, proportions, strict=True)), len(proportions[0])
        blocks = []
        for start in range(0, n, _BLOCK):
            size = min(_BLOCK, n - start)
            joints = (joint for source, mu in sources for joint in source.draw(size, rng, mu[start : start + size]))
            blocks.append(np.stack([self._scoring(joint) for joint in joints]))
        return np.concatenate(blocks, axis=1)

    def _table_draws(
        self, table: OutcomeTable, variables: dict[str, Floats], names: Names, rng: np.random.Generator
    ) -> TableDraws:
        rows = self._prior.rows
        if isinstance(rows, EvenCells):
            return ThetaDraws(table, variables[names.theta])
        groups = variables[names.eta] if table.multilabel else variables[names.eta][:, None]
        if isinstance(rows, NestedGroups):
            groups = groups * _kappas(table, groups, rows, rng)
        chain = iter(groups)  # in the chains' order; what splits a group's share is drawn as by the exact engine
        mass = replace(group_mass(table, self._prior), draw_groups=lambda n, _: np.stack(list(islice(chain, n))))
        return table_draws(table, mass, self._scoring.detail)

    def convergence(self, values: Floats) -> Convergence:
        """Judge the chains by R-hat and by the effective number of draws."""
        variables = list(self._trace.variables.values())
        chains = values.reshape(variables[0].shape[:2])
        r_hat = largest_r_hat([chains, *variables])
        found = Convergence(bulk_ess(chains), self._engine.chains, r_hat, self._trace.divergences)
        if not (r_hat <= LARGEST_R_HAT and found.ess >= FEWEST_EFFECTIVE_DRAWS):
            expected = f"R-hat up to {LARGEST_R_HAT} and at least {FEWEST_EFFECTIVE_DRAWS} effective draws"
            shown = f"{found}, {counted(found.divergences, 'divergence')}"
            raise ConvergenceError("engine pymc", expected, shown, MORE_DRAWS)
        return found


def _in_rows(mu: Floats, table: OutcomeTable) -> Floats:
    """Put draws of class proportions in the rows of the table, (N, M): none where a row stays empty."""
    in_rows = np.zeros((len(mu), table.n_classes))
    in_rows[:, table.may_be_true] = mu.reshape(len(mu), -1)
    return in_rows


def _kappas(table: OutcomeTable, eta: Floats, rows: NestedGroups, rng: np.random.Generator) -> Floats:
    """Draw kappa for every eta, (n, kinds, groups), and kind of row: (n, kinds, 1)."""
    grid, kinds = root_two_grid(rows.kappa), table.row_kinds
    drawn = [draw_kappa(table.group_counts[kinds == kind], eta[:, kind], grid, rng) for kind in range(kinds.max() + 1)]
    return np.stack(drawn, axis=1)[:, :, None]
