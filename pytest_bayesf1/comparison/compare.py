"""`compare`, the main call."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, Unpack

import numpy as np
from scipy.special import bdtr

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.comparison.arguments import TWO_SIDES, CompareArguments, CompareOptions, positional
from pytest_bayesf1.comparison.class_shares import at_prevalence, moved_class
from pytest_bayesf1.comparison.design import Sides
from pytest_bayesf1.comparison.result import Comparison, can_fail, check_width, computed_figures, warn_about
from pytest_bayesf1.comparison.sampling import Drawn, batches, draw_delta
from pytest_bayesf1.comparison.subject import (
    AnyMeasure,
    ClassPosteriors,
    OutcomeSubject,
    PoolSubject,
    Provenance,
    Subject,
    depends_on_shares,
    prior_deltas,
    subject_of_two,
)
from pytest_bayesf1.data.prevalence import BASELINE, CANDIDATE, Prevalence, PrevalenceLike
from pytest_bayesf1.engines import load_engine
from pytest_bayesf1.engines.protocol import Engine
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.measures.classification import MeasureLike
from pytest_bayesf1.priors import Prior
from pytest_bayesf1.results.comparison import ClassShares, DeltaFigures, SharedExamples
from pytest_bayesf1.results.decision import Decision
from pytest_bayesf1.settings import EngineName, Record, current_session
from pytest_bayesf1.stats.decision import RopeLike
from pytest_bayesf1.stats.posterior import Draws, ScorePosterior

_SHARE_DRAWS = 4_000
"""Of delta at equal class shares, whose mean is asked for."""


@positional(TWO_SIDES)
def compare(
    baseline: Any,
    candidate: Any = None,
    *,
    measure: MeasureLike | None = None,
    rope: RopeLike | None = None,
    hdi_prob: float | None = None,
    model: str | None = None,
    on_new_test_set: str | None = None,
    agreement: float | tuple[float, float] | None = None,
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
    baseline, candidate
        Each a `ConfusionMatrix` or anything with counts that numpy or pandas understands, rows being the true class;
        each a `MultilabelCounts`, a `SpanCounts` or `Scores`; or a `PairedCounts` or `LabelledPool` as ``baseline``
        alone. When both remember their predictions, the comparison is paired.
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
    on_new_test_set
        ``"shared"`` (the default): where the two test sets differ, compare on the examples that both have, by id, and
        by the candidate's truth; bare counts, which have no ids, are then independent. ``"independent"``: compare them
        as two samples without a common example. ``"error"``: raise `InputError`.
    agreement
        Which share of the examples two bare matrices predict alike, such as 0.93, or its bounds: pairs them by it.
    prevalence
        The class shares that both sides are scored at: ``"test-set"``, each side's own, by default; ``"baseline"`` or
        ``"candidate"``, those of its test set; or shares such as ``{"fraud": 0.01}`` or, where they are known to a
        central 95% interval, ``{"fraud": (0.008, 0.012)}``: the other classes divide the rest as in the test sets.
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
    comparison = run_comparison(**locals())  # every parameter by its name
    current_session().listener(Record(comparison, gate="compare"))
    warn_about(comparison.warnings())
    return comparison


def run_comparison(baseline: Any, candidate: Any = None, **given: Unpack[CompareArguments]) -> Comparison:
    """Do what `compare` does, without telling the session."""
    task = ComparisonTask.of(baseline, candidate, **given)
    (comparison,) = task.answers([task.measure(task.options.measure)])
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
        for batch in batches(measures, 2, options):
            shared = self._shared_examples(batch, tail)
            of_counts = isinstance(subject, OutcomeSubject)  # of scores nothing is known before the data
            before = prior_deltas(subject.experiment, batch, options) if of_counts else [None] * len(batch)
            independent = subject.scores_if_independent(batch, options)
            found = draw_delta(subject, options, batch, tail)
            shares = self._class_shares(batch, [each.summary for each in found], tail)
            class_scores = found[0].class_scores
            classes = None if class_scores is None else ClassPosteriors.of(class_scores, options.hdi_prob)
            for column, (measure, drawn) in enumerate(zip(batch, found, strict=True)):
                apart = None if independent is None else independent[1, :, column] - independent[0, :, column]
                yield self._answer(measure, drawn, before[column], apart, classes, shared[column], shares[column])

    def _shared_examples(self, measures: Sequence[Any], tail: float) -> list[SharedExamples | None]:
        """Describe what the two test sets share, with what each measure would decide on others; None if they agree."""
        sides = self.subject.sides
        if sides is None or sides.overlap is None:
            return [None] * len(measures)
        overlap = sides.overlap
        if_wrong = overlap.if_wrong(len(sides.baseline.labels)) if overlap.lacking.n_samples else None
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
        )
        others = {"decision_if_wrong": if_wrong, "decision_on_old_truth": on_old_truth}
        decided = {
            name: self._decisions(sides.of_examples(*examples), measures, tail) if examples else [None] * len(measures)
            for name, examples in others.items()
        }
        return [replace(found, **dict(zip(decided, each, strict=True))) for each in zip(*decided.values(), strict=True)]

    def _decisions(self, sides: Sides, measures: Sequence[Any], tail: float) -> list[Decision]:
        """Decide on other examples by the same measures."""
        drawn = draw_delta(subject_of_two(sides, None, self.options), self.options, tuple(measures), tail)
        return [each.summary.decision for each in drawn]

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
        self,
        measure: AnyMeasure,
        drawn: Drawn[DeltaFigures],
        before: Draws | None,
        independent: Floats | None,
        classes: ClassPosteriors | None,
        shared: SharedExamples | None,
        shares: ClassShares | None,
    ) -> Comparison:
        subject, options, rope = self.subject, self.options, self.options.rope
        baseline, candidate = drawn.scores
        drawn.quantity.values.flags.writeable = False
        found, (baseline_n, candidate_n) = subject.observed(measure), subject.n_samples
        figures = computed_figures(subject, measure, options, drawn, independent)
        needed = subject.examples_needed(measure, drawn.summary, rope)
        if shares is not None and shares.decides:
            figures["decision"], needed = Decision.UNDECIDED, None
        return Comparison(
            **figures,
            **vars(found.changes),
            custom_measure=not measure.bounded,
            rope=(rope.low, rope.high),
            examples_needed=needed,
            class_shares=shares,
            model=subject.model,
            model_reason=subject.reason,
            shared_examples=shared,
            pool=subject.figures if isinstance(subject, PoolSubject) else None,
            n_samples=(baseline_n, candidate_n),
            unsupported=found.unsupported,
            labels=subject.true_labels,
            baseline=ScorePosterior.of(found.scores[0], Draws(baseline), options.hdi_prob),
            candidate=ScorePosterior.of(found.scores[1], Draws(candidate), options.hdi_prob),
            draws=drawn.quantity,
            draws_before=before,
            provenance=Provenance(subject, subject.prior(options), measure, classes),
            decision_words=figures["decision"].words,
            mcse=drawn.summary.std / sqrt(drawn.convergence.ess),
            can_fail=can_fail(baseline, rope, options.hdi_prob, measure),
        )
