"""How probable each decision is on a test set of a given size, where the truth is known: to first order, all is normal.

An observed score is its true value plus the mean of a bounded influence of each example, and so is a difference of two.
On N examples the estimate of delta is then nearly normal about the true delta with a standard deviation
``scatter / sqrt(N)``, and the posterior nearly normal about the estimate with ``width / sqrt(N)``. The two are equal
where the model knows all that the sides share; the same test set read as bare matrices is scattered less than its
posterior is wide.
"""

from dataclasses import dataclass
from functools import cached_property
from math import ceil, sqrt

from scipy.stats import norm

from pytest_bayesf1.results.other import DecisionRates
from pytest_bayesf1.stats.decision import Rope


@dataclass(frozen=True)
class NormalPower:
    """The decisions that a normal posterior leads to.

    Attributes
    ----------
    rope, hdi_prob
        What decides.
    delta
        The true difference.
    scatter
        Standard deviation of the estimate, times the root of the number of examples.
    width
        That of the posterior.
    """

    rope: Rope
    hdi_prob: float
    delta: float
    scatter: float
    width: float

    @cached_property
    def _reach(self) -> float:
        """Half of the HDI, times the root of the number of examples."""
        return float(norm.ppf(0.5 + self.hdi_prob / 2)) * self.width

    def rates(self, n_examples: int) -> DecisionRates:
        """Tell how probable each decision is.

        Parameters
        ----------
        n_examples
            Size of the test set.

        Examples
        --------
        >>> edge = NormalPower(Rope(-0.01, 0.01), 0.95, delta=-0.01, scatter=0.3, width=0.3)
        >>> round(edge.rates(100_000).much_worse, 3)
        0.025
        """
        low, high = self.rope.low, self.rope.high
        half = self._reach / sqrt(n_examples)
        inside = (low + half, high - half)  # of the estimate, where the whole HDI lies inside the ROPE
        much_worse, below, not_above, not_much_better = self._below(n_examples, low - half, low, high, high + half)
        equivalent = 0.0
        if inside[0] < inside[1]:
            at_low, at_high = self._below(n_examples, *inside)
            equivalent = at_high - at_low
        return DecisionRates(
            much_worse=much_worse,
            worse=below - much_worse,
            equivalent=equivalent,
            better=not_much_better - not_above,
            much_better=1 - not_much_better,
            undecided=max(not_above - below - equivalent, 0.0),
        )

    def _below(self, n_examples: int, *estimates: float) -> tuple[float, ...]:
        """Return the probabilities that the estimate falls below each."""
        if self.scatter == 0:
            return tuple(float(self.delta < estimate) for estimate in estimates)
        return tuple(
            float(norm.cdf((estimate - self.delta) * sqrt(n_examples) / self.scatter)) for estimate in estimates
        )

    def examples_to_fail(self, power: float) -> int | None:
        """Return the smallest test set on which the candidate fails (≪) with a given probability.

        Parameters
        ----------
        power
            The probability.

        Returns
        -------
        int or None
            None where the loss lies within the ROPE: more examples make a failure no more probable.

        Examples
        --------
        >>> NormalPower(Rope(-0.01, 0.01), 0.95, delta=-0.03, scatter=0.3, width=0.3).examples_to_fail(0.8)
        1766
        """
        room = self.rope.low - self.delta
        if room <= 0:
            return None
        root = (self._reach + self.scatter * float(norm.ppf(power))) / room
        return max(ceil(max(root, 0.0) ** 2), 1)
