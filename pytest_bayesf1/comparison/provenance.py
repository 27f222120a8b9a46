"""What a result was drawn from, kept so that more can be asked of it."""

from dataclasses import dataclass

from pytest_bayesf1.counts.experiment import Experiment
from pytest_bayesf1.counts.labels import Label
from pytest_bayesf1.measures.measures import Measure
from pytest_bayesf1.priors.priors import Prior


@dataclass(frozen=True, eq=False)
class Provenance:
    """Counts, prior and measure of a comparison or an estimate, and notes on how the data were read."""

    experiment: Experiment
    labels: tuple[Label, ...]
    prior: Prior
    measure: Measure
    notes: tuple[str, ...] = ()

    def as_prior(self) -> Prior:
        """Return the posterior as a prior for the next test set."""
        return self.prior.after(self.experiment, self.labels)
