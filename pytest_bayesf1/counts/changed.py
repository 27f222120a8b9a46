"""Which examples two classifiers predict otherwise, whatever is predicted of an example."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.data.predictions import ClassPredictions, LabelPredictions, Predictions, moved
from pytest_bayesf1.data.spans import SpanPredictions


@dataclass(frozen=True, eq=False)
class ChangedPredictions:
    """Predictions of two sides that differ: of examples, of their labels, or of spans, in the order of the examples.

    Attributes
    ----------
    example : (K,)
        The example's position.
    ids : (K,)
        The example's id, or its position; of a span the document's and where in it the span is, ``d1:3-5``.
    true : (K,)
        True class, as `OutcomeTable` numbers it: of labels 2l is "absent" and 2l + 1 "present".
    predicted : (2, K)
        What the baseline and the candidate predict.
    share : (K,)
        How much of the example it is: less than 1 where several runs share its vote.
    """

    example: Codes
    ids: list[Any]
    true: Codes
    predicted: Codes
    share: Floats

    @classmethod
    def between(cls, baseline: Predictions[Any], candidate: Predictions[Any]) -> "ChangedPredictions":
        """Find the predictions that differ.

        Parameters
        ----------
        baseline, candidate
            Of the same examples in the same order.
        """
        match baseline, candidate:
            case ClassPredictions(), ClassPredictions():
                example, before, after, share = moved(baseline.y_pred, candidate.y_pred)
                return cls(example, _ids(baseline, example), baseline.y_true[example], np.stack([before, after]), share)
            case LabelPredictions(), LabelPredictions():
                return cls._of_labels(baseline, candidate)
        assert isinstance(baseline, SpanPredictions)
        return cls._of_spans(baseline, candidate)

    @classmethod
    def _of_labels(cls, baseline: LabelPredictions, candidate: LabelPredictions) -> "ChangedPredictions":
        says = (4 * baseline.y_true + 2 * baseline.y_pred + candidate.y_pred).tocsr()
        says.sort_indices()
        example, label = np.repeat(np.arange(baseline.n_samples), np.diff(says.indptr)), says.indices
        present = np.stack([says.data >> bit & 1 for bit in (2, 1, 0)]).astype(np.int64)
        differs = present[1] != present[2]
        example, (true, *predicted) = example[differs], (2 * label + present)[:, differs]
        return cls(example, _ids(baseline, example), true, np.stack(predicted), np.ones(example.size))

    @classmethod
    def _of_spans(cls, baseline: SpanPredictions, candidate: Predictions[Any]) -> "ChangedPredictions":
        def rows() -> Iterator[tuple[int, int, int, tuple[int, int, int]]]:
            documents = zip(baseline.y_true, baseline.y_pred, candidate.y_pred, strict=True)
            for document, (true, before, after) in enumerate(documents):
                for start, end, kind in sorted(before ^ after):
                    span = (start, end, kind)
                    yield document, start, end, tuple(2 * kind + (span in each) for each in (true, before, after))

        found = list(rows())
        example = np.array([document for document, *_ in found], dtype=np.int64)
        names = _ids(baseline, example)
        ids = [f"{name}:{start}-{end}" for name, (_, start, end, _) in zip(names, found, strict=True)]
        codes = np.array([codes for *_, codes in found], dtype=np.int64).reshape(len(found), 3).T
        return cls(example, ids, codes[0], codes[1:], np.ones(len(found)))


def _ids(predictions: Predictions[Any], positions: Codes) -> list[Any]:
    """Return what the examples at these positions are called."""
    found: list[Any] = (positions if predictions.ids is None else predictions.ids[positions]).tolist()
    return found
