"""What a result was drawn from, kept so that more can be asked of it."""

from dataclasses import dataclass
from typing import Any

from pytest_bayesf1.comparison.class_draws import ClassPosteriors
from pytest_bayesf1.comparison.subject import AnyMeasure, AnyPrior, Subject
from pytest_bayesf1.data.labels import Label
from pytest_bayesf1.priors import Prior


@dataclass(frozen=True, eq=False)
class Provenance:
    """What was compared or estimated, by which prior and which measure.

    Attributes
    ----------
    subject, prior, measure
        These.
    classes
        What the first draws say of single classes; None where they were not scored.
    """

    subject: Subject[Any]
    prior: AnyPrior
    measure: AnyMeasure
    classes: ClassPosteriors | None = None

    @property
    def labels(self) -> tuple[Label, ...]:
        """The names of the classes, of those too that are never true."""
        return self.subject.labels

    @property
    def notes(self) -> tuple[str, ...]:
        """What a careful reader should know of how the data were read."""
        return self.subject.notes

    def as_prior(self) -> Prior:
        """Return the posterior as a prior for the next test set; raise `InputError` where it cannot be one."""
        return self.subject.posterior(self.prior)
