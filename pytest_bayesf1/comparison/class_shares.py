"""Which class shares a comparison is about.

PYTEST_DONT_REWRITE
"""

from dataclasses import replace
from typing import TypeVar

import numpy as np

from pytest_bayesf1._util import one_line, require_once
from pytest_bayesf1.arrays import Weights
from pytest_bayesf1.comparison.design import Data
from pytest_bayesf1.data.labels import position_of
from pytest_bayesf1.data.outcomes import Population
from pytest_bayesf1.data.prevalence import BASELINE, CANDIDATE, TEST_SET, Prevalence
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.settings import Model

DataT = TypeVar("DataT", bound=Data)

_WHERE = "prevalence"
_ROUNDING = 1e-6  # of shares of all classes, which sum to 1


def at_prevalence(data: DataT, prevalence: Prevalence | None) -> DataT:
    """Return the same data, scored at these class shares; raise `InputError` where there is none of a class."""
    if prevalence is None or prevalence.word == TEST_SET:
        return data
    _require_classes(data)
    if prevalence.word and data.model is not Model.INDEPENDENT:
        return data  # both sides have one test set
    return replace(data, experiment=replace(data.experiment, population=_population(data, prevalence)))


def _require_classes(data: Data) -> None:
    experiment = data.experiment
    expected = "examples of one class each, whose shares they are"
    advice = f"Leave it out, or pass prevalence={TEST_SET!r}."
    if not data.labels:
        raise InputError(_WHERE, expected, "examples with a number each", advice)
    if getattr(experiment, "multilabel", False):
        found = "spans" if experiment.spans else "several labels per example"
        raise InputError(_WHERE, expected, found, advice)


def _population(data: Data, prevalence: Prevalence) -> Population:
    totals = [table.row_totals for table in data.experiment.tables]
    if prevalence.word:
        side = (BASELINE, CANDIDATE).index(prevalence.word)
        _require_examples(data, totals, np.flatnonzero(totals[side]).tolist())
        return Population(side=side)
    shares = tuple((position_of(each, data.labels, _WHERE), low, high) for each, low, high in prevalence.shares)
    codes = [code for code, *_ in shares]
    require_once((data.labels[code] for code in codes), _WHERE, "class")
    occurring = np.flatnonzero(np.sum(totals, axis=0)).tolist()
    _require_examples(data, totals, [*codes, *occurring])
    _require_sum(prevalence, has_others=bool({*occurring} - {*codes}))
    return Population(shares=shares)


def _require_examples(data: Data, totals: list[Weights], codes: list[int]) -> None:
    for number, of_classes in enumerate(totals):
        owner = " of the baseline" if number == 0 else " of the candidate"
        for code in codes:
            if of_classes[code] == 0:
                found = f"none of class {one_line(repr(data.labels[code]))} in the test set"
                found += owner if len(totals) > 1 else ""
                advice = "How well a class without examples is predicted is unknown: add some, or leave the class out."
                raise InputError(_WHERE, "examples of every class, in every test set", found, advice)


def _require_sum(prevalence: Prevalence, *, has_others: bool) -> None:
    most = sum(high for _, _, high in prevalence.shares)
    if has_others and most >= 1:
        advice = "Name fewer classes: the others divide the rest."
        raise InputError(_WHERE, "shares that sum to less than 1, as there are other classes", f"{most:g}", advice)
    if not has_others and not prevalence.is_certain:
        advice = "Name all classes but one: that one has the rest."
        raise InputError(_WHERE, "a single share for each class where all are named", str(prevalence), advice)
    if not has_others and abs(most - 1) > _ROUNDING:
        raise InputError(_WHERE, "shares that sum to 1, as all classes are named", f"{most:g}")
