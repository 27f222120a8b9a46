"""Class labels: which there are, how they are spelled, and which is the positive one.

Text from files and tables is tidied. Spaces at its ends go, for they do not show; characters that Unicode can compose
in two ways are composed in one (NFC); a whole number is written as one, so that 1, 1.0 and +1e+0 are the same label. A
number with a fraction stays as it is written, for 3.1 and 3.10 may be two versions, and so do codes: with leading
zeros, or such as 1E5, which programs write as 1e+05. Text in a program's own arrays is left alone:
`require_one_spelling` refuses what tidying would mend.

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
from decimal import Decimal
from enum import Enum
from string import whitespace
from typing import Any, Literal, TypeAlias
from unicodedata import normalize

import numpy as np

from pytest_bayesf1.arrays import Bools, Codes, LabelArray, Weights
from pytest_bayesf1.choices import INVALID, INVALID_DEFAULT, Invalid
from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.results.schema import UNREADABLE, Label, plain
from pytest_bayesf1.text import brief, counted, first_few
from pytest_bayesf1.values import require_choice, require_once

_NUMBER = re.compile(r"[+-]?((0|[1-9][0-9]*)?\.[0-9]+([eE][+-]?[0-9]{1,3})?|(0|[1-9][0-9]*)\.?([eE][+-][0-9]{1,3})?)")
_TRUTH_VALUES = {"true": "1", "false": "0"}


SPELL_ALIKE = "Write each class in one way. If they are two, list all classes in labels."
"""What to do about labels that differ in spelling only."""

IF_CLASSES = "If these are classes, list all of them in labels."
"""What to do about labels that are classes although they look like others."""

COUNT_AS_WRONG = "Unreadable answers count as wrong with invalid: wrong."
"""How answers that are no class can count."""

ANY_CLASS = "{classes}"
"""What stands for any class of the truth in a pattern that finds the class in an answer."""

_READ_ANSWERS = f"In a file, answer: (?i){ANY_CLASS} reads the class off each answer."
_UNLESS_DENIED = r"(?<!(?i:\b(?:not|no|never|non|isn['’]t)[\s-]+(?:an?\s+|the\s+)?))"


def any_of(classes: Iterable[str]) -> str:
    r"""Write a pattern, for the library regex, that finds the name of a class: the longest, and no part of a word.

    "Not spam" is no answer, unless it is a class itself.

    Examples
    --------
    >>> held("C++, not C", any_of(["C", "C++"]))
    {'c++'}
    """
    names = [re.sub(r"[^\w\s-]", r"\\\g<0>", name) for name in sorted(classes, key=len, reverse=True)]
    return rf"{_UNLESS_DENIED}(?<!\w)(?:{'|'.join(names)})(?!\w)"


def held(answer: str, words: str) -> set[str]:
    """Return the classes that an answer in words holds, whatever their case."""
    import regex  # noqa: PLC0415 (few columns hold answers)

    found = regex.findall(words, answer, regex.IGNORECASE) if any(map(str.isalpha, answer)) else []
    return {each.casefold() for each in found}


def number(text: str) -> Decimal | None:
    """Read a number as a program writes it; "03" and "1E3" are codes and no numbers.

    Examples
    --------
    >>> number("1e+3"), number("1E3"), number("03")
    (Decimal('1E+3'), None, None)
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
    spelt = {text: tidy(text) for text in set().union(*(column.tolist() for column in columns))}
    if all(text == tidy for text, tidy in spelt.items()):
        return list(columns)
    return [text_array([spelt[text] for text in column.tolist()]) for column in columns]


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
    return normalize("NFC", stripped(text) or text)


def stripped(text: str) -> str:
    """Take spaces off both ends, those without width too.

    Examples
    --------
    >>> stripped(" \u200bham\ufeff ")
    'ham'
    """
    return text.strip().strip(_WITHOUT_WIDTH).strip()


_WITHOUT_WIDTH = "\u200b\u200c\u200d\u2060\ufeff"


def typed(*columns: Sequence[str]) -> list[LabelArray]:
    """Make arrays of text columns: of integers if all are whole numbers, else of tidied text."""
    spelt: dict[str, str] = {text: tidy(text) for text in set().union(*columns)}
    numbers = {text: whole_number(tidy) for text, tidy in spelt.items()}
    if None in numbers.values():
        return [text_array([spelt[text] for text in column]) for column in columns]
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

    Two spellings that the truth has are two classes, such as the letters "a" and "A", unless the difference does not
    show (spaces at the ends, characters that Unicode composes in two ways), or both are of one truth value: "True" and
    "1". A predicted label that the truth has in another spelling only is a mistake: it would count as wrong.
    """
    seen: dict[str, str] = {}
    for label in in_order(true):
        key = _trimmed(label) if isinstance(label, str) else ""
        key = _TRUTH_VALUES.get(key.casefold(), key)
        if isinstance(label, str) and seen.setdefault(key, label) != label:
            pair = show_pairs([(label, seen[key])])
            raise InputError.plain(where, f"Labels that differ in spelling only: {pair}", SPELL_ALIKE)
    for name, labels in predicted.items():
        pairs = alike_pairs(labels - true, true)
        if pairs:
            problem = f"Labels that are spelt otherwise in {where}: {show_pairs(pairs)}"
            raise InputError.plain(name, problem, f"{SPELL_ALIKE} {_READ_ANSWERS}")


def alike_pairs(labels: AbstractSet[Any], others: AbstractSet[Any]) -> list[tuple[Any, Any]]:
    """Find the labels that differ from one of the others in spelling alone, each with that one.

    Examples
    --------
    >>> alike_pairs({"Ham", "eggs"}, {"ham"})
    [('Ham', 'ham')]
    """
    known = {_bare_key(other): other for other in others}
    return [(label, known[key]) for label in in_order(labels) if (key := _bare_key(label)) in known]


_MARKS = f"{whitespace}.,:;!?*_~`\"'()[]{{}}<>|"
"""What a language model writes around a class, but not what a class may end with, as C++ does."""


def _bare_key(label: Any) -> str:
    """Leave out marks around words as well."""
    bare = label.strip(_MARKS) if isinstance(label, str) else ""
    return spelling_key(bare if any(map(str.isalpha, bare)) else label)


def show_pairs(pairs: Collection[tuple[Any, Any]]) -> str:
    """Show labels beside those that they look like; in ASCII where they would look the same."""
    return first_few(map(_show_pair, pairs))


def _show_pair(pair: tuple[Any, Any]) -> str:
    """Write two spellings: letter by letter where they look the same."""
    show = ascii if normalize("NFC", str(pair[0])) == normalize("NFC", str(pair[1])) else repr
    return " and ".join(map(show, pair))


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
    raise InputError(where, f"a class among {first_few(map(brief, names), 20)}", shown(label), advice)


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
            such = f"{found} ({show_pairs(pairs)})" if pairs else found
            raise InputError(name, f"{expected}, as in {first}", such, "Mixed label types never match: convert one.")


NULL_WORDS = frozenset({"nan", "NaN", "NA", "<NA>", "NaT", "None", "null", "NULL"})
"""What programs write as text in the place of a missing value."""

AS_NULL = "Programs write it for a missing value."


IF_CLASS = f"{AS_NULL} If it is a class, rename it, or list all classes in labels."
"""What to do about a class that is called as programs write a missing value."""


def is_missing(value: object) -> bool:
    """Tell None, NaN, pandas' NA and NaT, empty text, and answers that are known to be unreadable from values."""
    if isinstance(value, str):
        return not value.strip()
    if isinstance(value, float | np.floating):
        return bool(np.isnan(value))
    return value is None or value is UNREADABLE or type(value).__name__ in {"NAType", "NaTType"}


def describe_missing(value: object, n: int = 1) -> str:
    """Say what is found instead of a value, and how often.

    Examples
    --------
    >>> describe_missing(None), describe_missing("", 12), describe_missing("nan", 3)
    ('a missing value', '12 empty cells', "3 times the word 'nan'")
    """
    text = value.strip() if isinstance(value, str) else None
    if text:
        return f"the word {shown(text)}" if n == 1 else f"{n:,} times the word {shown(text)}"
    what, article = ("missing value", "a") if text is None else ("empty cell", "an")
    return f"{article} {what}" if n == 1 else counted(n, what)


LabelSource: TypeAlias = Literal["program", "table", "text"]
"""What labels come from: a program's arrays, a table with types, or text, where whole numbers are integers."""


def read_labels(
    columns: Mapping[str, Iterable[Any]],
    labels: Iterable[Any] | None = None,
    *,
    source: LabelSource = "program",
    invalid: Invalid = INVALID_DEFAULT,
    weight: Weights | None = None,
) -> dict[str, LabelArray]:
    """Take labels out of whatever holds them: the truth, then predictions, as arrays of one kind each.

    Predictions that count as wrong, because they are missing or none of the classes, are masked.

    Examples
    --------
    >>> read = read_labels({"y_true": ["a", "b", "b"], "y_pred": ["a", None, "n/a"]}, invalid="wrong")
    >>> read["y_pred"].tolist()
    ['a', None, None]
    """
    true, *predicted = columns
    whole = [true] if invalid == "wrong" else [true, *predicted]
    values: list[Any] = [columns[name] for name in whole]
    if source == "text":
        with suppress(AttributeError):  # None is no text: below it is an error
            values = typed(*values)
    if_null = None if labels is not None else IF_CLASS
    arrays: dict[str, LabelArray] = {}
    for name, each in zip(whole, values, strict=True):
        if_missing = DROP_ROWS if name == true else COUNT_AS_WRONG
        arrays[name] = label_column(each, name, if_missing=if_missing, if_null=if_null)
    if source == "table":
        texts = [name for name, array in arrays.items() if kind_of(array) == "strings"]
        arrays |= zip(texts, tidied(*(arrays[name] for name in texts)), strict=True)
    if invalid == "wrong":
        answers = {name: columns[name] for name in predicted}
        if source != "program":
            as_numbers = source == "text" and kind_of(arrays[true]) == "integers"
            answers = {name: _tidy_answers(said, as_numbers=as_numbers) for name, said in answers.items()}
        arrays |= _mask_unreadable(true, arrays[true], answers, labels, weight)
    return arrays


def label_column(
    values: Iterable[Any],
    where: str,
    noun: str = "class label",
    *,
    if_missing: str = "",
    if_null: str | None = None,
    examples: Sequence[int] | None = None,
) -> LabelArray:
    """Check a column of labels (or of what ``noun`` says) and return it as a 1-D array of one kind.

    Strings, integers and booleans serve; whole floats become integers. With ``if_null``, which is advice, words such as
    "nan" are refused. ``examples`` says which example each is of, where one may have several.
    """
    array, missing = _as_array(values, where, noun)
    if not missing.any():
        array = _of_one_kind(array, where, noun)
        if if_null is not None and getattr(values, "dtype", None) == array.dtype:
            _require_whole_names(array, where)
        if if_null is not None and kind_of(array) == "strings":
            missing, if_missing = np.isin(np.char.strip(array), sorted(NULL_WORDS)), f"{if_null} {if_missing}".strip()
        if not missing.any():
            return array
    rows = np.flatnonzero(missing)
    found = describe_missing(array[rows[0]], rows.size)
    places = [row if examples is None else examples[row] for row in rows.tolist()]
    raise InputError(where, f"one {noun} for every example", f"{found} {at_positions(places)}", if_missing)


def _require_whole_names(array: LabelArray, where: str) -> None:
    """Refuse what numpy makes of members of a string enumeration: ``Queue.LOG``, where it has room for ``login``."""
    names = np.unique(array).tolist() if array.dtype.kind == "U" and _MEMBER.match(array[0]) else []
    owners = {name.partition(".")[0] for name in names}
    cut = [name for name in names if 4 * len(name) == array.dtype.itemsize]
    if len(cut) > 1 and len(owners) == 1 and all(map(_MEMBER.match, names)):
        problem = f"Members of {owners.pop()} that numpy has cut, as it seems: {first_few(map(shown, cut))}"
        advice = f"Pass a list of the members. {IF_CLASSES}"
        raise InputError.plain(where, problem, advice)


_MEMBER = re.compile(r"[A-Z]\w*\.")


def at_positions(positions: Sequence[int]) -> str:
    """Write the first of some positions.

    Examples
    --------
    >>> at_positions([2]), at_positions([2, 5])
    ('at position 2', 'at positions 2, 5')
    """
    return f"at position{'s' if len(positions) > 1 else ''} {first_few(map(str, positions))}"


def _tidy_answers(texts: Iterable[Any], *, as_numbers: bool) -> list[Any]:
    """Write answers as labels of the truth are written when they are read."""
    tidied = [tidy(text) if isinstance(text, str) else text for text in texts]
    return [text and whole_number(text) for text in tidied] if as_numbers else tidied


def _mask_unreadable(
    true: str,
    truth: LabelArray,
    predicted: Mapping[str, Iterable[Any]],
    labels: Iterable[Any] | None,
    weight: Weights | None,
) -> Mapping[str, LabelArray]:
    """Mask the predictions that are missing or none of the classes.

    What looks like a mistake about the whole column stays an error: scores, labels of another kind, and answers that
    differ from a class in spelling alone.
    """
    first, classes = (true, truth) if labels is None else ("labels", np.asarray(explicit_labels(labels)))
    answers = {name: _answers(said, name, kind_of(classes)) for name, said in predicted.items()}
    require_one_kind({first: classes, true: truth, **{name: column.compressed() for name, column in answers.items()}})
    said = {name: _counted(column, weight) for name, column in answers.items() if not column.mask.all()}
    if labels is None:
        require_no_scores({true: _counted(truth, weight)} | said)
    # none of them may be a class: a model that only ever apologises is wrong, and no error
    require_one_spelling(first, set(classes.tolist()), {name: set(count) for name, count in said.items()})
    for column in answers.values():
        column[~np.isin(column.data, classes)] = np.ma.masked
    return answers


def _answers(values: Iterable[Any], where: str, kind: str) -> np.ma.MaskedArray[Any, Any]:
    """Check a column of labels that may lack some, and mask these; among labels of this kind, also what is of another.

    Examples
    --------
    >>> _answers([1, None, "one"], "y_pred", "integers").tolist()
    [1, None, None]
    """
    array, missing = _as_array(values, where, "class label")
    if array.dtype.kind == "O":
        wanted = _kind(type(_EMPTY[kind]))
        alike = np.array([_kind(type(value)) == wanted for value in array]) & ~missing
        missing |= ~alike & alike.any()
    if missing.all():
        array = np.full(array.size, _EMPTY[kind])
    else:
        array = array.copy()
        array[missing] = array[~missing][0]
    return np.ma.array(_of_one_kind(array, where, "class label"), mask=missing)


def _counted(column: LabelArray, weight: Weights | None) -> dict[Any, float]:
    """Count the examples of each label that is there."""
    there = ~np.ma.getmaskarray(column)
    labels, code = np.unique(np.ma.getdata(column)[there], return_inverse=True)
    return times_of(labels.tolist(), np.bincount(code, None if weight is None else weight[there]).tolist())


def _as_array(values: Iterable[Any], where: str, noun: str) -> tuple[LabelArray, Bools]:
    """Make an array, 1-D and not empty, and tell what of it is missing.

    An array of objects unless numpy chose the type before, for numpy would turn [1, "a"] into strings.
    """
    if isinstance(values, str | bytes | Mapping | AbstractSet) or not isinstance(values, Iterable):
        raise _not_flat(where, noun, type(values).__name__)
    if hasattr(values, "__array__"):
        array = np.asarray(values)
        array = array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array  # a column
        items = array.tolist() if array.ndim == 1 and array.dtype.kind in "OT" else None  # T: strings of any length
    else:
        items = list(values)
    if items is not None:
        array = _objects(_bare(items, where, noun))
    if array.ndim != 1:
        raise _not_flat(where, noun, f"{array.ndim} dimensions")
    if array.size == 0:
        raise InputError(where, f"at least one {noun}", "an empty sequence")
    missing = _missing(array)
    masked = np.ma.getmaskarray(values).ravel() if isinstance(values, np.ma.MaskedArray) else False
    return array, np.asarray(missing | masked)


def _objects(items: Sequence[Any]) -> LabelArray:
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array


_ROWS = (list, tuple, set, frozenset, np.ndarray)


def _bare(items: list[Any], where: str, noun: str) -> list[Any]:
    """Take members of enumerations for their values, and rows that hold one label each for that label."""
    if any(issubclass(cls, _ROWS) for cls in set(map(type, items))):
        rows = [[*each.flat] if isinstance(each, np.ndarray) else each for each in items]
        if any(not isinstance(row, _ROWS) or len(row) != 1 for row in rows):
            raise _not_flat(where, noun, "nested sequences", _door_of_sequences([rows]))
        items = [label for row in rows for label in row]
    return [*map(plain, items)] if any(issubclass(cls, Enum) for cls in set(map(type, items))) else items


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
        expected = f"{noun}s that are strings, integers or booleans"
        raise InputError(where, expected, f"dtype {array.dtype}", _DECODE if array.dtype.kind == "S" else "")
    return array


_DECODE = "Decode them to text first."


def _not_flat(where: str, noun: str, found: str, door: str = "") -> InputError:
    expected, advice = f"a 1-D sequence of {noun}s", f"Pass one {noun} per example"
    if door:
        return InputError(where, expected, found, door)
    if noun == "class label":
        advice += (
            ", not scores; for any number of labels per example there is MultilabelCounts, for several runs of a "
            "system pass runs: samples or runs: seeds"
        )
        if where != "labels":
            advice += ". If each row has a score for every class, take the class of the largest"
    return InputError(where, expected, found, f"{advice}.")


def _from_objects(array: LabelArray, where: str, noun: str) -> LabelArray:
    values = array.tolist()
    types = set(map(type, values))
    kinds = {_kind(cls) for cls in types}
    if len(kinds) > 1 or "other" in kinds:
        found = f"mixed or unsupported types ({', '.join(sorted(cls.__name__ for cls in types))})"
        advice = _DECODE if types == {bytes} else "Write all as text, or all as whole numbers."
        raise InputError(where, f"{noun}s of one type", found, advice)
    if "strings" in kinds:
        return text_array(values, where)
    if "booleans" in kinds:
        return np.array(values, bool)
    if any(not issubclass(cls, int | np.integer) for cls in types):
        _whole_numbers(np.array([each if isinstance(each, float | np.floating) else 0 for each in values]), where, noun)
    try:  # each number on its own: among floats, numpy would round large ones
        return np.array(values if types == {int} else [*map(int, values)], np.int64)
    except OverflowError:
        raise InputError(where, f"{noun}s below 2^63", "a larger number") from None


def text_array(texts: Sequence[str], where: str = "") -> LabelArray:
    """Make an array of texts that holds each of them whole.

    numpy makes room for what a text says and fills it with what its class writes, which cuts members of a string
    enumeration; and it drops zero characters at the end.
    """
    plain = texts if set(map(type, texts)) <= {str} else [*map(str.__str__, texts)]
    if "\0" in "".join(plain) and (cut := [text for text in plain if text.endswith("\0")]):
        raise InputError.plain(
            where, f"Text that ends with a zero character: {shown(cut[0])}", 'Use text.rstrip("\\0").'
        )
    return np.array(plain, str)


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


_NUMBERS = (int, float, np.integer, np.floating)
_BASES: dict[str, Any] = {"strings": str, "booleans": (bool, np.bool_), "numbers": _NUMBERS}


def _kind(cls: type) -> str:
    return next((kind for kind, bases in _BASES.items() if issubclass(cls, bases)), "other")


def _whole_numbers(array: LabelArray, where: str, noun: str) -> LabelArray:
    array = array if array.dtype.itemsize > 8 else array.astype(np.float64)  # half precision ends below 2^53
    bad = ~np.isfinite(array) | (array != np.round(array)) | (np.abs(array) > 2**53)
    if bad.any():
        position = int(bad.argmax())
        advice = "Pass labels, not probabilities." if noun == "class label" else ""
        raise InputError(where, f"{noun}s", f"{array[position]} at position {position}", advice)
    return array.astype(np.int64)


def identifiers(values: Iterable[Any], n: int, where: str, noun: str = "id", per: str = "example") -> LabelArray:
    """Check a column of ids, or of what ``noun`` says, one for each of ``n`` rows."""
    ids = label_column(values, where, noun, if_null=AS_NULL)
    if ids.size != n:
        raise InputError(where, f"{n} {noun}s, one per {per}", f"{ids.size}")
    return ids.copy()


def require_unique(ids: LabelArray, where: str = "ids", advice: str = "") -> None:
    """Refuse ids of which one is there twice."""
    unique, times = np.unique(ids, return_counts=True)
    if unique.size < ids.size:
        twice = unique[times > 1].tolist()
        problem = f"{counted(len(twice), 'duplicate id')}: {first_few(map(shown, twice))}"
        if any(_ROUNDED.fullmatch(str(each)) for each in twice):
            advice = "A spreadsheet has rounded these numbers: format the column as text there, and export it again."
        raise InputError.plain(where, problem, advice)


_ROUNDED = re.compile(r"\d([.,]\d+)?[Ee]\+?\d+")


def explicit_labels(labels: Iterable[Any], where: str = "labels") -> tuple[Label, ...]:
    """Check a caller's list of labels: no label twice."""
    names = tuple(label_column(labels, where).tolist())
    require_once(names, where, "label")
    return names


def row_labels(labels: Iterable[Any] | None, n_rows: int) -> tuple[Label, ...]:
    """Name the rows of counts: by the caller's labels, else by position."""
    names = tuple(range(n_rows)) if labels is None else explicit_labels(labels)
    if len(names) != n_rows:
        raise InputError("labels", f"{counted(n_rows, 'label')}, one per row", f"{len(names)}")
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


_SEPARATORS = ("|", ";", ",", "/", "&", "+", " and ", " ")
_SURE = 3
"""Of the separators the first, which few names of classes hold."""
_LIST = re.compile(r"(?:[\w.]+\()?(?:\[(.*)\]|\((.*)\)|\{(.*)\})(?:,\s*\w+=[^\[\]]*)?\)?", re.DOTALL)
"""A list, tuple or set as Python, JSON, pandas, numpy or PyTorch write it."""
_ITEM = re.compile(r"""'([^']*)'|"([^"]*)"|([^\s,'"()\[\]{}]+)""")
_EMPTY_SETS = ("set()", "frozenset()")
_BITS = {"0": 0, "1": 1, "0.": 0, "1.": 1, "0.0": 0, "1.0": 1, "False": 0, "True": 1}


def _items(text: str) -> list[str] | None:
    """Return the items of a list that is written as text; None for any other text.

    Examples
    --------
    >>> _items("['a' 'b']"), _items("tensor([[1, 0]])"), _items("(New York)"), _items("a, b")
    (['a', 'b'], ['1', '0'], None, None)
    """
    found = None if text in _EMPTY_SETS else _LIST.fullmatch(text.strip())
    if found is None:
        return [] if text in _EMPTY_SETS else None
    inside = next(each for each in found.groups() if each is not None)
    if (nested := _items(inside)) is not None:
        return nested
    if _ITEM.sub("", inside).strip(", \n"):
        return None
    parts = [each.groups() for each in _ITEM.finditer(inside)]
    are_words = any(bare and bare not in _BITS and not _FIGURES.fullmatch(bare) for *_, bare in parts)
    return None if are_words and "," not in inside else [one or other or bare or "" for one, other, bare in parts]


_FIGURES = re.compile(r"[+-]?\d+\.?\d*")


_IN_BRACKETS = re.compile(r"\[([^\s,'\"\[\]]+)\]")
_FEWEST_BITS = 3
"""With fewer, ``01`` and ``10`` may be names of classes."""


def _require_no_lists(codes: Mapping[str, Codes], labels: Sequence[Label]) -> None:
    """Refuse several labels in one text, such as ``sport|news``: each combination would be a class of its own."""
    texts = [label for label in labels if isinstance(label, str)]
    written = {text: items for text in texts if (items := _items(text)) is not None}
    if written:
        written |= {text: [found[1]] for text in texts if (found := _IN_BRACKETS.fullmatch(text.strip()))}
    if len(written) > 1 and 2 * len(written) >= len(texts):
        raise _several(codes, labels, written, are_written=True)
    n_ones = _n_labels_in(texts) if len(texts) == len(labels) >= _FEWEST_BITS <= len(texts[0]) else None
    if n_ones and n_ones != {1} and any(text[0] == "0" for text in texts):
        raise _several(codes, labels, {text: [*text] for text in texts})
    for number, separator in enumerate(_SEPARATORS):
        at = None if separator == " " else separator
        parts = {text: [part.strip() for part in text.split(at)] for text in texts}
        lists = {text: each for text, each in parts.items() if len(each) > 1 and all(each)}
        times = Counter(part for each in parts.values() for part in each)
        repeated = len(lists) > 1 and all(times[part] > 1 for each in lists.values() for part in each)
        of_classes = {text: each for text, each in lists.items() if len({*each}) > 1 and {*each} <= {*texts}}
        are_all = len(lists) == len(texts) > 1 and bool(_n_labels_in(lists.values()))
        are_all |= len(lists) > 1 and are_tags([[*parts.values()]])
        are_tokens = at is None and repeated and _repeat(lists.values()) and len(lists) > max(len(times), _MANY)
        if are_all or are_tokens or of_classes or (repeated and number < _SURE):
            raise _several(codes, labels, lists if are_all or are_tokens else of_classes or lists)


def _n_labels_in(rows: Collection[Sequence[str]]) -> set[int] | None:
    """Return how many labels rows of ones and zeros have; None where they are names."""
    lengths = {*map(len, rows)}
    if len(lengths) > 1 or max(lengths) < 2 or not all(item in _BITS for row in rows for item in row):
        return None
    return {sum(_BITS[item] for item in row) for row in rows}


def _repeat(rows: Iterable[Sequence[str]]) -> bool:
    """Whether several rows have a label twice, as labels of tokens do."""
    return sum(len({*row}) < len(row) for row in rows) > 1


def _several(
    codes: Mapping[str, Codes],
    labels: Sequence[Label],
    lists: Mapping[str, Sequence[str]],
    *,
    are_written: bool = False,
) -> InputError:
    """Say that texts hold several labels, or one in brackets, and how to write them."""
    names = [name for name, column in codes.items() if {labels[code] for code in np.unique(column)} & {*lists}]
    n_labels, rows = _n_labels_in(lists.values()), lists.values()
    what, advice = "Several labels", "If an example has any number of labels, pass a list of them (MultilabelCounts)."
    if are_written and all(len(row) == 1 for row in rows):
        what, advice = "A label in brackets", "If each is one label, write it without brackets."
    elif n_labels == {1}:
        what, advice = "Indicators", "If each is of one class, write the name of the class."
    elif not n_labels and are_tags([[*rows]]) and any(len(row) > 1 for row in rows):
        what, advice = "Tags of tokens", f"If they are, {_AS_SPANS}."
    elif not n_labels and _repeat(rows):
        what, advice = "Labels of tokens", f"If they are, {_AS_TOKENS}."
    return InputError.plain(names[0], f"{what} in one text, as it seems: {_shown(lists)}", f"{advice} {IF_CLASSES}")


_AS_SPANS = "pass lists of tags to SpanCounts.from_bio, or write a file of the CoNLL format"
_AS_TOKENS = "write one row per token, and name its sentence with clusters"


_NO_LABEL = frozenset({-1, -9, -99, -100, -999, -9999})
"""What programs write as a number in the place of a label; -100 is PyTorch's."""
_IGNORED = -100


def _require_all_labelled(codes: Mapping[str, Codes], labels: tuple[Label, ...], weight: Weights | None = None) -> None:
    """Refuse numbers that mean that there is no label; that of the truth comes first.

    -100 always does. So does the only negative number of these, but where it is a class: -1 and 1 are two, as for
    support vector machines; and -1, 0 and 1 are three if both the truth and the predictions have -1.
    """
    code_of = [None if isinstance(label, bool) else whole_number(str(label)) for label in labels]
    there = {name: np.flatnonzero(np.bincount(column)[: len(labels)]).tolist() for name, column in codes.items()}
    numbers = [{code_of[position] for position in positions} for positions in there.values()]
    every: set[int | None] = set().union(*numbers) - {_IGNORED}
    nothing, negative = {_IGNORED}, {code for code in every if code is not None and code < 0}
    if len(negative) == 1 and negative <= _NO_LABEL:
        (code,) = negative
        are_three = every == {code, 0, -code} and all(code in each for each in numbers)
        if not (every == {code, -code} or are_three) or numbers[0] == {code}:
            nothing.add(code)
    for name, column in codes.items():
        found = [position for position in there[name] if code_of[position] in nothing]
        if found:
            absent, rows = [labels[position] for position in found], np.flatnonzero(np.isin(column, found))
            n = rows.size if weight is None else round(float(weight[rows].sum()))
            at = f", {at_positions(rows.tolist())}" if weight is None else ""
            which = f"{counted(n, 'row')} with {first_few(map(shown, absent))}, which means no label{at}"
            if_answer = f"{COUNT_AS_WRONG} " if name != next(iter(codes)) else ""
            advice = f"{DROP_ROWS} {if_answer}If it is a class, list all of them in labels."
            raise InputError(name, "one class label for every example", which, advice)


DROP_ROWS = "Drop these rows."


def unwrapped(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Take the labels out of columns of rows that hold one each, unless these are tags of tokens.

    Examples
    --------
    >>> unwrapped({"y_true": [["pos"], ["neg"]], "y_pred": ["pos", "pos"]})
    {'y_true': ['pos', 'neg'], 'y_pred': ['pos', 'pos']}
    """
    rows = {name: values.tolist() if isinstance(values, np.ndarray) else values for name, values in columns.items()}
    wrapped = {name for name, each in rows.items() if all(isinstance(row, _ROWS) and len(row) == 1 for row in each)}
    labels = {name: [label for row in rows[name] for label in row] for name in wrapped}
    left = [each for column in (rows | labels).values() for each in column]
    if any(isinstance(each, (*_ROWS, Mapping)) for each in left) or are_tags(rows.values()):
        return {**columns}
    return {**columns, **labels}


_TAG = re.compile(r"O|[BIESLU](-.+)?", re.DOTALL)


def are_tags(columns: Iterable[Iterable[Any]]) -> bool:
    """Whether rows are the tags of tokens, such as B-PER and O.

    Examples
    --------
    >>> are_tags([[["B-PER", "O"], ["O"]]]), are_tags([[["sport", "news"]]])
    (True, False)
    """
    rows = [row for column in columns for row in column if isinstance(row, list | tuple | np.ndarray)]
    labels = {label for row in rows for label in row if isinstance(label, str)}
    tags = {label for label in labels if _TAG.fullmatch(label)}
    typed = {label for label in tags if label[1:2] == "-"}
    is_marked = "O" in tags or any(f"I{tag[1:]}" in typed for tag in typed if tag[0] == "B")
    return bool(typed) and is_marked and 2 * len(tags) > len(labels)


def _door_of_sequences(columns: Collection[Sequence[Any]]) -> str:
    """Say where rows belong that hold a label for every token; nothing if they hold any number of an example's labels.

    They hold one for every token if both sides' rows are as long as one another, and some label is there twice.
    """
    if are_tags(columns):
        return f"These are tags of tokens: {_AS_SPANS}."
    if not all(isinstance(row, list | tuple | np.ndarray) for rows in columns for row in rows):
        return ""
    lengths = {tuple(map(len, rows)) for rows in columns}
    if all(label in (0, 1) for rows in columns for row in rows for label in row):
        return ""  # indicators
    if len(lengths) > 1 or not any(len({*map(repr, row)}) < len(row) for rows in columns for row in rows):
        return ""
    return f"These are labels of tokens, as it seems. Without those that only fill rows up, {_AS_TOKENS}."


def require_one_vocabulary(counts: Mapping[str, Mapping[Any, float]]) -> None:
    """Refuse predictions that are not of the truth's classes, in the sense above, or spell them in another way.

    ``counts`` says how many examples have each label that a column has, that of the truth first.
    """
    require_no_scores(counts)
    (true, times_true), *predicted = counts.items()
    require_one_spelling(true, times_true.keys(), {name: times.keys() for name, times in predicted})
    for name, times in predicted:
        strange = times.keys() - times_true.keys()
        words = any_of(map(str, times_true))
        holding = [label for label in strange if isinstance(label, str) and len(held(label, words)) == 1]
        if len(times_true) > 1 and times and len(strange) == len(times):
            problem = f"None of these labels ({_shown(times)}) is one of {true} ({_shown(times_true)})"
            advice = "Are these the right columns? List classes that the truth lacks in labels."
            raise InputError.plain(name, problem, f"{advice} {_READ_ANSWERS}" if holding else advice)
        n_examples = sum(times[label] for label in strange)
        too_many = len(strange) > _MANY * len(times_true) or n_examples < 2 * len(strange)
        if 2 * sum(times[label] for label in holding) > sum(times.values()):
            problem = f"Most are no class of {true}, but hold one: {_shown(holding)}"
            raise InputError.plain(name, problem, f"{_READ_ANSWERS} {IF_CLASSES}")
        if too_many and len(strange) > _MANY and 2 * n_examples > sum(times.values()):
            problem = f"Most are {counted(len(strange), 'label')} that {true} never has: {_shown(strange)}"
            advice = f"Are these scores, ids or free text? {COUNT_AS_WRONG} List classes in labels."
            raise InputError.plain(name, problem, advice)


def times_of(labels: Iterable[Any], times: Iterable[float]) -> dict[Any, float]:
    """Say how many examples have each label, of those that any has."""
    return {label: n for label, n in zip(labels, times, strict=True) if n}


def require_no_scores(counts: Mapping[str, Mapping[Any, float]]) -> None:
    """Refuse scores in the place of labels, likewise."""
    (true, times_true), *predicted = counts.items()
    true_fractions = _fractions(times_true)
    for name, times in predicted:
        scores = _fractions(times) - times_true.keys()
        mostly = 2 * len(scores) > len(times)
        if not true_fractions:
            mostly |= 2 * sum(times[each] for each in scores) > sum(times.values())
        n_usual = max(len(true_fractions), _MANY) if true_fractions else 0
        if mostly and len(scores) > n_usual:
            raise _scores(name, scores, true)
        scores = true_fractions - times.keys()
        if 2 * len(scores) > max(len(times_true), sum(times_true.values())):
            raise _scores(true, scores, name)


def _fractions(labels: Iterable[Any]) -> set[str]:
    return {label for label in labels if isinstance(label, str) and is_fraction(label)}


def _scores(where: str, scores: AbstractSet[str], other: str) -> InputError:
    found = f"{counted(len(scores), 'number')} with a fraction ({_shown(scores)}), of which {other} has none"
    return InputError(where, "class labels", found, "Pass labels, not probabilities.")


def _shown(labels: Collection[Any]) -> str:
    first = ", ".join(map(shown, in_order(labels)[:_SHOWN]))
    return f"{first}, ..." if len(labels) > _SHOWN else first


def encode(
    columns: Mapping[str, Iterable[Any]],
    labels: Iterable[Any] | None,
    weight: Weights | None = None,
    invalid: Invalid = INVALID_DEFAULT,
    source: LabelSource = "program",
) -> tuple[dict[str, Codes], tuple[Label, ...]]:
    """Encode columns of labels, one label per example, all over the same two or more classes.

    Examples
    --------
    >>> codes, labels = encode({"y_true": ["b", "a"], "y_pred": ["b", "b"]}, labels=None)
    >>> labels, codes["y_true"].tolist(), codes["y_pred"].tolist()
    (('a', 'b'), [1, 0], [1, 1])
    """
    require_choice("invalid", invalid, INVALID)
    require_same_index(columns)
    listed = None if labels is None else [label for label in labels if label is not UNREADABLE or invalid == "error"]
    arrays = read_labels(columns, listed, source=source, invalid=invalid, weight=weight)
    true, *others = arrays
    for name in others:
        if arrays[name].size != arrays[true].size:
            raise InputError(name, f"{counted(arrays[true].size, 'label')}, as in {true}", f"{arrays[name].size}")
    codes, names = encode_arrays(arrays, listed, COUNT_AS_WRONG)
    if listed is None:
        _require_all_labelled(codes, names, weight)
        _require_no_lists(codes, names)
    if len(names) < 2:
        *some, last = ["labels"] if listed is not None else [true] if invalid == "wrong" else arrays
        alike = f"{', '.join(some)} and {last} have" if some else f"{last} has"
        problem = f"{alike} only one class, {shown(names[0])}"
        raise InputError.plain("", problem, "Name all classes in labels.")
    if invalid == "wrong":
        return codes, (*names, UNREADABLE)
    if listed is None:
        counts = {name: np.bincount(column, weight, len(names)).tolist() for name, column in codes.items()}
        of_labels = (zip(names, count, strict=True) for count in counts.values())
        require_one_vocabulary(
            {name: {label: n for label, n in each if n} for name, each in zip(counts, of_labels, strict=True)}
        )
    return codes, names


def encode_arrays(
    arrays: Mapping[str, LabelArray], labels: Iterable[Any] | None, if_unlisted: str = ""
) -> tuple[dict[str, Codes], tuple[Label, ...]]:
    """Do as `encode` does, with columns that `read_labels` read and of any lengths; what is masked comes last."""
    require_one_kind(arrays)
    if labels is None:
        found = np.unique(np.concatenate([np.unique(np.ma.compressed(array)) for array in arrays.values()]))
        known = np.array(in_order(found.tolist()))
    else:
        known = np.asarray(explicit_labels(labels))
        require_one_kind({"labels": known, **arrays})
    order = np.argsort(known, kind="stable")
    advice = dict.fromkeys(list(arrays)[1:], if_unlisted)
    codes = {name: _codes(array, known, order, name, advice.get(name, "")) for name, array in arrays.items()}
    return codes, tuple(known.tolist())


def _codes(array: LabelArray, known: LabelArray, order: Codes, where: str, if_unlisted: str) -> Codes:
    data, is_masked = np.ma.getdata(array), np.ma.getmaskarray(array)
    codes: Codes = order[np.searchsorted(known, data, sorter=order).clip(max=known.size - 1)]
    unknown = (known[codes] != data) & ~is_masked
    if unknown.any():
        missing = in_order(np.unique(data[unknown]).tolist())
        require_one_spelling("labels", set(known.tolist()), {where: set(missing)})
        are_scores = is_fraction(str(missing[0]))
        advice = "Pass labels, not probabilities." if are_scores else f"Add them to labels. {if_unlisted}".strip()
        raise InputError.plain(where, f"Not listed: {first_few(map(shown, missing))}", advice)
    codes[is_masked] = known.size
    return codes


def is_mere_position(axis: Any) -> bool:
    """Whether a data frame's axis has no names, only numbers that count it."""
    return type(axis).__name__ == "RangeIndex" and axis.name is None


def require_same_index(columns: Mapping[str, Iterable[Any]]) -> None:
    """Refuse pandas columns that pandas itself would not put side by side in this order."""
    axes: dict[str, Any] = {name: getattr(values, "index", None) for name, values in columns.items()}
    first, *others = [(name, axis) for name, axis in axes.items() if hasattr(axis, "equals")] or [("", None)]
    for name, axis in others:
        if len(axis) == len(first[1]) and not axis.equals(first[1]):
            advice = "Align them, or pass .to_numpy() of each."
            raise InputError.plain(name, f"The index is not that of {first[0]}", advice)


def encode_any_number(
    columns: Mapping[str, Sequence[Collection[Any]]], labels: Iterable[Any] | None, noun: str
) -> tuple[dict[str, Codes], tuple[Label, ...]]:
    """Encode labels of which an example has any number, so that a column, but not all, may be empty."""
    arrays = {}
    if noun == "label" and (door := _door_of_sequences(columns.values())):
        raise InputError(next(iter(columns)), "any number of labels for every example", "sequences", door)
    for name, rows in columns.items():
        examples = [number for number, row in enumerate(rows) for _ in row]
        if examples:
            flat, if_null = [label for row in rows for label in row], IF_CLASS if labels is None else None
            arrays[name] = label_column(flat, name, noun, if_null=if_null, examples=examples)
    codes, names = encode_arrays(arrays, labels)
    if labels is None:
        _require_all_labelled(codes, names)
        first, *others = ((name, set(array.tolist())) for name, array in arrays.items())
        require_one_spelling(*first, dict(others))
    return {name: codes.get(name, np.empty(0, dtype=np.int64)) for name in columns}, names
