"""The PyMC engine: NUTS, for priors without a closed form."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.choices import EngineName
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.engines.exact import TableDraws, table_draws
from pytest_bayesf1.engines.hyperparameters import group_mass
from pytest_bayesf1.engines.protocol import Seed
from pytest_bayesf1.errors import ConvergenceError, InputError
from pytest_bayesf1.measures.classification import Joint, Scoring
from pytest_bayesf1.priors import EvenCells, NestedGroups, Prior
from pytest_bayesf1.results.comparison import Convergence
from pytest_bayesf1.text import counted

if TYPE_CHECKING:
    from pytest_bayesf1.engines.chains import Names, Trace, VariablePrior


def dirichlet(name: str, weights: Floats) -> Any:
    """Create a Dirichlet variable: the default prior.

    Parameters
    ----------
    name
        The variable's name in the model.
    weights
        Its pseudo-counts, in its shape.
    """
    import pymc as pm  # noqa: PLC0415 (it takes seconds)

    return pm.Dirichlet(name, weights)


LARGEST_R_HAT = 1.01
FEWEST_EFFECTIVE_DRAWS = 400
_BLOCK = 500
_MOST_TIMES = 4  # as many chains at first


@dataclass(frozen=True)
class NutsEngine:
    """The engine ``"pymc"``; pass one as ``engine=`` to change its settings.

    Attributes
    ----------
    chains, draws, tune
        Number of chains, draws kept per chain, and tuning steps per chain. Where these leave the decision open, as many
        chains again are added, up to `most_draws` in all.
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
    mu: "VariablePrior" = dirichlet
    eta: "VariablePrior" = dirichlet
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

    @property
    def most_draws(self) -> int:
        """The kept draws at which a decision is on the edge."""
        return _MOST_TIMES * self.first_draws

    def sampler(self, experiment: Experiment, prior: Prior, scoring: Scoring, seed: Seed) -> "NutsSampler":
        """Prepare to sample; the chains run when draws are asked for."""
        return NutsSampler(self, experiment, prior, scoring, seed)


class NutsSampler:
    """Chains for the shared parameters, conjugate draws for the rest."""

    def __init__(self, engine: NutsEngine, experiment: Experiment, prior: Prior, scoring: Scoring, seed: Seed) -> None:
        from pytest_bayesf1.engines import chains  # noqa: PLC0415 (it takes seconds, which a refusal does not need)

        self._chains = chains
        self._engine, self._experiment, self._prior, self._scoring = engine, experiment, prior, scoring
        self._seeds = np.random.SeedSequence(seed)
        self._traces: list[Trace] = []

    def draw(self, n: int) -> Floats:
        """Run new chains for n draws in all, rounded up to whole chains, and return every side's score, (sides, n)."""
        engine = self._engine
        model = self._chains.build_model(self._experiment, self._prior, engine.mu, engine.eta)
        of_chains, of_scores = self._seeds.spawn(2)
        seed = int(of_chains.generate_state(1)[0])
        if any(table.count.size for table in self._experiment.known):
            shown = sys.stderr.isatty() if engine.progressbar is None else engine.progressbar
            sizes = {"draws": -(-n // engine.chains), "tune": engine.tune}
            options = {"chains": engine.chains, "cores": engine.cores, "progressbar": shown, "quiet": not shown}
            trace = self._chains.run_nuts(model, seed, **sizes, **options)
        else:
            trace = self._chains.draw_forward(model, n, seed)
        self._traces.append(trace)
        return self._scores(trace, np.random.default_rng(of_scores))

    def _scores(self, trace: "Trace", rng: np.random.Generator) -> Floats:
        """Score every draw of the chains, one chain after the other."""
        variables = {name: values.reshape(-1, *values.shape[2:]) for name, values in trace.variables.items()}
        named = list(zip(self._experiment.known, self._chains.names_of(self._experiment), strict=True))
        proportions = [_in_rows(variables[names.mu], table) for table, names in named]
        if self._experiment.population is not None:
            sizes = (max(float(table.count.sum()), 1.0) for table, _ in named)
            masses = [size * mu for size, mu in zip(sizes, proportions, strict=True)]
            proportions = [self._experiment.population.given(masses)] * len(named)
        tables = (self._table_draws(table, variables, names) for table, names in named)
        sources, n = list(zip(tables, proportions, strict=True)), len(proportions[0])
        blocks = []
        for start in range(0, n, _BLOCK):
            size = min(_BLOCK, n - start)
            joints = (joint for source, mu in sources for joint in source.draw(size, rng, mu[start : start + size]))
            blocks.append(np.stack([self._scoring(joint) for joint in joints]))
        return np.concatenate(blocks, axis=1)

    def _table_draws(
        self, table: OutcomeTable, variables: dict[str, Floats], names: "Names"
    ) -> "TableDraws | ThetaDraws":
        rows = self._prior.rows
        if isinstance(rows, EvenCells):
            return ThetaDraws(table, variables[names.theta])
        groups = variables[names.eta] if table.multilabel else variables[names.eta][:, None]
        if isinstance(rows, NestedGroups):
            groups = groups * rows.mass(table.n_sides)
        chain = iter(groups)  # in the chains' order; the rest is drawn as by the exact engine
        drawn = group_mass(table, self._prior)
        mass = drawn._replace(draw=lambda n, _: np.stack(list(islice(chain, n))))
        return table_draws(table, mass, self._scoring.detail)

    def convergence(self, values: Floats) -> Convergence:
        """Judge all chains by R-hat and by the effective number of draws."""
        of_traces = (trace.variables.values() for trace in self._traces)
        variables = [np.concatenate(each) for each in zip(*of_traces, strict=True)]
        chains = values.reshape(variables[0].shape[:2])
        r_hat = self._chains.largest_r_hat([chains, *variables])
        divergences = sum(trace.divergences for trace in self._traces)
        found = Convergence(self._chains.bulk_ess(chains), len(chains), r_hat, divergences)
        if not (r_hat <= LARGEST_R_HAT and found.ess >= FEWEST_EFFECTIVE_DRAWS):
            expected = f"R-hat up to {LARGEST_R_HAT} and at least {FEWEST_EFFECTIVE_DRAWS} effective draws"
            of_chains = f"{found.n_chains} chains, R-hat {r_hat:.3f}, ESS {found.ess:,.0f}"
            shown = f"{of_chains}, {counted(divergences, 'divergence')}"
            more = "Sample more: engine=NutsEngine(draws=..., tune=...)"
            advice = f"{more}; or use engine: exact, which needs no chains."
            raise ConvergenceError("engine pymc", expected, shown, advice)
        return found


class ThetaDraws:
    """The draws of theta, (N, M, outcomes), that a Markov chain made, in their order."""

    def __init__(self, table: OutcomeTable, theta: Floats) -> None:
        self._table, self._theta, self._next = table, theta, 0

    def draw(self, n: int, rng: np.random.Generator, class_mass: Floats | None) -> Iterator[Joint]:  # noqa: ARG002
        """Yield the joint probabilities of each side for the next n draws."""
        assert class_mass is not None
        table = self._table
        theta = self._theta[self._next : self._next + n] * class_mass[:, :, None]
        self._next += n
        cells = theta.reshape(n, table.n_problems, table.n_outcomes, *[table.n_outcomes] * table.n_sides)
        cells /= cells.sum(axis=tuple(range(2, cells.ndim)), keepdims=True)
        for side in range(table.n_sides):
            matrix = cells.sum(axis=tuple(3 + other for other in range(table.n_sides) if other != side))
            matrix = matrix if table.multilabel else matrix[:, 0]
            correct = np.diagonal(matrix, axis1=-2, axis2=-1)
            yield Joint(matrix.sum(axis=-1), correct, matrix.sum(axis=-2), matrix)


def _in_rows(mu: Floats, table: OutcomeTable) -> Floats:
    """Put draws of class proportions in the rows of the table, (N, M): none where a row stays empty."""
    in_rows = np.zeros((len(mu), table.n_classes))
    in_rows[:, table.may_be_true] = mu.reshape(len(mu), -1)
    return in_rows
