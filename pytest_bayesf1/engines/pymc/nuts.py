"""Sampling by PyMC's NUTS: slower than the exact engine, and open to priors that it cannot do."""

import sys
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pytest_bayesf1._util import counted
from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.engines.cells.table_draws import TableDraws, table_draws
from pytest_bayesf1.engines.cells.theta_draws import ThetaDraws
from pytest_bayesf1.engines.posteriors.group_mass import GroupMass, Masses, group_mass
from pytest_bayesf1.engines.posteriors.nested import draw_kappa, root_two_grid
from pytest_bayesf1.engines.protocol import Glimpse, Seed
from pytest_bayesf1.engines.pymc.chains import bulk_ess, largest_r_hat
from pytest_bayesf1.engines.pymc.models import (
    Names,
    Trace,
    VariablePrior,
    build_model,
    dirichlet,
    draw_forward,
    names_of,
    run_nuts,
)
from pytest_bayesf1.errors import ConvergenceError, InputError
from pytest_bayesf1.measures.classification import Scoring
from pytest_bayesf1.priors import EvenCells, NestedGroups, Prior
from pytest_bayesf1.results.comparison import Convergence
from pytest_bayesf1.settings import EngineName

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

    @property
    def most_draws(self) -> int:
        """The kept draws of all chains: chains do not grow."""
        return self.chains * self.draws

    @property
    def shows_progress(self) -> bool:
        """Whether a progress bar is shown: as set, else on a terminal."""
        return sys.stderr.isatty() if self.progressbar is None else self.progressbar

    def sampler(
        self,
        experiment: Experiment,
        prior: Prior,
        scoring: Scoring,
        seed: Seed,
        glimpse: Glimpse | None = None,  # noqa: ARG002
    ) -> "NutsSampler":
        """Prepare to sample; the chains run when draws are asked for."""
        return NutsSampler(self, experiment, prior, scoring, seed)


class NutsSampler:
    """Chains for the shared parameters, conjugate draws for the rest.

    Parameters
    ----------
    engine
        Its settings.
    experiment, prior
        What was counted, and the prior on it.
    scoring
        What of each draw is kept.
    seed
        Of the chains, and of what is drawn beside them.
    """

    glimpsed: ClassVar[None] = None

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
        return run_nuts(
            model,
            seed,
            draws=-(-n // engine.chains),
            tune=engine.tune,
            chains=engine.chains,
            cores=engine.cores,
            progressbar=engine.shows_progress,
            quiet=not engine.shows_progress,
        )

    def _scores(self) -> Floats:
        """Score every draw of the chains, one chain after the other."""
        rng = np.random.default_rng(self._seeds[1])
        variables = {name: values.reshape(-1, *values.shape[2:]) for name, values in self._trace.variables.items()}
        sources = [
            (self._table_draws(table, variables, names, rng), _in_rows(variables[names.mu], table))
            for table, names in zip(self._experiment.known, names_of(self._experiment), strict=True)
        ]
        n = len(sources[0][1])
        blocks = []
        for start in range(0, n, _BLOCK):
            size = min(_BLOCK, n - start)
            blocks.append(
                [
                    self._scoring(joint)
                    for source, mu in sources
                    for joint in source.draw(size, rng, mu[start : start + size])
                ]
            )
        return np.concatenate([np.stack(block) for block in blocks], axis=1)

    def _table_draws(
        self, table: OutcomeTable, variables: dict[str, Floats], names: Names, rng: np.random.Generator
    ) -> TableDraws:
        rows = self._prior.rows
        if isinstance(rows, EvenCells):
            return ThetaDraws(table, variables[names.theta])
        groups = variables[names.eta] if table.multilabel else variables[names.eta][:, None]
        if isinstance(rows, NestedGroups):
            groups = groups * _kappas(table, groups, rows, rng)
        return table_draws(table, _ChainedMass(groups, group_mass(table, self._prior)), self._scoring.detail)

    def convergence(self, values: Floats) -> Convergence:
        """Judge the chains by R-hat and by the effective number of draws.

        Parameters
        ----------
        values : (n,)
            The quantity that was asked for, one chain after the other.

        Raises
        ------
        ConvergenceError
            When the chains do not agree, or are worth too few independent draws.
        """
        variables = list(self._trace.variables.values())
        chains = values.reshape(variables[0].shape[:2])
        r_hat = largest_r_hat([chains, *variables])
        found = Convergence(bulk_ess(chains), self._engine.chains, r_hat, self._trace.divergences)
        if not (r_hat <= LARGEST_R_HAT and found.ess >= FEWEST_EFFECTIVE_DRAWS):
            raise ConvergenceError(
                "engine pymc",
                f"R-hat up to {LARGEST_R_HAT} and at least {FEWEST_EFFECTIVE_DRAWS} effective draws",
                f"{found}, {counted(found.divergences, 'divergence')}",
                MORE_DRAWS,
            )
        return found


def _in_rows(mu: Floats, table: OutcomeTable) -> Floats:
    """Put draws of class proportions in the rows of the table, (N, M): none where a row stays empty."""
    in_rows = np.zeros((len(mu), table.n_classes))
    in_rows[:, table.may_be_true] = mu.reshape(len(mu), -1)
    return in_rows


class _ChainedMass:
    """Masses of groups from chains, in their order; what splits a group's share is drawn beside them."""

    def __init__(self, groups: Floats, exact: GroupMass) -> None:
        self._groups, self._exact, self._next = groups, exact, 0
        self.expected_on_cells, self.least_on_cells = exact.expected_on_cells, exact.least_on_cells
        self.splits_apart = exact.splits_apart

    def draw(self, n: int, rng: np.random.Generator) -> Masses:
        """Take the next n draws of the chains."""
        groups = self._groups[self._next : self._next + n]
        self._next += n
        return Masses(groups, self.draw_split(n, rng))

    def draw_split(self, n: int, rng: np.random.Generator) -> Floats | None:
        """Draw `Masses.split` as the exact engine does: chains do not sample it."""
        return self._exact.draw_split(n, rng)


def _kappas(table: OutcomeTable, eta: Floats, rows: NestedGroups, rng: np.random.Generator) -> Floats:
    """Draw kappa for every eta, (n, kinds, groups), and kind of row: (n, kinds, 1)."""
    grid, kinds = root_two_grid(rows.kappa), table.row_kinds
    drawn = [draw_kappa(table.group_counts[kinds == kind], eta[:, kind], grid, rng) for kind in range(kinds.max() + 1)]
    return np.stack(drawn, axis=1)[:, :, None]
