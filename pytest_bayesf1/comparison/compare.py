"""`compare`, the main call."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Unpack

import numpy as np

from pytest_bayesf1._util import later
from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.comparison.design import Sides
from pytest_bayesf1.comparison.options import (
    TWO_SIDES,
    CompareArguments,
    CompareOptions,
    Options,
    SharedArguments,
    positional,
)
from pytest_bayesf1.comparison.result import Comparison, can_fail, check_width, thinned_chains, warn_about
from pytest_bayesf1.comparison.sampling import AdaptiveSampling, Drawn, batches, sampling_of_delta
from pytest_bayesf1.comparison.subject import (
    AnyMeasure,
    ClassPosteriors,
    OutcomeSubject,
    Provenance,
    Subject,
    prior_deltas,
    subject_of_one,
    subject_of_two,
)
from pytest_bayesf1.data.paired import Side
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.engines.protocol import Engine
from pytest_bayesf1.measures.classification import Measure, MeasureLike
from pytest_bayesf1.priors import Prior
from pytest_bayesf1.results.comparison import DeltaFigures
from pytest_bayesf1.results.other import VersionChange, VersionScore
from pytest_bayesf1.settings import Record, current_session
from pytest_bayesf1.stats.decision import RopeLike
from pytest_bayesf1.stats.posterior import (
    UNKNOWN,
    Draws,
    ScorePosterior,
    density_curve,
    examples_needed,
    interval_bayes_factor,
    savage_dickey,
    summarise_delta,
)
from pytest_bayesf1.stats.power import Alternative, detectable_losses_of


@positional(TWO_SIDES)
def compare(
    baseline: Any,
    candidate: Any = None,
    *,
    measure: MeasureLike | None = None,
    rope: RopeLike | None = None,
    hdi_prob: float | None = None,
    model: str | None = None,
    agreement: float | tuple[float, float] | None = None,
    prior: str | Prior | None = None,
    engine: str | Engine | None = None,
    seed: int | None = None,
    n_draws: int | None = None,
) -> Comparison:
    """Compare two classifiers by the posterior of the difference of their scores.

    Arguments that are left out take the project's setting, when a test run has one, or the default.

    Parameters
    ----------
    baseline, candidate
        Each a `ConfusionMatrix` or anything with counts that numpy or pandas understands, rows being the true class;
        each a `MultilabelCounts`, a `SpanCounts` or `Scores`; or a `PairedCounts` as ``baseline`` alone. When both
        remember their predictions, the comparison is paired.
    measure
        A name such as ``"f1_macro"`` (the default), ``"accuracy"``, ``"f1[spam]"``, ``"fbeta_macro(2)"``, or a function
        of the joint probabilities p, shape (..., M, M) -> (...) or, of labels, (..., L, 2, 2) -> (...), larger being
        better. Of scores ``"roc_auc"``, ``"average_precision"``, ``"neg_log_loss"``, ``"neg_brier_score"``, ``"mean"``,
        of several classes ``"roc_auc_ovr"``, ``"average_precision_macro"``, or a name with a threshold: ``"f1@0.5"``.
    rope
        Differences that do not matter: a half-width or (low, high). Required. Above 0.1 a named measure warns with
        `WideRopeWarning`, unless the word "wide" stands behind it: ``(0.3, "wide")``, ``(-0.3, 0.1, "wide")``.
    hdi_prob
        Probability inside the highest-density interval; 0.95 by default.
    model
        ``"paired"``, ``"same-set"`` or ``"independent"``; ``"auto"`` takes the strongest that the data allow.
    agreement
        Which share of the examples two bare matrices predict alike, such as 0.93, or its bounds: pairs them by it.
    prior
        ``"hierarchical"``, ``"nested"``, ``"uniform"`` or ``"jeffreys"``; ``"auto"`` is jeffreys for two classes
        and for spans, nested for more classes, hierarchical for several labels; of scores their own. Or a `Prior`, such
        as another comparison's `Comparison.as_prior`: evidence adds up.
    engine
        ``"exact"``, or ``"pymc"``: NUTS, slower, for other priors; see `pytest_bayesf1.NutsEngine`.
    seed
        Of the random numbers, 0 by default: the same input gives the same output.
    n_draws
        Number of posterior draws; by default 20,000, doubled until the decision is settled, up to 100,000.

    Returns
    -------
    Comparison
        What the data say, and every figure behind it.

    Raises
    ------
    InputError
        When the data or an argument cannot be used.
    ConvergenceError
        When an engine's Markov chains have not converged, or leave the decision within their error.

    References
    ----------
    Zhang, Wang, Zhao and Wang (2015), A Bayesian hierarchical model for comparing average F1 scores;
    Zhang, Wang, Yilmaz, Wang and Zhou (2016), Bayesian performance comparison of text classifiers.

    Examples
    --------
    >>> from pytest_bayesf1 import compare
    >>> result = compare([[480, 20], [30, 470]], [[400, 100], [90, 410]], measure="f1", rope=0.01)
    >>> print(result.decision)
    ≪
    """
    comparison = run_comparison(
        baseline,
        candidate,
        measure=measure,
        rope=rope,
        hdi_prob=hdi_prob,
        model=model,
        agreement=agreement,
        prior=prior,
        engine=engine,
        seed=seed,
        n_draws=n_draws,
    )
    current_session().listener(Record(comparison, gate="compare"))
    warn_about(comparison)
    return comparison


def run_comparison(baseline: Any, candidate: Any = None, **given: Unpack[CompareArguments]) -> Comparison:
    """Do what `compare` does, without telling the session."""
    question = ComparisonTask.of(baseline, candidate, **given)
    (comparison,) = question.answers([question.measure(question.options.measure)])
    return comparison


@dataclass(frozen=True)
class ComparisonTask:
    """Two sides, ready to be compared by any measure, or by several on the same draws."""

    subject: Subject[Any]
    options: CompareOptions

    @classmethod
    def of(cls, baseline: Any, candidate: Any = None, **given: Unpack[CompareArguments]) -> "ComparisonTask":
        """Check the data and the arguments."""
        options = CompareOptions.resolve(**given)
        return cls(subject_of_two(baseline, candidate, options), options)

    def measure(self, asked_for: MeasureLike) -> AnyMeasure:
        """Choose a measure that the data can be compared by."""
        measure: AnyMeasure = self.subject.measure(asked_for)
        check_width(self.options.rope, measure)
        return measure

    def answers(self, measures: Sequence[Any], tail: float = 1.0) -> Iterator[Comparison]:
        """Compare by each, exactly as if it alone were asked for."""
        subject, options = self.subject, self.options
        drawing = sampling_of_delta(subject, options, tail)
        for batch in batches(measures, 2, options):
            of_counts = isinstance(subject, OutcomeSubject)  # of scores nothing is known before the data
            before = prior_deltas(subject.experiment, batch, options) if of_counts else None
            independent = subject.scores_if_independent(batch, options)
            found = drawing.until_settled(batch)
            class_scores = found[0].class_scores
            classes = None if class_scores is None else ClassPosteriors.of(class_scores, options.hdi_prob)
            for column, (measure, drawn) in enumerate(zip(batch, found, strict=True)):
                beside = _Beside(
                    None if before is None else before[column],
                    None if independent is None else independent[1, :, column] - independent[0, :, column],
                    classes,
                )
                yield _comparison(self, measure, drawn, beside)


@dataclass(frozen=True, eq=False)
class _Beside:
    """What is drawn beside the posterior, where it makes sense: from before the data, without clusters, of classes."""

    before: Draws | None
    independent: Floats | None
    classes: ClassPosteriors | None


def _comparison(
    question: ComparisonTask, measure: AnyMeasure, drawn: Drawn[DeltaFigures], beside: _Beside
) -> Comparison:
    subject, options, rope = question.subject, question.options, question.options.rope
    (baseline, candidate), draws, summary = drawn.scores, drawn.quantity, drawn.summary
    delta = draws.values
    delta.flags.writeable = False
    found, before, clusters = subject.particulars(measure), beside.before, subject.clusters
    inside = cache(lambda: UNKNOWN if before is None else interval_bayes_factor(draws, before, rope))
    at_zero = cache(lambda: UNKNOWN if before is None else savage_dickey(draws, before))
    prior, most = subject.prior(options), float(baseline.mean()) - measure.lowest
    of_clusters = clusters.figures(delta, beside.independent, options.hdi_prob) if clusters else None
    baseline_n, candidate_n = subject.n_samples
    return Comparison(
        **vars(summary),
        measure=measure.name,
        measure_words=measure.words,
        custom_measure=not measure.bounded,
        rope=(rope.low, rope.high),
        hdi_prob=options.hdi_prob,
        bayes_factor=later(lambda: inside().value),
        bayes_factor_mcse=later(lambda: inside().mcse),
        bayes_factor_sd=later(lambda: at_zero().value),
        bayes_factor_sd_mcse=later(lambda: at_zero().mcse),
        examples_needed=examples_needed(summary, rope, found.n_known),
        detectable_losses=later(
            lambda: detectable_losses_of(summary, rope, _population(subject, measure), most, of_clusters)
        ),
        model=subject.model,
        model_reason=subject.reason,
        stated_agreement=options.agreement,
        prior=str(prior),
        engine=options.engine.name,
        convergence=drawn.convergence,
        seed=options.seed,
        n_draws=delta.size,
        n_samples=(baseline_n, candidate_n),
        unsupported=found.unsupported,
        clusters=of_clusters,
        largest_drops=found.largest_drops,
        largest_moves=found.largest_moves,
        agreement=found.agreement,
        classical_tests=found.classical_tests,
        paired_outcomes=found.paired_outcomes,
        labels=subject.true_labels,
        baseline=ScorePosterior.of(found.observed[0], Draws(baseline), options.hdi_prob),
        candidate=ScorePosterior.of(found.observed[1], Draws(candidate), options.hdi_prob),
        delta=delta,
        density=density_curve(draws),
        trace=thinned_chains(drawn.convergence, delta),
        prior_density=later(lambda: None if before is None else density_curve(before, around=draws)),
        provenance=Provenance(subject, prior, measure, beside.classes),
        can_fail=can_fail(baseline, rope, options.hdi_prob, measure),
    )


def _population(subject: Subject[Any], measure: AnyMeasure) -> Alternative | None:
    """Return what was seen as a population, where others can be derived: not of scores, nor for a user's function."""
    if isinstance(subject, OutcomeSubject) and isinstance(measure, Measure) and measure.bounded:
        return Alternative.seen(subject.experiment, measure)
    return None


N_DRAWS = 5_000
"""At first: their error is a fortieth of the interval's width, and a decision that it leaves open gets more."""


class _FewDraws(ExactEngine):
    first_draws = N_DRAWS


def brief_change(sides: Sides, **given: Unpack[CompareArguments]) -> VersionChange:
    """Compare two sides as `pytest_bayesf1.compare` does, on fewer draws as long as they settle the decision."""
    given["engine"] = _FewDraws()
    question = ComparisonTask.of(sides, **given)
    options, measure = question.options, question.measure(question.options.measure)
    drawing = AdaptiveSampling(
        question.subject,
        options,
        lambda scores: np.asarray(scores[1] - scores[0]),
        lambda delta: summarise_delta(delta, options.rope, options.hdi_prob),
    )
    (drawn,) = drawing.until_settled((measure,))
    return VersionChange(drawn.summary.mean, drawn.summary.hdi, drawn.summary.decision)


def brief_score(side: Side, **given: Unpack[SharedArguments]) -> VersionScore:
    """Estimate one classifier's score."""
    given["engine"] = _FewDraws()
    options = Options.resolve(**given)
    subject = subject_of_one(side, options)
    measure: AnyMeasure = subject.measure(options.measure)
    draws = Draws(subject.sampler((measure,), options).draw(N_DRAWS)[0, :, 0])
    return VersionScore(subject.particulars(measure).observed[0], draws.mean, draws.hdi(options.hdi_prob))
