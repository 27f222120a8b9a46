"""`Comparison`, what `compare` returns."""

from dataclasses import asdict, dataclass, fields
from typing import Any

from pytest_bayesf1.comparison import wording
from pytest_bayesf1.stats.arrays import Floats
from pytest_bayesf1.stats.decision import Decision
from pytest_bayesf1.stats.density import density_curve
from pytest_bayesf1.stats.labels import Label
from pytest_bayesf1.stats.summary import Interval, ScorePosterior


@dataclass(frozen=True)
class ClassChange:
    """A class's observed F1 on either side."""

    label: Label
    baseline: float
    candidate: float

    @property
    def change(self) -> float:
        """Positive when the candidate is better."""
        return self.candidate - self.baseline


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """The posterior of delta = candidate - baseline, positive when the candidate is better.

    Attributes
    ----------
    decision : Decision
        What the data say; equal to its symbol and to its ascii form.
    measure, custom_measure, rope, hdi_prob, model, model_reason, prior, engine, seed, n_draws
        How it was computed, so that it can be redone.
    mean, std, hdi, mcse_hdi
        Of delta; ``mcse_hdi`` holds the Monte Carlo standard errors of the bounds.
    p_worse, p_better
        P(delta < 0), P(delta > 0).
    p_below_rope, p_in_rope, p_above_rope
        Probability left of, inside and right of the ROPE.
    bayes_factor
        Posterior odds of delta inside the ROPE over its prior odds; above 3 the data speak for "no difference that
        matters", below 1/3 against it.
    bayes_factor_sd
        Posterior over prior density at 0 (Savage-Dickey). Read ``bayes_factor`` first.
    settled
        Whether the decision is clear of Monte Carlo error.
    examples_needed
        Estimate of how many more examples would settle an undecided comparison; 0 when it is settled, None when the
        mean lies on an edge of the ROPE.
    largest_drops
        The classes whose observed F1 falls most, at most three.
    labels, n_samples
        The classes, and the numbers of examples of the baseline and the candidate.
    baseline, candidate : ScorePosterior
        Each side's observed score and posterior.
    delta : (n_draws,)
        The draws.
    """

    decision: Decision
    measure: str
    custom_measure: bool
    rope: Interval
    hdi_prob: float
    mean: float
    std: float
    hdi: Interval
    mcse_hdi: Interval
    p_worse: float
    p_better: float
    p_below_rope: float
    p_in_rope: float
    p_above_rope: float
    bayes_factor: float
    bayes_factor_sd: float
    settled: bool
    examples_needed: int | None
    model: str
    model_reason: str
    prior: str
    engine: str
    seed: int
    n_draws: int
    n_samples: tuple[int, int]
    largest_drops: tuple[ClassChange, ...]
    labels: tuple[Label, ...]
    baseline: ScorePosterior
    candidate: ScorePosterior
    delta: Floats

    def to_dict(self) -> dict[str, Any]:
        """Every figure, JSON-able; of the draws the density of delta at evenly spaced points."""
        plain = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in _NOT_PLAIN}
        return {
            "kind": "comparison",
            "headline": self.headline,
            "notes": wording.notes(self),
            **{name: list(value) if isinstance(value, tuple) else value for name, value in plain.items()},
            "decision": self.decision.value,
            "decision_words": self.decision.words,
            "n_classes": len(self.labels),
            "largest_drops": [asdict(change) for change in self.largest_drops],
            "baseline": self.baseline.to_dict(),
            "candidate": self.candidate.to_dict(),
            "density": density_curve(self.delta).to_dict(),
        }

    @property
    def headline(self) -> str:
        """The outcome as one sentence."""
        return wording.headline(self)

    def __str__(self) -> str:
        """Several lines for a terminal."""
        return wording.as_text(self)

    def __repr__(self) -> str:
        """One line."""
        return f"<Comparison {self.decision} {self.measure} delta={self.mean:+.4f}>"

    def _repr_html_(self) -> str:
        """Build a table for notebooks."""
        return wording.as_html(self)


_NOT_PLAIN = {"decision", "largest_drops", "labels", "baseline", "candidate", "delta"}
