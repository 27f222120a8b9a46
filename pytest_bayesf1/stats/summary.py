"""What is reported of the draws of a score or of a difference of scores."""

from dataclasses import dataclass
from math import ceil

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.results.figures import Curve, Score
from pytest_bayesf1.results.results import DeltaFigures
from pytest_bayesf1.stats.decision import Gap, Gaps, Rope
from pytest_bayesf1.stats.density import density_curve
from pytest_bayesf1.stats.draws import Draws
from pytest_bayesf1.stats.intervals import batch_mcse, hdi, mean_mcse


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
    def of(cls, observed: float, draws: Floats, hdi_prob: float) -> "ScorePosterior":
        """Summarise the draws of a score.

        Parameters
        ----------
        observed
            The score at the observed counts.
        draws : (n,)
            From its posterior.
        hdi_prob
            Probability that the HDI holds.
        """
        mean, std, posterior = float(draws.mean()), float(draws.std(ddof=1)), Draws(draws)
        return cls(observed, mean, std, posterior.hdi(hdi_prob), density_curve(posterior), draws)

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


def summarise_delta(delta: Floats, rope: Rope, hdi_prob: float, tail: float = 1.0) -> DeltaFigures:
    """Summarise draws of delta = candidate - baseline, and decide.

    Parameters
    ----------
    delta : (n,)
        Draws from the posterior.
    rope
        The differences that do not matter.
    hdi_prob
        Probability that the HDI holds.
    tail
        What the probability of not being worse than the ROPE is compared with, beside the HDI.

    Examples
    --------
    >>> draws = np.random.default_rng(0).normal(-0.03, 0.005, 4_000)
    >>> print(summarise_delta(draws, Rope(-0.01, 0.01), hdi_prob=0.95).decision)
    ≪
    """
    low, high = _pair(hdi(delta, hdi_prob))
    mcse_low, mcse_high = _pair(batch_mcse(delta, lambda batches: hdi(batches, hdi_prob)))
    below, above = (delta < rope.low).astype(float), (delta > rope.high).astype(float)
    inside = (delta >= rope.low) & (delta <= rope.high)
    p_below, p_above = float(below.mean()), float(above.mean())
    p_not_below, mcse_below = tail_probability(p_below, delta.size), mean_mcse(below)
    gaps = Gaps(
        (
            Gap(rope.low - high, mcse_high),
            Gap(rope.high - high, mcse_high),
            Gap(low - rope.low, mcse_low),
            Gap(low - rope.high, mcse_low),
            Gap(p_below - 0.5, mcse_below),
            Gap(p_above - 0.5, mean_mcse(above)),
            Gap(tail - p_not_below, max(mcse_below, float(np.sqrt(p_not_below / delta.size)))),
        )
    )
    return DeltaFigures(
        mean=float(delta.mean()),
        std=float(delta.std(ddof=1)),
        hdi=(low, high),
        mcse_hdi=(mcse_low, mcse_high),
        p_worse=float((delta < 0).mean()),
        p_better=float((delta > 0).mean()),
        p_below_rope=p_below,
        p_in_rope=float(inside.mean()),
        p_above_rope=p_above,
        decision=gaps.position.decision,
        settled=gaps.settled,
    )


def _pair(values: Floats) -> tuple[float, float]:
    return float(values[0]), float(values[1])
