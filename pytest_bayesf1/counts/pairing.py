"""Two classifiers' counts over the same classes and, where they remember their predictions, of the same examples."""

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import Codes
from pytest_bayesf1.counts.labels import Label
from pytest_bayesf1.counts.outcomes import OutcomeTable
from pytest_bayesf1.counts.predictions import Predictions
from pytest_bayesf1.counts.side import SideCounts
from pytest_bayesf1.counts.spelling import SPELL_ALIKE, alike_pairs, in_order, pairs_told
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.text import counted


def align(baseline: SideCounts, candidate: SideCounts) -> tuple[SideCounts, SideCounts]:
    """Bring both to the same labels in the same order.

    Labels that the caller named must agree, in any order. Labels found in data are extended by those of the other side:
    a class that one side never predicts is a class all the same. Labels that are mere positions give way to names.
    """
    if type(baseline) is not type(candidate):
        raise InputError("candidate", f"{type(baseline).__name__}, as baseline", type(candidate).__name__)
    labels = _common_labels(baseline, candidate)
    return _with_labels(baseline, labels), _with_labels(candidate, labels)


def _common_labels(baseline: SideCounts, candidate: SideCounts) -> tuple[Label, ...]:
    ours, theirs = baseline.labels, candidate.labels
    sources = (baseline.labels_from, candidate.labels_from)
    if "position" in sources:
        if len(ours) != len(theirs):
            raise InputError("candidate", f"{len(ours)} classes, as in baseline", f"{len(theirs)}")
        return theirs if baseline.labels_from == "position" else ours
    _require_same_kind(ours, theirs)
    _require_same_spelling(set(ours), set(theirs))
    if sources == ("data", "data"):
        return ours if set(ours) >= set(theirs) else tuple(in_order({*ours, *theirs}))
    missing_here = [label for label in theirs if label not in set(ours)] if baseline.labels_from == "caller" else []
    missing_there = [label for label in ours if label not in set(theirs)] if candidate.labels_from == "caller" else []
    if missing_here or missing_there:
        raise InputError(
            "candidate.labels",
            "the labels of baseline, in any order",
            f"only in candidate: {_list(missing_here)}; only in baseline: {_list(missing_there)}",
            "Build both with the same labels=[...].",
        )
    return ours if baseline.labels_from == "caller" else theirs


def _require_same_kind(ours: tuple[Label, ...], theirs: tuple[Label, ...]) -> None:
    if type(ours[0]) is not type(theirs[0]):
        raise InputError(
            "candidate.labels",
            f"labels like baseline's ({ours[0]!r}, ...)",
            f"{theirs[0]!r}, ...",
            "Mixed label types never match: convert one.",
        )


def _require_same_spelling(ours: set[Label], theirs: set[Label]) -> None:
    """Refuse labels that only one side has, and that the other has in another spelling."""
    pairs = alike_pairs(theirs - ours, ours - theirs)
    if pairs:
        raise InputError("candidate.labels", "labels that are spelt as in baseline", pairs_told(pairs), SPELL_ALIKE)


def _with_labels(counts: SideCounts, labels: tuple[Label, ...]) -> SideCounts:
    if counts.labels == labels:
        return counts
    return counts.renamed(labels) if counts.labels_from == "position" else counts.relabelled(labels)


def _list(labels: list[Label]) -> str:
    shown = ", ".join(repr(label) for label in labels[:5])
    return (shown + (f" and {len(labels) - 5} more" if len(labels) > 5 else "")) or "none"


def pair(baseline: SideCounts, candidate: SideCounts) -> OutcomeTable:
    """Join the predictions behind aligned counts, by id or else by position, into their joint outcomes.

    Raises
    ------
    InputError
        When either keeps no predictions, or they are not about the same examples.
    """
    ours, theirs = _predictions(baseline, "baseline"), _predictions(candidate, "candidate")
    theirs = theirs.in_order(_matching_order(ours, theirs))
    _require_same_truth(ours, theirs, baseline.labels)
    return ours.tally(len(baseline.labels), theirs)


def _predictions(counts: SideCounts, name: str) -> Predictions:
    if counts.predictions is None:
        advice = f"Build both sides with {type(counts).__name__}.from_predictions."
        raise InputError(name, "predictions to pair", "bare counts", advice)
    return counts.predictions


def _matching_order(ours: Predictions, theirs: Predictions) -> Codes:
    """Return the positions of their examples in the order of ours."""
    if (ours.ids is None) != (theirs.ids is None):
        have, lack = ("candidate", "baseline") if ours.ids is None else ("baseline", "candidate")
        raise InputError(f"{lack}.ids", f"ids, as {have} has them", "none", "Pass ids=... to both sides or to neither.")
    if ours.ids is not None and theirs.ids is not None:
        return _order_by_ids(ours.ids, theirs.ids)
    if ours.n_samples != theirs.n_samples:
        raise InputError(
            "candidate", f"{ours.n_samples} examples, as in baseline", f"{theirs.n_samples}", _DIFFERENT_SETS
        )
    return np.arange(ours.n_samples)


_DIFFERENT_SETS = "For two different test sets pass model='independent'."


def _order_by_ids(ours: npt.NDArray[np.generic], theirs: npt.NDArray[np.generic]) -> Codes:
    if ours.dtype.kind != theirs.dtype.kind:
        (first, *_), (other, *_) = ours.tolist(), theirs.tolist()
        raise InputError("candidate.ids", f"ids like baseline's ({first!r})", repr(other))
    only_here, only_there = np.setdiff1d(ours, theirs), np.setdiff1d(theirs, ours)
    if only_here.size or only_there.size:
        raise InputError(
            "candidate.ids",
            "the ids of baseline, one to one",
            f"{counted(only_here.size, 'id')} only in baseline ({_list(only_here.tolist())}) and "
            f"{only_there.size:,} only in candidate ({_list(only_there.tolist())})",
            _DIFFERENT_SETS,
        )
    order = np.empty(ours.size, dtype=np.int64)
    order[np.argsort(ours, kind="stable")] = np.argsort(theirs, kind="stable")
    return order


def _require_same_truth(ours: Predictions, theirs: Predictions, labels: tuple[Label, ...]) -> None:
    differs = ours.differs(theirs)
    if not differs.any():
        return
    first, n = int(differs.argmax()), int(differs.sum())
    example = f"position {first}" if ours.ids is None else f"id {ours.ids[first]!s}"
    raise InputError(
        "candidate.y_true",
        "the y_true of baseline",
        f"{counted(n, 'example')} that differ{'s' if n == 1 else ''}, first at {example} "
        f"({ours.truth(first, labels)} and {theirs.truth(first, labels)})",
        ("Pass ids=... if the order differs. " if ours.ids is None else "") + _DIFFERENT_SETS,
    )
