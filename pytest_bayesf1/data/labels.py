"""Class labels: which there are, how they are spelled, and which is the positive one.

Text from files and tables is tidied. Spaces at its ends go, for they do not show; characters that Unicode can compose
in two ways are composed in one (NFC); a whole number is written as one, so that 1, 1.0 and +1e0 are the same label. A
number with a fraction stays as it is written, for 3.1 and 3.10 may be two versions, and so does one with leading zeros,
which is a code. Text in a program's own arrays is left alone: `require_one_spelling` refuses what tidying would mend.

A prediction may be of a class that the truth never has: an odd answer, a new class, one that a small test set lacks.
Three things are none of these:

- **Scores.** Numbers with a fraction that the truth never has, when they are most of the different predictions, or most
  of all predictions beside a truth without fractions. One "3.5" among ratings of 1 to 5 passes. Where the truth has
  fractions too (ratings in half steps, versions such as 3.11), the new ones must also outnumber these, and ten. The
  truth itself is of scores when most of its labels are fractions that are never predicted, one for every other example.
- **Another vocabulary.** Not one prediction is of any of the two or more true classes.
- **More classes than can be.** Most predictions are of labels that the truth never has, more than ten of them, and
  these are more than ten for each true class, as scores of 0 to 100 are, or occur less than twice each, as ids and free
  text do: classes recur. A test set with a tenth of a classifier's classes passes, however wrong its predictions are.

A missing value is no label, in whatever form it comes: None, NaN, pandas' NA and NaT, and text that is empty or spaces.
What programs write as text in its place, such as "nan" or "NULL", is refused too.

Labels that the caller lists are classes, whatever they look like. Where predictions may be answers that cannot be
read, there may be any number of other labels, but some predictions have to be classes.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias
from unicodedata import normalize

import numpy as np

from pytest_bayesf1.arrays import Bools, LabelArray
from pytest_bayesf1.errors import InputError, arg
from pytest_bayesf1.results.schema import UNREADABLE, Label
from pytest_bayesf1.text import counted, first_few, shown
from pytest_bayesf1.values import require_once

_NUMBER = re.compile(r"[+-]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_TRUTH_VALUES = {"true": "1", "false": "0"}


def spell_alike() -> str:
    """Say what to do about labels that differ in spelling only."""
    listed = arg("labels", [...])
    return f"They differ in spelling only: write each class in one way, or list both with {listed} if they are two."


def count_as_wrong() -> str:
    """Say how answers that are no class can count."""
    return f"Answers that could not be read count as wrong with {arg('invalid', 'wrong')}."


def number(text: str) -> Decimal | None:
    """Read a number as a program writes it; "03" is a code and no number.

    Examples
    --------
    >>> number("1e3"), number("03")
    (Decimal('1E+3'), None)
    """
    return Decimal(text) if _NUMBER.fullmatch(text) else None


def whole_number(text: str) -> int | None:
    """Read a whole number of 64 bits, however it is written; None for anything else.

    Examples
    --------
    >>> whole_number("+1.0"), whole_number("1.5"), whole_number("01")
    (1, None, None)
    """
    value = number(text)
    if value is None or value.adjusted() > 19 or value != value.to_integral_value():
        return None
    return int(value) if -(2**63) <= value < 2**63 else None


def is_fraction(text: str) -> bool:
    """Whether a text is a number that is not whole, be it written with a point or a comma."""
    value = number(text.strip().replace(",", "."))
    return value is not None and value.adjusted() < 19 and value != value.to_integral_value()


def tidied(*columns: LabelArray) -> list[LabelArray]:
    """Write equal labels alike, in columns of text."""
    spelt = _tidy_spellings(column.tolist() for column in columns)
    if all(text == tidy for text, tidy in spelt.items()):
        return list(columns)
    return [np.array([spelt[text] for text in column.tolist()]) for column in columns]


def _tidy_spellings(columns: Iterable[Iterable[str]]) -> dict[str, str]:
    distinct: set[str] = set().union(*columns)
    return {text: tidy(text) for text in distinct}


def tidy(text: str) -> str:
    """Write a label as all of its spellings that are read as one.

    Examples
    --------
    >>> tidy(" ham"), tidy("1.0"), tidy("3.10")
    ('ham', '1', '3.10')
    """
    trimmed = _trimmed(text)
    whole = whole_number(trimmed)
    return trimmed if whole is None else str(whole)


def _trimmed(text: str) -> str:
    return normalize("NFC", text.strip() or text)


def typed(*columns: Sequence[str]) -> list[LabelArray]:
    """Make arrays of text columns: of integers if all are whole numbers, else of tidied text."""
    spelt = _tidy_spellings(columns)
    numbers = {text: whole_number(tidy) for text, tidy in spelt.items()}
    if None in numbers.values():
        return [np.array([spelt[text] for text in column], str) for column in columns]
    return [np.array([numbers[text] for text in column], np.int64) for column in columns]


def in_order(labels: Iterable[Any]) -> list[Any]:
    """Sort labels of one kind: numbers by their value, also where they are text, before other text.

    Examples
    --------
    >>> in_order(["10", "9", "b", "a"])
    ['9', '10', 'a', 'b']
    """
    return sorted(labels, key=_place)


def _place(label: Any) -> tuple[Any, ...]:
    if not isinstance(label, str):
        return 0, label
    value = number(label)
    return (1, label) if value is None else (0, value, label)


def require_one_spelling(where: str, true: AbstractSet[Any], predicted: Mapping[str, AbstractSet[Any]]) -> None:
    """Refuse labels that differ in nothing but their spelling.

    Two spellings that the truth has are two classes, such as the letters "a" and "A", unless the difference
    does not show (spaces at the ends, characters that Unicode composes in two ways). A predicted label that the truth
    has in another spelling only is a mistake: it would count as wrong.
    """
    seen: dict[str, str] = {}
    for label in in_order(true):
        if isinstance(label, str) and seen.setdefault(_trimmed(label), label) != label:
            found = show_pairs([(label, seen[_trimmed(label)])])
            raise InputError(where, "one spelling of each label", found, spell_alike())
    for name, labels in predicted.items():
        pairs = alike_pairs(labels - true, true)
        if pairs:
            raise InputError(name, f"labels that are spelt as in {where}", show_pairs(pairs), spell_alike())


def alike_pairs(labels: AbstractSet[Any], others: AbstractSet[Any]) -> list[tuple[Any, Any]]:
    """Find the labels that differ from one of the others in spelling alone, each with that one.

    Examples
    --------
    >>> alike_pairs({"Ham", "eggs"}, {"ham"})
    [('Ham', 'ham')]
    """
    known = {spelling_key(other): other for other in others}
    return [(label, known[key]) for label in in_order(labels) if (key := spelling_key(label)) in known]


def show_pairs(pairs: Collection[tuple[Any, Any]]) -> str:
    """Show labels beside those that they look like; in ASCII where they would look the same."""
    return first_few(map(_show_pair, pairs))


def _show_pair(pair: tuple[Any, Any]) -> str:
    """Write two spellings: letter by letter where they look the same."""
    show = ascii if normalize("NFC", str(pair[0])) == normalize("NFC", str(pair[1])) else repr
    return " beside ".join(map(show, pair))


def spelling_key(label: Any) -> str:
    """Return what labels have in common that differ in spelling alone: case, spaces, or 1, 01, 1.0 and True.

    Examples
    --------
    >>> {spelling_key(label) for label in ("01", "1.0", True, 1)}
    {'1'}
    """
    plain = " ".join(_trimmed(str(label)).split()).casefold()
    value = number(re.sub(r"^([+-]?)0+(?=[0-9])", r"\1", plain))
    if value is None:
        return _TRUTH_VALUES.get(plain, plain)
    written = f"{value:f}".removeprefix("+")
    written = written.rstrip("0").rstrip(".") if "." in written else written
    return "0" if written == "-0" else written


def position_of(label: str, labels: Sequence[Label], where: str, advice: str = "") -> int:
    """Find a class by its name, as somebody writes it down; raise `InputError` where there is none.

    Examples
    --------
    >>> position_of("1.0", [0, 1], "measure")
    1
    """
    names = [str(each) for each in labels]
    if label in names:
        return names.index(label)
    keys = [spelling_key(each) for each in names]
    if whole_number(label) is not None and keys.count(spelling_key(label)) == 1:
        return keys.index(spelling_key(label))
    raise InputError(where, f"a class among {', '.join(names[:20])}", repr(label), advice)


Answers: TypeAlias = np.ma.MaskedArray[Any, Any]
"""Labels of one kind, masked where there is none."""

_KINDS = {"b": "booleans", "i": "integers", "U": "strings"}
_EMPTY = {"booleans": False, "integers": 0, "strings": ""}


def kind_of(array: LabelArray) -> str:
    """Name the kind of labels in a column: strings, integers or booleans."""
    return _KINDS[array.dtype.kind]


def require_one_kind(arrays: Mapping[str, LabelArray]) -> None:
    """Refuse columns of different kinds, of which no labels would ever be equal."""
    first, *others = arrays
    expected = kind_of(arrays[first])
    for name in others:
        found = kind_of(arrays[name])
        if found != expected:
            pairs = alike_pairs(set(arrays[name].tolist()), set(arrays[first].tolist()))
            shown = f"{found} ({show_pairs(pairs)})" if pairs else found
            raise InputError(name, f"{expected}, as in {first}", shown, "Mixed label types never match: convert one.")


def label_column(
    values: Iterable[Any],
    where: str,
    noun: str = "class label",
    if_missing: str = "",
    examples: Sequence[int] | None = None,
) -> LabelArray:
    """Check a column of labels (or of what ``noun`` says) and return it as a 1-D array of one kind.

    Strings, integers and booleans serve; whole floats become integers. ``examples`` tells which example each is of,
    where one may have several.
    """
    array, missing = _as_array(values, where, noun)
    if missing.any():
        position = int(missing.argmax())
        raise _lacking(where, noun, array[position], position, examples, if_missing)
    return _of_one_kind(array, where, noun)


def _lacking(
    where: str, noun: str, value: object, position: int, examples: Sequence[int] | None, advice: str
) -> InputError:
    example = position if examples is None else examples[position]
    found = f"{describe_missing(value)} at position {example}"
    return InputError(where, f"a {noun} for every example", found, advice)


NULL_WORDS = frozenset({"nan", "NaN", "NA", "<NA>", "NaT", "None", "null", "NULL"})
"""What programs write as text in the place of a missing value."""

AS_NULL = "Programs write it for a missing value."


def if_class() -> str:
    """Say what to do about a class that is called as programs write a missing value."""
    return f"{AS_NULL} If it is a class, list all classes with {arg('labels', [...])}, or rename it."


def require_no_null_words(
    arrays: Mapping[str, LabelArray],
    noun: str = "class label",
    advice: str = "",
    examples: Mapping[str, Sequence[int]] | None = None,
) -> None:
    """Refuse what programs write as text in the place of a missing value."""
    for where, array in arrays.items():
        null = np.isin(np.char.strip(array), sorted(NULL_WORDS)) if kind_of(array) == "strings" else np.zeros(0)
        if null.any():
            position = int(null.argmax())
            raise _lacking(
                where,
                noun,
                array[position],
                position,
                None if examples is None else examples[where],
                advice or if_class(),
            )


def first_missing(values: Sequence[object], labels: Iterable[Any] = ()) -> int | None:
    """Return the position of the first value that is missing, or a word for that, unless it is one of the labels."""
    words = NULL_WORDS.difference(label for label in labels if isinstance(label, str))
    with suppress(TypeError):  # not all are texts
        if {"", *words}.isdisjoint(map(str.strip, values)):  # type: ignore[arg-type]
            return None
    with suppress(TypeError):  # lists of labels cannot be in a set
        if not any(_stands_for_none(value, words) for value in set(values)):
            return None
    return next((position for position, value in enumerate(values) if _stands_for_none(value, words)), None)


def _stands_for_none(value: object, words: AbstractSet[str]) -> bool:
    return is_missing(value) or (isinstance(value, str) and value.strip() in words)


def describe_missing(value: object) -> str:
    """Say what is found instead of a value."""
    if not isinstance(value, str):
        return "a missing value"
    return f"the word {value.strip()!r}" if value.strip() else "an empty cell"


def answer_column(values: Iterable[Any], where: str, kind: str) -> Answers:
    """Check a column of labels that may lack some, and mask what is missing.

    Examples
    --------
    >>> answer_column([1, None, "one"], "y_pred", "integers").tolist()
    [1, None, None]
    """
    array, missing = _as_array(values, where, "class label")
    if array.dtype.kind == "O":
        alike = np.fromiter((_kind(type(value)) == _kind(type(_EMPTY[kind])) for value in array), dtype=bool) & ~missing
        missing |= ~alike & alike.any()
    if missing.all():
        array = np.full(array.size, _EMPTY[kind])
    else:
        array = array.copy()
        array[missing] = array[~missing][0]
    return np.ma.array(_of_one_kind(array, where, "class label"), mask=missing)


def _as_array(values: Iterable[Any], where: str, noun: str) -> tuple[LabelArray, Bools]:
    """Make an array, 1-D and not empty, and tell what of it is missing.

    An array of objects unless numpy chose the type before, for numpy would turn [1, "a"] into strings.
    """
    if isinstance(values, str | bytes | Mapping | AbstractSet) or not isinstance(values, Iterable):
        raise _not_flat(where, noun, type(values).__name__)
    if hasattr(values, "__array__"):
        array = np.asarray(values)
    else:
        items = list(values)
        if any(issubclass(cls, list | tuple | np.ndarray) for cls in set(map(type, items))):
            raise _not_flat(where, noun, "nested sequences")
        array = np.empty(len(items), dtype=object)
        array[:] = items
    if array.ndim != 1:
        raise _not_flat(where, noun, f"{array.ndim} dimensions")
    if array.size == 0:
        raise InputError(where, f"at least one {noun}", "an empty sequence")
    missing = _missing(array)
    return array, missing | np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else missing


def _of_one_kind(array: LabelArray, where: str, noun: str) -> LabelArray:
    if array.dtype.kind == "O":
        array = _from_objects(array, where, noun)
    if array.dtype.kind == "f":
        array = _whole_numbers(array, where, noun)
    if array.dtype.kind == "u":
        if array.max() > np.iinfo(np.int64).max:
            raise InputError(where, f"{noun}s below 2^63", str(array.max()))
        array = array.astype(np.int64)
    if array.dtype.kind not in _KINDS:
        raise InputError(where, f"{noun}s that are strings, integers or booleans", f"dtype {array.dtype}")
    return array


def _not_flat(where: str, noun: str, found: str) -> InputError:
    advice = f"Pass one {noun} per example"
    if noun == "class label":
        advice += (
            ", not scores; for any number of labels per example there is MultilabelCounts, for several runs of a "
            f"system {arg('runs', 'samples')} or {arg('runs', 'seeds')}"
        )
    return InputError(where, f"a 1-D sequence of {noun}s", found, f"{advice}.")


def _from_objects(array: LabelArray, where: str, noun: str) -> LabelArray:
    kinds = {_kind(cls) for cls in set(map(type, array.tolist()))}
    if len(kinds) > 1 or "other" in kinds:
        types = ", ".join(sorted({type(value).__name__ for value in array}))
        raise InputError(where, f"{noun}s of one type", f"mixed or unsupported types ({types})", "Convert them first.")
    array = np.asarray(array.tolist())
    if array.dtype.kind == "O":
        raise InputError(where, f"{noun}s below 2^63", "a larger number")
    return array


def _missing(array: LabelArray) -> Bools:
    """Find values that are missing."""
    if array.dtype.kind == "f":
        return np.isnan(array)
    if array.dtype.kind == "U":
        return np.asarray(np.char.strip(array) == "")
    values = array.tolist()
    if array.dtype.kind != "O" or set(map(type, values)) <= {int, bool}:
        return np.zeros(array.shape, dtype=bool)
    with suppress(TypeError):  # not all are texts
        if {""}.isdisjoint(map(str.strip, values)):
            return np.zeros(array.shape, dtype=bool)
    return np.fromiter(map(is_missing, values), dtype=bool)


def is_missing(value: object) -> bool:
    """Tell None, NaN, pandas' NA and NaT, empty text, and answers that are known to be unreadable from values."""
    if isinstance(value, str):
        return not value.strip()
    if isinstance(value, float | np.floating):
        return bool(np.isnan(value))
    return value is None or value is UNREADABLE or type(value).__name__ in {"NAType", "NaTType"}


_NUMBERS = (int, float, np.integer, np.floating)
_BASES: dict[str, Any] = {"strings": str, "booleans": (bool, np.bool_), "numbers": _NUMBERS}


def _kind(cls: type) -> str:
    return next((kind for kind, bases in _BASES.items() if issubclass(cls, bases)), "other")


def _whole_numbers(array: LabelArray, where: str, noun: str) -> LabelArray:
    bad = ~np.isfinite(array) | (array != np.round(array)) | (np.abs(array) > 2**53)
    if bad.any():
        position = int(bad.argmax())
        advice = "Pass labels, not probabilities." if noun == "class label" else ""
        raise InputError(where, f"{noun}s", f"{array[position]} at position {position}", advice)
    return array.astype(np.int64)


def explicit_labels(labels: Iterable[Any], where: str = "labels") -> tuple[Label, ...]:
    """Check a caller's list of labels: no label twice."""
    names = tuple(label_column(labels, where).tolist())
    require_once(names, where, "label")
    return names


def row_labels(labels: Iterable[Any] | None, n_rows: int) -> tuple[Label, ...]:
    """Name the rows of counts: by the caller's labels, else by position."""
    names = tuple(range(n_rows)) if labels is None else explicit_labels(labels)
    if len(names) != n_rows:
        raise InputError("labels", f"{n_rows} labels, one per row", f"{len(names)}")
    return names


_NEGATIVE_AND_POSITIVE = (("0", "1"), ("-1", "1"), ("False", "True"), ("false", "true"), ("FALSE", "TRUE"))


def positive_class(labels: Sequence[Label], true_labels: Sequence[Label]) -> Label | None:
    """Return the class that a measure of one class is about when none is named, if the labels tell; else None.

    They do when they are 0 and 1, -1 and 1, or False and True, also where a file has these as text. Others may be among
    them that no example has: these are no classes.

    Examples
    --------
    >>> positive_class([0, 1], [0, 1]), positive_class(["ham", "spam"], ["ham", "spam"])
    (1, None)
    """
    by_text = {str(label): label for label in labels}
    true = set(map(str, true_labels))
    positives = {pair[1] for pair in _NEGATIVE_AND_POSITIVE if true <= set(pair) <= by_text.keys()}
    return by_text[positives.pop()] if len(positives) == 1 else None


_MANY = 10
_SHOWN = 3


_SEPARATORS = ("|", ";", ",")


def require_no_lists(where: str, labels: Iterable[Any]) -> None:
    """Refuse several labels in one text, such as ``sport|news``: each combination would be a class of its own."""
    texts = [label for label in labels if isinstance(label, str)]
    for separator in _SEPARATORS:
        parts = {text: [part.strip() for part in text.split(separator)] for text in texts}
        lists = {text: each for text, each in parts.items() if len(each) > 1}
        times = Counter(part for each in parts.values() for part in each)
        if len(lists) > 1 and all(times[part] > 1 for each in lists.values() for part in each):
            found = f"several, as it seems ({_shown({*lists})})"
            advice = (
                "If an example has any number of labels, write them as a list in a file, and in Python pass sets of "
                f"them to MultilabelCounts. If these are classes, list them with {arg('labels', [...])}."
            )
            raise InputError(where, "one class per example", found, advice)


def require_one_vocabulary(counts: Mapping[str, Mapping[Any, float]]) -> None:
    """Refuse predictions that are not of the truth's classes, in the sense above, or spell them in another way."""
    require_no_scores(counts)
    true, *predicted = (_Column(*column) for column in counts.items())
    listed = arg("labels", [...])
    require_one_spelling(true.name, true.labels, {column.name: column.labels for column in predicted})
    for column in predicted:
        if len(true.labels) > 1 and column.labels and not column.labels & true.labels:
            expected = f"some of the labels that {true.name} has ({_shown(true.labels)})"
            advice = f"Are these the right columns? Classes that the truth lacks can be listed with {listed}."
            raise InputError(column.name, expected, f"others only ({_shown(column.labels)})", advice)
    for column in predicted:
        strange = column.labels - true.labels
        n_examples = sum(column.count[label] for label in strange)
        too_many = len(strange) > _MANY * len(true.labels) or n_examples < 2 * len(strange)
        if too_many and len(strange) > _MANY and column.share(strange) > 0.5:
            found = f"{counted(len(strange), 'label')} that {true.name} never has ({_shown(strange)})"
            advice = f"Are these scores, ids or free text? {count_as_wrong()} Classes can be listed with {listed}."
            raise InputError(column.name, "classes, most of them those of the truth", found, advice)


def require_no_scores(counts: Mapping[str, Mapping[Any, float]]) -> None:
    """Refuse scores in the place of labels."""
    true, *predicted = (_Column(*column) for column in counts.items())
    for column in predicted:
        scores = column.fractions - true.labels
        mostly = len(scores) > len(column.labels) / 2 or (not true.fractions and column.share(scores) > 0.5)
        n_usual = max(len(true.fractions), _MANY) if true.fractions else 0
        if mostly and len(scores) > n_usual:
            raise _scores(column, scores, true)
        scores = true.fractions - column.labels
        if len(scores) > max(len(true.labels), sum(true.count.values())) / 2:
            raise _scores(true, scores, column)


@dataclass(frozen=True)
class _Column:
    """The different labels of a column, and how many examples have each."""

    name: str
    count: Mapping[Any, float]

    @property
    def labels(self) -> AbstractSet[Any]:
        return self.count.keys()

    @property
    def fractions(self) -> AbstractSet[str]:
        return {label for label in self.labels if isinstance(label, str) and is_fraction(label)}

    def share(self, labels: AbstractSet[Any]) -> float:
        """Tell what share of the examples has one of these labels."""
        return sum(self.count[label] for label in labels) / sum(self.count.values())


def _scores(column: _Column, scores: AbstractSet[str], other: _Column) -> InputError:
    found = f"{counted(len(scores), 'number')} with a fraction ({_shown(scores)}), of which {other.name} has none"
    return InputError(column.name, "class labels", found, "Pass labels, not probabilities.")


def _shown(labels: AbstractSet[Any]) -> str:
    first = ", ".join(map(shown, in_order(labels)[:_SHOWN]))
    return f"{first}, ..." if len(labels) > _SHOWN else first
