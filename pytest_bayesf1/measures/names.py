"""The names of measures, like those of scikit-learn's scorers.

========================================  ==============================================================
``accuracy`` ``balanced_accuracy``        over all classes; of multi-label data ``accuracy`` alone serves, the share of
                                          right decisions about an example and a label
``matthews_corrcoef`` ``cohen_kappa``     over all classes
``g_mean``                                geometric mean of the classes' recalls
``answered``                              share of the answers that could be read
``f1`` ``precision`` ``recall``           of one class as ``f1[label]``; of 0 and 1, -1 and 1, or False and True the
``jaccard`` ``specificity``               larger without a name; averaged as ``f1_macro``, ``f1_micro``, ``f1_weighted``
``fbeta(2)``                              likewise: ``fbeta(2)[label]``, ``fbeta_macro(2)``, ...
========================================  ==============================================================
"""

import re
from dataclasses import dataclass
from difflib import get_close_matches
from enum import IntEnum
from math import nan

from pytest_bayesf1.errors import InputError

OVERALL = ("accuracy", "balanced_accuracy", "matthews_corrcoef", "cohen_kappa", "g_mean", "answered")
PER_CLASS = ("f1", "fbeta", "precision", "recall", "jaccard", "specificity")
AVERAGES = ("macro", "micro", "weighted")
MEASURE_NAMES = (*OVERALL, *PER_CLASS, *(f"{base}_{average}" for base in PER_CLASS for average in AVERAGES))

_SPELLING = re.compile(
    r"(?P<base>\w+?)(_(?P<average>macro|micro|weighted))?(\((?P<beta>[^)]*)\))?(\[(?P<label>.*)\])?", re.DOTALL
)


_WORDS = {
    "balanced_accuracy": "balanced accuracy",
    "matthews_corrcoef": "Matthews correlation",
    "cohen_kappa": "Cohen's kappa",
    "g_mean": "G-mean",
    "answered": "share of readable answers",
    "jaccard": "Jaccard index",
}

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
        One of `OVERALL` or `PER_CLASS`.
    average
        One of `AVERAGES`, or empty.
    beta
        Weight of recall against precision; 1 but for ``fbeta``.
    label
        The class in brackets; or, once the classes are known, the one that is meant.
    """

    text: str
    base: str
    average: str
    beta: float
    label: str | None

    @property
    def words(self) -> str:
        """The measure as people say it: macro-F1, recall of spam."""
        base = f"F{self.beta:g}" if self.base in {"f1", "fbeta"} else _WORDS.get(self.base, self.base)
        averaged = f"{self.average}-{base}" if self.average else base
        return averaged if self.label is None else f"{averaged} of {self.label}"

    def of(self, label: object) -> str:
        """Write the name with a class in brackets."""
        return f"{self.text}[{label}]"

    @property
    def lowest(self) -> float:
        """The bound that no score is below: -1 for correlations, else 0."""
        return -1.0 if self.base in {"matthews_corrcoef", "cohen_kappa"} else 0.0

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


def parse_name(text: str) -> MeasureName:
    """Take a name apart.

    Parameters
    ----------
    text
        As in the table above.

    Raises
    ------
    InputError
        For a name that does not exist or is misspelt, with the nearest one as advice.

    Examples
    --------
    >>> parse_name("fbeta_macro(2)").words, parse_name("f1[spam]").label
    ('macro-F2', 'spam')
    """
    found = _SPELLING.fullmatch(text)
    if (
        found is None
        or found["base"] not in {*OVERALL, *PER_CLASS}
        or (found["average"] and found["label"] is not None)
    ):
        near = [_example(name) for name in get_close_matches(text.lower(), MEASURE_NAMES, n=1)]
        advice = f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(MEASURE_NAMES)}."
        raise InputError("measure", "the name of a measure, or a function", repr(text), advice)
    base, average, label = found["base"], found["average"] or "", found["label"]
    if base in OVERALL and (average or label is not None):
        raise InputError("measure", f"plain {base!r}, which is about all classes", repr(text))
    return MeasureName(text, base, average, _beta(text, base, found["beta"]), label)


def _example(name: str) -> str:
    return f"{name}(2)" if name.startswith("fbeta") else name


def _beta(text: str, base: str, written: str | None) -> float:
    if (base == "fbeta") != (written is not None):
        raise InputError("measure", "a beta for fbeta, as in fbeta(2), and for nothing else", repr(text))
    if written is None:
        return 1.0
    try:
        beta = float(written)
    except ValueError:
        beta = nan
    if not 0 <= beta <= _LARGEST_BETA:
        raise InputError(
            "measure", f"a finite beta that is not negative, up to {_LARGEST_BETA:g}, as in fbeta(2)", repr(text)
        )
    return beta


_OF_LABELS: tuple[str, ...] = ("accuracy", *PER_CLASS)
_OF_SPANS: tuple[str, ...] = tuple(base for base in PER_CLASS if base != "specificity")


def require_served(name: MeasureName, *, multilabel: bool, spans: bool) -> None:
    """Refuse a measure that the kind of data leaves without a meaning.

    Parameters
    ----------
    name
        What is asked for.
    multilabel
        Whether an example may have any number of the labels.
    spans
        Whether these are types of spans.

    Raises
    ------
    InputError
        With the measures that there are.
    """
    expected, served = "a measure of labels that do not exclude one another", _OF_LABELS
    if spans:
        expected, served = "a measure that needs no count of the spans that are rightly not there", _OF_SPANS
    if multilabel and name.base not in served:
        per_class = ", ".join(base for base in served if base in PER_CLASS)
        overall = "".join(f"{base}, and " for base in served if base in OVERALL)
        advice = f"There are {overall}{per_class} as f1[label] or averaged: {', '.join(AVERAGES)}."
        raise InputError("measure", expected, repr(name.text), advice)
