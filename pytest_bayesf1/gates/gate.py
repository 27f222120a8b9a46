"""A gate, ready to be evaluated."""

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from pytest_bayesf1.comparison.options import CompareArguments
from pytest_bayesf1.comparison.result import Comparison
from pytest_bayesf1.files.tables import ALL_AS_THEY_ARE, AS_IT_IS, Reading, Readings
from pytest_bayesf1.gates.family import Family
from pytest_bayesf1.gates.judgement import Judgement
from pytest_bayesf1.gates.policy import Policy
from pytest_bayesf1.settings import FAIL_ON, FailOn

POLICIES: Mapping[FailOn, Policy] = MappingProxyType(
    dict(zip(FAIL_ON, (Policy.NOT_WORSE, Policy.NOT_EVEN_SLIGHTLY_WORSE, Policy.NOT_INFERIOR), strict=True))
)


@dataclass(frozen=True, kw_only=True)
class Gate:
    """A gate, ready to be evaluated.

    Attributes
    ----------
    file, line
        Where it is declared.
    baseline, candidate
        The files to compare.
    anchor, budget
        The file from which total loss is counted, if there is one; and how much may be lost, None for the default.
    measure, arguments
        Those of `compare`.
    fail_on
        The mildest decision that fails, a key of `POLICIES`.
    per_class, slices
        Whether to compare every class, and by which columns to slice the data.
    max_gap
        How far the candidate's scores of the best and the worst slice of a column may be apart, if that is demanded.
    family
        The gates with which it shares the chance of a false failure, if it does.
    readings
        How the files are to be read.
    """

    name: str
    file: Path
    line: int
    baseline: Path
    candidate: Path
    measure: str
    arguments: CompareArguments
    fail_on: FailOn
    per_class: bool
    slices: tuple[str, ...]
    anchor: Path | None = None
    budget: float | None = None
    max_gap: float | None = None
    family: Family | None = None
    readings: Readings = field(default_factory=lambda: ALL_AS_THEY_ARE)

    def reading(self, side: str) -> Reading:
        """Return how the file of a side is to be read."""
        return self.readings.get(side, AS_IT_IS)

    def with_measure(self, measure: str) -> CompareArguments:
        """Return the arguments for a comparison by this measure.

        Parameters
        ----------
        measure
            The gate's own, or what of one class corresponds to it.
        """
        arguments = self.arguments.copy()
        arguments["measure"] = measure
        return arguments

    @contextmanager
    def warnings(self) -> Iterator[None]:
        """Let warnings be about the gate's line, and come once however many classes and slices cause them."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
        for message, category in dict.fromkeys((str(each.message), each.category) for each in caught):
            warnings.warn_explicit(message, category, str(self.file), self.line)

    def judged(self, comparison: Comparison, part: str, asked_by: str) -> Judgement:
        """Judge all the data by the gate's own policy, and a part of them by whether it is significantly worse.

        Parameters
        ----------
        comparison
            By the gate's arguments.
        part
            The class or the slice; empty for all the data.
        asked_by
            The setting that asks for parts.
        """
        policy, demand = (Policy.NOT_WORSE, asked_by) if part else (self.policy, self.demand)
        judgement = Judgement.of(comparison, policy, demand, part)
        return judgement if self.family is None else self.family.judged(judgement)

    @property
    def tail(self) -> float:
        """What the probability that all is well must be below so that a comparison fails, whatever its HDI."""
        return 1.0 if self.family is None else self.family.tail

    @property
    def demand(self) -> str:
        """The demand in the file's own words."""
        return f'fail_on "{self.fail_on}"'

    @property
    def policy(self) -> Policy:
        """What is demanded of the comparison of all the data."""
        return POLICIES[self.fail_on]
