"""Scores of the whole classifier, as functions of the joint probabilities."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.measures.joint import Joint
from pytest_bayesf1.measures.rates import mean_of_true, ratio, total, weighted_total


def _accuracy(joint: Joint) -> Floats:
    return total(joint.correct)


def _recalls(joint: Joint) -> Floats:
    return ratio(joint.correct, joint.true)


def _balanced_accuracy(joint: Joint) -> Floats:
    return mean_of_true(_recalls(joint), joint.true)


def _g_mean(joint: Joint) -> Floats:
    with np.errstate(divide="ignore"):
        logs = np.log(_recalls(joint), where=joint.true > 0, out=np.zeros_like(joint.true))
        return np.asarray(np.exp(mean_of_true(logs, joint.true)))


def _chance_agreement(joint: Joint) -> Floats:
    assert joint.predicted is not None
    return weighted_total(joint.true, joint.predicted)


def _matthews_corrcoef(joint: Joint) -> Floats:
    assert joint.predicted is not None
    covariance = _accuracy(joint) - _chance_agreement(joint)
    spread = (1 - weighted_total(joint.true, joint.true)) * (1 - weighted_total(joint.predicted, joint.predicted))
    return ratio(covariance, np.sqrt(spread.clip(min=0)))


def _cohen_kappa(joint: Joint) -> Floats:
    chance = _chance_agreement(joint)
    return ratio(_accuracy(joint) - chance, 1 - chance)


def _answered(joint: Joint) -> Floats:
    assert joint.predicted is not None
    return total(joint.predicted[..., :-1])


OVERALL_SCORES: Mapping[str, Callable[[Joint], Floats]] = MappingProxyType(
    {
        "accuracy": _accuracy,
        "balanced_accuracy": _balanced_accuracy,
        "g_mean": _g_mean,
        "matthews_corrcoef": _matthews_corrcoef,
        "cohen_kappa": _cohen_kappa,
        "answered": _answered,
    }
)
"""By name."""
