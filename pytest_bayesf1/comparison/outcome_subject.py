"""Counts of outcomes, of classes or of labels, as what is compared or estimated."""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nsmallest

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.comparison.class_draws import glimpse_of_classes
from pytest_bayesf1.comparison.design import Design
from pytest_bayesf1.comparison.never_true import classes_never_true
from pytest_bayesf1.comparison.options import Options
from pytest_bayesf1.comparison.prior_draws import prior_deltas
from pytest_bayesf1.comparison.subject import AnyPrior, Particulars
from pytest_bayesf1.comparison.units import N_DRAWS, Units
from pytest_bayesf1.data.labels import Label
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.engines.protocol import Sampler
from pytest_bayesf1.measures.classification import (
    Joint,
    Measure,
    MeasureLike,
    Several,
    f1_by_class,
    parse_measure,
    require_defined,
)
from pytest_bayesf1.priors import Prior
from pytest_bayesf1.results.comparison import SPANS, ClassChange, Move
from pytest_bayesf1.settings import Model
from pytest_bayesf1.stats.agreement import agreement_of
from pytest_bayesf1.stats.attribution import CellChanges
from pytest_bayesf1.stats.frequentist import companions, paired_outcomes
from pytest_bayesf1.stats.posterior import Draws
from pytest_bayesf1.stats.power import Alternative

_ABSENT = "nothing"  # a missed span is taken for it, and it for one that is invented
_POSTERIOR, _INDEPENDENT = 0, 4  # streams of random numbers beside those of other draws of the same seed


@dataclass(frozen=True, eq=False)
class OutcomeSubject:
    """A `Subject` of counts.

    Attributes
    ----------
    design
        The counts, their model and the names of the classes.
    threshold
        The score from which on the second class was predicted; None where nobody knows scores.
    names
        What ranked systems are called; none of a baseline and a candidate, or of one classifier.
    """

    design: Design
    threshold: float | None = None
    names: tuple[str, ...] = ()

    @property
    def experiment(self) -> Experiment:
        """The counts and their model."""
        return self.design.experiment

    @property
    def model(self) -> Model:
        """What the sides share."""
        return self.experiment.model

    @property
    def reason(self) -> str:
        """Why the model was chosen."""
        return self.design.reason

    @property
    def labels(self) -> tuple[Label, ...]:
        """The names of the classes, of those too that are never true."""
        return self.design.labels

    @property
    def class_names(self) -> tuple[Label, ...]:
        """The names of the classes as outcomes number them: of a label or a type there are two, absent and present."""
        experiment = self.experiment
        if not experiment.multilabel:
            return self.labels
        return tuple(name for label in self.labels for name in (_ABSENT if experiment.spans else f"not {label}", label))

    @property
    def true_labels(self) -> tuple[Label, ...]:
        """The classes that have examples."""
        return self.design.true_labels

    @property
    def notes(self) -> tuple[str, ...]:
        """What a careful reader should know of how the data were read."""
        return self.design.notes

    @property
    def n_samples(self) -> tuple[int, ...]:
        """Examples of each side."""
        return tuple(side.n_samples for side in self.experiment.sides)

    @property
    def units(self) -> Units | None:
        """The units that examples belong to."""
        experiment = self.experiment
        return Units.of(
            experiment.units,
            runs=self.design.runs[: len(experiment.sides)],
            trainings=tuple(map(len, experiment.trainings)),
            holding=SPANS if experiment.spans else "examples",
        )

    def measure(self, asked_for: MeasureLike) -> Measure:
        """Choose a measure; raise `InputError` when there is none, or the data leave it undefined."""
        experiment = self.experiment
        kind = {"multilabel": experiment.multilabel, "spans": experiment.spans}
        measure = parse_measure(asked_for, self.labels, **kind, true_labels=self.true_labels, threshold=self.threshold)
        require_defined(experiment, self.labels, measure, self.names)
        return measure

    def prior(self, options: Options) -> Prior:
        """Return the prior that the options ask for, which may depend on the kind of data."""
        return options.prior_for(self.experiment)

    def sampler(self, measures: Sequence[Measure], options: Options) -> Sampler:
        """Start a stream of draws of the engine that the options ask for."""
        scoring, seed = Several(tuple(measures)), (options.seed, _POSTERIOR)
        glimpse = glimpse_of_classes(self.experiment, measures)
        return options.engine.sampler(self.experiment, self.prior(options), scoring, seed, glimpse)

    def deltas_before(self, measures: Sequence[Measure], options: Options) -> tuple[Draws, ...]:
        """Draw delta by every measure from the model's own prior."""
        return prior_deltas(self.experiment, tuple(measures), options)

    def scores_if_independent(self, measures: Sequence[Measure], options: Options) -> Floats | None:
        """Draw the scores by the same prior on the same counts without their units; None where that is the same."""
        if not (any(self.experiment.trainings) or any(table.shared_weights for table in self.experiment.tables)):
            return None
        scoring, seed = Several(tuple(measures)), (options.seed, _INDEPENDENT)
        sampler = options.engine.sampler(self.experiment.without_units(), self.prior(options), scoring, seed)
        return sampler.draw(N_DRAWS)

    def particulars(self, measure: Measure) -> Particulars:
        """Tell which classes and errors changed, and what other methods find; these take examples for independent."""
        experiment, sides = self.experiment, self.experiment.sides
        observed = tuple(float(measure(Joint.observed(side, measure.detail))) for side in sides)
        n_known = min(table.n_samples for table in experiment.known)
        never_true = classes_never_true(experiment.never_true_predicted(), self.labels)
        if len(sides) != 2:
            return Particulars(observed=observed, n_known=n_known, never_true=never_true)
        counted = self.design.counted
        outcomes = None if experiment.units else paired_outcomes(counted)
        return Particulars(
            observed=observed,
            n_known=n_known,
            never_true=never_true,
            largest_drops=_largest_drops(sides, self.labels),
            largest_moves=self._largest_moves(),
            agreement=agreement_of(counted.tables[0]) if counted.model is Model.PAIRED else None,
            companions=() if experiment.units else companions(counted, measure),
            paired_outcomes=outcomes.summary() if outcomes else None,
        )

    def _largest_moves(self) -> tuple[Move, ...]:
        changes, names = CellChanges.between(*self.experiment.sides), self.class_names
        largest = changes.largest(5, changes.wrong)
        cells = zip(largest.true.tolist(), largest.predicted.tolist(), *largest.counts.tolist(), strict=True)
        return tuple(Move(names[true], names[predicted], *map(round, counts)) for true, predicted, *counts in cells)

    def population(self, measure: Measure) -> Alternative | None:
        """Return what was seen as a population; None for a user's function, which may not be defined elsewhere."""
        return Alternative.seen(self.experiment, measure) if measure.bounded else None

    def posterior(self, prior: AnyPrior) -> Prior:
        """Return the posterior as a prior for the next test set: evidence adds up."""
        assert isinstance(prior, Prior)
        return prior.after(self.experiment, self.labels)


def _largest_drops(sides: tuple[OutcomeTable, ...], labels: tuple[Label, ...]) -> tuple[ClassChange, ...]:
    scores = zip(labels, *(f1_by_class(side).tolist() for side in sides), strict=True)
    changes = [ClassChange(label, baseline, candidate) for label, baseline, candidate in scores]
    return tuple(nsmallest(3, (change for change in changes if change.change < 0), key=lambda each: each.change))
