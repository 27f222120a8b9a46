"""What is compared, whatever the kind of data: counts, scores and pools."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import compress
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.choices import AUTO, BOOTSTRAP, STRATA, EngineName, Model
from pytest_bayesf1.comparison.arguments import CompareOptions, Options
from pytest_bayesf1.data.labels import key, positions
from pytest_bayesf1.data.outcomes import ClusterContents, CommonShares, Experiment, OutcomeTable, ScoreExperiment
from pytest_bayesf1.data.paired import require_probabilities
from pytest_bayesf1.data.sides import Side, Sides
from pytest_bayesf1.engines.bootstrap import ScoreSampler
from pytest_bayesf1.engines.corrected import CorrectedSampler, Grades
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.engines.protocol import Engine, Sampler
from pytest_bayesf1.engines.stratified import Allocation, PoolPosterior, StratifiedSampler, measure_of_pool
from pytest_bayesf1.errors import InputError, within
from pytest_bayesf1.measures.classification import (
    Joint,
    Levelled,
    Measure,
    MeasureLike,
    Scoring,
    Several,
    f1_by_class,
    f1_of,
    parse_measure,
    require_defined,
)
from pytest_bayesf1.measures.formulas import Detail
from pytest_bayesf1.measures.ranking import ScoreMeasure, parse_score_measure
from pytest_bayesf1.priors import JEFFREYS, NestedGroups, Prior, UnseenPrior
from pytest_bayesf1.results.comparison import (
    NO_SPAN,
    SPANS,
    ClassDifference,
    ClusterFigures,
    Clusters,
    Contingency,
    DeltaFigures,
    ExamplesNeeded,
    JudgeFigures,
    PoolFigures,
    UnsupportedClass,
    owners_of,
)
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.posterior import TIMES, Draws, examples_needed, hdi
from pytest_bayesf1.text import counted, one_line
from pytest_bayesf1.writing import short_fingerprint

ROUNDING = 1e-9
"""Of scores that are the same."""

CLASS_DRAWS = 2_500
"""For a picture: an HDI's bound is then off by a sixteenth of its half width, about."""

MOST_CLASSES = 200


def f1_of_classes(experiment: Experiment) -> Several:
    """Choose the classes that are shown, those that changed most where there are many."""
    baseline, candidate = (f1_by_class(side) for side in experiment.scored_sides)
    occurring = experiment.tables[0].occurring
    changes = np.where(occurring, np.abs(candidate - baseline), -1.0)
    most = np.argsort(-changes, kind="stable")[: min(MOST_CLASSES, int(occurring.sum()))]
    return f1_of(np.sort(most), multilabel=experiment.multilabel)


_WORK = 10_000_000
_MOST_DRAWS = 50_000
_BEFORE_DATA = 1  # stream of random numbers beside those of the posterior

Measures: TypeAlias = tuple[Measure, ...]


def seen_by(measures: Sequence[Measure], experiment: Experiment, options: Options) -> tuple[Experiment, Prior]:
    """Return what measures look at, and the prior of that: accuracy needs no classes, unless a prior is asked for."""
    prior = options.prior_for(experiment)
    of_classes = not (experiment.multilabel or experiment.spans or experiment.clusters) and experiment.n_classes > 2
    needs_rows = experiment.population is not None or experiment.model is Model.SAME_SET
    only_right = all(measure.detail is Detail.TOTAL for measure in measures)
    if options.prior == AUTO and of_classes and only_right and not needs_rows:
        return experiment.right_or_wrong, JEFFREYS
    return experiment, prior


def prior_deltas(experiment: Experiment, measures: Measures, options: Options) -> tuple[Draws, ...]:
    """Draw delta by every measure from the model's own prior; kept for other comparisons of the same kind."""
    experiment, prior = seen_by(measures, experiment, options)
    names = ("multilabel", "spans", "unsupported", "population")
    kinds = {name: getattr(experiment, name) for name in names}
    earlier = experiment.earlier if prior.counts is not None else ()
    # a function of the user's own may change what it does, and earlier counts come only once: no draws are kept then
    once = prior.counts is not None or any(measure.custom is not None for measure in measures)
    drawn = _deltas_before.__wrapped__ if once else _deltas_before
    asked_for = measures, prior, options.engine, options.seed
    return drawn(*asked_for, experiment.model, experiment.n_classes, earlier, **kinds)


@lru_cache(maxsize=32)
def _deltas_before(
    measures: Measures, prior: Prior, engine: Engine, seed: int, *kind: Any, **kinds: Any
) -> tuple[Draws, ...]:
    before = Experiment.before_data(*kind, **kinds)
    sampler = engine.sampler(before, prior, Several(measures), (seed, _BEFORE_DATA))
    baseline, candidate = sampler.draw(min(max(_WORK // (100 * before.n_classes), 1_000), _MOST_DRAWS))
    return tuple(Draws(delta) for delta in np.ascontiguousarray((candidate - baseline).T))


FEWEST = 10
"""Clusters, if they were of one size, or grades, below which nothing tells how much they vary."""

CLUSTER_DRAWS = 4_000
"""Of the posterior that there would be if examples were independent: its spread is then known to one per cent."""


def clusters_of(
    contents: Sequence[ClusterContents],
    *,
    runs: tuple[int, ...],
    trainings: tuple[int, ...] = (),
    holding: str = "examples",
) -> Clusters | None:
    """Describe clusters; None where every example is drawn on its own."""
    if not contents:
        return None
    times = len(runs) // len(contents)
    return Clusters(
        noun=contents[0].noun,
        holding=holding,
        n=tuple(round(each.n) for each in contents) * times,
        n_equal=tuple(round(each.n_equal) for each in contents) * times,
        runs=runs,
        trainings=trainings or (0,) * len(runs),
    )


def cluster_figures(clusters: Clusters, values: Floats, independent: Floats | None, prob: float) -> ClusterFigures:
    """Set the posterior against the one that there would be if examples were independent."""
    if independent is None:
        independent = values
    spread = float(independent.std())
    effect = float(values.std() / spread) ** 2 if spread > 0 else float("nan")
    return ClusterFigures(**vars(clusters), design_effect=effect, independent_hdi=Draws(independent).hdi(prob))


AnyPrior: TypeAlias = Prior | UnseenPrior
"""What is believed before the data."""
AnyMeasure: TypeAlias = Measure | ScoreMeasure
"""A measure that the data can be scored by."""
MeasureT = TypeVar("MeasureT", bound=AnyMeasure)


class Observed(NamedTuple):
    """What the data say beside the posterior.

    Attributes
    ----------
    scores
        Each side's score.
    corrected
        The change, where people's grades correct a judge's; None where it is the difference of the scores.
    n_known
        Examples that the posterior knows, earlier ones included; of the side that has fewer.
    unsupported
        As in `Comparison`.
    contingency
        As in `Comparison`.
    """

    scores: tuple[float, ...]
    n_known: int
    corrected: float | None = None
    unsupported: tuple[UnsupportedClass, ...] = ()
    contingency: Contingency | None = None

    @property
    def change(self) -> float:
        """How much the score of two sides changed."""
        return self.scores[1] - self.scores[0] if self.corrected is None else self.corrected


@dataclass(frozen=True, eq=False)
class Subject(ABC, Generic[MeasureT]):
    """One classifier, or several and how they are compared.

    Attributes
    ----------
    experiment
        The counts, or scores, and their model.
    labels
        The names of the classes, also of those without support; none where examples have a number each.
    reason
        Why the model was chosen.
    notes
        What a careful reader should know of how the data were read.
    sides
        What knows the answers about every example; None where they are not paired.
    vocabulary
        The classes that the caller or the truth has: other answers are wrong.
    given
        The sides as they came, or what holds both; none of a pool.
    apart
        What two test sets share that are compared as two samples although ids say that they share something.
    """

    experiment: Any = field(repr=False)
    labels: tuple[Label, ...]
    reason: str
    notes: tuple[str, ...] = ()
    sides: Sides | None = field(default=None, repr=False)
    vocabulary: tuple[Label, ...] = ()
    given: tuple[Side, ...] = field(default=(), repr=False)
    apart: Sides | None = field(default=None, repr=False)

    @property
    def model(self) -> Model:
        """What the sides share."""
        return Model(self.experiment.model)

    @property
    def n_samples(self) -> tuple[int, ...]:
        """Examples of each side."""
        return tuple(self.experiment.n_samples)

    @property
    def true_labels(self) -> tuple[Label, ...]:
        """The classes that have examples."""
        return tuple(compress(self.labels, self.experiment.tables[0].occurring.tolist()))

    @property
    @abstractmethod
    def clusters(self) -> Clusters | None:
        """The clusters that examples belong to; None where every example was drawn on its own."""

    @abstractmethod
    def measure(self, asked_for: MeasureLike) -> MeasureT:
        """Choose a measure; raise `InputError` when there is none of these data, or they leave it undefined."""

    @abstractmethod
    def prior(self, options: Options) -> AnyPrior:
        """Return the prior that the options ask for; raise `InputError` when it cannot serve."""

    def prior_of(self, measure: MeasureT, options: Options) -> AnyPrior:  # noqa: ARG002
        """Return the prior of what a measure looks at."""
        return self.prior(options)

    @abstractmethod
    def sampler(self, measures: Sequence[MeasureT], options: Options) -> Sampler:
        """Start a stream of posterior draws."""

    @abstractmethod
    def scores_if_independent(self, measures: Sequence[MeasureT], options: Options) -> Floats | None:
        """Draw the scores that there would be if every example were drawn on its own; None where every one is."""

    @abstractmethod
    def observed(self, measure: MeasureT) -> Observed:
        """Return what the data say beside the posterior."""

    def pool(self) -> PoolFigures | None:
        """Return the figures of a pool; None for anything else."""
        return None

    def judge(self, measure: MeasureT, options: Options) -> JudgeFigures | None:  # noqa: ARG002
        """Return the figures of a judge that people's grades correct; None for anything else."""
        return None

    @property
    def counts(self) -> "OutcomeSubject | None":
        """The same where it is counts; None for anything else."""
        return None

    def of_side(self, place: int) -> "Subject[MeasureT] | None":  # noqa: ARG002
        """Return one side alone, as `estimate` takes it; None where it cannot be told apart."""
        return None

    @property
    def is_identical(self) -> bool:
        """Whether both sides predict the same for every example, as far as that is known."""
        return False

    @property
    def is_right_or_wrong(self) -> bool:
        """Whether every example has a grade, 1 or 0, and no class."""
        return False

    @property
    def values(self) -> Sides | None:
        """Both sides where they give every example a number and no class; None for anything else."""
        return None

    def examples_needed(self, measure: MeasureT, posterior: DeltaFigures, rope: Rope) -> ExamplesNeeded:
        """Estimate how many more examples would settle each question in half of the cases."""
        return examples_needed(posterior, rope, self.observed(measure).n_known * TIMES, TIMES)

    @abstractmethod
    def scores_at(self, measure: MeasureT, shares: Floats) -> tuple[float, ...]:
        """Return every side's observed score where the classes have these shares, (M,)."""


def shares_alone(experiment: Experiment | ScoreExperiment, place: int) -> CommonShares | None:
    """Return the class shares of one side: those that were stated, or those of the other one's test set."""
    population = experiment.population
    if population is None or population.side == place:
        return None
    if population.side is None:
        return population
    shares = population.point([table.row_totals for table in experiment.tables])
    return CommonShares(shares=tuple(enumerate(shares.tolist())))


def _same_of_both(found: Codes | Floats) -> bool:
    return found[0].size > 0 and np.array_equal(*found)


# streams of random numbers beside those of other draws of the same seed
_POSTERIOR, _CLASSES, _INDEPENDENT, _RANDOM_SAMPLES = 0, 2, 4, 5


@dataclass(frozen=True, eq=False)
class OutcomeSubject(Subject[Measure]):
    """Counts.

    Attributes
    ----------
    runs
        The most answers that a question has, side by side.
    threshold
        The score from which on the second class was predicted; None where there are no scores.
    """

    experiment: Experiment = field(repr=False)
    runs: tuple[int, ...] = (1, 1)
    threshold: float | None = None

    @property
    def counts(self) -> "OutcomeSubject":
        """Itself."""
        return self

    @property
    def class_names(self) -> tuple[Label, ...]:
        """The names of the classes as outcomes number them: of a label or a type there are two, absent and present."""
        experiment = self.experiment
        if not experiment.multilabel:
            return self.labels
        return tuple(name for label in self.labels for name in (NO_SPAN if experiment.spans else f"not {label}", label))

    @property
    def clusters(self) -> Clusters | None:
        """The clusters that examples belong to."""
        experiment = self.experiment
        return clusters_of(
            experiment.clusters,
            runs=self.runs[: len(experiment.sides)],
            trainings=tuple(map(len, experiment.trainings)),
            holding=SPANS if experiment.spans else "examples",
        )

    @property
    def is_identical(self) -> bool:
        """Whether both sides predict the same for every example."""
        return self.model == Model.PAIRED and _same_of_both(self.experiment.tables[0].predicted)

    def of_side(self, place: int) -> "OutcomeSubject":
        """Return one side alone, with the classes of both."""
        experiment = self.experiment
        trainings = experiment.trainings[place : place + 1]
        earlier = [table.side(index) for table in experiment.earlier for index in range(table.n_sides)]
        alone = Experiment(
            Model.SINGLE,
            (experiment.sides[place],),
            tuple(earlier[place : place + 1]),
            trainings if any(trainings) else (),
            population=shares_alone(experiment, place),
        )
        return replace(self, experiment=alone, runs=self.runs[place : place + 1], sides=None)

    def measure(self, asked_for: MeasureLike) -> Measure:
        """Choose a measure; raise `InputError` when there is none, or the data leave it undefined."""
        experiment = self.experiment
        kind = {"multilabel": experiment.multilabel, "spans": experiment.spans}
        measure = parse_measure(asked_for, self.labels, **kind, true_labels=self.true_labels, threshold=self.threshold)
        require_defined(experiment, self.labels, measure)
        return measure

    def prior(self, options: Options) -> Prior:
        """Return the prior that the options ask for, which may depend on the kind of data."""
        return options.prior_for(self.experiment)

    def prior_of(self, measure: Measure, options: Options) -> Prior:
        """Return the prior of what a measure looks at."""
        return seen_by([measure], self.experiment, options)[1]

    def sampler(self, measures: Sequence[Measure], options: Options) -> Sampler:
        """Start a stream of draws of the engine that the options ask for."""
        experiment, prior = seen_by(measures, self.experiment, options)
        return options.engine.sampler(experiment, prior, self._scoring(measures, prior), (options.seed, _POSTERIOR))

    def _scoring(self, measures: Sequence[Measure], prior: Prior) -> Scoring:
        """Score as the papers do, or, of one side under the nested prior, without bias."""
        several = Several(tuple(measures))
        is_nested = isinstance(prior.rows, NestedGroups)
        return Levelled(several) if self.model is Model.SINGLE and is_nested else several

    def scores_if_independent(self, measures: Sequence[Measure], options: Options) -> Floats | None:
        """Draw the scores by the same prior on the same counts without their clusters; None where that is the same."""
        if not (any(self.experiment.trainings) or any(table.shared_weights for table in self.experiment.tables)):
            return None
        prior, seed = self.prior(options), (options.seed, _INDEPENDENT)
        apart = self.experiment.without_clusters()
        return options.engine.sampler(apart, prior, self._scoring(measures, prior), seed).draw(CLUSTER_DRAWS)

    def observed(self, measure: Measure) -> Observed:
        """Return the scores, and which classes and errors changed."""
        experiment, sides = self.experiment, self.experiment.sides
        listed = positions(self.vocabulary)
        without_examples = [
            UnsupportedClass(self.labels[place], counts, listed=key(self.labels[place]) in listed)
            for place, counts in experiment.unsupported_predicted().items()
        ]
        shown = (each for each in without_examples if each.listed or any(each.predicted))
        found = Observed(
            scores=tuple(float(measure(Joint.observed(side, measure.detail))) for side in experiment.scored_sides),
            n_known=min(table.n_samples for table in experiment.known),
            unsupported=tuple(sorted(shown, key=lambda each: -sum(each.predicted))),
        )
        if len(sides) != 2 or experiment.model is not Model.PAIRED:
            return found
        return found._replace(contingency=_contingency(experiment.tables[0]))

    def scores_at(self, measure: Measure, shares: Floats) -> tuple[float, ...]:
        """Return every side's observed score where the classes have these shares, (M,)."""
        sides = (side.at_shares(shares) for side in self.experiment.sides)
        return tuple(float(measure(Joint.observed(side, measure.detail))) for side in sides)


def _contingency(table: OutcomeTable) -> Contingency:
    return Contingency(*(round(float(count)) for count in table.group_counts.sum(axis=0)))


@dataclass(frozen=True, eq=False, repr=False)
class Provenance:
    """What was compared or estimated, by which prior and which measure.

    Attributes
    ----------
    subject, prior, measure
        These.
    weak_baseline
        Whether the baseline was declared to know nothing.
    """

    subject: Subject[Any]
    prior: AnyPrior
    measure: AnyMeasure
    weak_baseline: bool = False

    def __repr__(self) -> str:
        """Write the measure, the model and the prior on one line."""
        return f"<Provenance {one_line(self.measure.name)}, {self.subject.model}, {self.prior} prior>"

    @property
    def labels(self) -> tuple[Label, ...]:
        """The names of the classes, also of those without support."""
        return self.subject.labels

    @property
    def notes(self) -> tuple[str, ...]:
        """What a careful reader should know of how the data were read."""
        return self.subject.notes

    @property
    def counts(self) -> tuple[OutcomeSubject, Measure] | None:
        """The subject and the measure where counts were scored; None for anything else."""
        counts = self.subject.counts
        return (counts, self.measure) if counts and isinstance(self.measure, Measure) else None

    def differences(self, hdi_prob: float, seed: int) -> tuple[ClassDifference, ...]:
        """Compare the F1 of the classes that are shown, the largest fall first; none where there are no classes."""
        if self.subject.counts is None or not isinstance(self.prior, Prior):
            return ()
        experiment = self.subject.counts.experiment
        sides = [f1_by_class(side) for side in experiment.scored_sides]
        sizes = [side.row_totals[side.named] for side in experiment.sides]
        scoring = f1_of_classes(experiment)
        drawn = ExactEngine().sampler(experiment, self.prior, scoring, (seed, _CLASSES)).draw(CLASS_DRAWS)
        deltas = drawn[1] - drawn[0]
        means, hdis = deltas.mean(axis=0), hdi(deltas.T, hdi_prob)
        found = []
        for place in np.argsort(means, kind="stable").tolist():
            index = scoring.measures[place].class_index
            n_baseline, n_candidate = (round(float(size[index])) for size in sizes)
            (baseline, candidate), (low, high) = (float(side[index]) for side in sides), hdis[place].tolist()
            mean, label = float(means[place]), self.labels[index]
            found.append(ClassDifference(label, (n_baseline, n_candidate), baseline, candidate, mean, (low, high)))
        return tuple(found)

    def as_prior(self) -> Prior:
        """Return the posterior as a prior for the next test set: evidence adds up, of counts."""
        if not isinstance(self.prior, Prior):
            advice = "Put the examples of both test sets into one."
            raise InputError.plain("as_prior", "A posterior of scores is no prior", advice)
        return self.prior.after(self.subject.experiment, self.subject.labels)


@dataclass(frozen=True, eq=False)
class ScoreSubject(Subject[ScoreMeasure]):
    """Scores.

    Attributes
    ----------
    experiment
        The scores and their model.
    grades
        People's grades beside these, which are then a judge's; None where there are none.
    """

    experiment: ScoreExperiment
    grades: Grades | None = field(default=None, repr=False)

    @property
    def clusters(self) -> Clusters | None:
        """The clusters that examples belong to; None where every example was drawn on its own."""
        return clusters_of(self.experiment.clusters, runs=(1,) * len(self.n_samples))

    @property
    def is_identical(self) -> bool:
        """Whether both sides give every example the same scores."""
        return self.grades is None and self.model == Model.PAIRED and _same_of_both(self.experiment.tables[0].scores)

    @property
    def values(self) -> Sides | None:
        """Both sides, where these are numbers without classes of the same examples."""
        return None if self.labels else self.sides

    @property
    def is_right_or_wrong(self) -> bool:
        """Whether every example has a grade, 1 or 0."""
        if self.grades is not None:
            return self.grades.are_right_or_wrong
        return all(table.are_right_or_wrong for table in self.experiment.tables)

    def judge(self, measure: ScoreMeasure, options: Options) -> JudgeFigures | None:
        """Return what the judge alone says, and how it errs."""
        if self.grades is None:
            return None
        grades, alone = self.grades, replace(self, grades=None)
        sampler = alone.sampler([measure], options)
        if self.clusters:  # by the prior of people's grades: that of clusters of grades is far wider
            of_all = replace(grades, human=grades.judge, graded=np.arange(grades.cluster.size))
            sampler = CorrectedSampler(of_all, (options.seed, _POSTERIOR))
        drawn = sampler.draw(CLUSTER_DRAWS)[:, :, 0]
        counts = grades.are_right_or_wrong
        favour, p_even = grades.favour() if len(drawn) == 2 else (None, None)
        return JudgeFigures(
            n_human=grades.graded.size,
            checksum=_checksum(grades),
            scores=alone.observed(measure).scores,
            hdi=Draws(drawn[0] if len(drawn) == 1 else drawn[1] - drawn[0]).hdi(options.hdi_prob),
            errors=tuple(grades.errors().mean(axis=1).tolist()),
            failed=tuple(grades.failed().tolist()) if counts else None,
            passed=tuple(grades.passed_but_failed().tolist()) if counts else None,
            corrected=self.observed(measure).corrected,
            favour=favour,
            p_even=p_even,
            p_random=grades.p_random((options.seed, _RANDOM_SAMPLES)),
        )

    def of_side(self, place: int) -> "ScoreSubject":
        """Return one side alone."""
        table = self.experiment.tables[-1 if place else 0]
        if self.sides is not None:
            table = self.sides.apart[place]
        alone = ScoreExperiment(Model.SINGLE, (table,), population=shares_alone(self.experiment, place))
        grades = None if self.grades is None else self.grades.of_side(place)
        return replace(self, experiment=alone, sides=None, grades=grades)

    def measure(self, asked_for: MeasureLike) -> ScoreMeasure:
        """Choose a measure of scores; raise `InputError` when there is none, or the data leave it undefined."""
        measure = parse_score_measure(asked_for, self.labels, self.experiment.sides)
        if measure.needs_probabilities:
            for owner, side in zip(owners_of(len(self.given)), self.given, strict=True):
                assert side.questions is not None
                with within(side.questions.rows.where or owner.removeprefix("the ")):
                    require_probabilities(side.questions, f"{measure.name} needs probabilities", "another measure")
        return measure

    def prior(self, options: Options) -> UnseenPrior:
        """Return the only prior of scores; raise `InputError` when another is asked for."""
        if options.prior != AUTO:
            expected = "'auto' for scores: the others are about the cells of a confusion matrix"
            raise InputError("prior", expected, repr(str(options.prior)))
        return UnseenPrior(BOOTSTRAP)

    def sampler(self, measures: Sequence[ScoreMeasure], options: Options) -> Sampler:
        """Start a stream of draws; raise `InputError` for another engine than the exact one, or too few values."""
        self.prior(options)
        self._require_enough(measures)
        if options.engine.name != EngineName.EXACT:
            expected = "'exact' for scores, whose posterior needs no Markov chains"
            raise InputError("engine", expected, repr(options.engine.name))
        if self.grades is not None:
            return CorrectedSampler(self.grades, (options.seed, _POSTERIOR))
        return ScoreSampler(self.experiment, measures, (options.seed, _POSTERIOR))

    def _require_enough(self, measures: Sequence[ScoreMeasure]) -> None:
        """Refuse the mean of numbers that are too few to tell how far they vary; right and wrong can be counted."""
        n = min(self.n_samples)
        is_mean = any(measure.is_mean for measure in measures)
        if n >= FEWEST or not is_mean or self.is_right_or_wrong:
            return
        where, numbers = ("y_score", "losses") if self.labels else ("values", "values")
        problem = f"{counted(n, 'example')} cannot tell how far {numbers} vary"
        raise InputError.plain(where, problem, f"Pass at least {FEWEST}.")

    def scores_if_independent(self, measures: Sequence[ScoreMeasure], options: Options) -> Floats | None:
        """Draw the scores in the same way from the same examples without their clusters; None where there are none."""
        if not self.experiment.clusters:
            return None
        seed = (options.seed, _INDEPENDENT)
        if self.grades is not None:
            return CorrectedSampler(self.grades.without_clusters(), seed).draw(CLUSTER_DRAWS)
        return ScoreSampler(self.experiment.without_clusters(), measures, seed).draw(CLUSTER_DRAWS)

    def examples_needed(self, measure: ScoreMeasure, posterior: DeltaFigures, rope: Rope) -> ExamplesNeeded:
        """Estimate how many more examples would; of a judge's how many more people would have to grade."""
        if self.grades is None:
            return super().examples_needed(measure, posterior, rope)
        return examples_needed(posterior, rope, *self.grades.more())

    def observed(self, measure: ScoreMeasure) -> Observed:
        """Return each side's observed score; of a judge's grades the corrected one."""
        n = min(self.n_samples)
        if self.grades is None:
            scores = tuple(measure.observed(table, side) for table, side in self.experiment.scored_sides)
            return Observed(scores=scores, n_known=n)
        change = self.grades.corrected().mean if len(self.n_samples) == 2 else None
        return Observed(scores=self.grades.scores(), n_known=n, corrected=change)

    def scores_at(self, measure: ScoreMeasure, shares: Floats) -> tuple[float, ...]:
        """Return every side's observed score where the classes have these shares, (M,)."""
        return tuple(measure.observed(table.at_shares(shares), side) for table, side in self.experiment.sides)


def _checksum(grades: Grades) -> str:
    """Tell people's and the judge's grades of the same answers from others, in whatever order."""
    rows = np.concatenate([grades.human, grades.judge[:, grades.graded]]).T.tolist()
    return short_fingerprint(sorted(" ".join(f"{each:.9g}" for each in row) for row in rows))


@dataclass(frozen=True, eq=False, kw_only=True)
class PoolSubject(Subject[Measure]):
    """A pool of which some examples are labelled; the experiment holds these.

    Attributes
    ----------
    posterior
        That of the whole pool.
    """

    posterior: PoolPosterior

    def pool(self) -> PoolFigures:
        """Return it in numbers."""
        strata = self.posterior.strata
        sizes, labelled, differ = strata.sizes, strata.labelled, ~strata.agree
        return PoolFigures(
            n_pool=int(sizes.sum()),
            n_labelled=int(labelled.sum()),
            n_differ=int(sizes[differ].sum()),
            n_labelled_differ=int(labelled[differ].sum()),
            n_strata=sizes.size,
            n_unlabelled_strata=int((labelled == 0).sum()),
            unlabelled_share=float(sizes[labelled == 0].sum() / sizes.sum()),
        )

    @property
    def clusters(self) -> None:
        """None: every example is its own."""
        return

    def measure(self, asked_for: MeasureLike) -> Measure:
        """Choose a measure of classes."""
        return measure_of_pool(asked_for, self.labels)

    def prior(self, options: Options) -> UnseenPrior:
        """Return the only prior of strata; raise `InputError` when another is asked for."""
        if options.prior != AUTO:
            expected = "'auto' for a pool: the others need a label for every example"
            raise InputError("prior", expected, repr(str(options.prior)))
        return UnseenPrior(STRATA)

    def sampler(self, measures: Sequence[Measure], options: Options) -> StratifiedSampler:
        """Start a stream of draws."""
        return StratifiedSampler(self.posterior, Several(tuple(measures)), (options.seed, _POSTERIOR))

    def scores_if_independent(self, measures: Sequence[Measure], options: Options) -> None:  # noqa: ARG002
        """Return nothing: every example is its own."""
        return

    def observed(self, measure: Measure) -> Observed:
        """Return the scores of the pool, whose examples without a label are as expected."""
        scores = tuple(measure(joint).item() for joint in self.posterior.expected(measure.detail))
        return Observed(scores=scores, n_known=self.experiment.n_samples[0])

    def examples_needed(self, measure: Measure, posterior: DeltaFigures, rope: Rope) -> ExamplesNeeded:
        """Estimate how many more labels would, of the examples that are worth most."""
        return Allocation.of(self.posterior, measure).needed(posterior, rope)

    def scores_at(self, measure: Measure, shares: Floats) -> tuple[float, ...]:  # noqa: ARG002
        """Return the scores as they are: the class shares of a pool are not known."""
        return self.observed(measure).scores


def words_of(measure: AnyMeasure, subject: Subject[Any], options: Options) -> str:
    """Return the measure as people say it, with the class shares that it is at; without, where it depends on none."""
    experiment, prevalence = subject.experiment, options.prevalence
    if prevalence is None or experiment.population is None or not depends_on_shares(measure, subject):
        return measure.words
    return f"{measure.words} {prevalence.phrase}"


def fields_asked(measure: AnyMeasure, subject: Subject[Any], options: CompareOptions) -> dict[str, Any]:
    """Return the fields of `Asked`."""
    return {
        "measure": measure.name,
        "measure_words": words_of(measure, subject, options),
        "custom_measure": not measure.bounded,
        "rope": (options.rope.low, options.rope.high),
        "hdi_prob": options.hdi_prob,
        "prevalence": "" if options.prevalence is None else str(options.prevalence),
    }


def depends_on_shares(measure: AnyMeasure, subject: Subject[Any]) -> bool:
    """Whether a score changes when the first classes become rarer than they are."""
    shares = subject.experiment.class_shares
    others = shares * np.arange(1, shares.size + 1)
    here, there = (subject.scores_at(measure, each) for each in (shares, others / others.sum()))
    return not np.allclose(here, there, rtol=0, atol=ROUNDING)
