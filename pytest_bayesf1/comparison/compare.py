"""`compare` and `estimate`, from arguments and data to a result."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from typing import Any, NamedTuple, Self, TypeVar, Unpack, overload

import numpy as np
from scipy.special import bdtr, ndtri

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.choices import AUTO, FROM_RUNS, EngineName, Model
from pytest_bayesf1.comparison.arguments import (
    BASELINE,
    CANDIDATE,
    TEST_SET,
    ArrayArguments,
    ArrayCompareArguments,
    CompareArguments,
    CompareOptions,
    Options,
    Prevalence,
    PrevalenceLike,
    SharedArguments,
    checked_floor,
    checked_run_sd,
    of_arrays,
)
from pytest_bayesf1.comparison.design import at_prevalence, moved_class, subject_of_one, subject_of_two
from pytest_bayesf1.comparison.result import Comparison, Estimate
from pytest_bayesf1.comparison.sampling import Drawn, batches, draw_delta, draw_until_settled
from pytest_bayesf1.comparison.subject import (
    AnyMeasure,
    MeasureT,
    Provenance,
    Subject,
    cluster_figures,
    depends_on_shares,
    prior_deltas,
    words_of,
)
from pytest_bayesf1.comparison.suspicions import doubted_class, require_examples, require_knowledge
from pytest_bayesf1.data.sides import Sides
from pytest_bayesf1.engines import load_engine
from pytest_bayesf1.engines.protocol import Engine
from pytest_bayesf1.errors import BayesF1Warning, InputError, warn
from pytest_bayesf1.measures.classification import MeasureLike
from pytest_bayesf1.priors import Prior
from pytest_bayesf1.results.comparison import (
    NO_NUMBER,
    ClassShares,
    Convergence,
    DeltaFigures,
    FloorFigures,
    SharedExamples,
    leave_open,
)
from pytest_bayesf1.results.policy import NO_WORSE, Decision
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.session import current_session
from pytest_bayesf1.stats.decision import CONFIRMED, WIDEST, Gap, Rope, RopeLike
from pytest_bayesf1.stats.posterior import Draws, ScorePosterior, density_curve
from pytest_bayesf1.text import rope_bounds
from pytest_bayesf1.words.notes import data_warnings


def warn_about(warnings: Iterable[BayesF1Warning]) -> None:
    """Warn of what the reader must not overlook."""
    for warning in warnings:
        warn(str(warning), type(warning))


def computed_figures(
    subject: Subject[MeasureT], measure: MeasureT, options: Options, drawn: Drawn[Any], independent: Floats | None
) -> dict[str, Any]:
    """Return how a result was computed, and what the draws say, by the names of its figures."""
    draws, clusters = drawn.quantity, subject.clusters
    return {
        **vars(drawn.summary),
        "measure": measure.name,
        "measure_words": words_of(measure, subject, options),
        **options.recorded,
        "prevalence": "" if options.prevalence is None else str(options.prevalence),
        "prior": str(subject.prior_of(measure, options)),
        "engine": options.engine.name,
        "n_draws": draws.values.size,
        "convergence": drawn.convergence,
        "clusters": clusters and cluster_figures(clusters, draws.values, independent, options.hdi_prob),
        "judge": subject.judge(measure, options),
        "n_classes": len(subject.true_labels),
        "density": density_curve(draws),
    }


@dataclass(frozen=True)
class Task(ABC):
    """Data, ready to be judged by any measure."""

    subject: Subject[Any]
    options: Options

    @abstractmethod
    def measure(self, asked_for: MeasureLike) -> AnyMeasure:
        """Choose a measure that the data can be judged by."""

    @abstractmethod
    def answers(self, measures: Sequence[Any], tail: float = 1.0) -> Iterator["Comparison | Estimate"]:
        """Judge by each, exactly as if it alone were asked for."""

    @abstractmethod
    def on(self, data: Any) -> Self:
        """Return the same task on other data."""

    def answer(self, tail: float = 1.0) -> Any:
        """Judge by the measure that was asked for."""
        (found,) = self.answers([self.measure(self.options.measure)], tail)
        return found


OptionsT = TypeVar("OptionsT", bound=Options)


def _of_part(options: OptionsT) -> OptionsT:
    """Let people's grades be of more examples than a part of the data has."""
    return options if options.human is None else replace(options, human=replace(options.human, of_all=False))


@dataclass(frozen=True)
class EstimateTask(Task):
    """One side, and its floor if it has one; or several runs, where the examples are always the same."""

    floor: float | None
    run_sd: float | None
    n_runs: int

    @classmethod
    def of(
        cls, side: Any, *, floor: float | None = None, run_sd: float | None = None, **given: Unpack[SharedArguments]
    ) -> Self:
        """Check the data and the arguments."""
        options, floor = Options.resolve(**given), None if floor is None else checked_floor(floor)
        run_sd = None if run_sd is None else checked_run_sd(run_sd)
        if run_sd is not None and options.human is not None:
            problem = "run_sd is about the same examples every time, and people's grades about others like them"
            raise InputError.plain("human", problem, "Leave one of them out.")
        known, subject = getattr(side, "questions", None), subject_of_one(side, options)
        require_examples(subject)
        return cls(subject, options, floor, run_sd, 1 if known is None else known.n_runs)

    def on(self, data: Any) -> Self:
        """Return the same task on another side."""
        return replace(self, subject=subject_of_one(data, _of_part(self.options)))

    def measure(self, asked_for: MeasureLike) -> AnyMeasure:
        """Choose a measure that the side can be scored by, and that can reach the floor."""
        measure: AnyMeasure = self.subject.measure(asked_for)
        if self.floor is None:
            return measure
        if measure.bounded and self.floor == 1:
            problem = "No likely range of a score reaches 1: the next example may be wrong"
            raise InputError.plain("floor", problem, "To allow no error, write: assert list(y_pred) == list(y_true)")
        if measure.bounded and not measure.lowest < self.floor < 1:
            expected = f"a score above {measure.lowest:g} and below 1, such as 0.9 for 90%"
            raise InputError("floor", expected, f"{self.floor:g}")
        return measure

    def answers(self, measures: Sequence[Any], tail: float = 1.0) -> Iterator[Estimate]:  # noqa: ARG002
        """Estimate by each."""
        return map(self._answer, measures)

    def _answer(self, measure: AnyMeasure) -> Estimate:
        subject, options = self.subject, self.options
        found, (n_samples,) = subject.observed(measure), subject.n_samples
        if self.run_sd is None:
            (drawn,) = draw_until_settled(subject, options, (measure,), self._summarise)
            independent = subject.scores_if_independent((measure,), options) if subject.clusters else None
            apart = None if independent is None else independent[0, :, 0]
            figures = computed_figures(subject, measure, options, drawn, apart)
        else:
            values = _of_new_runs(found.scores[0], self.run_sd / sqrt(self.n_runs), options)
            summary = self._summarise(Draws(values))
            summary = replace(summary, mcse_hdi=(0.0, 0.0), settled=True)  # by quantiles, not by chance
            drawn = Drawn(values[None], Draws(values), summary, Convergence(ess=float(values.size)))
            figures = computed_figures(subject, measure, options, drawn, None)
            figures |= {"prior": FROM_RUNS, "clusters": None}
        return Estimate(
            **figures,
            run_sd=self.run_sd,
            unsupported=found.unsupported,
            n_samples=n_samples,
            n_of_class=_of_class(measure.class_index, subject),
            score=ScorePosterior(found.scores[0], options.hdi_prob, partial(Draws, drawn.quantity.values)),
            provenance=Provenance(subject, subject.prior(options), measure),
        )

    def _summarise(self, score: Draws) -> FloorFigures:
        hdi_prob, floor = self.options.hdi_prob, self.floor
        (low, high), (mcse_low, mcse_high) = score.hdi(hdi_prob), score.hdi_mcse(hdi_prob)
        if floor is None:
            return FloorFigures(
                floor=None,
                p_below_floor=None,
                below_floor=False,
                above_floor=False,
                mcse_hdi=(mcse_low, mcse_high),
                settled=True,
            )
        return FloorFigures(
            floor=floor,
            p_below_floor=score.shares(floor, floor)[0],
            below_floor=floor > high,
            above_floor=low > floor,
            mcse_hdi=(mcse_low, mcse_high),
            settled=Gap(floor - high, mcse_high).is_clear and Gap(low - floor, mcse_low).is_clear,
        )


class _OneSide(SharedArguments, ArrayArguments, total=False): ...


@overload
def estimate(y_true: Any, y_pred: Any, **arguments: Unpack[_OneSide]) -> Estimate: ...


@overload
def estimate(cm: Any, **arguments: Unpack[SharedArguments]) -> Estimate: ...


@of_arrays("y_true", "y_pred")
def estimate(cm: Any, **arguments: Unpack[SharedArguments]) -> Estimate:
    """Estimate one classifier's score, with the range that it likely lies in.

    Reports list gates and comparisons, and no estimates: `pytest_bayesf1.assert_at_least` demands a score.

    Parameters
    ----------
    y_true, y_pred
        The truth and the predictions, as arrays; see `compare`.
    cm
        In place of them: a `ConfusionMatrix`, a `MultilabelCounts` or anything with counts, as in `compare`.
    **arguments
        Those of `compare` but ``rope`` and ``model``; ``human`` has the columns ``id`` and ``value``.

    Returns
    -------
    Estimate
        The score's posterior.

    Raises
    ------
    InputError
        When the data or an argument cannot be used.

    Examples
    --------
    >>> from pytest_bayesf1 import estimate
    >>> y_true = ["ham", "spam"] * 500
    >>> y_pred = ["spam"] * 100 + y_true[100:]
    >>> found = estimate(y_true, y_pred)
    >>> found
    <Estimate f1_macro 0.950 (0.936 to 0.962)>
    >>> print(found.headline)
    Macro-F1 is 0.950 (95% likely 0.936 to 0.962)
    """
    found = run_estimate(cm, **arguments)
    warn_about(data_warnings(found))
    return found


def _of_class(index: int | None, subject: Subject[Any]) -> int | None:
    return None if index is None else round(subject.experiment.tables[0].row_totals[index])


def run_estimate(
    matrix: Any, floor: float | None = None, run_sd: float | None = None, **given: Unpack[SharedArguments]
) -> Estimate:
    """Estimate a score and set it against the floor, if any, without telling the session."""
    estimate: Estimate = EstimateTask.of(matrix, floor=floor, run_sd=run_sd, **given).answer()
    return estimate


def _of_new_runs(observed: float, sd: float, options: Options) -> Floats:
    """Return evenly spaced quantiles of the score that runs of the same examples have on average."""
    n = options.n_draws or options.engine.first_draws
    return np.asarray(observed + sd * ndtri((np.arange(n) + 0.5) / n))


def require_difference_of_scores(rope: Rope) -> None:
    """Refuse a ROPE that no difference of scores can leave.

    Examples
    --------
    >>> require_difference_of_scores(Rope.of(5))
    Traceback (most recent call last):
    pytest_bayesf1.errors.InputError: rope: expected a difference of scores, such as 0.01 for one point, got 5
    """
    if _reach(rope) >= 1:
        raise InputError("rope", "a difference of scores, such as 0.01 for one point", _written(rope))


def check_width(rope: Rope, measure: AnyMeasure, *, right_or_wrong: bool = False) -> None:
    """Refuse a ROPE that no score can leave, and a wide one that is not declared to be meant.

    A mean of grades that are ``right_or_wrong``, 1 or 0, is at most 1; the scale of other numbers is unknown.
    """
    if measure.bounded or right_or_wrong:
        require_difference_of_scores(rope)
    if measure.bounded and not rope.wide and _reach(rope) > WIDEST:
        expected = f"a difference of at most {WIDEST:g}, or a wider one with the word {CONFIRMED} behind it"
        raise InputError("rope", expected, _written(rope))


def can_fail(baseline: Floats, rope: Rope, hdi_prob: float, measure: AnyMeasure) -> bool:
    """Whether some candidate could be found significantly worse (≪).

    A candidate scores no less than the measure's lowest score, so delta = candidate - baseline is no less than that
    minus the baseline's score. An HDI wholly below the ROPE holds ``hdi_prob`` of delta's probability, which the ROPE
    then leaves room for only if the baseline itself lies further than the ROPE's lower end above the lowest score with
    that probability. What it says of gates that cannot fail is certain; a candidate's own uncertainty, which makes it
    harder still to fail, is left out.
    """
    return bool(np.mean(baseline > measure.lowest - rope.low) >= hdi_prob)


def _reach(rope: Rope) -> float:
    return max(-rope.low, rope.high)


def _written(rope: Rope) -> str:
    return f"{rope.high:g}" if -rope.low == rope.high else rope_bounds((rope.low, rope.high))


_WORSE = (Decision.MUCH_WORSE, Decision.WORSE)

_SHARE_DRAWS = 4_000
"""Of delta at equal class shares, whose mean is asked for."""


@overload
def compare(y_true: Any, baseline: Any, candidate: Any, **arguments: Unpack[ArrayCompareArguments]) -> Comparison: ...


@overload
def compare(baseline: Any, candidate: Any = None, **arguments: Unpack[CompareArguments]) -> Comparison: ...


@of_arrays("y_true", "baseline", "candidate")
def compare(
    baseline: Any,
    candidate: Any = None,
    *,
    measure: MeasureLike | None = None,
    rope: RopeLike | None = None,
    hdi_prob: float | None = None,
    human: Any = None,
    model: str | None = None,
    on_new_test_set: str | None = None,
    weak_baseline: bool | None = None,
    prevalence: PrevalenceLike | None = None,
    prior: str | Prior | None = None,
    engine: str | Engine | None = None,
    seed: int | None = None,
    n_draws: int | None = None,
) -> Comparison:
    """Compare two classifiers by the posterior of the difference of their scores.

    Arguments that are left out take the project's setting, when a test run has one, or the default.

    Parameters
    ----------
    y_true
        The truth of every example, as an array: its label, its set of labels, or its spans or tags. With it go
        ``labels``, ``ids``, ``clusters``, ``runs``, ``run_ids``, ``invalid`` and ``show``, as in
        `ConfusionMatrix.from_predictions`. Leave it out where both sides hold the truth.
    baseline, candidate
        With ``y_true`` both sides' predictions, as arrays in the same order. Else each a `ConfusionMatrix` or anything
        with counts that numpy or pandas understands, rows being the true class; each a `MultilabelCounts`, a
        `SpanCounts` or `Scores`; or a `PairedCounts` or `LabelledPool` as ``baseline`` alone. When both remember their
        predictions, the comparison is paired.
    measure
        A name such as ``"f1_macro"`` (the default), ``"accuracy"``, ``"f1[spam]"``, ``"fbeta_macro(2)"``, or a function
        of the joint probabilities p, shape (..., M, M) -> (...) or, of labels, (..., L, 2, 2) -> (...), larger being
        better. Of scores ``"roc_auc"``, ``"average_precision"``, ``"neg_log_loss"``, ``"neg_brier_score"``, ``"mean"``,
        of several classes ``"roc_auc_ovr"``, ``"average_precision_macro"``, or a name with a threshold: ``"f1@0.5"``.
    rope
        Differences that do not matter: a half-width or (low, high). Required. Above 0.1, of a named measure,
        the word "wide" has to follow: ``(0.3, "wide")``, ``(-0.3, 0.1, "wide")``.
    hdi_prob
        Probability inside the highest-density interval; 0.95 by default.
    human
        People's grades of some of the answers, where the numbers are the grades of a judge, such as a language model,
        and have ids: a file or a table with the columns ``id``, ``baseline`` and ``candidate``, on the judge's scale
        (``pass`` and ``fail`` are 1 and 0). They correct the judge: the change is that of the mean that people would
        give. Draw at random which answers they grade, at least 20.
    model
        ``"paired"``, ``"same-set"`` or ``"independent"``; ``"auto"`` takes the strongest that the data allow.
    on_new_test_set
        ``"shared"`` (the default): where the two test sets differ, compare on the examples that both have, by id, and
        by the candidate's truth; bare counts, which have no ids, are then independent. ``"independent"``: compare them
        as two samples without a common example. ``"error"``: raise `InputError`.
    weak_baseline
        Whether the baseline may know nothing, by default False. A baseline whose answers are no better than chance, or
        the wrong way round, was mostly misread, and hides what a candidate loses; with 50 examples or more it is
        refused otherwise.
    prevalence
        The class shares that both sides are scored at: ``"test-set"``, each side's own, by default; ``"baseline"`` or
        ``"candidate"``, those of its test set; or shares such as ``{"fraud": 0.01}``: the other classes divide the rest
        as in the test sets.
    prior
        ``"hierarchical"``, ``"nested"``, ``"uniform"`` or ``"jeffreys"``; ``"auto"`` is jeffreys for two classes,
        spans and accuracy, else nested; of scores their own. Or a `Prior`, such as another comparison's
        `Comparison.as_prior`: evidence adds up.
    engine
        ``"exact"``, or ``"pymc"``: NUTS, slower, for other priors; see `pytest_bayesf1.NutsEngine`.
    seed
        Of the random numbers, 0 by default: the same input gives the same output.
    n_draws
        Number of posterior draws; by default 10,000, doubled until the decision is settled, up to 100,000.

    Returns
    -------
    Comparison
        What the data say, and every figure behind it.

    Raises
    ------
    InputError
        When the data or an argument cannot be used.
    ConvergenceError
        When an engine's Markov chains have not converged.

    References
    ----------
    Zhang, Wang, Zhao and Wang (2015), A Bayesian hierarchical model for comparing average F1 scores;
    Zhang, Wang, Yilmaz, Wang and Zhou (2016), Bayesian performance comparison of text classifiers.

    Examples
    --------
    >>> from pytest_bayesf1 import compare
    >>> y_true = ["ham", "spam"] * 500
    >>> old, new = y_true, ["spam"] * 100 + y_true[100:]
    >>> compare(y_true, old, new, rope=0.01)
    <Comparison ≪ f1_macro −5.0 points>

    From confusion matrices:

    >>> result = compare([[480, 20], [30, 470]], [[400, 100], [90, 410]], measure="f1", rope=0.01)
    >>> print(result.decision)
    ≪
    """
    comparison = run_comparison(**locals())  # every parameter by its name
    current_session().record(comparison)
    warn_about(data_warnings(comparison))
    return comparison


def run_comparison(baseline: Any, candidate: Any = None, **given: Unpack[CompareArguments]) -> Comparison:
    """Do what `compare` does, without telling the session."""
    comparison: Comparison = ComparisonTask.of(baseline, candidate, **given).answer()
    return comparison


class Decided(NamedTuple):
    """Draws of delta, and what can leave the decision open: what the test sets share, their class shares, a class."""

    drawn: Drawn[DeltaFigures]
    shared: SharedExamples | None
    shares: ClassShares | None
    doubted: Label | None

    @property
    def is_open(self) -> bool:
        """Whether any of these may hide that the candidate is worse."""
        return leave_open(self.shares, self.shared, self.doubted)


@dataclass(frozen=True)
class ComparisonTask(Task):
    """Two sides, ready to be compared by any measure, or by several on the same draws."""

    options: CompareOptions

    @classmethod
    def of(cls, baseline: Any, candidate: Any = None, **given: Unpack[CompareArguments]) -> "ComparisonTask":
        """Check the data and the arguments."""
        options = CompareOptions.resolve(**given)
        subject = subject_of_two(baseline, candidate, options)
        require_examples(subject)
        if not options.weak_baseline:
            require_knowledge(subject)
        return cls(subject, options)

    def on(self, data: Any) -> Self:
        """Return the same task on other sides."""
        return replace(self, subject=subject_of_two(data, None, _of_part(self.options)))

    def measure(self, asked_for: MeasureLike) -> AnyMeasure:
        """Choose a measure that the data can be compared by."""
        measure: AnyMeasure = self.subject.measure(asked_for)
        check_width(self.options.rope, measure, right_or_wrong=self.subject.is_right_or_wrong)
        return measure

    def answers(self, measures: Sequence[Any], tail: float = 1.0) -> Iterator[Comparison]:
        """Compare by each, exactly as if it alone were asked for."""
        subject, options = self.subject, self.options
        for batch in batches(measures, 2, options):
            found = list(self.decided(batch, tail))
            counts = subject.counts  # of scores nothing is known before the data
            before = prior_deltas(counts.experiment, batch, options) if counts else [None] * len(batch)
            independent = subject.scores_if_independent(batch, options) if subject.clusters else None
            for column, (measure, decided) in enumerate(zip(batch, found, strict=True)):
                apart = None if independent is None else independent[1, :, column] - independent[0, :, column]
                yield self._answer(measure, decided, before[column], apart)

    def decided(self, measures: Sequence[Any], tail: float = 1.0) -> Iterator[Decided]:
        """Draw delta by measures that look at the same detail, and decide."""
        all_shared = self._shared_examples(measures, tail)
        found = draw_delta(self.subject, self.options, tuple(measures), tail)
        all_shares = self._class_shares(measures, [each.summary for each in found], tail)
        for measure, drawn, shared, shares in zip(measures, found, all_shared, all_shares, strict=True):
            decision = drawn.summary.decision
            doubted = self._doubted_class(measure, drawn.summary)
            may_be_worse = shared is not None and shared.doubt and decision not in _WORSE
            if may_be_worse or (shares is not None and shares.decides) or doubted is not None:
                decision = Decision.UNDECIDED
            summary = replace(drawn.summary, decision=decision)
            yield Decided(replace(drawn, summary=summary), shared, shares, doubted)

    def _doubted_class(self, measure: Any, found: DeltaFigures) -> Label | None:
        """Name a class that keeps the candidate from being shown to be no worse; None where nothing would be shown."""
        rope, counts = self.options.rope, self.subject.counts
        is_proof = found.hdi[0] > rope.low and found.decision in (Decision.EQUIVALENT, Decision.UNDECIDED)
        if counts is None or not is_proof:
            return None
        place = doubted_class(counts.experiment, measure, rope.low, self.options.hdi_prob)
        return None if place is None else counts.class_names[place]

    def _shared_examples(self, measures: Sequence[Any], tail: float) -> list[SharedExamples | None]:
        """Describe what the two test sets share, with what each measure would decide on others; None if they agree."""
        sides = self.subject.sides or self.subject.apart
        if sides is None or sides.overlap is None or not sides.overlap.n_shared:
            return [None] * len(measures)
        overlap = sides.overlap
        is_apart = self.subject.apart is not None
        lacks = overlap.n_baseline > overlap.n_candidate if is_apart else overlap.lacking.n_samples > 0
        if_wrong = overlap.if_wrong(len(sides.baseline.labels)) if lacks else None
        on_old_truth = overlap.on_old_truth if overlap.corrected.any() else None
        for_baseline, for_candidate = overlap.favoured() if on_old_truth else (0, 0)
        fewer, n = min(for_baseline, for_candidate), for_baseline + for_candidate
        found = SharedExamples(
            n_baseline=overlap.n_baseline,
            n_candidate=overlap.n_candidate,
            n_shared=overlap.n_shared,
            n_corrected=int(overlap.corrected.sum()),
            favoured=(for_baseline, for_candidate),
            p_favoured=min(1.0, 2 * float(bdtr(fewer, n, 0.5))),
            decision_if_wrong=None,
            decision_on_old_truth=None,
            decision_on_whole=None,
            whole_scores=None,
        )
        others = {"decision_if_wrong": if_wrong, "decision_on_old_truth": on_old_truth}
        tasks = {name: self.on(sides.of_examples(*examples)) for name, examples in others.items() if examples}
        decided: dict[str, Sequence[Any]] = {name: _decisions(task, measures, tail) for name, task in tasks.items()}
        differ = overlap.lacking.n_samples or overlap.added.n_samples
        if differ and self.options.human is None and not is_apart:  # people's grades are of pairs
            apart = self._as_two_samples(sides.of_examples(*overlap.whole))
            decided["decision_on_whole"] = _decisions(apart, measures, tail)
            decided["whole_scores"] = [apart.subject.observed(measure).scores for measure in measures]
        return [replace(found, **{name: each[at] for name, each in decided.items()}) for at in range(len(measures))]

    def _as_two_samples(self, sides: Sides) -> "ComparisonTask":
        """Compare without pairs; what a prior counted of pairs is left out."""
        prior = self.options.prior if self.options.earlier is None else AUTO
        options = replace(self.options, model=Model.INDEPENDENT, prior=prior)
        try:
            return ComparisonTask(subject_of_two(sides, None, options), options)
        except InputError:  # a class of one test set alone has no score at the shares that were stated
            options = replace(options, prevalence=Prevalence(TEST_SET))
            return ComparisonTask(subject_of_two(sides, None, options), options)

    def _class_shares(
        self, measures: Sequence[Any], found: Sequence[DeltaFigures], tail: float
    ) -> Sequence[ClassShares | None]:
        """Say of every measure what class shares that differ do to it; nothing where some were stated."""
        nothing, moved = [None] * len(measures), moved_class(self.subject)
        if moved is None or self.options.prevalence is not None:
            return nothing
        try:
            equal = [at_prevalence(self.subject, Prevalence(word)) for word in (BASELINE, CANDIDATE)]
        except InputError:  # the shares of one test set are not to be had in the other
            return nothing
        affected = [depends_on_shares(measure, equal[0]) for measure in measures]
        if not any(affected):
            return nothing
        options = replace(self.options, engine=load_engine(EngineName.EXACT))
        drawn = [subject.sampler(measures, options).draw(_SHARE_DRAWS) for subject in equal]
        deltas = np.stack([candidate - baseline for baseline, candidate in drawn])
        return [
            moved.effect(summary, [options.summarise(Draws(delta.copy()), tail) for delta in deltas[:, :, column]])
            if affected[column]
            else None
            for column, summary in enumerate(found)
        ]

    def _answer(
        self, measure: AnyMeasure, decided: Decided, before: Draws | None, independent: Floats | None
    ) -> Comparison:
        subject, options, rope = self.subject, self.options, self.options.rope
        drawn, shared, shares = decided.drawn, decided.shared, decided.shares
        drawn.quantity.values.flags.writeable = False
        baseline, candidate = (self._side(measure, place, drawn.scores) for place in range(2))
        found, (baseline_n, candidate_n) = subject.observed(measure), subject.n_samples
        figures = computed_figures(subject, measure, options, drawn, independent)
        needed = subject.examples_needed(measure, drawn.summary, rope)
        if figures["decision"] is Decision.UNDECIDED and decided.is_open:
            needed = NO_NUMBER
        comparison = Comparison(
            **figures,
            contingency=found.contingency,
            custom_measure=not measure.bounded,
            rope=(rope.low, rope.high),
            examples_needed=needed,
            class_shares=shares,
            doubted_class=decided.doubted,
            model=subject.model,
            model_reason=subject.reason,
            shared_examples=shared,
            pool=subject.pool(),
            n_samples=(baseline_n, candidate_n),
            unsupported=found.unsupported,
            labels=subject.true_labels,
            baseline=baseline,
            candidate=candidate,
            score_draws=drawn.scores,
            draws=drawn.quantity,
            draws_before=before,
            provenance=Provenance(subject, subject.prior(options), measure, options.weak_baseline),
            decision_words=figures["decision"].words,
            p_lost_more=drawn.summary.p_below_rope,
            p_gained_more=drawn.summary.p_above_rope,
            mcse=drawn.summary.std / sqrt(drawn.convergence.ess),
            can_fail=can_fail(drawn.scores[0], rope, options.hdi_prob, measure),
        )
        is_open = comparison.decision is Decision.UNDECIDED and comparison.is_not_inferior
        return replace(comparison, decision_words=NO_WORSE) if is_open else comparison

    def _side(self, measure: AnyMeasure, place: int, scores: Floats) -> ScorePosterior:
        """Return the posterior of one side's score as `estimate` finds it; of a pool, and of chains, the joint one."""
        subject, options = self.subject, self.options
        alone = subject.of_side(place) if options.engine.name == EngineName.EXACT else None
        draw = partial(Draws, scores[place]) if alone is None else partial(_draw_alone, alone, measure, options)
        return ScorePosterior(subject.observed(measure).scores[place], options.hdi_prob, draw)


def _draw_alone(side: Subject[Any], measure: AnyMeasure, options: Options) -> Draws:
    """Draw the score of one side."""
    n_draws = options.n_draws or options.engine.first_draws
    return Draws(np.ascontiguousarray(side.sampler((measure,), options).draw(n_draws)[0, :, 0]))


def _decisions(task: ComparisonTask, measures: Sequence[Any], tail: float) -> list[Decision]:
    """Decide by each measure, whatever may leave it open."""
    return [each.summary.decision for each in draw_delta(task.subject, task.options, tuple(measures), tail)]
