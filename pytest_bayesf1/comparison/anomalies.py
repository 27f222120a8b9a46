"""What in the data looks like a mistake: identical sides, swapped labels, leakage, a test set that changed."""

from collections.abc import Iterator
from math import sqrt
from typing import Any

import numpy as np

from pytest_bayesf1._util import counted, percent
from pytest_bayesf1.comparison.subject import OutcomeSubject, PoolSubject, Subject
from pytest_bayesf1.errors import BayesF1Warning, ChangedTestSetWarning
from pytest_bayesf1.results.comparison import SPANS, SharedExamples
from pytest_bayesf1.results.decision import Decision
from pytest_bayesf1.settings import Model


def identical_sides(subject: Subject[Any]) -> list[str]:
    """Say so where the two predict the same throughout, as when one file was compared with itself."""
    if subject.model != Model.PAIRED or isinstance(subject, PoolSubject):
        return []
    table = subject.experiment.tables[0]
    same = table.count.size and np.array_equal(
        *(table.predicted if isinstance(subject, OutcomeSubject) else table.scores)
    )
    return ["Identical predictions: both sides predict the same for every example."] if same else []


_STANDARD_ERRORS, _FAR_BELOW = 4, 0.8


def labels_swapped(subject: Subject[Any]) -> list[str]:
    """Say so where both sides are right less often than by chance, as when two classes were swapped."""
    if not isinstance(subject, OutcomeSubject) or subject.experiment.multilabel or subject.experiment.spans:
        return []
    found = []
    for table in subject.experiment.sides:
        n = table.n_samples
        if n < _FEWEST_ALL_RIGHT:
            return []
        right = float(table.count[table.true == table.predicted[0]].sum() / n)
        said = np.bincount(table.predicted[0], table.count, table.n_classes) / n
        by_chance = float(table.row_totals @ said) / n
        if max(right + _STANDARD_ERRORS * sqrt(right * (1 - right) / n), right / _FAR_BELOW) >= by_chance:
            return []
        found.append(f"{percent(right)} instead of {percent(by_chance)}")
    advice = "check that the labels of two classes are not swapped."
    return [f"Both sides are right less often than by chance ({' and '.join(found)}): {advice}"]


CHECK_FOR_LEAKAGE = "check for leakage before you trust it"
_FEWEST_ALL_RIGHT = 50


def leakage_suspected(subject: Subject[Any]) -> list[str]:
    """Say so where the candidate is right on all examples, if these are not few, and the baseline is not."""
    if not isinstance(subject, OutcomeSubject):
        return []
    baseline, candidate = subject.experiment.sides
    if candidate.n_samples < _FEWEST_ALL_RIGHT or not candidate.is_all_right or baseline.is_all_right:
        return []
    held = SPANS if candidate.spans else "examples"
    return [f"The candidate is right on all {candidate.n_samples:,} {held}, the baseline is not: {CHECK_FOR_LEAKAGE}."]


def notes_on_shared(shared: SharedExamples) -> Iterator[str]:
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
        yield (
            f"{counted(n, 'label')} {'was' if n == 1 else 'were'} corrected since the baseline; both models are scored "
            "on the new labels."
        )


_MANY_CORRECTED = 0.1
_FAVOURED = 0.01


def warnings_on_shared(shared: SharedExamples, decision: Decision) -> Iterator[BayesF1Warning]:
    """Warn of examples that are missing where they matter, and of corrections that look one-sided."""
    other = shared.decision_if_wrong
    if other is not None and other != decision:
        yield ChangedTestSetWarning(
            f"The candidate has no prediction of {counted(shared.n_lacking, 'example')} of the baseline. If it were "
            f"wrong on all of them, the decision would be {other} ({other.words}). Find out why they are missing."
        )
    share = shared.n_corrected / shared.n_shared
    for_baseline, for_candidate = shared.favoured
    one_sided = shared.p_favoured < _FAVOURED
    if not (one_sided or share > _MANY_CORRECTED):
        return
    found = f"{shared.n_corrected:,} of {shared.n_shared:,} labels ({percent(share)}) are not what the baseline's were"
    if one_sided:
        side, n = ("candidate", for_candidate) if for_candidate > for_baseline else ("baseline", for_baseline)
        found += (
            f", and {n:,} of the {for_baseline + for_candidate:,} corrections that tell the two apart help the {side}"
        )
    old = shared.decision_on_old_truth
    before = f" On the old labels the decision would be {old} ({old.words})." if old not in (None, decision) else ""
    yield ChangedTestSetWarning(
        f"{found}.{before} Check that annotators did not see a model's answers, and that every id names the same "
        "example as before."
    )
