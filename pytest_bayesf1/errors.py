"""Errors and warnings: what is wrong, where, and what to do.

::

    BayesF1Error
    ├── InputError (also a ValueError)    the data or the arguments cannot be used
    ├── GateFileError (also a ValueError) a gate file cannot be used: all its problems at once
    ├── ReportError (also a ValueError)   a report.json cannot be read
    ├── BaselineError                     a stored baseline is missing, damaged or about another test set
    ├── EngineError
    │   └── ConvergenceError              the draws cannot be trusted
    └── RenderError                       a report could not be made or written

A gate that fails is a result, not an error: it is an ``AssertionError`` in the test that made it.

::

    BayesF1Warning (a UserWarning)
    ├── LeaningWorseWarning      a gate passed, but the candidate is more likely worse than not
    ├── UndecidedWarning          a gate passed, but the data cannot tell
    ├── UnderpoweredGateWarning          a gate passed that hardly finds losses much larger than it tolerates
    ├── LeakageWarning            the candidate is right on all examples, which the baseline is not
    ├── BelowChanceWarning        both sides are right less often than by chance
    ├── ChangedTestSetWarning     the two test sets differ in a way that may mislead
    ├── ClassSharesWarning        two test sets have other class shares, on which the score depends
    ├── UnexpectedPredictionsWarning   many predictions are of classes that the truth never has
    └── WideRopeWarning           a gate that can hardly fail
"""

import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from inspect import currentframe
from types import MappingProxyType, TracebackType
from typing import Final, TypeVar

T = TypeVar("T")


class BayesF1Error(Exception):
    """Base of all deliberate errors."""


_IN_A_CALL = re.compile(
    r"""\b([a-z][a-z_]*)=(?:'([^']*)'|"([^"]*)"|(\[?\.\.\.\]?|[0-9][0-9.]*(?<=[0-9]))|\(([^()]*)\))"""
)
_IN_A_FILE = MappingProxyType(
    {
        "ids": "a column id",
        "labels": "labels in a JSON, YAML or NPZ file",
        "positive": "a column y_score_{}",
        "run_ids": "a column run",
    }
)
_EITHER_WAY = re.compile(r"(\w+: \{[^}]*\}) in a gate file, (--\w+ (?:'[^']*'|[^\s']+[^\s'.]))")
_CONSTRUCTOR = re.compile(r"\b(?:\w+\.)?from_predictions\b(?:\([^)]*\))?")


@dataclass(frozen=True)
class Spelling:
    """How those who read an error write arguments; messages are written for calls in Python.

    Attributes
    ----------
    write
        Writes an argument with its value; None where it is left as in a call.
    place
        Writes the place that an error is about, which may be an argument.
    of_files
        Which of the two ways to say how a file is read is theirs: 1 as keys of a gate file, 2 as options; 0 for both.
    """

    write: Callable[[str, str], str] | None = None
    place: Callable[[str], str] = str
    of_files: int = 0

    def spelt(self, text: str) -> str:
        """Write the arguments of calls as options, or as keys of a file.

        Examples
        --------
        >>> Spelling("{}: {}".format).spelt("Pass runs='samples', or list labels=[...].")
        'Pass runs: samples, or list labels in a JSON, YAML or NPZ file.'
        >>> Spelling("{}: {}".format).spelt('Write rope=(0.3, "wide").')
        'Write rope: [0.3, wide].'
        """
        write = self.write
        if write is None:
            return text
        text = _EITHER_WAY.sub(lambda found: found[self.of_files], text)

        def argument(found: re.Match[str]) -> str:
            name, value = found[1], "".join(found.groups("")[1:4])
            if found[5]:  # a tuple
                value = "[{}]".format(found[5].replace('"', ""))
            return _IN_A_FILE[name].format(value) if name in _IN_A_FILE else write(name, value)

        return _IN_A_CALL.sub(argument, _CONSTRUCTOR.sub(_columns, text))


def _columns(constructor: re.Match[str]) -> str:
    return f"columns y_true and y_{'score' if constructor[0].startswith('Scores') else 'pred'}"


def spelt(text: str) -> str:
    """Write the arguments of calls in a text as those who read it now do."""
    return _SPELLINGS[-1].spelt(text)


_SPELLINGS = [Spelling()]  # the last is in effect; one for the whole process, as of sessions


@contextmanager
def spelt_as(spelling: Spelling) -> Iterator[None]:
    """Let errors and warnings write arguments so for the time of a with block."""
    _SPELLINGS.append(spelling)
    try:
        yield
    finally:
        _SPELLINGS.pop()


def printable(text: str) -> str:
    r"""Write out every character but line breaks that does not show, or turns the text around it (Unicode's Cf class).

    Examples
    --------
    >>> printable("spam\u202egpj.exe")
    'spam\\u202egpj.exe'
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or each in _BLANKS else ascii(each)[1:-1] for each in text)


_BLANKS = frozenset("\n\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}\N{IDEOGRAPHIC SPACE}")


class _ExplainedError(BayesF1Error):
    """An error that says where it is, what was expected, what was found, and what to do."""

    def __init__(self, where: str, expected: str, found: str, advice: str = "") -> None:
        spelling = _SPELLINGS[-1]
        self.where = spelling.place(where)
        self.expected, self.found, self.advice = spelling.spelt(expected), found, spelling.spelt(advice)
        super().__init__(self.where, self.expected, self.found, self.advice)

    def __str__(self) -> str:
        """One line: ``where: expected …, got …. What to do.``; without a place where it is about all that is there.

        What is plain without it needs nothing expected: ``where: file not found. What to do.``
        """
        said = f"expected {self.expected}, got {self.found}" if self.expected else self.found
        message = f"{self.where and f'{self.where}: '}{said}"
        return printable(f"{message}. {self.advice}" if self.advice else message)


NOT_FOUND = "", "file not found", "Check the path, or run the step that writes it."
"""What is said of a file that is not there: nothing expected, what was found, what to do."""


class InputError(_ExplainedError, ValueError):
    """Data or an argument that cannot be used."""


class BaselineError(_ExplainedError):
    """A stored baseline that is missing, damaged, or about another test set."""


class _ProblemsError(BayesF1Error, ValueError):
    """A file that cannot be used, with several problems at once.

    Attributes
    ----------
    problems
        Each with its file and place.
    """

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        """One line per problem."""
        return printable("\n".join(self.problems))


class GateFileError(_ProblemsError):
    """A gate file that cannot be used: all its problems, each with its line."""


class ReportError(_ProblemsError):
    """A report.json that cannot be read: its first problems."""


class EngineError(_ExplainedError):
    """The posterior could not be sampled."""


class ConvergenceError(EngineError):
    """Markov chains that have not converged, or too few effective draws for a decision: neither a pass nor a fail."""


class BayesF1Warning(UserWarning):
    """Base of all warnings."""


class LeaningWorseWarning(BayesF1Warning):
    """A gate passed, but the candidate is more likely worse than not; or a worse one became the baseline by force."""


class UndecidedWarning(BayesF1Warning):
    """A gate passed, but the data cannot tell whether the candidate is worse."""


class UnderpoweredGateWarning(BayesF1Warning):
    """A gate passed, but on this test set it hardly finds losses five times as large as what it tolerates."""


class LeakageWarning(BayesF1Warning):
    """The candidate is right on all of 50 examples or more, which the baseline is not: it may have seen the answers."""


class UnexpectedPredictionsWarning(BayesF1Warning):
    """More than one in a hundred predictions is of a class that the truth never has."""


class BelowChanceWarning(BayesF1Warning):
    """Both sides are right less often than by chance, as when the labels of two classes are swapped."""


class ChangedTestSetWarning(BayesF1Warning):
    """The two test sets differ in a way that may mislead: examples are missing, or corrections are one-sided."""


class FewClustersWarning(BayesF1Warning):
    """So few clusters, or trainings of a recipe, that how much they vary cannot be estimated well."""


class ClassSharesWarning(BayesF1Warning):
    """Two test sets that are compared without pairs have other class shares, on which the score depends."""


class WideRopeWarning(BayesF1Warning):
    """A ROPE so wide that the gate can hardly fail."""


class RenderError(BayesF1Error):
    """A report could not be rendered or written."""


def attempted(make: Callable[[], T]) -> T | Exception:
    """Return a part of a report, or the error that kept it from being made: no part may lose the others."""
    try:
        return make()
    except Exception as error:  # noqa: BLE001 (whatever went wrong, the part says so)
        return error


def reason(error: Exception) -> str:
    """Say on one line why a part is missing; name the kind of an error that is not deliberate."""
    kind = "" if isinstance(error, BayesF1Error) else f" ({type(error).__name__})"
    return f"{' '.join(str(error).split())}{kind}".strip()


def warn(message: str, category: type[BayesF1Warning]) -> None:
    """Warn at the line of the user's that called into this package, however deep inside the reason was found."""
    frame, level = currentframe(), 1
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == __package__:
        frame, level = frame.f_back, level + 1
    warnings.warn(spelt(message), category, stacklevel=level)


class within:  # noqa: N801 (it reads as a preposition)
    """Put ``place`` before the place of every `InputError`; one without a place is about all that is there.

    A class of its own, for a generator would leave the standard library's frames in the traceback.
    """

    def __init__(self, place: str) -> None:
        self._place = place

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Raise the error anew, with its place."""
        if isinstance(error, InputError):
            where = f"{self._place}: {error.where}" if error.where else self._place
            raise InputError(where, error.expected, error.found, error.advice) from None


class Unreadable(Enum):
    """Equal to no label, and in JSON it is null.

    Examples
    --------
    >>> UNREADABLE, UNREADABLE == "(unreadable)"
    ((unreadable), False)
    """

    UNREADABLE = None

    def __repr__(self) -> str:
        """Write it as people read it."""
        return "(unreadable)"

    __str__ = __repr__


UNREADABLE: Final = Unreadable.UNREADABLE
"""The last of the labels wherever invalid="wrong" was asked for."""
