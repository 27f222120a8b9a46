"""Which class shares a comparison is about, and what shares that differ do to it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from scipy.special import chdtrc

from pytest_bayesf1.arrays import Floats, Weights
from pytest_bayesf1.choices import Model
from pytest_bayesf1.comparison.subject import Subject
from pytest_bayesf1.data.labels import position_of
from pytest_bayesf1.data.outcomes import CommonShares
from pytest_bayesf1.data.prevalence import BASELINE, CANDIDATE, TEST_SET, Prevalence
from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.results.comparison import ClassShares, DeltaFigures
from pytest_bayesf1.results.decisions import Decision
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.values import require_once

SubjectT = TypeVar("SubjectT", bound=Subject[Any])

_ROUNDING = 1e-6  # of shares of all classes, which sum to 1


def at_prevalence(data: SubjectT, prevalence: Prevalence | None) -> SubjectT:
    """Return the same data, scored at these class shares; raise `InputError` where there is none of a class."""
    if prevalence is None or prevalence.word == TEST_SET:
        return data
    _require_classes(data)
    if prevalence.word and data.model is not Model.INDEPENDENT:
        return data  # both sides have one test set
    return replace(data, experiment=replace(data.experiment, population=_population(data, prevalence)))


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
    if data.model is not Model.INDEPENDENT or not data.labels or getattr(data.experiment, "multilabel", False):
        return None
    totals = np.stack([_effective_totals(table) for table in data.experiment.tables])
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


def _effective_totals(table: Any) -> Floats:
    """Return the classes' totals, of clusters those of examples that would tell as much if drawn one by one."""
    clusters = table.clusters and table.clusters.merged(table.true, table.n_classes)
    return np.asarray(table.row_totals / (clusters.design_effect() if clusters else 1.0), np.float64)
