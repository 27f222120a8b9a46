"""How labels are written: which spellings of text are one label, and which labels differ in spelling alone.

Text from files and tables is tidied. Spaces at its ends go, for nobody sees them; characters that Unicode can compose
in two ways are composed in one (NFC); a whole number is written as one, so that 1, 1.0 and +1e0 are the same label. A
number with a fraction stays as it is written, for 3.1 and 3.10 may be two versions, and so does one with leading zeros,
which is a code. Text in a program's own arrays is left alone: `require_one_spelling` refuses what tidying would mend.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal
from typing import Any
from unicodedata import normalize

import numpy as np

from pytest_bayesf1._util import first_few
from pytest_bayesf1.arrays import LabelArray
from pytest_bayesf1.errors import InputError

_NUMBER = re.compile(r"[+-]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_TRUTH_VALUES = {"true": "1", "false": "0"}

SPELL_ALIKE = (
    "They differ in spelling only: write each class in one way, or list both with labels=[...] if they are two."
)


def number(text: str) -> Decimal | None:
    """Read a number as a program writes it; "03" is a code and no number.

    Parameters
    ----------
    text
        Without spaces at its ends.

    Examples
    --------
    >>> number("1e3"), number("03")
    (Decimal('1E+3'), None)
    """
    return Decimal(text) if _NUMBER.fullmatch(text) else None


def whole_number(text: str) -> int | None:
    """Read a whole number of 64 bits, however it is written; None for anything else.

    Parameters
    ----------
    text
        Without spaces at its ends.

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
    """Whether a text is a number that is not whole, be it written with a point or a comma.

    Parameters
    ----------
    text
        A label.
    """
    value = number(text.strip().replace(",", "."))
    return value is not None and value.adjusted() < 19 and value != value.to_integral_value()


def tidied(*columns: LabelArray) -> list[LabelArray]:
    """Write equal labels alike, in columns of text.

    Parameters
    ----------
    *columns
        Arrays of strings; they are returned as they are when nothing changes.
    """
    spelt = _tidy_spellings(column.tolist() for column in columns)
    if all(text == tidy for text, tidy in spelt.items()):
        return list(columns)
    return [np.array([spelt[text] for text in column.tolist()]) for column in columns]


def _tidy_spellings(columns: Iterable[Iterable[str]]) -> dict[str, str]:
    distinct: set[str] = set().union(*columns)
    return {text: tidy(text) for text in distinct}


def tidy(text: str) -> str:
    """Write a label as all of its spellings that are read as one.

    Parameters
    ----------
    text
        A label.

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
    """Make arrays of columns that a format of text only has: of integers if all are whole numbers, else of tidied text.

    Parameters
    ----------
    *columns
        Of text.
    """
    spelt = _tidy_spellings(columns)
    numbers = {text: whole_number(tidy) for text, tidy in spelt.items()}
    if None in numbers.values():
        return [np.array([spelt[text] for text in column], str) for column in columns]
    return [np.array([numbers[text] for text in column], np.int64) for column in columns]


def in_order(labels: Iterable[Any]) -> list[Any]:
    """Sort labels of one kind: numbers by their value, also where they are text, before other text.

    Parameters
    ----------
    labels
        Of one kind.

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

    Two spellings that the truth has are two classes, such as the letters "a" and "A", unless nobody can see the
    difference (spaces at the ends, characters that Unicode composes in two ways). A predicted label that the truth has
    in another spelling only is a mistake: it would count as wrong.

    Parameters
    ----------
    where, true
        What error messages call the truth, and the labels that it has.
    predicted
        The labels that each side predicts, by the name that error messages use.

    Raises
    ------
    InputError
        With the labels that differ in spelling alone.
    """
    _require_visible(where, in_order(true))
    for name, labels in predicted.items():
        pairs = alike_pairs(labels - true, true)
        if pairs:
            raise InputError(name, f"labels that are spelt as in {where}", show_pairs(pairs), SPELL_ALIKE)


def alike_pairs(labels: AbstractSet[Any], others: AbstractSet[Any]) -> list[tuple[Any, Any]]:
    """Find the labels that differ from one of the others in spelling alone, each with that one.

    Parameters
    ----------
    labels, others
        No label may be in both.

    Examples
    --------
    >>> alike_pairs({"Ham", "eggs"}, {"ham"})
    [('Ham', 'ham')]
    """
    known = {spelling_key(other): other for other in others}
    return [(label, known[key]) for label in in_order(labels) if (key := spelling_key(label)) in known]


def _require_visible(where: str, labels: Iterable[Any]) -> None:
    seen: dict[str, str] = {}
    for label in labels:
        if isinstance(label, str) and seen.setdefault(_trimmed(label), label) != label:
            pair = label, seen[_trimmed(label)]
            raise InputError(where, "one spelling of each label", show_pairs([pair]), SPELL_ALIKE)


def show_pairs(pairs: Collection[tuple[Any, Any]]) -> str:
    """Show labels beside those that they look like; in ASCII where they would look the same.

    Parameters
    ----------
    pairs
        As `alike_pairs` finds them; the first five are shown.
    """
    return first_few(map(_show_pair, pairs))


def _show_pair(pair: tuple[Any, Any]) -> str:
    """Write two spellings: letter by letter where they look the same."""
    show = ascii if normalize("NFC", str(pair[0])) == normalize("NFC", str(pair[1])) else repr
    return " beside ".join(map(show, pair))


def spelling_key(label: Any) -> str:
    """Return what labels have in common that differ in spelling alone: case, spaces, or 1, 01, 1.0 and True.

    Parameters
    ----------
    label
        A string, an integer or a boolean.

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
