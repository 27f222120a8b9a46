"""People's grades of some of the answers that a judge, such as a language model, graded: read, checked and matched."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import nan
from pathlib import Path
from typing import Any

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.data.columns import ID, VALUE, Columns, Schema, columns_found, value_text
from pytest_bayesf1.data.encoding import by_label
from pytest_bayesf1.data.questions import Questions
from pytest_bayesf1.engines.corrected import Grades
from pytest_bayesf1.errors import InputError, not_declared, shown, within
from pytest_bayesf1.files.formats import read_raw
from pytest_bayesf1.text import counted, first_few
from pytest_bayesf1.writing import short_fingerprint, without_apostrophe

FEWEST = 20
"""Answers, or clusters of them, that people must grade: ranges by fewer hold too seldom (benchmarks/studies/judges.md).
"""

JUDGED = "judged"
"""The column that tells what the judge said of both answers when people graded them; see `judged_as`."""

_OF_SIDES = {1: (VALUE,), 2: ("baseline", "candidate")}
"""The columns of grades, by the number of sides."""
_BY_ID = Schema(columns=((ID, ID),))
_WORDS = {"pass": 1.0, "true": 1.0, "fail": 0.0, "false": 0.0}


@dataclass(frozen=True, eq=False)
class HumanGrades:
    """People's grades by id: of both sides' answers, or of one side's.

    Attributes
    ----------
    columns
        As they were given.
    of_all
        Whether every id must be one of the judge's; of a slice only some are.
    """

    columns: Columns
    of_all: bool = True

    @property
    def where(self) -> str:
        """The argument and the file, as messages say them."""
        return self.columns.where

    @classmethod
    def of(cls, given: Any) -> "HumanGrades":
        """Read a file or a table; raise `InputError` where it has no ids, or one twice."""
        if isinstance(given, HumanGrades):
            return given
        columns = _read(given)
        with within(columns.where):
            if ID not in columns:
                raise InputError("", f"a column {ID}", columns_found(columns.values))
            columns.require_present(ID)
            ids = [without_apostrophe(value_text(each)) for each in columns.column(ID)]
            rows: dict[str, int] = {}
            for row, each in enumerate(ids):
                if (first := rows.setdefault(each, row)) != row:
                    problem = f"The id {shown(each)} is there twice, {columns.place(first)} and {columns.place(row)}"
                    raise InputError.plain(ID, problem, "Write one row for each.")
        return cls(columns.with_values(**{ID: ids}))

    def beside(self, questions: Questions, n_sides: int) -> Grades:
        """Put them beside the judge's grades of the same examples; raise `InputError` where they do not fit these."""
        assert questions.ids is not None
        position = {value_text(each): place for place, each in enumerate(questions.ids.tolist())}
        ids = self.columns.values[ID]
        rows = [row for row, each in enumerate(ids) if each in position]
        if self.of_all and len(rows) < len(ids):
            strange = [row for row, each in enumerate(ids) if each not in position]
            found, first = [(ids[row], 1) for row in strange], self.columns.place(strange[0])
            raise not_declared(f"{self.where}, {ID}", "no id of the judge's grades", found, len(ids), first)
        judge = np.asarray(questions.said[:, :, 0], dtype=np.float64)
        sign = -1 if questions.is_negated else 1
        names = _OF_SIDES[n_sides]
        if any(name not in self.columns for name in names):
            expected = f"columns {', '.join((ID, *names))}"
            raise InputError(self.where, expected, columns_found(self.columns.values))
        with within(self.where):
            human = sign * np.stack([self._numbers(name, sign * judge) for name in names])[:, rows]
        cluster: Codes = np.arange(questions.n_samples)
        if questions.clusters is not None:
            cluster = np.unique(questions.clusters, return_inverse=True)[1]
        graded = np.array([position[ids[row]] for row in rows], dtype=np.int64)
        if JUDGED in self.columns:
            self._require_same_answers(judge[:, graded], rows)
        if (n := np.unique(cluster[graded]).size) < FEWEST:
            noun = "example" if questions.clusters is None else "cluster"
            expected = f"people's grades of at least {counted(FEWEST, noun)}"
            raise InputError(self.where, expected, f"{n}", "Draw more at random, and have people grade them.")
        return Grades(judge, human, graded, cluster)

    def _require_same_answers(self, judge: Floats, rows: Sequence[int]) -> None:
        """Refuse people's grades of answers that the judge graded otherwise then."""
        then, ids = self.columns.column(JUDGED), self.columns.values[ID]
        other = [
            row for row, now in zip(rows, judge.T, strict=True) if value_text(then[row]) != judged_as(ids[row], now)
        ]
        if other:
            some = first_few((shown(ids[row]) for row in other), 3)
            problem = f"{len(other):,} of {len(rows):,} have other grades by the judge than when people graded them"
            found = f"{problem} ({some}; first at {self.columns.place(other[0])})"
            advice = f"Have people grade the new answers. If the answers are the same, leave the column {JUDGED} out."
            raise InputError.plain(f"{self.where}, {JUDGED}", found, advice)

    def _numbers(self, name: str, judge: Floats) -> Floats:
        """Read a column of grades, and require that they are on the judge's scale."""
        given = self.columns.column(name)
        self.columns.require_present(name)
        numbers = [_number(each) for each in given]
        scale, fits = _scale_of(judge, numbers)
        if strange := [row for row, number in enumerate(numbers) if not fits(number)]:
            found = [*Counter(value_text(given[row]) for row in strange).items()]
            first = self.columns.place(strange[0])
            raise not_declared(name, "on another scale", found, len(given), first, f"the judge's are {scale}")
        return np.array(numbers)


def judged_as(example: str, grades: Floats) -> str:
    """Return a checksum of what a judge says of each side's answer, (S,): people learn nothing of it."""
    return short_fingerprint([example, *(f"{each:.9g}" for each in grades.tolist())])


def _number(given: object) -> float:
    """Read a grade; what is none becomes NaN, which is on no scale."""
    word = str(given).strip().lower()
    try:
        return _WORDS[word] if word in _WORDS else float(word)
    except ValueError:
        return nan


def _scale_of(judge: Floats, human: Sequence[float]) -> tuple[str, Callable[[float], bool]]:
    """Describe the judge's scale, and say which grades of people are on it.

    People may be harder or milder than the judge, of whose scale only what it gave is known: their grades have its
    sign, and are less than twice its largest.
    """
    low, high = float(judge.min()) + 0.0, float(judge.max()) + 0.0  # no -0
    words = f"{low:g} to {high:g}"
    if low >= 0 and high <= 1:
        return words, lambda grade: 0 <= grade <= 1
    if high > 1 and all(0 <= grade <= 1 for grade in human):
        return words, lambda _: False
    limit = 2 * max(high, -low)
    least, most = -limit if low < 0 else 0.0, limit if high > 0 else 0.0
    return words, lambda grade: least <= grade <= most and abs(grade) != limit


def _read(given: Any) -> Columns:
    if isinstance(given, str | Path):
        where = f"human ({given})"
        with within(where):
            return replace(read_raw(Path(given), _BY_ID), where=where)
    columns = by_label(given)
    if columns is None:
        raise InputError("human", "a file or a table with the columns id, baseline and candidate", type(given).__name__)
    values = {str(name): list(each) for name, each in columns.items()}
    if len({len(each) for each in values.values()}) > 1:
        found = ", ".join(f"{len(each):,} of {shown(name)}" for name, each in values.items())
        raise InputError("human", "columns of one length", found)
    return Columns(values, where="human")
