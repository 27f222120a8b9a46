"""Draws of a number, with what is made of them more than once."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.stats.intervals import batch_mcse, hdi, hdi_of_ordered, mean_mcse, quantiles

_QUARTILES = np.array([0.25, 0.75])


@dataclass(frozen=True, eq=False)
class Draws:
    """Draws of a number.

    Attributes
    ----------
    values : (n,)
        In the order in which they were drawn.
    """

    values: Floats

    @cached_property
    def ordered(self) -> Floats:
        """(n,) in ascending order."""
        return np.sort(self.values)

    @cached_property
    def mean(self) -> float:
        """The mean of all draws."""
        return float(self.values.mean())

    @cached_property
    def std(self) -> float:
        """Standard deviation of what they come from."""
        return float(self.values.std(ddof=1))

    def hdi(self, prob: float) -> tuple[float, float]:
        """Return the narrowest interval that holds ``prob`` of them; see `intervals.hdi`."""
        low, high = hdi_of_ordered(self.ordered, prob).tolist()
        return low, high

    def hdi_mcse(self, prob: float) -> tuple[float, float]:
        """Return the Monte Carlo standard errors of both ends of that interval."""
        low, high = batch_mcse(self.values, lambda batches: hdi(batches, prob)).tolist()
        return low, high

    def shares(self, low: float, high: float) -> tuple[float, float, float]:
        """Return the shares of draws below, inside and above an interval.

        Parameters
        ----------
        low, high
            The interval's ends, which belong to it.
        """
        n, below = self.values.size, int(np.searchsorted(self.ordered, low, "left"))
        not_above = int(np.searchsorted(self.ordered, high, "right"))
        return below / n, (not_above - below) / n, (n - not_above) / n

    def shares_mcse(self, low: float, high: float) -> tuple[float, float, float]:
        """Return the Monte Carlo standard errors of these `shares`.

        Parameters
        ----------
        low, high
            The interval's ends.
        """

        def shares(batches: Floats) -> Floats:
            below, above = (batches < low).mean(axis=-1), (batches > high).mean(axis=-1)
            return np.stack([below, 1 - below - above, above], axis=-1)

        below, inside, above = batch_mcse(self.values, shares).tolist()
        return below, inside, above

    @cached_property
    def bandwidth(self) -> float:
        """Of a kernel estimate of their density, by Silverman's rule: 0.9 min(std, IQR / 1.349) n^(-1/5).

        A constant, whose density does not exist, counts as a very narrow peak.

        References
        ----------
        Silverman (1986), Density Estimation for Statistics and Data Analysis, eq. 3.31.
        """
        low, high = quantiles(self.ordered, _QUARTILES)
        spread = float(min(self.std, (high - low) / 1.349) or self.std)
        return 0.9 * (spread or 1e-9 * max(abs(float(self.values[0])), 1.0)) * float(self.values.size**-0.2)

    @cached_property
    def density_at_zero(self) -> tuple[float, float]:
        """A Gaussian kernel estimate of their density at 0, and its Monte Carlo standard error."""
        kernel = np.exp(-((self.values / self.bandwidth) ** 2) / 2) / (self.bandwidth * np.sqrt(2 * np.pi))
        return float(kernel.mean()), mean_mcse(kernel)
