"""What two test sets share: the examples that both have, by id, and the labels that were corrected since."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any

import numpy as np

from pytest_bayesf1.arrays import Bools, LabelArray
from pytest_bayesf1.data.predictions import Predictions
from pytest_bayesf1.errors import InputError, arg
from pytest_bayesf1.text import counted, percent

LEAST_SHARED = 0.8
"""Of the smaller test set. With less in common the two are different test sets, whatever their ids say."""

FEWEST_SHARED = 50


class OtherTestSetError(InputError):
    """Two sides that are not about the same examples, or not with the same truth."""


def as_independent() -> str:
    """Say how two different test sets are compared."""
    return f"To compare two different test sets, pass {arg('on_new_test_set', 'independent')}."


def share_or_not() -> str:
    """Say how two test sets that differ can be compared."""
    shared = arg("on_new_test_set", "shared")
    return f"To compare on the examples that both have, pass {shared}. {as_independent()}"


@dataclass(frozen=True, eq=False)
class Overlap:
    """Two test sets that differ.

    Attributes
    ----------
    baseline, candidate
        Both sides' predictions of the examples that both have, in the baseline's order, by the candidate's truth.
    before
        The baseline's predictions of the same examples by its own truth.
    lacking
        The baseline's predictions of the examples that the candidate lacks.
    n_baseline, n_candidate
        Examples of the two test sets.
    """

    baseline: Predictions[Any]
    candidate: Predictions[Any]
    before: Predictions[Any]
    lacking: Predictions[Any]
    n_baseline: int
    n_candidate: int

    @property
    def n_shared(self) -> int:
        """How many examples both have."""
        return self.baseline.n_samples

    @cached_property
    def corrected(self) -> Bools:
        """(n_shared,) whether the truth of each example was another one in the baseline's test set."""
        return self.before.differs(self.candidate)

    @property
    def on_old_truth(self) -> tuple[Predictions[Any], Predictions[Any]]:
        """Both sides' predictions of the shared examples by the baseline's truth."""
        return self.before, replace(self.candidate, y_true=self.before.y_true)

    def favoured(self) -> tuple[int, int]:
        """Count the corrections that help the baseline against the candidate, and those that help the candidate."""
        old_baseline, old_candidate = (side.errors() for side in self.on_old_truth)
        gain = (self.baseline.errors() - self.candidate.errors()) - (old_baseline - old_candidate)
        of_corrected = gain[self.corrected]
        return int((of_corrected < 0).sum()), int((of_corrected > 0).sum())

    def if_wrong(self, n_labels: int) -> tuple[Predictions[Any], Predictions[Any]]:
        """Add the examples that the candidate lacks, and have it wrong on all of them."""
        wrong = self.candidate.wrong_about(self.lacking, n_labels)
        return self.baseline.followed_by(self.lacking), self.candidate.followed_by(wrong)


def overlap_of(
    baseline: Predictions[Any], candidate: Predictions[Any], *, fewest: int = FEWEST_SHARED, least: float = LEAST_SHARED
) -> Overlap | None:
    """Return what two test sets share; None where they are the same, or where ids do not say which is which.

    Raises `InputError` where they share too little to be compared on that.
    """
    if baseline.ids is None or candidate.ids is None:
        return None  # the comparison says what is missing
    if np.array_equal(baseline.ids, candidate.ids) and not baseline.differs(candidate).any():
        return None  # the usual case, for which no ids need to be sorted
    found = _shared_ids((baseline.ids, candidate.ids))
    if found is None:
        return None
    shared, (at_baseline, at_candidate) = found
    before = baseline.in_order(np.sort(at_baseline))
    of_candidate = candidate.in_order(at_candidate[np.argsort(at_baseline, kind="stable")])
    n_baseline, n_candidate = baseline.n_samples, candidate.n_samples
    if n_baseline == n_candidate == shared.size:
        if not before.differs(of_candidate).any():
            return None
    else:
        _require_enough(shared.size, min(n_baseline, n_candidate), f"candidate.{baseline.ids_name}", fewest, least)
    lacking = baseline.in_order(np.setdiff1d(np.arange(n_baseline), at_baseline))
    corrected = replace(before, y_true=of_candidate.y_true)
    return Overlap(corrected, of_candidate, before, lacking, n_baseline, n_candidate)


def shared_by_all(sides: Sequence[Predictions[Any]]) -> list[Predictions[Any]] | None:
    """Keep the examples that all sides have; None where these are all, or ids do not say which is which.

    Raises `InputError` where they are too few.
    """
    found = _shared_ids([side.ids for side in sides])
    if found is None or all(side.n_samples == found[0].size for side in sides):
        return None
    shared, positions = found
    smallest = min(side.n_samples for side in sides)
    _require_enough(shared.size, smallest, sides[0].ids_name, FEWEST_SHARED, LEAST_SHARED)
    in_first_order = np.argsort(positions[0], kind="stable")
    return [side.in_order(at[in_first_order]) for side, at in zip(sides, positions, strict=True)]


def _shared_ids(ids: Sequence[LabelArray | None]) -> tuple[LabelArray, list[Any]] | None:
    """Return the ids that all have, sorted, and their positions on each side; None where ids cannot be matched."""
    known = [each for each in ids if each is not None]
    if len(known) < len(ids) or len({each.dtype.kind for each in known}) > 1:
        return None  # the comparison says what is missing
    shared = reduce(lambda first, second: np.intersect1d(first, second, assume_unique=True), known)
    orders = [np.argsort(each, kind="stable") for each in known]
    return shared, [
        order[np.searchsorted(each, shared, sorter=order)] for each, order in zip(known, orders, strict=True)
    ]


def _require_enough(n_shared: int, n_smaller: int, where: str, fewest: int, least: float) -> None:
    if n_shared >= fewest and n_shared >= least * n_smaller:
        return
    expected = f"at least {percent(least)} of the smaller test set in both, and {counted(fewest, 'example')}"
    found = f"{n_shared:,} of {n_smaller:,}"
    advice = f"Check that an id names the same example in both. {as_independent()}"
    raise OtherTestSetError(where, expected, found, advice)
