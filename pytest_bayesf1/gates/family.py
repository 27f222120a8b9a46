"""Families: gates among which the chance of any false failure stays below a level, however many they are.

Every gate of a family has an equal share of the level, and within a gate every comparison that can fail it. A
comparison fails only where the probability that all is well lies below its share too. The shares add up to the level:
Bonferroni's bound. A gate need know nothing of the others but how many they are, so that each judges on its own, in
whatever order and process.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from pytest_bayesf1._util import counted, did_you_mean, level, one_line, percent
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.gates.judgement import Judgement
from pytest_bayesf1.gates.policy import Verdict
from pytest_bayesf1.stats.posterior import tail_probability

if TYPE_CHECKING:
    from pytest_bayesf1.gates.declaration import FamilyDeclaration

LEAST_TAIL = 5e-6
"""What a million draws can tell."""


@dataclass(frozen=True)
class Family:
    """The family of a gate, as far as the gate knows it.

    Attributes
    ----------
    name
        As its file has it.
    level
        The chance of any false failure stays below it.
    n_gates
        How many gates share it.
    n_comparisons
        How many comparisons of the gate share what it has of the level.
    """

    name: str
    level: float
    n_gates: int
    n_comparisons: int = 1

    @property
    def share(self) -> float:
        """What of the level each gate has."""
        return self.level / self.n_gates

    @property
    def tail(self) -> float:
        """What of the level each comparison of the gate has.

        Examples
        --------
        >>> Family("all", level=0.05, n_gates=20, n_comparisons=5).tail
        0.0005
        """
        return self.share / self.n_comparisons

    def require_resolvable(self) -> None:
        """Refuse a share of the level that draws could not tell from 0; raise `InputError`."""
        if self.tail < LEAST_TAIL:
            found = f"{self.tail:.2g}, as {self} has {counted(self.n_comparisons, 'comparison')} in this one"
            advice = "Make the family smaller, or its level higher."
            raise InputError("families", f"a share of the level of {LEAST_TAIL:g} or more", found, advice)

    def judged(self, judgement: Judgement) -> Judgement:
        """Let a failure be a warning that is within the family's chance.

        Parameters
        ----------
        judgement
            Of a policy that fails on what is significantly worse.

        Returns
        -------
        Judgement
            The same, unless it failed by too little.
        """
        found = judgement.comparison
        p_not_worse = tail_probability(found.p_below_rope, found.n_draws)
        if judgement.verdict is not Verdict.FAILED or p_not_worse < self.tail:
            return judgement
        return replace(judgement, verdict=Verdict.WARNED, advice=self.why_lifted(p_not_worse))

    def why_lifted(self, p_not_worse: float) -> str:
        """Say why a failure is a warning.

        Parameters
        ----------
        p_not_worse
            The probability that nothing is wrong.
        """
        return (
            f"Worse on its own, but within the chance of {self}: the probability that all is within what you "
            f"tolerate, {percent(p_not_worse)}, is not below {_small(self.tail)}, this comparison's share "
            f"of the {level(self.level)}. Look at it before you merge; more examples would tell."
        )

    def __str__(self) -> str:
        """Name it, with how many gates it has."""
        return f"the family {one_line(self.name)} of {counted(self.n_gates, 'gate')}"


def families_by_gate(declared: Mapping[str, "FamilyDeclaration"], gates: Mapping[str, object]) -> dict[str, Family]:
    """Find the family of every gate that has one.

    Parameters
    ----------
    declared
        The families of a file, by name.
    gates
        Its gates, by name.
    """
    members = {name: _members(family, gates) for name, family in declared.items()}
    return {gate: Family(name, declared[name].level, len(names)) for name, names in members.items() for gate in names}


def problems_of_families(
    declared: Mapping[str, "FamilyDeclaration"], gates: Mapping[str, object]
) -> Iterator[tuple[tuple[int | str, ...], str]]:
    """Tell what is wrong with the families of a file.

    Parameters
    ----------
    declared, gates
        As in `families_by_gate`.

    Yields
    ------
    (place, what is wrong)
        Patterns that match no gate, and gates of two families.
    """
    family_of: dict[str, str] = {}
    for name, family in declared.items():
        for place, pattern in enumerate(family.gates):
            if not any(_matches(gate, pattern) for gate in gates):
                advice = did_you_mean(pattern, tuple(gates))
                told = f"expected a gate of this file, or a pattern of some, got {pattern!r}{advice and f'. {advice}'}"
                yield ("families", name, "gates", place), told
        for gate in _members(family, gates):
            other = family_of.setdefault(gate, name)
            if other != name:
                yield ("families", name, "gates"), f"expected gates of one family each, got {gate}, also in {other}"


def _members(family: "FamilyDeclaration", gates: Mapping[str, object]) -> list[str]:
    return [gate for gate in gates if any(_matches(gate, pattern) for pattern in family.gates)]


def _matches(gate: str, pattern: str) -> bool:
    return gate == pattern or fnmatchcase(gate, pattern)


def _small(probability: float) -> str:
    return f"{100 * probability:.2g}%"
