"""Errors and warnings: what is wrong, where, and what to do.

::

    BayesF1Error
    ├── InputError (also a ValueError)    the data or the arguments cannot be used
    │   └── OtherTestSetError             two test sets that may not be compared as they are
    ├── GateFileError (also a ValueError) a gate file cannot be used: all its problems at once
    ├── ReportError (also a ValueError)   a report.json cannot be read
    ├── BaselineError                     a stored baseline is missing, damaged or about another test set
    ├── EngineError
    │   └── ConvergenceError              the draws cannot be trusted
    └── RenderError                       a report could not be made or written

A gate that fails is a result, not an error: it is an ``AssertionError`` in the test that made it.

::

    BayesF1Warning (a UserWarning)
    ├── LeaningWorseWarning           a gate passed, but the candidate is more likely worse than not
    ├── UndecidedWarning              a gate passed, but the data cannot tell
    ├── UnderpoweredGateWarning       a gate passed that hardly finds losses much larger than it allows
    ├── LeakageWarning                the candidate is right on all examples, which the baseline is not
    ├── UnevenJudgeWarning            a judge treats the two sides differently, as people's grades show
    ├── ChosenAnswersWarning          people graded answers of a judge that are no random sample
    ├── WeakBaselineWarning           the baseline, or a part of it, is no better than chance
    ├── ChangedTestSetWarning         the two test sets differ in a way that may mislead
    ├── FewClustersWarning            too few clusters to estimate how much they vary
    ├── ClassSharesWarning            two test sets have other class shares, on which the score depends
    └── UnexpectedPredictionsWarning  answers of a candidate that are no class, which count as wrong
"""

import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from inspect import currentframe
from shlex import quote
from types import TracebackType
from typing import ParamSpec, Self, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class BayesF1Error(Exception):
    """Base of all deliberate errors."""


def shown(value: object) -> str:
    r"""Write data, which nothing rewrites, on one line and cut: text in quotes, numpy's numbers without their type.

    Examples
    --------
    >>> print(shown("size=30\n"), shown(0.5))
    'size=30\n' 0.5
    """
    if isinstance(value, set | frozenset):  # whose own order depends on the run
        written = f"{{{', '.join(sorted(map(shown, value)))}}}"
    else:
        written = printable(repr(str(value)) if isinstance(value, str) else " ".join(str(value).split()))
    return written if len(written) <= _LONGEST_VALUE else f"{written[: _LONGEST_VALUE - 3]}..."


_LONGEST_VALUE = 80


def command_line(*words: object) -> str:
    """Write a command as it can be pasted into a shell; ``...`` is for the user to write.

    Examples
    --------
    >>> print(command_line("bayesf1", "accept", "test_spam.py::test_f1[a b]", "--reason", ...))
    bayesf1 accept 'test_spam.py::test_f1[a b]' --reason "..."
    """
    return " ".join('"..."' if word is ... else quote(str(word)) for word in words)


def printable(text: str) -> str:
    r"""Write out every character but line breaks that does not show, or turns the text around it (Unicode's Cf class).

    Examples
    --------
    What continuous integration would take for an order, in names of others at the start of a line, gets a backslash.

    >>> printable("spam\u202egpj.exe"), printable("::error::spam")
    ('spam\\u202egpj.exe', '\\::error::spam')
    """
    if not text.isprintable():
        text = "".join(each if each.isprintable() or each in _BLANKS else ascii(each)[1:-1] for each in text)
    return _ORDERS.sub(r"\\\1", text) if "::" in text or "##[" in text else text


_ORDERS = re.compile(r"(?<!\S)(::|##\[)")  # wherever a line may be wrapped


_BLANKS = frozenset("\n\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}\N{IDEOGRAPHIC SPACE}")


class _ExplainedError(BayesF1Error):
    """An error that says where it is, what was expected and found there, and what to do.

    It is one line: ``where: expected …, got …. What to do.`` Without a place it is about all that is there.
    """

    def __init__(self, where: str, expected: str, found: str, advice: str = "") -> None:
        self.where, self.expected, self.found, self.advice = where, expected, found, advice
        super().__init__(where, expected, found, advice)

    @classmethod
    def plain(cls, where: str, problem: str, advice: str = "") -> Self:
        """Make an error of a sentence, without its full stop: what is wrong that is no matter of type or range."""
        return cls(where, "", problem, advice)

    def at(self, where: str) -> Self:
        """Return the same at another place."""
        return type(self)(where, self.expected, self.found, self.advice)

    @property
    def problem(self) -> str:
        """What is wrong, without where and what to do."""
        return printable(f"expected {self.expected}, got {self.found}" if self.expected else self.found)

    @property
    def without_advice(self) -> str:
        """What is wrong, and where."""
        return f"{printable(self.where)}: {self.problem}" if self.where else self.problem

    @property
    def without_place(self) -> str:
        """What is wrong, and what to do."""
        return f"{self.problem}. {printable(self.advice)}" if self.advice else self.problem

    def __str__(self) -> str:
        """Write where it is, what is wrong, and what to do."""
        return f"{printable(self.where)}: {self.without_place}" if self.where else self.without_place


def not_declared(
    where: str,
    what: str,
    found: Sequence[tuple[object, int]],
    n: int,
    first: str = "",
    declared: str = "",
    declare: str = "",
) -> "InputError":
    """Say that values are not what is declared: how many of how many, three of them, what is declared, and where.

    Examples
    --------
    >>> print(not_declared("y_pred", "no class of y_true", [("eggs", 3)], 300, "position 7", "classes 'ham', 'spam'"))
    y_pred: 3 of 300 are no class of y_true ('eggs'; classes 'ham', 'spam'; first at position 7)
    """
    commonest = sorted(found, key=lambda each: -each[1])
    names = ["a missing value" if value is None else shown(value) for value, _ in commonest[:_MOST_SHOWN]]
    more = ["…"] if len(found) > _MOST_SHOWN else []
    n_found = sum(times for _, times in found)
    told = "; ".join(filter(None, [", ".join([*names, *more]), declared, first and f"first at {first}"]))
    problem = f"{n_found:,} of {n:,} {'is' if n_found == 1 else 'are'} {what} ({told})"
    return InputError.plain(where, problem, declare and f"Declare: {declare}.")


_MOST_SHOWN = 3


NOT_FOUND = "file not found", "Check the path, or run the step that writes it."
"""What is said of a file that is not there, and what to do."""


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
    """A report.json that cannot be read: its first problem."""


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
    """A gate passed, but on this test set it hardly finds losses five times as large as what it allows."""


class LeakageWarning(BayesF1Warning):
    """The candidate is right on all of 50 examples or more, which the baseline is not: it may have seen the answers."""


class UnexpectedPredictionsWarning(BayesF1Warning):
    """Answers of a candidate are no class: none that the caller lists or the truth has. They count as wrong."""


class WeakBaselineWarning(BayesF1Warning):
    """The baseline's answers, or those about a class, are no better than chance: it may have been misread."""


class ChosenAnswersWarning(BayesF1Warning):
    """People graded answers that the judge grades otherwise than the rest: these are no random sample of all."""


class UnevenJudgeWarning(BayesF1Warning):
    """A judge grades one side more kindly than the other, as people's grades show: its own change cannot be trusted."""


class ChangedTestSetWarning(BayesF1Warning):
    """The two test sets differ in a way that may mislead: examples are missing, or corrections are one-sided."""


class FewClustersWarning(BayesF1Warning):
    """So few clusters, or trainings of a recipe, that how much they vary cannot be estimated well."""


class ClassSharesWarning(BayesF1Warning):
    """Two test sets that are compared without pairs have other class shares, on which the score depends."""


class RenderError(BayesF1Error):
    """A report could not be rendered or written."""


def ends_here(function: Callable[P, T]) -> Callable[P, T]:
    """Let the tracebacks of deliberate errors end where this function was called."""

    @wraps(function)
    def checked(*args: P.args, **named: P.kwargs) -> T:
        try:
            return function(*args, **named)
        except BayesF1Error as error:
            raise error.with_traceback(None) from error.__cause__

    return checked


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
    warnings.warn(message, category, stacklevel=level)


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
            raise error.at(f"{self._place}, {error.where}" if error.where else self._place) from None
