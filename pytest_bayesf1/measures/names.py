"""The names of measures: how they are written, and what each is called in a report.

========================================  ==============================================================
``accuracy`` ``balanced_accuracy``        over all classes; of multi-label data ``accuracy`` alone serves, the share of
                                          right decisions about an example and a label
``matthews_corrcoef`` ``cohen_kappa``     over all classes
``g_mean``                                geometric mean of the classes' recalls
``answered``                              share of the answers that could be read
``f1`` ``precision`` ``recall``           of one class as ``f1[label]``; of 0 and 1, -1 and 1, or False and True the
``jaccard`` ``specificity``               larger without a name; averaged as ``f1_macro``, ``f1_micro``, ``f1_weighted``
``fbeta(2)``                              likewise: ``fbeta(2)[label]``, ``fbeta_macro(2)``, ...
``f1@0.5``                                any of these, of scores of two classes: the positive one is predicted from the
                                          score 0.5 on
``roc_auc`` ``average_precision``         how well scores rank the positive class of two; the mean over several
``roc_auc_ovr``                           classes, each against the rest: ``roc_auc_ovr``, ``average_precision_macro``
``average_precision_macro``
``neg_log_loss`` ``neg_brier_score``      of probabilities
``mean``                                  of a number that every example has
========================================  ==============================================================
"""

import re
from dataclasses import dataclass
from difflib import get_close_matches
from enum import IntEnum
from math import inf, isfinite, nan

from pytest_bayesf1.errors import InputError, arg

OVERALL = ("accuracy", "balanced_accuracy", "matthews_corrcoef", "cohen_kappa", "g_mean", "answered")
PER_CLASS = ("f1", "fbeta", "precision", "recall", "jaccard", "specificity")
AVERAGES = ("macro", "micro", "weighted")
# of scores
OF_TWO_CLASSES = ("roc_auc", "average_precision")
OF_MANY_CLASSES = ("roc_auc_ovr", "average_precision_macro")
OF_PROBABILITIES = ("neg_log_loss", "neg_brier_score")
OF_VALUES = ("mean",)
OF_SCORES = (*OF_TWO_CLASSES, *OF_MANY_CLASSES, *OF_PROBABILITIES, *OF_VALUES)
MEASURE_NAMES = (*OVERALL, *PER_CLASS, *(f"{base}_{average}" for base in PER_CLASS for average in AVERAGES))
"""Of predicted classes."""

_SPELLING = re.compile(
    r"(?P<base>\w+?)(_(?P<average>macro|micro|weighted))?(\((?P<beta>[^)]*)\))?(\[(?P<label>.*)\])?(@(?P<threshold>[^\]@]*))?",
    re.DOTALL,
)


_WORDS = {
    "balanced_accuracy": "balanced accuracy",
    "matthews_corrcoef": "Matthews correlation",
    "cohen_kappa": "Cohen's kappa",
    "g_mean": "G-mean",
    "answered": "share of readable answers",
    "jaccard": "Jaccard index",
    "roc_auc": "AUC",
    "roc_auc_ovr": "macro-AUC",
    "average_precision": "average precision",
    "average_precision_macro": "macro-average precision",
    "neg_log_loss": "negative log loss",
    "neg_brier_score": "negative Brier score",
}
_LOWEST = {"matthews_corrcoef": -1.0, "cohen_kappa": -1.0, "neg_brier_score": -2.0, "neg_log_loss": -inf, "mean": -inf}

_LARGEST_BETA = 1e6  # by then F_beta is recall to all digits


class Detail(IntEnum):
    """How much of the joint distribution a measure looks at; more detail costs more to draw."""

    TOTAL = 0
    """Right or wrong."""
    CORRECT = 1
    """Right or wrong, by true class."""
    MARGINS = 2
    """Also how often each class is predicted."""
    MATRIX = 3
    """Every cell."""


@dataclass(frozen=True)
class MeasureName:
    """A measure's name, taken apart.

    Attributes
    ----------
    text
        As it was written.
    base
        One of `OVERALL`, `PER_CLASS` or `OF_SCORES`.
    average
        One of `AVERAGES`, or empty.
    beta
        Weight of recall against precision; 1 but for ``fbeta``.
    label
        The class in brackets; or, once the classes are known, the one that is meant.
    threshold
        The score from which on the positive class is predicted; None where predictions are given.
    """

    text: str
    base: str
    average: str
    beta: float
    label: str | None = None
    threshold: float | None = None

    @property
    def words(self) -> str:
        """The measure as people say it: macro-F1, recall of spam."""
        base = f"F{self.beta:g}" if self.base in {"f1", "fbeta"} else _WORDS.get(self.base, self.base)
        averaged = f"{self.average}-{base}" if self.average else base
        of_class = averaged if self.label is None else f"{averaged} of {self.label}"
        return of_class if self.threshold is None else f"{of_class} at {self.threshold:g}"

    @property
    def of_scores(self) -> bool:
        """Whether it is about scores themselves, rather than about predicted classes."""
        return self.base in OF_SCORES

    @property
    def bounded(self) -> bool:
        """Whether its scores have bounds, so that a difference of 0.01 is a point."""
        return isfinite(self.lowest)

    def of(self, label: object) -> str:
        """Write the name with a class in brackets."""
        name, at, threshold = self.text.partition("@")
        return f"{name}[{label}]{at}{threshold}"

    @property
    def lowest(self) -> float:
        """The bound that no score is below: 0, but for correlations and where less is better."""
        return _LOWEST.get(self.base, 0.0)

    @property
    def class_base(self) -> str:
        """What of one class corresponds to it: itself, the recall that it is a mean of, or F1."""
        if self.base in PER_CLASS:
            return self.base
        return "recall" if self.base in {"balanced_accuracy", "g_mean"} else "f1"

    @property
    def detail(self) -> Detail:
        """How much of the joint distribution the measure looks at."""
        if self.base == "accuracy" or (self.average == "micro" and self.base != "specificity"):
            return Detail.TOTAL
        only_correct = self.average == "micro" or self.base in {"balanced_accuracy", "g_mean", "recall"}
        return Detail.CORRECT if only_correct else Detail.MARGINS


@dataclass(frozen=True)
class NamedMeasure:
    """What data can be scored by.

    Attributes
    ----------
    name
        As the user wrote it.
    named
        The name taken apart; None for a function of the user's own.
    class_index
        The class that a measure of one class is about.
    """

    name: str
    named: MeasureName | None = None
    class_index: int | None = None

    @property
    def words(self) -> str:
        """The measure as people say it: macro-F1, recall of spam."""
        return self.name if self.named is None else self.named.words

    @property
    def bounded(self) -> bool:
        """Whether its scores have bounds, so that a difference of 0.01 is a point."""
        return isfinite(self.lowest)

    @property
    def lowest(self) -> float:
        """The bound that no score is below; the scale of a user's own function is unknown."""
        return -inf if self.named is None else self.named.lowest


def parse_name(text: str) -> MeasureName:
    """Take a name apart.

    Examples
    --------
    >>> parse_name("fbeta_macro(2)").words, parse_name("f1[spam]").label
    ('macro-F2', 'spam')
    """
    if text in OF_SCORES:
        return MeasureName(text, text, "", 1.0)
    found = _SPELLING.fullmatch(text)
    known = found is not None and found["base"] in {*OVERALL, *PER_CLASS}
    if found is None or not known or (found["average"] and found["label"] is not None):
        names = (*MEASURE_NAMES, *OF_SCORES)
        stem = text.lower().removesuffix("_score")  # scikit-learn's functions end in it
        family = [name for name in names if name == stem or name.startswith(f"{stem}_")]
        near = family or get_close_matches(stem, names, 1)
        meant = [repr(f"{name}(2)" if name.startswith("fbeta") else name) for name in near]
        advice = f"Did you mean {' or '.join(meant)}?" if near else f"There are: {', '.join(names)}."
        raise InputError(arg("measure"), "the name of a measure, or a function", repr(text), advice)
    base, average, label = found["base"], found["average"] or "", found["label"]
    if base in OVERALL and (average or label is not None):
        raise InputError(arg("measure"), f"plain {base!r}, which is about all classes", repr(text))
    beta, threshold = _beta(text, base, found["beta"]), _threshold(text, found["threshold"])
    return MeasureName(text, base, average, beta, label, threshold)


def _threshold(text: str, written: str | None) -> float | None:
    if written is None:
        return None
    threshold = _number(written)
    if not isfinite(threshold):
        raise InputError(arg("measure"), "a number behind @, as in f1@0.5", repr(text))
    return threshold


def _beta(text: str, base: str, written: str | None) -> float:
    if (base == "fbeta") != (written is not None):
        raise InputError(arg("measure"), "a beta for fbeta, as in fbeta(2), and for nothing else", repr(text))
    if written is None:
        return 1.0
    beta = _number(written)
    if not 0 <= beta <= _LARGEST_BETA:
        expected = f"a finite beta that is not negative, up to {_LARGEST_BETA:g}, as in fbeta(2)"
        raise InputError(arg("measure"), expected, repr(text))
    return beta


def _number(written: str) -> float:
    try:
        return float(written)
    except ValueError:
        return nan


_OF_LABELS: tuple[str, ...] = ("accuracy", *PER_CLASS)
_OF_SPANS: tuple[str, ...] = tuple(base for base in PER_CLASS if base != "specificity")


def require_served(name: MeasureName, *, multilabel: bool, spans: bool) -> None:
    """Refuse a measure that the kind of data leaves without a meaning."""
    expected, served = "a measure of labels that do not exclude one another", _OF_LABELS
    if spans:
        expected, served = "a measure that needs no count of the spans that are rightly not there", _OF_SPANS
    if multilabel and name.base not in served:
        per_class = ", ".join(base for base in served if base in PER_CLASS)
        overall = "".join(f"{base}, and " for base in served if base in OVERALL)
        advice = f"There are {overall}{per_class} as f1[label] or averaged: {', '.join(AVERAGES)}."
        raise InputError(arg("measure"), expected, repr(name.text), advice)
