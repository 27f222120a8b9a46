"""What looks like a mistake in the data of two sides: predicates over what was counted, the same for every door.

A baseline that was misread hides a loss, so it must know something: its answers, as they stand, are better than
chance and in the right direction. The rest is for a careful reader. A class with too few examples stands against a
proof that a candidate is no worse.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.special import betaincinv, ndtri

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.choices import MOST_UNREADABLE, Kind, Model
from pytest_bayesf1.comparison.subject import PoolSubject, ScoreSubject, Subject
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable, ScoreTable
from pytest_bayesf1.data.pool import Strata
from pytest_bayesf1.data.questions import Questions
from pytest_bayesf1.data.sides import Side
from pytest_bayesf1.engines.corrected import Grades
from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.measures.classification import Joint, Measure
from pytest_bayesf1.measures.formulas import Detail
from pytest_bayesf1.results.comparison import SPANS
from pytest_bayesf1.results.schema import UNREADABLE, Label
from pytest_bayesf1.text import counted, first_few, percent
from pytest_bayesf1.words.notes import ASKED_FOR

FEWEST = 50
"""Examples of a test set that a suspicion needs to be sure."""
_RENAMED = 4.0
"""Standard errors by which more has to be right under other names: there are many ways to rename."""
_FEWEST_MATCHES = 0.1
"""Of the spans of both sides: a system that finds fewer has another idea of where they are."""


@dataclass(frozen=True)
class Suspicions:
    """What a reader is told; `pytest_bayesf1.words.notes` says it.

    Attributes
    ----------
    weakness
        Why the baseline knows nothing, if it does not.
    gaps
        What the baseline does not know, where it knows the rest.
    are_identical
        Whether both sides predict the same for every example.
    all_right
        How many examples or spans there are, and which of the two, where the candidate alone is right on all of them.
    """

    weakness: str
    gaps: tuple[str, ...]
    are_identical: bool
    all_right: tuple[int, str] | None

    @classmethod
    def about(cls, subject: Subject[Any], *, weak_baseline: bool = False) -> "Suspicions":
        """Look at the data of two sides, whose baseline may know nothing if that is declared."""
        weak = "" if weak_baseline else weakness(subject)
        return cls(
            weakness=weak,
            gaps=() if weak or weak_baseline else tuple(gaps(subject)),
            are_identical=subject.is_identical,
            all_right=all_right(subject),
        )


def all_right(subject: Subject[Any]) -> tuple[int, str] | None:
    """Count the examples, if these are not few, where the candidate is right on all of them and the baseline is not."""
    if subject.counts is None:
        return None
    baseline, candidate = subject.experiment.sides
    if candidate.n_samples < FEWEST or not candidate.is_all_right or baseline.is_all_right:
        return None
    return candidate.n_samples, SPANS if candidate.spans else "examples"


def require_examples(subject: Subject[Any]) -> None:
    """Refuse counts, of one side or two, that are not of examples as they seem."""
    for side in subject.given:
        if (found := repeated(side)) is not None:
            problem = f"The truth repeats itself: {found[0]:,} examples, {found[1]:,} times over"
            raise InputError.plain("y_true", problem, "Declare: ids, and runs (samples or seeds) if these are runs.")
    if marks := sentinels(subject):
        named = first_few(map(shown, marks))
        problem = f"{named} is answered by no side, or just where it is true, as if there were no class"
        raise InputError.plain("y_true", problem, "Leave these examples out, or declare: labels (all classes).")
    if len(subject.given) > 1 and is_unreadable(subject):
        raise InputError.plain("baseline", "None of its answers can be read", "Declare: columns, or answer.")
    if isinstance(subject, ScoreSubject) and subject.grades is not None and disagree(subject.grades):
        problem = "People's grades fall where the judge's rise"
        raise InputError.plain("human", problem, "Check which grade means that an answer is good.")
    if are_transposed(subject):
        problem = "Both matrices have the same sums of columns, and other sums of rows"
        advice = "Rows must be the true classes. For two test sets, declare model: independent."
        raise InputError.plain("counts", problem, advice)


def disagree(grades: Grades) -> bool:
    """Whether people's grades of either side go against the judge's, by the parts that clusters have in that."""
    cluster = grades.cluster_of_graded
    for judge, human in zip(grades.judge[:, grades.graded], grades.human, strict=True):
        parts = np.bincount(cluster, (judge - judge.mean()) * (human - human.mean()))
        if parts.sum() < ndtri(0.025 / len(grades.human)) * sqrt(np.square(parts).sum()) - _ROUNDING:
            return True
    return False


_ROUNDING = 1e-12


def is_unreadable(subject: Subject[Any]) -> bool:
    """Whether no answer of the first side is one, whatever was declared of such answers."""
    if subject.counts is None or UNREADABLE not in subject.labels:
        return False
    said: Any = subject.experiment.sides[0].predicted[0]
    return bool((said == subject.labels.index(UNREADABLE)).all())


_SHORTEST = 30
"""Examples that come again and again: shorter sequences may well repeat."""


def repeated(side: Side) -> tuple[int, int] | None:
    """Return how many examples there are, and how often, if the truth is that of a few runs one after the other.

    Only where no ids tell examples apart, and not where a few classes take turns.
    """
    questions = side.questions
    if questions is None or questions.kind is Kind.VALUES or questions.ids is not None:
        return None
    n, truth, clusters = questions.n_samples, _truths(questions), questions.clusters
    lengths = np.flatnonzero(n % np.arange(1, n // 2 + 1) == 0) + 1
    length = next((each for each in lengths.tolist() if _repeats(truth, each)), 0)
    take_turns = not questions.is_sparse and np.unique(truth[:length]).size == length
    if length < _SHORTEST or take_turns or (clusters is not None and not _repeats(clusters, length)):
        return None
    return length, n // length


def _truths(questions: Questions) -> Any:
    """(N,) a number for every example that is the same where the truth is."""
    if not questions.is_sparse:
        return questions.truth
    example, *true = questions.given(questions.true)
    _, kind = np.unique(np.stack(true), axis=1, return_inverse=True)
    weight = np.random.default_rng(0).random(kind.max(initial=0) + 1)[kind.ravel()]
    return np.unique(np.bincount(example, weight, questions.n_samples), return_inverse=True)[1]


def _repeats(values: Any, length: int) -> bool:
    return bool((values[length:] == values[:-length]).all())


def sentinels(subject: Subject[Any]) -> list[Label]:
    """List negative numbers, true beside two classes or more, that no side answers, or all just where they are true.

    Such as -100, the usual mark of what is to be left out. With labels that are declared they are classes.
    """
    counts = subject.counts
    if counts is None or counts.experiment.multilabel or subject.n_samples[0] < FEWEST:
        return []
    if any(side.labels_from == "caller" for side in subject.given):
        return []
    sides = counts.experiment.sides
    n_true, n_said = (np.stack(each) for each in zip(*((t.row_totals, t.times_predicted) for t in sides), strict=True))
    n_right = np.stack([np.bincount(t.true, t.count * (t.true == t.predicted[0]), t.n_classes) for t in sides])
    are_masked = (n_right == n_true).all(axis=0) & (n_said == n_true).all(axis=0) & (n_true >= FEWEST).all(axis=0)
    is_strange = n_true.any(axis=0) & (are_masked | ~n_said.any(axis=0))
    found = [
        label for label, strange in zip(subject.labels, is_strange, strict=True) if strange and _is_negative(label)
    ]
    others = np.count_nonzero(n_true.any(axis=0)) - len(found)
    return found if others > 1 and not all(table.is_all_right for table in sides) else []


def _is_negative(label: Label) -> bool:
    return str(label).removeprefix("-").isdecimal() and str(label).startswith("-")


def are_transposed(subject: Subject[Any]) -> bool:
    """Whether two matrices that need not be of one test set agree in what was predicted, and not in what is true."""
    counts = subject.counts
    if counts is None or subject.model is not Model.INDEPENDENT or subject.reason == ASKED_FOR:
        return False
    if counts.experiment.multilabel:
        return False
    baseline, candidate = counts.experiment.sides
    are_same_columns = np.array_equal(baseline.times_predicted, candidate.times_predicted)
    return are_same_columns and not np.array_equal(baseline.row_totals, candidate.row_totals)


def require_knowledge(subject: Subject[Any]) -> None:
    """Refuse a baseline that knows nothing, where the test set is large enough to be sure of it."""
    if subject.n_samples[0] >= FEWEST and (found := weakness(subject)):
        advice = "Check that it is read as it was written. If it is meant so, declare weak_baseline: true."
        where, first = _place_of_baseline(subject)
        raise InputError.plain(where, f"{found} ({counted(subject.n_samples[0], 'example')}{first})", advice)


_ANSWERS = {Kind.SCORES: "y_score", Kind.VALUES: "values"}


def _place_of_baseline(subject: Subject[Any]) -> tuple[str, str]:
    """Say where its answers are, and of files which is the first wrong one."""
    asked = subject.given[0].questions if subject.given else None
    if asked is None or not asked.rows.where:
        return "baseline", ""
    where = asked.argument("baseline", _ANSWERS.get(asked.kind, "y_pred"))
    if asked.kind in _ANSWERS:
        return where, ""
    return where, f", the first wrong one at {asked.rows.place(int((asked.errors() > 0).argmax()))}"


def gaps(subject: Subject[Any]) -> Iterator[str]:
    """Say of which classes, labels or types with enough examples the baseline knows nothing, and how much it says."""
    if isinstance(subject, PoolSubject):
        return
    if not subject.labels:
        own, *other = [0.0 if side.questions is None else side.questions.missing for side in subject.given]
        if own - sum(other) > MOST_UNREADABLE:
            yield f"{percent(own)} of its values are missing, and count as 0"
        return
    side = subject.experiment.sides[0]
    unknown = _unknown_to_scores(*side) if subject.counts is None else _unknown(side)
    if unknown.size:
        named = first_few(shown(subject.labels[code]) for code in unknown.tolist())
        yield f"It finds these no better than by chance: {named}"
    if subject.counts is not None and not side.multilabel and np.count_nonzero(side.occurring) > 1:
        own, *other = map(_never_right, subject.experiment.sides)
        if own - sum(other) > MOST_UNREADABLE:
            yield f"{percent(own)} of its answers are no class of the truth, and count as wrong"


def _never_right(table: OutcomeTable) -> float:
    """Return the share of answers that are right for no example: unreadable ones, and classes without any."""
    said = table.times_predicted
    return float(said[~table.occurring].sum() / said.sum())


def _unknown_to_scores(table: ScoreTable, side: int) -> Codes:
    scores = table.scores[side]
    n_true = np.broadcast_to(table.n_samples, 2) if scores.shape[1] == 1 else table.row_totals
    ranks = [each for each in _ranks(table.true, scores, table.count) if n_true[each[0]] >= FEWEST]
    return np.array([code for code, area, error in ranks if area - 0.5 <= ndtri(0.975) * error], dtype=np.int64)


def _unknown(table: OutcomeTable) -> Codes:
    counts = table.label_counts if table.multilabel else _each_against_the_rest(table)
    n, n_true = (each / table.design_effect for each in (counts.sum(axis=(1, 2)), counts[:, 1].sum(axis=1)))
    if table.spans:
        n_found = counts[:, :, 1].sum(axis=1)
        is_known = counts[:, 1, 1] > _FEWEST_MATCHES * np.minimum(n_true, n_found)
    else:
        excess, variance = beyond_chance(counts)
        is_known = (excess > ndtri(0.975) * np.sqrt(variance / n)) | (n_true == n)
    return np.flatnonzero((n_true >= FEWEST) & ~is_known)


def _each_against_the_rest(table: OutcomeTable) -> Floats:
    """Count (M, 2, 2) whether each class is true, and whether it is said."""
    right = np.bincount(table.true, table.count * (table.true == table.predicted[0]), table.n_classes)
    missed, invented = table.row_totals - right, table.times_predicted - right
    others = table.count.sum() - right - missed - invented
    return np.stack([others, invented, missed, right], axis=-1).reshape(-1, 2, 2)


def weakness(subject: Subject[Any], side: int = 0) -> str:
    """Say why a side's answers tell nothing of the truth, or are on another scale; nothing where they are sound."""
    if isinstance(subject, PoolSubject):
        joint, n = _of_pool(subject.posterior.strata)
        return _weakness_of_classes(joint, n, subject.labels)
    sides = subject.experiment.sides
    if subject.counts is None:
        return _weakness_of_scores(sides[side], subject.labels) if subject.labels else _weakness_of_values(sides, side)
    table: OutcomeTable = sides[side]
    if table.is_all_right:
        return ""
    if table.spans:
        return _weakness_of_spans(table)
    if table.multilabel:
        return _weakness_of_labels(table, subject.labels)
    joint = np.zeros((table.n_classes, table.n_classes))
    joint[table.true, table.predicted[0]] = table.count
    return _weakness_of_classes(joint, float(table.count.sum() / table.design_effect), subject.labels)


def _of_pool(strata: Strata) -> tuple[Floats, float]:
    """Weight the labelled examples as the pool has them: counts (M, M) of the baseline, and how many they tell as."""
    n, weight = strata.n_labelled, (strata.sizes / np.maximum(strata.labelled, 1))[strata.of_pair[strata.pair]]
    joint = np.zeros((strata.n_classes, strata.n_classes))
    np.add.at(joint, (strata.true, strata.baseline[strata.pair]), n * weight)
    return joint, float((n @ weight) ** 2 / (n @ weight**2))


def _weakness_of_classes(joint: Floats, n: float, labels: Sequence[Label]) -> str:
    """Look at counts (M, M), rows being true, that tell as much as n examples."""
    right, total = float(np.trace(joint)), float(joint.sum())
    share = f"{percent(right / total)} of its answers are right"
    if not right:
        return f"None of its answers is right{_if_renamed(joint, n, labels)}"
    if renamed := _if_renamed(joint, n, labels):
        return f"{share}{renamed}"
    excess, variance = (float(each) for each in beyond_chance(joint))
    has_one_class = np.count_nonzero(joint.sum(axis=1)) == 1  # of which chance tells nothing
    if has_one_class or _is_shown(excess, variance / n, n):
        return ""
    return f"{share}, which is no better than chance ({percent(right / total - excess)})"


def _is_shown(excess: float, variance: float, n: float) -> bool:
    """Whether more is right than by chance; of few examples, which show little, as far as it goes."""
    return excess > max(ndtri(0.975) * sqrt(variance) if n >= FEWEST else 0.0, _ROUNDING)


def beyond_chance(joint: Floats) -> tuple[Floats, Floats]:
    """Return how much more is right than by chance, and the variance of that for one example, by chance alone.

    Of counts (..., M, M). The numerator of Cohen's kappa, and its variance under independent margins (Fleiss, Cohen and
    Everitt 1969, Large sample standard errors of kappa and weighted kappa, equation 14).

    Examples
    --------
    >>> beyond_chance(np.array([[40.0, 10.0], [10.0, 40.0]]))[0].round(3).item()
    0.3
    """
    p = joint / joint.sum(axis=(-2, -1), keepdims=True)
    true, said = p.sum(axis=-1), p.sum(axis=-2)
    by_chance = (true * said).sum(axis=-1)
    variance = by_chance + by_chance**2 - (true * said * (true + said)).sum(axis=-1)
    return np.trace(p, axis1=-2, axis2=-1) - by_chance, np.maximum(variance, 0.0)


def _if_renamed(joint: Floats, n: float, labels: Sequence[Label]) -> str:
    """Say which names would make far more right: the best of all ways to rename the answers, no class among them."""
    true, said = linear_sum_assignment(joint, maximize=True)
    is_moved = true != said
    now, then = (float(joint[true[is_moved], other].sum()) for other in (true[is_moved], said[is_moved]))
    if (then - now) * sqrt(n / joint.sum()) <= _RENAMED * sqrt(then + now):
        return ""
    moved = [(labels[old], labels[new]) for old, new in zip(said, true, strict=True) if old != new and joint[new, old]]
    names = [f"{'no class' if old is UNREADABLE else shown(old)} meant {shown(new)}" for old, new in moved]
    right = percent((np.trace(joint) - now + then) / joint.sum())
    return f", {right} would be if {first_few(names)}"


def _weakness_of_labels(table: OutcomeTable, labels: Sequence[Label]) -> str:
    """Look at all labels together, and for one that is the wrong way round."""
    counts = table.label_counts.astype(float)
    excess, variance = beyond_chance(counts)
    n = counts.sum(axis=(1, 2)) / table.design_effect
    errors = np.sqrt(variance / n)
    inverted = np.flatnonzero(excess < ndtri(0.025 / n.size) * errors - _ROUNDING)
    if inverted.size:
        named = first_few(shown(labels[label]) for label in inverted.tolist())
        return f"It finds fewer than by chance, as if absent meant present, of {named}"
    if _is_shown(float(excess.sum()), float((errors**2).sum()), table.n_samples):
        return ""
    return "Its labels fit the truth no better than by chance"


def _weakness_of_spans(table: OutcomeTable) -> str:
    counts = table.label_counts.sum(axis=0)
    matches, n_true, n_found = int(counts[1, 1]), int(counts[1].sum()), int(counts[:, 1].sum())
    if matches > _FEWEST_MATCHES * min(n_true, n_found):
        return ""
    return f"{matches:,} of its {n_found:,} spans match one of {n_true:,} true ones"


_LARGEST_RATIO = 3.0
"""Of a value to the largest of another side, both without their signs: grades of 1 to 5 are not accuracy."""
_MOST_BEYOND = 0.2
"""Of a side's values other than 0: a few may well be beyond those of another side."""


def _weakness_of_values(sides: Sequence[tuple[ScoreTable, int]], side: int) -> str:
    """Look for another side of which most values are far larger, or of a sign that the other never has."""
    own, *others = (
        (table.scores[place, :, 0], table.count)
        for table, place in (sides[side], *(other for at, other in enumerate(sides) if at != side))
    )
    for other in others:
        if max(_beyond(own, other[0]), _beyond(other, own[0])) > _MOST_BEYOND:
            ranges = (f"{values.min():g} to {values.max():g}" for values in (own[0], other[0]))
            return "Its values, {}, are of another scale or sign than those it is compared with, {}".format(*ranges)
    return ""


def _beyond(weighted: tuple[Floats, Any], scale: Floats) -> float:
    """Return the share of values other than 0 that are beyond a scale; none where that is 0 alone."""
    values, count = weighted
    limit = _LARGEST_RATIO * np.abs(scale).max()
    is_beyond = (values < -limit * (scale.min() < 0)) | (values > limit * (scale.max() > 0))
    n = count[values != 0].sum()
    return float(count[is_beyond].sum() / n) if limit and n else 0.0


def _weakness_of_scores(scored: tuple[ScoreTable, int], labels: Sequence[Label]) -> str:
    """Look at how the scores of each class rank its examples above the others, and for one that does the opposite."""
    table, side = scored
    found = [*_ranks(table.true, table.scores[side], table.count)]
    if not found:
        return ""
    areas, errors = (np.array(each) for each in zip(*(rank[1:] for rank in found), strict=True))
    inverted = np.flatnonzero(areas - 0.5 < ndtri(0.025 / areas.size) * errors)
    if inverted.size:
        named = first_few(shown(labels[found[place][0]]) for place in inverted.tolist())
        return f"Its scores are higher the less likely these are: {named} (AUC {areas[inverted[0]]:.3f})"
    if _is_ranked(float(areas.mean()), sqrt(float((errors**2).sum())) / areas.size, table.n_samples):
        return ""
    return f"Its scores rank no better than chance (AUC {areas.mean():.3f})"


_WEAKEST = 0.6
"""Area under the ROC curve of a weak model, that passes 95 times in 100."""


def _is_ranked(area: float, error: float, n: float) -> bool:
    """Whether scores rank better than by chance, or as a weak model may, which is hard to tell of few examples."""
    if n < FEWEST:
        return area > 0.5
    return bool(area > min(0.5 + ndtri(0.975) * error, _WEAKEST - ndtri(0.95) * error))


def _ranks(true: Any, scores: Floats, count: Any) -> Iterator[tuple[int, float, float]]:
    """Yield each class with scores, its area under the ROC curve, and the standard error of that if all is chance."""
    for column, code in enumerate(range(scores.shape[1]) if scores.shape[1] > 1 else [1]):
        positive = count * (true == code)
        _, level = np.unique(scores[:, column], return_inverse=True)
        ties, of_class = np.bincount(level, count), np.bincount(level, positive)
        n, n_positive = ties.sum(), of_class.sum()
        pairs = n_positive * (n - n_positive)
        if pairs == 0:
            continue
        middle_rank = np.cumsum(ties) - (ties - 1) / 2
        area = (of_class @ middle_rank - n_positive * (n_positive + 1) / 2) / pairs
        variance = (n + 1 - ((ties**3 - ties).sum() / (n * (n - 1)))) / (12 * pairs)
        yield code, float(area), sqrt(max(variance, 0))  # 0 where all are equal


_JEFFREYS = 0.5
_MOST_CLASSES = 200
"""That are looked at, those of which most may be lost."""


def doubted_class(experiment: Experiment, measure: Measure, low: float, hdi_prob: float) -> int | None:
    """Find a class that may take the change of an average below the ROPE all by itself; None where none may.

    A class with seven examples, of which the candidate loses none, may still lose a quarter of them. The prior expects
    it to lose as little as the others. That serves ranges, but an average over classes must not be shown to be no worse
    where one of them may have lost too much. The share of a class that only the baseline gets right may be as large as
    the upper end of its range (Jeffreys), and of two test sets the share that the candidate gets wrong.

    Parameters
    ----------
    experiment
        Both sides.
    measure
        Of one class, of all cells or of spans, it is no average.
    low
        The ROPE's lower end.
    hdi_prob
        Probability of the range.
    """
    if measure.class_index is not None or measure.detail is Detail.MATRIX or experiment.spans:
        return None
    known = experiment.known[-1]
    more = _may_be_lost_too(known, (1 + hdi_prob) / 2)
    classes = np.argsort(-more, kind="stable")[:_MOST_CLASSES]
    baseline, candidate = (Joint.observed(side, measure.detail) for side in experiment.scored_sides)
    changes = measure(_losing(candidate, known, classes, more[classes])) - measure(baseline)
    worst = int(changes.argmin())
    return int(classes[worst]) if changes[worst] < low else None


def _may_be_lost_too(table: OutcomeTable, probability: float) -> Floats:
    """Return the share of every class that may be lost beyond what is lost: (M,)."""
    n, lost = table.row_totals / table.design_effect, table.group_counts[:, 1] / table.design_effect
    most = betaincinv(lost + _JEFFREYS, n - lost + _JEFFREYS, probability)
    return np.where(n > 0, most - lost / np.maximum(n, 1e-9), 0.0)


def _losing(joint: Joint, table: OutcomeTable, classes: Codes, shares: Floats) -> Joint:
    """Let one class after the other lose a share; its examples go to others as the candidate's errors do."""
    flat = joint.true.ravel()
    losing = np.zeros((classes.size, flat.size))
    losing[np.arange(classes.size), classes] = np.minimum(shares * flat[classes], joint.correct.ravel()[classes])
    shape = (classes.size, *joint.true.shape)
    predicted = joint.predicted
    if predicted is not None and not table.multilabel:
        wrong = table.predicted[-1] != table.true
        attracted = 1 + np.bincount(table.predicted[-1], table.count * wrong, flat.size)
        to = np.where(losing > 0, 0.0, attracted)
        gained = to * (losing.sum(axis=1) / to.sum(axis=1))[:, None]
        predicted = predicted + gained - losing
    true = np.broadcast_to(joint.true, shape)
    return Joint(true, joint.correct - losing.reshape(shape), predicted)
