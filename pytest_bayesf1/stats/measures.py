"""Performance measures as functions of the joint probabilities; for their names see `measure_names`.

A function of the user's own serves too: ``(..., M, M)`` joint probabilities to ``(...)`` scores, larger being better.
A ratio whose denominator is 0 counts as 0: a class that is never true and never predicted scores 0.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.stats.arrays import Floats
from pytest_bayesf1.stats.joint import Joint
from pytest_bayesf1.stats.labels import Label
from pytest_bayesf1.stats.measure_names import Detail, MeasureName, parse_name
from pytest_bayesf1.stats.outcomes import OutcomeTable
from pytest_bayesf1.stats.scalars import shown

CustomMeasure: TypeAlias = Callable[[Floats], Floats]
MeasureLike: TypeAlias = str | CustomMeasure


@dataclass(frozen=True)
class Measure:
    """A measure of one classifier, ready to be applied: a named one, or a function of the user's own.

    Attributes
    ----------
    name
        As the user wrote it.
    named
        The name taken apart; None for a function.
    class_index
        The class that a measure of one class is about.
    custom
        The user's function.
    """

    name: str
    named: MeasureName | None = None
    class_index: int | None = None
    custom: CustomMeasure | None = None

    @property
    def detail(self) -> Detail:
        """What of the joint distribution it looks at."""
        return Detail.MATRIX if self.named is None else self.named.detail

    @property
    def averages_recalls(self) -> bool:
        """Whether a class without examples leaves it unknown."""
        return self.named is not None and self.named.averages_recalls

    def __call__(self, joint: Joint) -> Floats:
        """Score every distribution in ``joint``: shape (...)."""
        if self.named is None:
            return self._custom_score(joint)
        if self.named.base in _OVERALL:
            return _OVERALL[self.named.base](joint)
        return _class_score(self.named, self.class_index, joint)

    def _custom_score(self, joint: Joint) -> Floats:
        assert self.custom is not None
        assert joint.matrix is not None
        try:
            score = np.asarray(self.custom(joint.matrix), dtype=float)
        except ValueError as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is not None:
                raise  # it comes from the measure itself
            raise InputError(f"measure {self.name}", "an array of scores", "something else") from None
        expected = joint.matrix.shape[:-2]
        if score.shape != expected:
            raise InputError(
                f"measure {self.name}",
                f"scores of shape {expected} for joint probabilities of shape {joint.matrix.shape}",
                f"shape {score.shape}",
                "Reduce over the last two axes.",
            )
        if not np.isfinite(score).all():
            raise InputError(f"measure {self.name}", "finite scores", "NaN or infinity", "Mind empty classes.")
        return score


# Scores of one class against the rest, from its share of true and false positives and negatives.


@dataclass(frozen=True, eq=False)
class _OneVersusRest:
    tp: Floats
    fp: Floats
    fn: Floats
    tn: Floats


def _fbeta(rates: _OneVersusRest, beta: float) -> Floats:
    weighted = (1 + beta**2) * rates.tp
    return _ratio(weighted, weighted + beta**2 * rates.fn + rates.fp)


_PER_CLASS: Mapping[str, Callable[[_OneVersusRest, float], Floats]] = MappingProxyType(
    {
        "f1": _fbeta,
        "fbeta": _fbeta,
        "precision": lambda rates, _: _ratio(rates.tp, rates.tp + rates.fp),
        "recall": lambda rates, _: _ratio(rates.tp, rates.tp + rates.fn),
        "jaccard": lambda rates, _: _ratio(rates.tp, rates.tp + rates.fp + rates.fn),
        "specificity": lambda rates, _: _ratio(rates.tn, rates.tn + rates.fp),
    }
)


def _class_score(name: MeasureName, class_index: int | None, joint: Joint) -> Floats:
    score = _PER_CLASS[name.base]
    if name.average == "micro":
        return score(_pooled(joint), name.beta)
    scores = score(_one_versus_rest(joint), name.beta)
    if class_index is not None:
        return scores[..., class_index]
    if name.average == "weighted":
        return np.asarray((scores * joint.true).sum(axis=-1))
    return np.asarray(scores.mean(axis=-1))


def f1_by_class(side: OutcomeTable) -> Floats:
    """Observed F1 of every class against the rest, shape (M,); from whole numbers, so that equal scores are equal."""
    right = side.group_counts[:, 0]
    predicted = np.bincount(side.predicted[0], side.count, side.n_classes)
    return _ratio((2 * right).astype(np.float64), (side.row_totals + predicted).astype(np.float64))


def _one_versus_rest(joint: Joint) -> _OneVersusRest:
    fn = joint.true - joint.correct
    # a measure that needs no column sums (recall) never looks at fp and tn
    fp = np.zeros_like(fn) if joint.predicted is None else (joint.predicted - joint.correct).clip(min=0)
    return _OneVersusRest(joint.correct, fp, fn, (1 - joint.correct - fn - fp).clip(min=0))


def _pooled(joint: Joint) -> _OneVersusRest:
    """Pool the one-versus-rest decisions of all classes: every error is one class's miss and another's false alarm."""
    correct = joint.correct.sum(axis=-1)
    wrong = 1 - correct
    return _OneVersusRest(correct, wrong, wrong, joint.true.shape[-1] - 2 + correct)


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0)


# Scores of the whole classifier.


def _accuracy(joint: Joint) -> Floats:
    return np.asarray(joint.correct.sum(axis=-1))


def _recalls(joint: Joint) -> Floats:
    return _ratio(joint.correct, joint.true)


def _balanced_accuracy(joint: Joint) -> Floats:
    present = joint.true > 0
    return np.asarray(_recalls(joint).sum(axis=-1) / present.sum(axis=-1))


def _g_mean(joint: Joint) -> Floats:
    with np.errstate(divide="ignore"):
        return np.asarray(np.exp(np.log(_recalls(joint)).mean(axis=-1)))


def _chance_agreement(joint: Joint) -> Floats:
    assert joint.predicted is not None
    return np.asarray((joint.true * joint.predicted).sum(axis=-1))


def _matthews_corrcoef(joint: Joint) -> Floats:
    assert joint.predicted is not None
    covariance = _accuracy(joint) - _chance_agreement(joint)
    spread = (1 - (joint.true**2).sum(axis=-1)) * (1 - (joint.predicted**2).sum(axis=-1))
    return _ratio(covariance, np.sqrt(spread.clip(min=0)))


def _cohen_kappa(joint: Joint) -> Floats:
    chance = _chance_agreement(joint)
    return _ratio(_accuracy(joint) - chance, 1 - chance)


_OVERALL: Mapping[str, Callable[[Joint], Floats]] = MappingProxyType(
    {
        "accuracy": _accuracy,
        "balanced_accuracy": _balanced_accuracy,
        "g_mean": _g_mean,
        "matthews_corrcoef": _matthews_corrcoef,
        "cohen_kappa": _cohen_kappa,
    }
)


def parse_measure(measure: MeasureLike, labels: Sequence[Label]) -> Measure:
    """Understand a measure's name, or take a function as one.

    Parameters
    ----------
    measure
        A name, see `measure_names`; or a function.
    labels
        The classes, by which ``f1[label]`` finds its own.

    Raises
    ------
    InputError
        For a name, label or beta that does not exist or does not fit the number of classes.
    """
    if callable(measure):
        return Measure(getattr(measure, "__name__", "custom"), custom=measure)
    if not isinstance(measure, str):
        raise InputError("measure", "the name of a measure, or a function", shown(measure))
    name = parse_name(measure)
    index = None if name.average or name.base in _OVERALL else _class_index(name, labels)
    return Measure(name.text, name, index)


def _class_index(name: MeasureName, labels: Sequence[Label]) -> int:
    if name.label is not None:
        names = [str(label) for label in labels]
        if name.label not in names:
            raise InputError("measure", f"a class among {', '.join(names[:20])}", repr(name.label))
        return names.index(name.label)
    if len(labels) == 2:
        return 1
    raise InputError(
        "measure",
        f"an average or a class, since there are {len(labels)} classes",
        repr(name.text),
        f"Use {name.text.replace(name.base, f'{name.base}_macro')!r} or '{name.text}[{labels[0]}]'.",
    )
