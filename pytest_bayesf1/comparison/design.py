"""Which model two sides allow: paired, same test set, independent; and which class shares they are compared at."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from scipy.special import chdtrc

from pytest_bayesf1.arrays import Floats, Weights
from pytest_bayesf1.choices import AUTO, COMPARISONS, AnyModel, EngineName, Model, OnNewTestSet
from pytest_bayesf1.comparison.arguments import BASELINE, CANDIDATE, TEST_SET, CompareOptions, Options, Prevalence
from pytest_bayesf1.comparison.human import HumanGrades
from pytest_bayesf1.comparison.subject import FEWEST, OutcomeSubject, PoolSubject, ScoreSubject, Subject
from pytest_bayesf1.data.counts import without_spans
from pytest_bayesf1.data.encoding import DOCUMENTS
from pytest_bayesf1.data.labels import position_of
from pytest_bayesf1.data.outcomes import CommonShares, Experiment, ScoreExperiment
from pytest_bayesf1.data.paired import PairedCounts, Scores, as_side, as_side_counts
from pytest_bayesf1.data.pool import LabelledPool
from pytest_bayesf1.data.questions import Questions
from pytest_bayesf1.data.sides import Sides, require_classes
from pytest_bayesf1.engines.stratified import PoolPosterior
from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.priors import EarlierCounts, beside_earlier, model_with, require_model
from pytest_bayesf1.results.comparison import ClassShares, DeltaFigures
from pytest_bayesf1.results.policy import Decision
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.text import counted
from pytest_bayesf1.values import require_once
from pytest_bayesf1.words.notes import AS_THE_PRIOR, ASKED_FOR, BARE_SPAN_COUNTS

SubjectT = TypeVar("SubjectT", bound=Subject[Any])

_ROUNDING = 1e-6  # of shares of all classes, which sum to 1


def at_prevalence(data: SubjectT, prevalence: Prevalence | None) -> SubjectT:
    """Return the same data, scored at these class shares; raise `InputError` where there is none of a class."""
    if prevalence is None:
        _require_same_classes(data)
    if prevalence is None or prevalence.word == TEST_SET:
        return data
    _require_classes(data)
    if prevalence.word and data.model is not Model.INDEPENDENT:
        return data  # both sides have one test set
    return replace(data, experiment=replace(data.experiment, population=_population(data, prevalence)))


_FEWEST_EXPECTED = 5
"""Examples of a class that the other test set's share of it leads to expect: none is then no chance."""


def _require_same_classes(data: Subject[Any]) -> None:
    """Refuse two test sets of which one alone has a class, whose part in the other's score is unknown."""
    totals = _totals_of_two(data)
    if totals is None:
        return
    expected = totals[::-1] / totals[::-1].sum(axis=1, keepdims=True) * totals.sum(axis=1, keepdims=True)
    sides, codes = np.nonzero((totals == 0) & (expected >= _FEWEST_EXPECTED))
    if codes.size:
        lacking, code = int(sides[0]), int(codes[0])
        other, names = 1 - lacking, (BASELINE, CANDIDATE)
        n = counted(round(float(data.experiment.tables[other].row_totals[code])), "example")
        found = f"{n} in the {names[other]}'s test set and none in the {names[lacking]}'s"
        problem = f"Class {shown(data.labels[code])} has {found}"
        advice = f"Compare the classes that both have, or declare prevalence: {TEST_SET}, if unlike scores will do."
        raise InputError.plain(names[lacking], problem, advice)


_LEAVE_OUT = f"Leave it out here, or pass prevalence: {TEST_SET} to overrule a setting of the project."


def _require_classes(data: Subject[Any]) -> None:
    experiment = data.experiment
    found = "" if data.labels else "examples with a number each"
    if getattr(experiment, "multilabel", False):
        found = "spans" if experiment.spans else "several labels per example"
    if found:
        raise InputError.plain("prevalence", f"There are no shares of classes: the data are {found}", _LEAVE_OUT)


def _population(data: Subject[Any], prevalence: Prevalence) -> CommonShares:
    totals = [table.row_totals for table in data.experiment.tables]
    if prevalence.word:
        side = (BASELINE, CANDIDATE).index(prevalence.word)
        _require_examples(data, totals, np.flatnonzero(totals[side]).tolist())
        return CommonShares(side=side)
    codes = [position_of(label, data.labels, "prevalence", _LEAVE_OUT) for label, _ in prevalence.shares]
    shares = tuple((code, share) for code, (_, share) in zip(codes, prevalence.shares, strict=True))
    require_once((data.labels[code] for code in codes), "prevalence", "class")
    occurring = np.flatnonzero(np.sum(totals, axis=0)).tolist()
    _require_examples(data, totals, [*codes, *occurring])
    _require_sum(prevalence, has_others=bool({*occurring} - {*codes}))
    return CommonShares(shares=shares)


def _require_examples(data: Subject[Any], totals: list[Weights], codes: list[int]) -> None:
    for number, of_classes in enumerate(totals):
        owner = " of the baseline" if number == 0 else " of the candidate"
        for code in codes:
            if of_classes[code] == 0:
                where = f"the test set{owner if len(totals) > 1 else ''}"
                advice = "Add some, or leave the class out: without examples its errors are unknown."
                problem = f"There is no example of class {shown(data.labels[code])} in {where}"
                raise InputError.plain("prevalence", problem, advice)


def _require_sum(prevalence: Prevalence, *, has_others: bool) -> None:
    total = prevalence.total
    if has_others and total >= 1:
        advice = "Name fewer classes: the others divide the rest."
        raise InputError(
            "prevalence", "shares that sum to less than 1, as there are other classes", f"{total:g}", advice
        )
    if not has_others and abs(total - 1) > _ROUNDING:
        raise InputError("prevalence", "shares that sum to 1, as they name all classes", f"{total:g}")


_SIGNIFICANT = 0.01
_MOVED = 0.1
"""Of a class's share of the baseline's test set: what differs by less hardly matters."""


@dataclass(frozen=True)
class MovedClass:
    """The class whose share differs most clearly between two test sets, and its share of each."""

    label: Label
    baseline: float
    candidate: float

    def effect(self, tested: DeltaFigures, equal: Sequence[DeltaFigures]) -> ClassShares:
        """Set delta as it was tested against delta at the class shares of the baseline, and of the candidate.

        A side that was taken depends on the shares where delta has the other sign, or the other decision, or is
        practically equivalent, at the shares of either test set.
        """
        side = tested.decision.side
        decides = any(
            side * each.mean < 0 or each.decision.side == -side or each.decision == Decision.EQUIVALENT
            for each in equal
        )
        at_baseline, at_candidate = (each.mean for each in equal)
        found = (self.label, self.baseline, self.candidate, at_baseline, at_candidate, tested.decision)
        return ClassShares(*found, decides=side != 0 and decides)


def moved_class(data: Subject[Any]) -> MovedClass | None:
    """Find what differs between the class shares of two test sets; None where it is little, or may be chance.

    The shares differ where the chi-squared test of the classes' totals is significant at 1%, and some class's by more
    than a tenth of what it was. Totals of clusters are divided by their design effect.
    """
    totals = _totals_of_two(data)
    if totals is None:
        return None
    expected = totals.sum(axis=1, keepdims=True) * totals.sum(axis=0) / totals.sum()
    parts = np.divide((totals - expected) ** 2, expected, out=np.zeros_like(expected), where=expected > 0).sum(axis=0)
    n_classes = np.count_nonzero(totals.sum(axis=0))
    if n_classes < 2 or chdtrc(n_classes - 1, parts.sum()) >= _SIGNIFICANT:
        return None
    before, after = totals / totals.sum(axis=1, keepdims=True)
    clearest = int(np.where(np.abs(after - before) > _MOVED * before, parts, 0.0).argmax())
    if not abs(after[clearest] - before[clearest]) > _MOVED * before[clearest]:
        return None
    return MovedClass(data.labels[clearest], float(before[clearest]), float(after[clearest]))


def _totals_of_two(data: Subject[Any]) -> Floats | None:
    """Return the classes' totals of two test sets without pairs, (2, M); None of anything else."""
    if data.model is not Model.INDEPENDENT or not data.labels or getattr(data.experiment, "multilabel", False):
        return None
    return np.stack([_effective_totals(table) for table in data.experiment.tables])


def _effective_totals(table: Any) -> Floats:
    """Return the classes' totals, of clusters those of examples that would tell as much if drawn one by one."""
    clusters = table.clusters and table.clusters.merged(table.true, table.n_classes)
    return np.asarray(table.row_totals / (clusters.design_effect() if clusters else 1.0), np.float64)


def design_comparison(
    baseline: Any, candidate: Any, model: AnyModel, earlier: EarlierCounts | None = None
) -> OutcomeSubject:
    """Choose the model of a comparison of counts."""
    both, model = _both(baseline, candidate), model_with(earlier, model, COMPARISONS)
    if isinstance(both, PairedCounts):
        return _with_earlier(_design_pairs(both, model), earlier)
    as_side_counts(both.baseline, "baseline")
    return _with_earlier(_design_sides(both, model), earlier)


def _both(baseline: Any, candidate: Any) -> PairedCounts | Sides:
    """Bring both sides to the same labels, if they do not come together."""
    if isinstance(baseline, PairedCounts | Sides):
        if candidate is not None:
            raise InputError.plain("candidate", f"{type(baseline).__name__} hold both sides", "Pass them alone.")
        return baseline
    if candidate is None:
        raise InputError.plain("candidate", "There is none", "Pass both sides, or arrays: y_true, baseline, candidate.")
    return Sides.aligned(as_side(baseline, "baseline"), as_side(candidate, "candidate"))


def _design_pairs(pairs: PairedCounts, model: AnyModel) -> OutcomeSubject:
    require_classes(pairs.baseline)
    if model in (AUTO, Model.PAIRED):
        experiment = Experiment(Model.PAIRED, (pairs.table,))
        reason = "both sides have joint outcomes on the same examples"
        return OutcomeSubject(
            experiment, pairs.labels, reason, pairs.notes, vocabulary=pairs.vocabulary, given=(pairs,)
        )
    design = _design_counts(Sides(pairs.baseline, pairs.candidate), model)
    return replace(design, notes=pairs.notes, given=(pairs,))


def _design_sides(sides: Sides, model: AnyModel) -> OutcomeSubject:
    notes = tuple(dict.fromkeys(sides.baseline.notes + sides.candidate.notes))
    if model == Model.PAIRED or (model == AUTO and sides.know_examples):
        experiment = Experiment(Model.PAIRED, (sides.joint,))
        reason = "both sides have predictions on the same examples"
        notes += tuple(without_spans(sides.paired))
        vocabulary = sides.candidate.vocabulary
        design = OutcomeSubject(experiment, sides.baseline.labels, reason, notes, sides=sides, vocabulary=vocabulary)
        known: Sequence[Questions | None] = sides.answers
    else:
        design = replace(_design_counts(sides, model), notes=notes)
        known = sides.baseline.questions, sides.candidate.questions
    return replace(_with_runs(design, known), given=(sides.baseline, sides.candidate))


def _with_runs(design: OutcomeSubject, known: Sequence[Questions | None]) -> OutcomeSubject:
    """Tell how many predictions an example has, and count every training of a recipe on its own."""
    trainings = tuple(() if each is None else tuple(each.trainings(len(design.labels))) for each in known)
    experiment = replace(design.experiment, trainings=trainings if any(trainings) else ())
    return replace(design, experiment=experiment, runs=tuple(1 if each is None else each.n_runs for each in known))


def _design_counts(sides: Sides, model: AnyModel) -> OutcomeSubject:
    difference, tables = sides.difference_of_totals, sides.apart
    spans, independent = tables[0].spans, f"model: {Model.INDEPENDENT}"
    if spans and model == Model.SAME_SET:
        advice = f"Build both sides from spans or tags, then they pair up; or use {independent}."
        raise InputError("model", f"'{Model.PAIRED}' or '{Model.INDEPENDENT}' for spans", repr(str(model)), advice)
    if model == Model.SAME_SET and difference:
        problem = f"{Model.SAME_SET} does not fit two test sets that differ: {difference}"
        raise InputError.plain("model", problem, f"Use {independent}.")
    if model != AUTO:
        reason = ASKED_FOR
    elif spans:
        model, reason = Model.INDEPENDENT, BARE_SPAN_COUNTS
    elif difference:
        model, reason = Model.INDEPENDENT, "the row totals differ: two different test sets"
    elif tables[0].clusters or tables[1].clusters:
        model, reason = Model.INDEPENDENT, "examples belong to clusters, but which predictions pair up is unknown"
    else:
        model, reason = Model.SAME_SET, "the row totals agree, but which predictions pair up is unknown"
    experiment = Experiment(model, tables)
    return OutcomeSubject(experiment, sides.baseline.labels, reason, vocabulary=sides.candidate.vocabulary)


def design_estimate(matrix: Any, earlier: EarlierCounts | None = None) -> OutcomeSubject:
    """Wrap one classifier's counts."""
    side = as_side_counts(matrix, "cm")
    require_model(earlier, (Model.SINGLE,))
    experiment = Experiment(Model.SINGLE, (side.table,))
    known: dict[str, Any] = {"vocabulary": side.vocabulary, "given": (side,)}
    design = OutcomeSubject(experiment, side.labels, "one classifier", side.notes, **known)
    return _with_earlier(_with_runs(design, [side.questions]), earlier)


def _with_earlier(design: OutcomeSubject, earlier: EarlierCounts | None) -> OutcomeSubject:
    experiment, labels, reason = design.experiment, design.labels, design.reason
    if earlier is not None:
        experiment = beside_earlier(experiment, labels, earlier)
        labels, reason = earlier.labels, AS_THE_PRIOR
    return replace(design, experiment=experiment.without_unsupported_classes(), labels=labels, reason=reason)


def _design_scores(sides: Sides, model: AnyModel) -> ScoreSubject:
    """Choose the model of a comparison of scores."""
    baseline, candidate = sides.baseline, sides.candidate
    notes = baseline.notes + candidate.notes
    given = baseline, candidate
    if model == Model.INDEPENDENT:
        experiment = ScoreExperiment(Model.INDEPENDENT, sides.apart)
        return ScoreSubject(experiment, baseline.labels, ASKED_FOR, notes, given=given)
    if model not in (AUTO, Model.PAIRED):
        raise InputError("model", "'paired' or 'independent' for scores", repr(model))
    reason = "both sides have scores of the same examples"
    experiment = ScoreExperiment(Model.PAIRED, (sides.joint,))
    return ScoreSubject(experiment, baseline.labels, reason, notes, sides, given=given)


_LABELLED_IN_PART = "both sides have predictions of a pool, and some of it has labels"


def _design_pool(pool: LabelledPool, options: CompareOptions) -> PoolSubject:
    """Take a pool; raise `InputError` for what cannot be asked of it."""
    _require_askable(options)
    if not pool.n_labelled:
        advice = "Label some examples that `bayesf1 label next` names."
        raise InputError.plain("labels", "The pool has no label yet", advice)
    experiment = Experiment(Model.PAIRED, (pool.strata.outcomes,))
    posterior = PoolPosterior(pool.strata)
    return PoolSubject(experiment, pool.labels, _LABELLED_IN_PART, posterior=posterior)


def require_enough_clusters(experiment: Experiment | ScoreExperiment, options: Options) -> None:
    """Refuse what makes no sense together with clusters, and too few of them."""
    if not experiment.clusters:
        return
    if experiment.model is Model.SAME_SET:
        advice = "Leave the model out: both sides share the clusters."
        raise InputError("model", "'paired' or 'independent' for clusters", "'same-set'", advice)
    if options.engine.name != EngineName.EXACT:
        advice = "Leave the engine out: the exact one draws weights of clusters."
        raise InputError("engine", "'exact' for clusters", repr(options.engine.name), advice)
    for clusters in experiment.clusters:
        n_equal = round(clusters.n_equal, 1)
        if n_equal < FEWEST:
            where = "documents" if clusters.noun == DOCUMENTS else "clusters"
            found, few = f"{clusters.n:.0f} {clusters.noun}", "Too few"
            if clusters.n >= FEWEST:
                found += f" that tell as much as {n_equal} of one size"
                few = "The largest hold most of the examples, which leaves too few"
            advice = (
                f"{few} to estimate how much they vary. Collect more {clusters.noun}, or take a finer cluster if the "
                "examples of a cluster have nothing in common."
            )
            raise InputError(where, f"at least {FEWEST} clusters", found, advice)


def _require_askable(options: CompareOptions) -> None:
    """Refuse arguments that a pool leaves no choice of, or not yet."""
    advice = "Leave it out."
    if options.model not in (AUTO, Model.PAIRED):
        raise InputError("model", "'paired' for a pool", repr(str(options.model)), advice)
    if options.prevalence is not None and options.prevalence.word != TEST_SET:
        raise InputError.plain("prevalence", "Pools keep their own class shares, for now", advice)
    if options.engine.name != EngineName.EXACT:
        expected = "'exact' for a pool, whose posterior needs no Markov chains"
        raise InputError("engine", expected, repr(options.engine.name))


def subject_of_two(baseline: Any, candidate: Any, options: CompareOptions) -> Subject[Any]:
    """Choose how two sides are compared."""
    subject = _subject_of_two(baseline, candidate, options)
    if options.human is None:
        return subject
    return _corrected(subject, judged_pairs(subject, options.human.where), options.human)


def _corrected(subject: Subject[Any], judged: Questions, human: HumanGrades) -> ScoreSubject:
    """Put people's grades beside those of a judge."""
    assert isinstance(subject, ScoreSubject)
    return replace(subject, grades=human.beside(judged, len(subject.n_samples)))


def judged_pairs(subject: Subject[Any], where: str) -> Questions:
    """Return a judge's grades of both sides' answers; raise `InputError` for other data."""
    sides = subject.sides
    if sides is not None and sides.overlap is not None and (n := sides.overlap.lacking.n_samples):
        problem = f"The candidate lacks {counted(n, 'example')} of the baseline"
        raise InputError.plain(where, problem, "Have the judge grade all of its answers.")
    return _judged(subject, None if sides is None else sides.paired, where)


def _judged(subject: Subject[Any], known: Questions | None, where: str) -> Questions:
    """Require grades of a judge, a number for each id."""
    if not isinstance(subject, ScoreSubject) or subject.labels or known is None:
        found = "other data" if subject.model is not Model.INDEPENDENT else "two samples"
        expected = "grades of a judge, a number per example, of the same examples on both sides"
        raise InputError(where, expected, found, "Leave human out.")
    if known.ids is None:
        raise InputError.plain(where, "The judge's grades have no ids", "Pass ids with them.")
    return known


def _subject_of_two(baseline: Any, candidate: Any, options: CompareOptions) -> Subject[Any]:
    if isinstance(baseline, LabelledPool) and candidate is None:
        return _design_pool(baseline, options)
    both, model, threshold, apart = _both(baseline, candidate), options.model, None, None
    if isinstance(both, Sides):
        threshold = threshold_of(options) if both.are_scores else None
        both = both if threshold is None else both.at(threshold)
        if model != Model.INDEPENDENT:
            both = both.on(options.on_new_test_set)
            if options.on_new_test_set is OnNewTestSet.INDEPENDENT and both.difference_of_test_sets:
                model, apart = Model.INDEPENDENT, both.sharing(fewest=0)
        if both.are_scores:
            return of_scores(replace(_design_scores(both, model), apart=apart), options)
    design = design_comparison(both, None, model, options.earlier)
    return of_counts(replace(design, apart=apart), options, threshold)


def subject_of_one(side: Any, options: Options) -> Subject[Any]:
    """Choose how one classifier's score is estimated."""
    subject = _subject_of_one(side, options)
    if options.human is None:
        return subject
    known = _judged(subject, getattr(side, "questions", None), options.human.where)
    return _corrected(subject, known, options.human)


def _subject_of_one(side: Any, options: Options) -> Subject[Any]:
    threshold = None
    if isinstance(side, Scores):
        threshold = threshold_of(options)
        if threshold is None:
            experiment = ScoreExperiment(Model.SINGLE, (side.table,))
            subject = ScoreSubject(experiment, side.labels, "one classifier", side.notes, given=(side,))
            return of_scores(subject, options)
        side = side.at(threshold)
    return of_counts(design_estimate(side, options.earlier), options, threshold)


def of_counts(design: OutcomeSubject, options: Options, threshold: float | None = None) -> OutcomeSubject:
    """Take counts, of the class shares that are asked for, unless they are of too few clusters."""
    require_enough_clusters(design.experiment, options)
    return replace(at_prevalence(design, options.prevalence), threshold=threshold)


def of_scores(subject: ScoreSubject, options: Options) -> ScoreSubject:
    """Take scores, of the class shares that are asked for, unless they are of too few clusters."""
    require_enough_clusters(subject.experiment, options)
    return at_prevalence(subject, options.prevalence)


def threshold_of(options: Options) -> float | None:
    """Return the score from which on a class is predicted, if the measure that is asked for names one."""
    return parse_name(options.measure).threshold if isinstance(options.measure, str) else None
