"""What a careful reader should know of a result, and what looks like a mistake."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from pytest_bayesf1.choices import Model
from pytest_bayesf1.errors import (
    BayesF1Warning,
    ChangedTestSetWarning,
    ChosenAnswersWarning,
    ClassSharesWarning,
    FewClustersWarning,
    LeakageWarning,
    UnevenJudgeWarning,
    UnexpectedPredictionsWarning,
    WeakBaselineWarning,
)
from pytest_bayesf1.results.comparison import (
    ClusterFigures,
    Clusters,
    EstimateFigures,
    JudgeFigures,
    PoolFigures,
    SharedExamples,
    UnsupportedClass,
    nouns_of,
    owners_of,
)
from pytest_bayesf1.results.policy import Decision
from pytest_bayesf1.results.schema import UNREADABLE, Label
from pytest_bayesf1.text import (
    MINUS,
    POINTS,
    counted,
    first_few,
    indented,
    level,
    named,
    one_line,
    percent,
    rope_width,
    scores,
)
from pytest_bayesf1.words.amounts import Amounts, format_class_shares, format_score
from pytest_bayesf1.words.evidence import selective_grades, uneven_judge
from pytest_bayesf1.words.results import Live, facts, title

if TYPE_CHECKING:
    from pytest_bayesf1.comparison.result import Comparison, Estimate

UNSETTLED = "On the edge: other draws could still tip the decision. Read it as a close call."
ASKED_FOR = "you asked for it"
BARE_SPAN_COUNTS = "counts do not show which spans both sides found"
AS_THE_PRIOR = "the prior is a posterior of this model"
"""Why a comparison's model was chosen."""


def parts(result: Live) -> Iterator[str]:
    """Yield the outcome, every figure and every note: each a line for a terminal, or several."""
    yield title(result)
    yield from (named(*fact) for fact in facts(result))
    yield from map(indented, notes(result))


def notes(result: Live) -> list[str]:
    """List what a careful reader should know beside the figures, the caveats first."""
    return [*caveats(result), *remarks(result)]


def caveats(result: Live) -> list[str]:
    """List what every reader should know of the data: classes that never occur, test sets that differ, leakage."""
    if isinstance(result, EstimateFigures):
        of_answers = notes_on(result.unsupported, sides_of((result.n_samples,)))
        return [*of_answers, *map(str, _on_judge(result.judge))]
    found = list(notes_on(result.unsupported, sides_of(result.n_samples)))
    if result.shared_examples is not None:
        found += notes_on_shared(result.shared_examples, of_two_samples=result.model == Model.INDEPENDENT)
    found += map(str, _suspicions(result))
    if result.suspicions.are_identical:
        found.append("Identical predictions: both sides predict the same for every example.")
    return [*found, *surprises(result)]


def surprises(result: Live) -> list[str]:
    """Say so where the observed change lies outside its own likely range, or has the other sign.

    Examples
    --------
    >>> from pytest_bayesf1 import compare
    >>> surprises(compare([[1, 0], [0, 1]], [[0, 1], [1, 0]], measure="f1", rope=0.05))  # doctest: +ELLIPSIS
    ['The observed change, −100.0 points, lies outside its likely range: the prior weighs much where examples are ...
    """
    if isinstance(result, EstimateFigures) or result.pool is not None:
        return []
    amounts, change = Amounts.of(result), result.change
    is_turned = change * result.mean < 0 and amounts.move(change) != amounts.move(result.mean)
    if not (is_turned or result.change_is_outside):
        return []
    turned = f"has another sign than the estimate, {amounts.with_unit(result.mean)}"
    found = "lies outside its likely range" if result.change_is_outside else turned
    observed = f"The observed change, {amounts.with_unit(change)}"
    return [f"{observed}, {found}: the prior weighs much where examples are few."]


def remarks(result: Live) -> list[str]:
    """List what a careful reader should know of how the figures came about."""
    of_kind = _on_score(result) if isinstance(result, EstimateFigures) else _on_change(result)
    found = list(of_kind)
    subject, measure = result.provenance.subject, result.provenance.measure
    if subject.experiment.population is not None and result.measure_words == measure.words:
        found.append(f"prevalence has no effect on {one_line(result.measure_words)}.")
    if not result.settled:
        found.append(UNSETTLED)
    return [*found, *result.provenance.notes]


def _on_score(estimate: "Estimate") -> Iterator[str]:
    if estimate.run_sd is not None:
        n_runs = round((estimate.run_sd / estimate.score.std) ** 2)
        yield (
            f"The interval is about these {estimate.n_samples:,} {estimate.example}s, not about others like them: the "
            f"chance in {counted(n_runs, 'run')}, each with a standard deviation of {estimate.run_sd:g}."
        )
    if estimate.clusters is not None:
        yield _on_clusters(estimate.clusters, (estimate.n_samples,), scores(estimate.clusters.independent_hdi))
    if abs(estimate.pull) > _LARGEST_PULL and not estimate.provenance.prior.n_examples:
        few = f"{estimate.example}s per {estimate.category}" if estimate.n_classes else f"{estimate.example}s"
        pull = f"{estimate.pull:+z.1f}".replace("-", MINUS)
        yield (
            f"The {estimate.prior} prior moves the posterior mean by {pull} standard deviations from the "
            f"observed {format_score(estimate.score.observed)}. You have few {few}: trust the range less."
        )


_LARGEST_PULL = 0.25


def _on_change(comparison: "Comparison") -> Iterator[str]:
    if comparison.pool is not None:
        yield on_pool(comparison.pool)
    if comparison.judge is not None:
        yield (
            "Each side's score is corrected by people's grades of that side, the change by those of both. So it is "
            "not quite the difference of the scores."
        )
    if comparison.clusters is not None:
        independent = Amounts.of(comparison).interval(comparison.clusters.independent_hdi)
        yield _on_clusters(comparison.clusters, comparison.n_samples, independent)
    if comparison.model != Model.PAIRED and comparison.model_reason not in (ASKED_FOR, AS_THE_PRIOR):
        yield _how_to_pair(comparison.model, spans=comparison.model_reason == BARE_SPAN_COUNTS)
    if not comparison.can_fail:
        yield why_it_cannot_fail(comparison)


def _how_to_pair(model: str, *, spans: bool) -> str:
    """Say how the interval could be narrower."""
    if spans:
        return (
            "Two sets of documents leave more room for chance than one. To pair the two, build both sides from the "
            "spans or tags of the same documents."
        )
    build = "build both sides from predictions"
    if model == Model.SAME_SET:
        return f"The interval is wider than necessary if the two classifiers mostly agree. To pair them, {build}."
    return (
        "Two test sets leave more room for chance than one. To pair the two, test both classifiers on the same "
        f"examples and {build}."
    )


def why_it_cannot_fail(comparison: "Comparison") -> str:
    """Say why no candidate could be found significantly worse."""
    baseline = comparison.baseline
    likely_range = f"{level(comparison.hdi_prob)} likely {scores(baseline.hdi)}"
    return (
        f"A gate on ≪ cannot fail here: you allow {rope_width(comparison.rope, POINTS)}, and the baseline scores only "
        f"{format_score(baseline.observed)} ({likely_range}). Even a candidate that "
        f"scores {comparison.provenance.measure.lowest:g} would not be significantly worse."
    )


def on_pool(pool: PoolFigures) -> str:
    """Say what is labelled of a pool.

    Examples
    --------
    >>> figures = PoolFigures(
    ...     n_pool=20_000,
    ...     n_labelled=300,
    ...     n_differ=1_900,
    ...     n_labelled_differ=240,
    ...     n_strata=14,
    ...     n_unlabelled_strata=1,
    ...     unlabelled_share=0.002,
    ... )
    >>> on_pool(figures)  # doctest: +NORMALIZE_WHITESPACE
    '300 of 20,000 examples of the pool have a label, 240 of them among the 1,900 on which the two differ. 1 of 14
    strata, 0.2% of the pool, have no label yet: the result leans on the others there.'
    """
    text = (
        f"{pool.n_labelled:,} of {pool.n_pool:,} examples of the pool have a label, {pool.n_labelled_differ:,} of them "
        f"among the {pool.n_differ:,} on which the two differ."
    )
    if not pool.n_unlabelled_strata:
        return text
    return (
        f"{text} {pool.n_unlabelled_strata:,} of {pool.n_strata:,} strata, {percent(pool.unlabelled_share)} of the "
        "pool, have no label yet: the result leans on the others there."
    )


def _on_clusters(clusters: ClusterFigures, n_samples: Sequence[int], independent: str) -> str:
    """Say what the clusters are, and what the interval would be without them."""
    numbers = " and ".join(dict.fromkeys(f"{n:,}" for n in clusters.n))
    found = [f"{numbers} {clusters.noun}"]
    if clusters.noun != clusters.holding:
        held = " and ".join(dict.fromkeys(f"{n:,}" for n in n_samples))
        found.append(f"{held} {clusters.holding}")
    if max(clusters.runs) > 1:
        found.append(f"{' and '.join(dict.fromkeys(f'{n}' for n in clusters.runs))} predictions of each example")
    if any(clusters.trainings):
        found.append("of trainings of a recipe")
    return (
        f"{', '.join(found)}, design effect {clusters.design_effect:.2g}: with every {nouns_of(clusters)[0]} drawn "
        f"on its own, the HDI would be {independent}."
    )


def data_warnings(result: Live) -> list[BayesF1Warning]:
    """List what the reader of a result must not overlook."""
    if isinstance(result, EstimateFigures):
        of_answers = warnings_of(result.unsupported, result.clusters, sides_of((result.n_samples,)))
        return [*of_answers, *_on_judge(result.judge)]
    of_any = warnings_of(result.unsupported, result.clusters, sides_of(result.n_samples))
    return [*of_any, *_suspicions(result)]


NamedSizes: TypeAlias = Sequence[tuple[str, int]]
"""Whose predictions there are, and of how many examples."""


def warnings_of(
    unsupported: Sequence[UnsupportedClass], clusters: Clusters | None, sides: NamedSizes
) -> list[BayesF1Warning]:
    """List what the reader of any result must not overlook in the data."""
    return [*warnings_about(unsupported, sides), *(_few_clusters(clusters) if clusters else ())]


FEW = 40
"""Clusters, if they were of one size, below which intervals are wide, and some yet too narrow."""
FEW_TRAININGS = 5


def _few_clusters(clusters: Clusters) -> Iterator[FewClustersWarning]:
    """Warn of clusters or trainings that are too few to tell how much they vary."""
    n, n_equal = min(zip(clusters.n, clusters.n_equal, strict=True), key=lambda side: side[1])
    if n_equal < FEW:
        held = "runs" if clusters.noun == clusters.holding else clusters.holding
        of_one_size, wide = "", "are wide"
        if n_equal < n:
            of_one_size = f" (they tell as much as {n_equal} of one size)"
            wide = f"can be too narrow if small and large {clusters.noun} score differently"
        yield FewClustersWarning(
            f"{n} {clusters.noun} are few{of_one_size}: intervals of differences {wide}, and those of a single score "
            f"too narrow if the {held} of a cluster are much alike. Collect more {clusters.noun}, not more {held} of "
            "each."
        )
    trainings = [n for n in clusters.trainings if n]
    if trainings and min(trainings) < FEW_TRAININGS:
        yield FewClustersWarning(
            f"{counted(min(trainings), 'training')} hardly tell how much trainings vary: the interval is wide. "
            f"{FEW_TRAININGS} or more make it narrower."
        )


def _suspicions(comparison: "Comparison") -> Iterator[BayesF1Warning]:
    """Yield why the two test sets, or their labels, may not be what they seem."""
    found = comparison.suspicions
    if comparison.shared_examples is not None:
        yield from warnings_on_shared(comparison.shared_examples, comparison.decision)
    if comparison.class_shares is not None:
        yield ClassSharesWarning(format_class_shares(comparison))
    yield from _on_judge(comparison.judge)
    if found.all_right is not None:
        yield LeakageWarning(leakage(*found.all_right))
    for doubt in filter(None, (found.weakness, *found.gaps)):
        yield WeakBaselineWarning(f"The baseline may be misread. {doubt}.")


def _on_judge(judge: JudgeFigures | None) -> Iterator[BayesF1Warning]:
    """Warn of a judge that favours a side, and of grades of chosen answers."""
    if judge is not None and judge.is_selective:
        yield ChosenAnswersWarning(selective_grades(judge))
    if judge is not None and judge.is_uneven:
        yield UnevenJudgeWarning(uneven_judge(judge))


CHECK_FOR_LEAKAGE = "check for leakage before you trust it"


def leakage(n: int, held: str) -> str:
    """Say that the candidate alone is right on all of so many examples."""
    return f"The candidate is right on all {n:,} {held}, the baseline is not: {CHECK_FOR_LEAKAGE}."


def notes_on_shared(shared: SharedExamples, *, of_two_samples: bool = False) -> Iterator[str]:
    """Say on which examples two test sets that differ were compared, and by whose truth."""
    if shared.n_lacking or shared.n_candidate > shared.n_shared:
        total = shared.n_baseline + shared.n_candidate - shared.n_shared
        only = [
            f"{n:,} only in the {side}'s"
            for n, side in ((shared.n_lacking, "baseline"), (shared.n_candidate - shared.n_shared, "candidate"))
            if n
        ]
        yield (f"{shared.n_shared:,} of {total:,} examples are in both test sets; {' and '.join(only)}.")
    if n := shared.n_corrected:
        new = "label" if n == 1 else "labels"
        used = f"each score uses its own {new}" if of_two_samples else f"both scores use the new {new}"
        yield f"{counted(n, 'label')} corrected since the baseline: {used}."


def warnings_on_shared(shared: SharedExamples, decision: Decision) -> Iterator[BayesF1Warning]:
    """Warn of examples that are missing where they matter, and of corrections that look one-sided."""
    other = shared.decision_if_wrong
    if other is not None and other != decision:
        yield ChangedTestSetWarning(
            f"The candidate has no prediction of {counted(shared.n_lacking, 'example')} of the baseline. If it were "
            f"wrong on all of them, the decision would be {other} ({other.words}). Find out why they are missing"
            f"{': the comparison is undecided until it predicts them' if other is Decision.MUCH_WORSE else ''}."
        )
    whole = shared.decision_on_whole
    if whole is Decision.MUCH_WORSE and decision is not whole and shared.whole_scores is not None:
        baseline, candidate = map(format_score, shared.whole_scores)
        yield ChangedTestSetWarning(
            f"On its own {shared.n_candidate:,} examples the candidate scores {candidate}, the baseline {baseline} on "
            f"its {shared.n_baseline:,}: {whole} ({whole.words}), which the {shared.n_shared:,} shared examples do not "
            "show. Have the baseline predict the new examples too, and compare on all of them."
        )
    if not shared.are_one_sided:
        return
    share, (for_baseline, for_candidate) = shared.n_corrected / shared.n_shared, shared.favoured
    found = f"{shared.n_corrected:,} of {shared.n_shared:,} labels ({percent(share)}) are not what the baseline's were"
    side, n = ("candidate", for_candidate) if for_candidate > for_baseline else ("baseline", for_baseline)
    found += f", and {n:,} of the {for_baseline + for_candidate:,} corrections that matter help the {side}"
    old = shared.decision_on_old_truth
    before = f" On the old labels the decision would be {old} ({old.words})." if old not in (None, decision) else ""
    yield ChangedTestSetWarning(
        f"{found}.{before} Check that annotators did not see a model's answers, and that every id names the same "
        "example as before."
    )


_MOST_NAMED = 5
_LONGEST_NAME = 80


def sides_of(n_samples: Sequence[int]) -> NamedSizes:
    """Name the sides of a comparison, or the only one of an estimate."""
    return list(zip(owners_of(len(n_samples)), n_samples, strict=True))


def notes_on(unsupported: Sequence[UnsupportedClass], sides: NamedSizes) -> Iterator[str]:
    """Say what became of answers that are no class, and which of the caller's classes are never true.

    Examples
    --------
    >>> found = [UnsupportedClass("n/a", (0, 2), listed=False), UnsupportedClass("eggs", (0, 1), listed=True)]
    >>> for note in notes_on(found, sides_of((200, 200))):
    ...     print(note)
    2 of 200 answers of the candidate are no class: 'n/a'; counted as wrong.
    'eggs': predicted 1 time by the candidate, never true: counted as wrong, in no average.
    """
    owners = [owner for owner, _ in sides]
    yield from _outside(unsupported, sides)
    listed = [each for each in unsupported if each.listed and each.label is not UNREADABLE]
    for each in listed[:_MOST_NAMED]:
        yield _note(each, owners)
    if rest := listed[_MOST_NAMED:]:
        together = _times([sum(counts) for counts in zip(*(each.predicted for each in rest), strict=True)], owners)
        yield f"{len(rest):,} more classes that are never true: {together}."


def warnings_about(
    unsupported: Sequence[UnsupportedClass], sides: NamedSizes
) -> Iterator[UnexpectedPredictionsWarning]:
    """Warn of answers that are no class, unless ``invalid`` declares them wrong: who declared them knows."""
    yield from map(UnexpectedPredictionsWarning, _outside([each for each in unsupported if not each.listed], sides))


def _outside(unsupported: Sequence[UnsupportedClass], sides: NamedSizes) -> Iterator[str]:
    """Say how many answers of every side are no class, and which are the commonest."""
    others = [each for each in unsupported if not each.listed or each.label is UNREADABLE]
    for side, (owner, n_samples) in enumerate(sides):
        found = sorted((each for each in others if each.predicted[side]), key=lambda each: -each.predicted[side])
        if not found:
            continue
        n = max(round(sum(each.predicted[side] for each in found)), 1)
        names = first_few((_brief(each.label) for each in found if each.label is not UNREADABLE), _MOST_NAMED)
        answers = f"{counted(n_samples, 'answer')}{f' of {owner}' if len(sides) > 1 else ''}"
        yield f"{n:,} of {answers} {'is' if n == 1 else 'are'} no class{names and f': {names}'}; counted as wrong."


def _note(found: UnsupportedClass, owners: Sequence[str]) -> str:
    consequence = "counted as wrong, in no average" if any(found.predicted) else "in no average"
    return f"{_brief(found.label)}: {_times(found.predicted, owners)}, never true: {consequence}."


def _brief(label: Label) -> str:
    """Write a label; of answers that are texts the beginning."""
    name = one_line(repr(label))
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}..."


def _times(shares: Sequence[float], owners: Sequence[str]) -> str:
    predicted = [max(round(share), 1) if share else 0 for share in shares]
    if not any(predicted):
        return "never predicted"
    if len(predicted) == 1:
        return f"predicted {counted(predicted[0], 'time')}"
    if len(set(predicted)) == 1:
        return f"predicted {counted(predicted[0], 'time')} by {'either side' if len(predicted) == 2 else 'each'}"
    times = [f"{counted(n, 'time')} by {owner}" for n, owner in zip(predicted, owners, strict=True) if n]
    return f"predicted {' and '.join(times)}"
