"""The names of measures: how they are written, and what each is called in a report."""

import re
from dataclasses import dataclass
from math import inf, isfinite, nan

from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.measures.formulas import AVERAGES, MEASURES, ROWS, AnyRow, ByClass, Data, Overall

_SPELLING = re.compile(
    rf"(?P<base>{'|'.join(sorted(MEASURES, key=len, reverse=True))})(_(?P<average>{'|'.join(AVERAGES)}))?"
    r"(\((?P<beta>[^)]*)\))?(\[(?P<without>without )?(?P<label>.*)\])?(@(?P<threshold>[^\]@]*))?",
    re.DOTALL,
)
_LARGEST_BETA = 1e6  # by then F_beta is recall to all digits


@dataclass(frozen=True)
class MeasureName:
    """A measure's name, taken apart.

    Attributes
    ----------
    text
        As it was written.
    base
        The name of its row in `MEASURES`.
    average
        One of `AVERAGES`, or empty.
    beta
        Weight of recall against precision; 1 but for ``fbeta``.
    label
        The class in brackets; or, once the classes are known, the one that is meant. An average leaves it out.
    threshold
        The score from which on the positive class is predicted; None where predictions are given.
    """

    text: str
    base: str
    average: str = ""
    beta: float = 1.0
    label: str | None = None
    threshold: float | None = None

    @property
    def row(self) -> AnyRow:
        """What is declared of the measure."""
        return MEASURES[self.base]

    @property
    def words(self) -> str:
        """The measure as people say it: macro-F1, recall of spam."""
        base = self.row.words.format(beta=self.beta)
        averaged = f"{self.average}-{base}" if self.average else base
        of_class = averaged if self.label is None else f"{averaged} {'without' if self.average else 'of'} {self.label}"
        return of_class if self.threshold is None else f"{of_class} at {self.threshold:g}"

    @property
    def of_scores(self) -> bool:
        """Whether it is about scores themselves, rather than about predicted classes."""
        return bool(self.row.data & Data.SCORES)

    @property
    def bounded(self) -> bool:
        """Whether its scores have bounds, so that a difference of 0.01 is a point."""
        return isfinite(self.row.lowest)

    def of(self, label: object) -> str:
        """Write the name with a class in brackets."""
        name, at, threshold = self.text.partition("@")
        return f"{name}[{label}]{at}{threshold}"

    @property
    def class_base(self) -> str:
        """The row of what of one class corresponds to it."""
        return self.row.class_base if isinstance(self.row, Overall) else self.base

    def of_class(self, label: object) -> str:
        """Write the name of what of one class corresponds to it."""
        beta = f"({self.beta:.15g})" if self.row.takes_beta else ""
        return f"{self.class_base}{beta}[{label}]{'' if self.threshold is None else f'@{self.threshold!r}'}"


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
        return -inf if self.named is None else self.named.row.lowest


def parse_name(text: str) -> MeasureName:
    """Take a name apart.

    Examples
    --------
    >>> parse_name("fbeta_macro(2)").words, parse_name("f1[spam]").label, parse_name("f1_micro[without O]").words
    ('macro-F2', 'spam', 'micro-F1 without O')
    """
    found = _SPELLING.fullmatch(text)
    if found is None or (found["average"] and found["label"] is not None and not found["without"]):
        raise InputError("measure", "the name of a measure", shown(text), measures_of(~Data(0)))
    base, average, label, threshold = found.group("base", "average", "label", "threshold")
    label = label if average or label is None else f"{found['without'] or ''}{label}"
    name = MeasureName(text, base, average or "", _beta(text, base, found["beta"]), label, _threshold(text, threshold))
    of_class = average or label is not None
    if name.of_scores and (of_class or threshold is not None):
        raise InputError("measure", f"plain {base!r}, which is about scores themselves", shown(text))
    if of_class and not isinstance(name.row, ByClass):
        raise InputError("measure", f"plain {base!r}, which is about all classes", shown(text))
    return name


def recorded_measure(text: str, *, bounded: bool) -> MeasureName | None:
    """Return the measure that a result records; None for a function of the user's own, whatever its name."""
    try:
        name = parse_name(text)
    except InputError:
        return None
    return name if name.bounded is bounded else None


def _threshold(text: str, written: str | None) -> float | None:
    if written is None:
        return None
    threshold = _number(written)
    if not isfinite(threshold):
        raise InputError("measure", "a number behind @, as in f1@0.5", shown(text))
    return threshold


def _beta(text: str, base: str, written: str | None) -> float:
    if not MEASURES[base].takes_beta:
        if written is not None:
            raise InputError.plain("measure", f"{base} has no beta, unlike {shown(text)}")
        return 1.0
    beta = nan if written is None else _number(written)
    if not 0 <= beta <= _LARGEST_BETA:
        expected = f"a finite beta that is not negative, up to {_LARGEST_BETA:g}, as in {base}(2)"
        raise InputError("measure", expected, shown(text))
    return beta


def _number(written: str) -> float:
    try:
        return float(written)
    except ValueError:
        return nan


_EXPECTED = {
    Data.CLASSES: "a measure of predicted classes",
    Data.LABELS: "a measure of labels that do not exclude one another",
    Data.SPANS: "a measure that needs no count of the spans that are rightly not there",
}


def require_served(name: MeasureName, data: Data) -> None:
    """Refuse a measure that the kind of data leaves without a meaning."""
    if data not in name.row.data:
        raise InputError("measure", _EXPECTED[data], shown(name.text), measures_of(data))


def measures_of(data: Data) -> str:
    """List the measures of some kinds of data."""
    rows = [row for row in ROWS if row.data & data]
    others = ", ".join(row.name for row in rows if not isinstance(row, ByClass))
    by_class = [row.names for row in rows if isinstance(row, ByClass)]
    first, *averages = by_class[0]
    these = ", ".join(name for name, *_ in by_class)
    return f"There are {others}{', and ' * bool(others)}{these} as {first}[label] or averaged: {', '.join(averages)}."
