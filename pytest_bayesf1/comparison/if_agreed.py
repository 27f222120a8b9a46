"""What two bare matrices of one test set would say if the two sides agreed on more of the examples."""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, floor, sqrt

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.comparison.result import Comparison
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.results.comparison import DeltaFigures, OtherDecision
from pytest_bayesf1.settings import Model
from pytest_bayesf1.stats.agreement import Pairings
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.posterior import Draws, summarise_delta

_STEPS = 3
"""How many hundredths of agreement are tried, from the one on that is likely to change the decision."""


@dataclass(frozen=True, eq=False)
class IfAgreed:
    """A comparison, as if the two sides agreed on more of the examples.

    Attributes
    ----------
    comparison
        By the model ``same-set``.
    experiment
        Its counts.
    draw
        Draws delta of a paired experiment as often as it is told to.
    """

    comparison: Comparison
    experiment: Experiment
    draw: Callable[[Experiment, int], Floats]

    def closest(self, n_draws: int) -> DeltaFigures:
        """Summarise delta if they agreed on as many as their counts allow.

        Parameters
        ----------
        n_draws
            Number of draws.
        """
        return self._summarised(self._drawn(self._pairings.most, n_draws))

    def other_decision(self) -> OtherDecision | None:
        """Find from which whole percent on another decision is settled; None where none is.

        It is sought where the variance of delta makes it likely, which falls about evenly from that of independent
        sides on, and drawn there.
        """
        pairings, before = self._pairings, self.comparison
        delta = self._drawn(pairings.most)
        closest = self._summarised(delta)
        if closest.decision == before.decision:
            return None

        def is_decided(delta: Floats) -> bool:
            found = self._summarised(delta)
            return found.decision == closest.decision and found.settled

        def is_likely(percent: int) -> bool:
            share = (percent / 100 * pairings.n - pairings.by_chance) / (pairings.most - pairings.by_chance)
            std = sqrt(before.std**2 + share * (closest.std**2 - before.std**2))
            return is_decided(closest.mean + (delta - closest.mean) * std / closest.std)

        most = pairings.most / pairings.n
        percents = range(ceil(100 * pairings.by_chance / pairings.n), floor(100 * most) + 1)
        place = bisect_left(percents, 1, key=is_likely)
        for percent in percents[place : place + _STEPS]:
            if is_decided(self._drawn(round(percent / 100 * pairings.n))):
                return OtherDecision(closest.decision, percent / 100, most)
        return None

    @cached_property
    def _pairings(self) -> Pairings:
        return Pairings(*self.experiment.tables)

    def _drawn(self, n_agreed: int, n_draws: int = ExactEngine.first_draws) -> Floats:
        joint = replace(self._pairings.agreeing_on(n_agreed), never_true=self.experiment.never_true)
        return self.draw(Experiment(Model.PAIRED, (joint,)), n_draws)

    def _summarised(self, delta: Floats) -> DeltaFigures:
        return summarise_delta(Draws(delta), Rope(*self.comparison.rope), self.comparison.hdi_prob)
