"""The documents behind one system's counts of spans, kept so that two systems can be paired span by span."""

from collections import Counter
from dataclasses import replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import Codes
from pytest_bayesf1.counts.labels import Label
from pytest_bayesf1.counts.outcomes import OutcomeTable
from pytest_bayesf1.counts.predictions import Predictions
from pytest_bayesf1.counts.spans.documents import CodedSpan, Documents
from pytest_bayesf1.counts.units import UnitContents


class SpanPredictions(Predictions[OutcomeTable]):
    """Any number of spans per document: ``y_true`` and ``y_pred`` are `Documents`, ``ids`` the documents' ids."""

    noun = "document"
    truth_name = "gold"
    ids_name = "documents"

    def tally(self, n_labels: int, *others: Self) -> OutcomeTable:
        """Count the spans that are true or that anybody predicts, by who predicts them."""
        sides = [self.y_pred, *(other.y_pred for other in others)]
        outcomes = Counter(
            (document, 2 * kind + (span in true), *(2 * kind + (span in said) for said in predicted))
            for document, (true, *predicted) in enumerate(zip(self.y_true, *sides, strict=True))
            for span in true.union(*predicted)
            for _, _, kind in [span]
        )
        rows = np.array(list(outcomes), dtype=np.int64).reshape(len(outcomes), 2 + len(sides))
        count = np.fromiter(outcomes.values(), dtype=np.int64, count=len(outcomes))
        drawn = rows[:, 0] if self.units is None else self.units[rows[:, 0]]
        units = UnitContents.of_rows(drawn, count, noun=self.unit_noun)
        return OutcomeTable.tally(2 * n_labels, *rows.T[1:], multilabel=True, units=units, spans=True)

    def relabelled(self, codes: Codes, n_labels: int) -> Self:  # noqa: ARG002
        """Look every type up in ``codes``; their number does not matter to spans."""
        return replace(self, y_true=_relabelled(self.y_true, codes), y_pred=_relabelled(self.y_pred, codes))

    def differs(self, other: Self) -> npt.NDArray[np.bool_]:
        """(D,) whether the true spans of a document differ from another system's."""
        return np.asarray(self.y_true != other.y_true)

    def difference(self, other: Self, position: int, labels: tuple[Label, ...]) -> str:
        """Name the first span that only one of both has."""
        own, others = self.y_true[position], other.y_true[position]
        first = min(own ^ others)
        return f"{tuple(_named(first, labels))} in {'baseline' if first in own else 'candidate'} only"

    def _named(self, values: Documents, labels: tuple[Label, ...]) -> list[Any]:
        return [[_named(span, labels) for span in sorted(spans)] for spans in values]


def _named(span: CodedSpan, labels: tuple[Label, ...]) -> list[Any]:
    start, end, kind = span
    return [start, end, labels[kind]]


def _relabelled(documents: Documents, codes: Codes) -> Documents:
    relabelled = np.empty_like(documents)
    for number, spans in enumerate(documents):
        relabelled[number] = frozenset((start, end, int(codes[kind])) for start, end, kind in spans)
    return relabelled
