"""What is compared or estimated, whatever the kind of data: what a result needs to know of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.comparison.options import Options
from pytest_bayesf1.comparison.units import Units
from pytest_bayesf1.data.labels import Label
from pytest_bayesf1.engines.protocol import Sampler
from pytest_bayesf1.measures.classification import MeasureLike
from pytest_bayesf1.measures.names import Detail
from pytest_bayesf1.priors import Prior
from pytest_bayesf1.results.comparison import (
    Agreement,
    ClassChange,
    Move,
    NeverTrue,
    PairedDifference,
    Significance,
)
from pytest_bayesf1.settings import Model
from pytest_bayesf1.stats.posterior import Draws
from pytest_bayesf1.stats.power import Alternative


class AnyPrior(Protocol):
    """What is believed before the data."""

    @property
    def n_examples(self) -> int:
        """Examples that it has really seen."""
        ...

    def __str__(self) -> str:
        """Write what results call it."""
        ...


class AnyMeasure(Protocol):
    """A measure that the data can be scored by."""

    @property
    def name(self) -> str:
        """As the user wrote it."""
        ...

    @property
    def words(self) -> str:
        """As people say it."""
        ...

    @property
    def bounded(self) -> bool:
        """Whether its scores go up to 1, so that a difference of 0.01 is a point."""
        ...

    @property
    def lowest(self) -> float:
        """The bound that no score is below."""
        ...

    @property
    def class_index(self) -> int | None:
        """The class that it is about; None where about all."""
        ...

    @property
    def detail(self) -> Detail:
        """What it looks at: measures that look at the same are scored on the same draws."""
        ...


MeasureT = TypeVar("MeasureT", bound=AnyMeasure)


@dataclass(frozen=True, kw_only=True)
class Particulars:
    """What the data say beside the posterior.

    Attributes
    ----------
    observed
        Each side's score.
    n_known
        Examples that the posterior knows, earlier ones included; of the side that has fewer.
    never_true, largest_drops, largest_moves, agreement, companions, paired_outcomes
        As in `Comparison`.
    """

    observed: tuple[float, ...]
    n_known: int
    never_true: tuple[NeverTrue, ...] = ()
    largest_drops: tuple[ClassChange, ...] = ()
    largest_moves: tuple[Move, ...] = ()
    agreement: Agreement | None = None
    companions: tuple[Significance, ...] = ()
    paired_outcomes: PairedDifference | None = None


class Subject(Protocol[MeasureT]):
    """One classifier, or two and how they are compared."""

    @property
    def model(self) -> Model:
        """What the sides share."""
        ...

    @property
    def reason(self) -> str:
        """Why the model was chosen."""
        ...

    @property
    def labels(self) -> tuple[Label, ...]:
        """The names of the classes, of those too that are never true."""
        ...

    @property
    def true_labels(self) -> tuple[Label, ...]:
        """The classes that have examples."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What a careful reader should know of how the data were read."""
        ...

    @property
    def n_samples(self) -> tuple[int, ...]:
        """Examples of each side."""
        ...

    @property
    def units(self) -> Units | None:
        """The units that examples belong to; None where every example was drawn on its own."""
        ...

    def measure(self, asked_for: MeasureLike) -> MeasureT:
        """Choose a measure that the data can be scored by; raise `InputError` when there is no such measure of them."""
        ...

    def prior(self, options: Options) -> AnyPrior:
        """Return the prior that the options ask for; raise `InputError` when it cannot serve."""
        ...

    def sampler(self, measures: Sequence[MeasureT], options: Options) -> Sampler:
        """Start a stream of posterior draws.

        Parameters
        ----------
        measures
            K of them, which look at the same detail.
        options
            The prior, the engine and the seed.

        Returns
        -------
        Sampler
            Of scores (sides, n, K).
        """
        ...

    def deltas_before(self, measures: Sequence[MeasureT], options: Options) -> tuple[Draws, ...] | None:
        """Draw delta by every measure from before the data.

        Parameters
        ----------
        measures, options
            As in `sampler`.

        Returns
        -------
        tuple of Draws, or None
            Of each measure; None where nothing is known before the data.
        """
        ...

    def scores_if_independent(self, measures: Sequence[MeasureT], options: Options) -> Floats | None:
        """Draw the scores that there would be if every example were drawn on its own; None where every one is.

        Parameters
        ----------
        measures, options
            As in `sampler`.

        Returns
        -------
        (sides, n, K)
            Fewer draws than of the posterior.
        """
        ...

    def particulars(self, measure: MeasureT) -> Particulars:
        """Tell what the data say beside the posterior."""
        ...

    def population(self, measure: MeasureT) -> Alternative | None:
        """Return what was seen as a population, of which other losses can be imagined; None where they cannot."""
        ...

    def posterior(self, prior: AnyPrior) -> Prior:
        """Return the posterior as a prior for the next test set; raise `InputError` where it cannot be one."""
        ...
