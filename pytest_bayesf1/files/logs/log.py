"""A log of an evaluation -> a table: a row per answer, columns by their paths in the log."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pytest_bayesf1._util import first_few
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files.columns import VALUE, holds_predictions, outcomes, renamed, wrong_columns
from pytest_bayesf1.files.content import Table
from pytest_bayesf1.settings import expected

T = TypeVar("T")

_DEEPEST = 5


@dataclass(frozen=True)
class Log:
    """What an evaluation logged.

    Attributes
    ----------
    tool
        The program that wrote it.
    rows
        Of each answer what is known of it, by its path in the log, such as ``scores.match.value``.
    grades
        The columns that say how good an answer is, of which one is compared unless other columns are asked for.
    one_each
        Columns that tell which of several systems an answer is of.
    notes
        What a careful reader of a result should know of how the log was read.
    """

    tool: str
    rows: Sequence[Mapping[str, Any]]
    grades: Sequence[str]
    one_each: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def table(self, names: Mapping[str, str], lines: Sequence[int] | None = None) -> Table:
        """Make a table of it.

        Parameters
        ----------
        names
            What the log calls the columns that are compared, where that is said; else its only grade is.
        lines
            The line of each row, in a file of lines.

        Raises
        ------
        InputError
            When it has no answers or no such column, or several grades, or none.
        """
        if not self.rows:
            raise InputError("", f"answers in this log of {self.tool}", "none")
        found = dict.fromkeys(name for row in self.rows for name in row)
        columns: dict[str, Any] = {name: [row.get(name) for row in self.rows] for name in found}
        notes = self.notes
        if not outcomes(names):
            grade = self._only_grade()
            columns[VALUE] = columns[grade]
            notes = (f"{grade!r} of this log of {self.tool} is compared.", *notes)
        columns = renamed(columns, names)
        if not holds_predictions(columns):
            raise wrong_columns(columns)
        return Table(columns, lines=lines, one_each=tuple(each for each in self.one_each if each in found), notes=notes)

    def _only_grade(self) -> str:
        if len(self.grades) != 1:
            found = f"several: {first_few(self.grades, 10)}" if self.grades else "none"
            which = self.grades[0] if self.grades else "..."
            advice = f"Say which: columns: {{{VALUE}: {which}}} in a gate file, --column {VALUE}={which}."
            raise InputError("", f"one grade for every answer in this log of {self.tool}", found, advice)
        return self.grades[0]


def checked(kind: type[T], value: object, lines: Sequence[int] | None = None) -> T:
    """Read a part of a log.

    Parameters
    ----------
    kind
        What it should be.
    value
        What it is.
    lines
        The line of each of its records, in a file of lines.

    Raises
    ------
    InputError
        For the first value that is not as its tool writes it.
    """
    from pydantic import TypeAdapter, ValidationError  # noqa: PLC0415 (other files need none)

    try:
        return TypeAdapter(kind).validate_python(value)
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        first, *others = detail["loc"] or ("",)
        if isinstance(first, int):
            first = f"record {first + 1}" if lines is None else f"line {lines[first]}"
        place = ".".join(map(str, others))
        where = f"{first}, {place}" if place else str(first)
        raise InputError(where, expected(detail, mapping="an object"), f"{detail['input']!r:.80}") from None


def scalars(path: str, value: object) -> Iterator[tuple[str, Any]]:
    """Find the texts, numbers and booleans below a field of a log.

    Parameters
    ----------
    path
        Of the field.
    value
        What stands there; lists are left out.

    Yields
    ------
    (str, str or number or bool or None)
        The path of each, its steps separated by dots, and the value.
    """
    if isinstance(value, Mapping):
        if path.count(".") < _DEEPEST:
            for key, inner in value.items():
                yield from scalars(f"{path}.{key}", inner)
    elif value is None or isinstance(value, str | int | float):
        yield path, value


def in_order(names: Iterable[str]) -> list[str]:
    """Return each name once, as they come."""
    return list(dict.fromkeys(names))
