"""Scores, one number or several per example, as what is compared or estimated."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import NoReturn

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.comparison.design import ASKED_FOR
from pytest_bayesf1.comparison.options import Options
from pytest_bayesf1.comparison.score_sides import ScoreSides
from pytest_bayesf1.comparison.subject import AnyPrior, Particulars
from pytest_bayesf1.comparison.units import N_DRAWS, Units
from pytest_bayesf1.data.labels import Label
from pytest_bayesf1.data.outcomes import ScoreExperiment
from pytest_bayesf1.data.scores import Scores
from pytest_bayesf1.engines.bootstrap import ScoreSampler
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.measures.classification import MeasureLike
from pytest_bayesf1.measures.ranking import ScoreMeasure, parse_score_measure
from pytest_bayesf1.settings import AUTO, BOOTSTRAP, AnyModel, EngineName, Model
from pytest_bayesf1.stats.posterior import Draws

_POSTERIOR, _INDEPENDENT = 0, 4  # streams of random numbers, as of counts


@dataclass(frozen=True)
class ScorePrior:
    """The only prior of scores: a few imagined examples beside those of the test set, see `engines.scores`."""

    n_examples: int = 0

    def __str__(self) -> str:
        """Write what results call it."""
        return BOOTSTRAP


@dataclass(frozen=True, eq=False)
class ScoreSubject:
    """A `Subject` of scores.

    Attributes
    ----------
    experiment
        The scores and their model.
    labels
        The classes; none where examples have a number each and no class.
    reason
        Why the model was chosen.
    notes
        What a careful reader should know of how the data were read.
    names
        What ranked systems are called; none of a baseline and a candidate, or of one side.
    """

    experiment: ScoreExperiment
    labels: tuple[Label, ...]
    reason: str
    notes: tuple[str, ...]
    names: tuple[str, ...] = ()

    @classmethod
    def of_two(cls, sides: ScoreSides, model: AnyModel) -> "ScoreSubject":
        """Choose the model of a comparison.

        Parameters
        ----------
        sides
            The scores of both.
        model
            The one asked for.

        Raises
        ------
        InputError
            When the sides are not about the same examples though they should be, or scores have no such model.
        """
        baseline, candidate = sides.baseline, sides.candidate
        notes = baseline.notes + candidate.notes
        if model == Model.INDEPENDENT:
            experiment = ScoreExperiment(Model.INDEPENDENT, (baseline.table, candidate.table))
            return cls(experiment, baseline.labels, ASKED_FOR, notes)
        if model not in (AUTO, Model.PAIRED):
            raise InputError("model", "'paired' or 'independent' for scores, which know their examples", repr(model))
        reason = "both sides' scores of the same examples are known"
        return cls(ScoreExperiment(Model.PAIRED, (sides.joint,)), baseline.labels, reason, notes)

    @classmethod
    def of_one(cls, scores: Scores) -> "ScoreSubject":
        """Take one side alone.

        Parameters
        ----------
        scores
            What it gave.
        """
        experiment = ScoreExperiment(Model.SINGLE, (scores.table,))
        return cls(experiment, scores.labels, "one classifier", scores.notes)

    @property
    def model(self) -> Model:
        """What the sides share."""
        return self.experiment.model

    @property
    def true_labels(self) -> tuple[Label, ...]:
        """The classes that have examples."""
        return tuple(compress(self.labels, (self.experiment.tables[0].class_totals > 0).tolist()))

    @property
    def n_samples(self) -> tuple[int, ...]:
        """Examples of each side."""
        return tuple(table.n_samples for table, _ in self.experiment.sides)

    @property
    def units(self) -> Units | None:
        """The units that examples belong to; None where every example was drawn on its own."""
        return Units.of(self.experiment.units, runs=(1,) * len(self.experiment.sides))

    def measure(self, asked_for: MeasureLike) -> ScoreMeasure:
        """Choose a measure of scores; raise `InputError` when there is none, or the data leave it undefined."""
        return parse_score_measure(asked_for, self.labels, self.experiment.sides, self.names)

    def prior(self, options: Options) -> ScorePrior:
        """Return the only prior of scores; raise `InputError` when another is asked for."""
        if options.prior != AUTO:
            expected = "'auto' for scores: the others are about the cells of a confusion matrix"
            raise InputError("prior", expected, repr(str(options.prior)))
        return ScorePrior()

    def sampler(self, measures: Sequence[ScoreMeasure], options: Options) -> ScoreSampler:
        """Start a stream of draws; raise `InputError` for another engine than the exact one."""
        self.prior(options)
        if options.engine.name != EngineName.EXACT:
            expected = "'exact' for scores, whose posterior needs no Markov chains"
            raise InputError("engine", expected, repr(options.engine.name))
        return ScoreSampler(self.experiment, measures, (options.seed, _POSTERIOR))

    def scores_if_independent(self, measures: Sequence[ScoreMeasure], options: Options) -> Floats:
        """Draw the scores in the same way from the same examples without their units."""
        seed = (options.seed, _INDEPENDENT)
        return ScoreSampler(self.experiment.without_units(), measures, seed).draw(N_DRAWS)

    def deltas_before(self, measures: Sequence[ScoreMeasure], options: Options) -> tuple[Draws, ...] | None:  # noqa: ARG002
        """Return nothing: imagined examples are drawn from the data, so that there is no posterior without them."""
        return None

    def particulars(self, measure: ScoreMeasure) -> Particulars:
        """Tell each side's observed score."""
        observed = tuple(measure.observed(table, side) for table, side in self.experiment.sides)
        return Particulars(observed=observed, n_known=min(self.n_samples))

    def population(self, measure: ScoreMeasure) -> None:  # noqa: ARG002
        """Return nothing: which scores a worse candidate would give is anybody's guess."""
        return

    def posterior(self, prior: AnyPrior) -> NoReturn:  # noqa: ARG002
        """Refuse to make a prior of it."""
        advice = "Put the examples of both test sets into one."
        raise InputError("as_prior", "a posterior of counts", "one of scores, which is no prior", advice)
