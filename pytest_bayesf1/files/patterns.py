"""Answers in words, such as those of language models, of which a declared pattern finds the class."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import Any

from pytest_bayesf1.data.columns import PREDICTED, TRUE, Columns, value_text
from pytest_bayesf1.data.labels import is_missing
from pytest_bayesf1.errors import InputError, shown, within
from pytest_bayesf1.text import counted

ANY_CLASS = "{classes}"
"""What stands for any class of the truth in a pattern."""

_SECONDS = 1.0
"""For a pattern to read one answer."""

_UNLESS_DENIED = r"(?<!(?i:\b(?:not|no|never|non|isn['’]t)[\s-]+(?:an?\s+|the\s+)?))"


@cache
def answer_pattern(pattern: str) -> Any:
    """Compile a pattern, in a library that can stop; raise `InputError` for one of several groups, or none at all."""
    import regex  # noqa: PLC0415 (few gates have patterns)

    pattern = pattern.replace(ANY_CLASS, "(?:)")
    try:
        compiled = regex.compile(pattern)
    except regex.error as error:
        raise InputError("", "a regular expression", f"{pattern!r}, which is none: {error}") from None
    if compiled.groups > 1:
        advice = "Write others as (?:...)."
        raise InputError("", "a regular expression with one group at most", repr(pattern), advice)
    return compiled


def any_of(classes: Iterable[str]) -> str:
    r"""Write a pattern, for the library regex, that finds the name of a class: the longest, and no part of a word.

    "Not spam" is no answer, unless it is a class itself.

    Examples
    --------
    >>> found_in("C++, not C", any_of(["C", "C++"]))
    ['C++']
    """
    names = [re.sub(r"[^\w\s-]", r"\\\g<0>", name) for name in sorted(classes, key=len, reverse=True)]
    return rf"{_UNLESS_DENIED}(?<!\w)(?:{'|'.join(names)})(?!\w)"


def found_in(answer: str, pattern: str) -> list[str]:
    r"""Return what a pattern finds in an answer, such as spam in "I think it's spam."

    Examples
    --------
    >>> found_in("spam! Not ham.", r"\b(spam|ham)\b")
    ['spam', 'ham']
    """
    try:
        found = [*answer_pattern(pattern).finditer(answer, timeout=_SECONDS)]
    except TimeoutError:
        problem = f"The pattern has not read this answer after {_SECONDS:g} s: {shown(answer)}"
        raise InputError.plain("answer", problem, "Repeat nothing that repeats itself, as (a+)+ does.") from None
    return [next(filter(None, each.groups()), each[0]) for each in found]


def with_classes_read(columns: Columns, pattern: str, labels: Sequence[Any] | None) -> Columns:
    """Write answers as the truth writes its classes; one that holds several classes, or none, is missing."""
    known = columns.column(TRUE) if labels is None else labels
    classes = {value_text(label): label for label in known if not is_missing(label)}
    compiled, any_class = answer_pattern(pattern), any_of(classes)
    is_bare = compiled.groups == 0 and pattern.count(ANY_CLASS) == 1
    pattern = pattern.replace(ANY_CLASS, f"({any_class})" if is_bare else any_class)
    spelt = str.casefold if compiled.flags & re.IGNORECASE else str  # what ignores case does so in the class, too
    classes_of: dict[str, list[Any]] = {}
    for text, label in classes.items():
        classes_of.setdefault(spelt(text), []).append(label)
    said = [value_text(answer) for answer in columns.column(PREDICTED)]
    options = []
    for row, answer in enumerate(said):
        with within(columns.place(row)):
            found = found_in(answer, pattern)
        meant = [classes_of.get(spelt(each), [each]) for each in found if each]
        options.append([*dict.fromkeys(chain(*meant))])
    read = [found[0] if len(found) == 1 else None for found in options]
    return columns.with_values(**{PREDICTED: read}).noting(*_on_answers(said, options))


def _on_answers(said: Sequence[str], options: Sequence[Sequence[Any]]) -> Iterator[str]:
    """Say how many answers were rewritten, and how many could not be read."""
    rewritten = [
        (was, *now) for was, now in zip(said, options, strict=True) if len(now) == 1 and value_text(*now) != was
    ]
    if rewritten:
        was, now = rewritten[0]
        n = counted(len(rewritten), "answer")
        yield f"{n} of {len(said):,} rewritten by answer, such as {shown(was)} to {shown(value_text(now))}."
    several = [row for row, each in enumerate(options) if len(each) > 1]
    none = [row for row, each in enumerate(options) if not each]
    for rows, what in ((several, "they hold several classes"), (none, "they hold no class")):
        if rows:
            example = f"such as {shown(said[rows[0]])}"
            yield f"{counted(len(rows), 'unreadable answer')} of {len(said):,}: {what}, {example}."
