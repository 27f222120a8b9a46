"""What is reported of the draws of a score or of a difference of scores."""

from dataclasses import dataclass
from math import ceil, sqrt

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.results.comparison import Curve, DeltaFigures, Score
from pytest_bayesf1.stats.decision import Gap, Gaps, Rope
from pytest_bayesf1.stats.density import density_curve
from pytest_bayesf1.stats.draws import Draws


@dataclass(frozen=True, eq=False)
class ScorePosterior(Score):
    """The posterior of one classifier's score, and its draws.

    Attributes
    ----------
    observed
        The score at the observed counts, as scikit-learn computes it.
    mean, std, hdi, density
        Of the posterior; ``hdi`` is (low, high).
    draws : (n,)
        The posterior draws.
    """

    density: Curve
    draws: Floats

    @classmethod
    def of(cls, observed: float, draws: Draws, hdi_prob: float) -> "ScorePosterior":
        """Summarise the draws of a score.

        Parameters
        ----------
        observed
            The score at the observed counts.
        draws
            From its posterior.
        hdi_prob
            Probability that the HDI holds.
        """
        return cls(observed, draws.mean, draws.std, draws.hdi(hdi_prob), density_curve(draws), draws.values)

    @property
    def figures(self) -> Score:
        """The posterior without its draws."""
        return Score(self.observed, self.mean, self.std, self.hdi, self.density)

    def in_words(self, n_samples: int, example: str) -> str:
        """Write the score beside the observed one.

        Parameters
        ----------
        n_samples
            Examples of the side.
        example
            What they are called, in the singular.
        """
        return f"{self.mean:.4f}   observed {self.observed:.4f} on {n_samples:,} {example}s"


def tail_probability(p_below: float, n_draws: int) -> float:
    """Estimate the probability of not lying below a bound, by draws and never too low.

    Of n draws of which k are not below, (k + 1) / (n + 1): where the probability itself is uniform over what repeated
    data make of it, as at the bound it is, the estimate is at most t in no more than a share t of the repetitions,
    however few the draws are.

    Parameters
    ----------
    p_below
        Share of the draws that are below.
    n_draws
        How many there are.

    References
    ----------
    Phipson and Smyth (2010), Permutation P-values should never be zero.

    Examples
    --------
    >>> tail_probability(1.0, 19_999)
    5e-05
    """
    return (round((1 - p_below) * n_draws) + 1) / (n_draws + 1)


def draws_to_tell(tail: float) -> int:
    """Say how many draws tell that a probability is below a bound, if none of them is in the tail.

    Parameters
    ----------
    tail
        The bound: `tail_probability` is then 4 of its standard errors below it.

    Examples
    --------
    >>> draws_to_tell(0.0005)
    10000
    """
    return ceil(5 / tail)


def summarise_delta(delta: Draws, rope: Rope, hdi_prob: float, tail: float = 1.0) -> DeltaFigures:
    """Summarise draws of delta = candidate - baseline, and decide.

    Parameters
    ----------
    delta
        From the posterior.
    rope
        The differences that do not matter.
    hdi_prob
        Probability that the HDI holds.
    tail
        What the probability of not being worse than the ROPE is compared with, beside the HDI.

    Examples
    --------
    >>> import numpy as np
    >>> draws = Draws(np.random.default_rng(0).normal(-0.03, 0.005, 4_000))
    >>> print(summarise_delta(draws, Rope(-0.01, 0.01), hdi_prob=0.95).decision)
    ≪
    """
    (low, high), (mcse_low, mcse_high) = delta.hdi(hdi_prob), delta.hdi_mcse(hdi_prob)
    (p_worse, _, p_better), (p_below, p_inside, p_above) = delta.shares(0.0, 0.0), delta.shares(rope.low, rope.high)
    mcse_below, _, mcse_above = delta.shares_mcse(rope.low, rope.high)
    p_not_below = tail_probability(p_below, delta.values.size)
    gaps = Gaps(
        (
            Gap(rope.low - high, mcse_high),
            Gap(rope.high - high, mcse_high),
            Gap(low - rope.low, mcse_low),
            Gap(low - rope.high, mcse_low),
            Gap(p_below - 0.5, mcse_below),
            Gap(p_above - 0.5, mcse_above),
            Gap(tail - p_not_below, max(mcse_below, sqrt(p_not_below / delta.values.size))),
        )
    )
    return DeltaFigures(
        mean=delta.mean,
        std=delta.std,
        hdi=(low, high),
        mcse_hdi=(mcse_low, mcse_high),
        p_worse=p_worse,
        p_better=p_better,
        p_below_rope=p_below,
        p_in_rope=p_inside,
        p_above_rope=p_above,
        decision=gaps.position.decision,
        settled=gaps.settled,
    )
