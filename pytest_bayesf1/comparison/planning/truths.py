"""The differences that a plan looks at, and by the first-order approximation what a gate would make of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

import numpy as np

from pytest_bayesf1.comparison.options import CompareOptions
from pytest_bayesf1.comparison.planning.allocation import optimal_shares, relative_variance
from pytest_bayesf1.comparison.planning.pilot import Pilot
from pytest_bayesf1.comparison.planning.population import Population
from pytest_bayesf1.data.labels import Label
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.results.other import (
    Allocation,
    ClassNeed,
    Needed,
    PlannedDesign,
    PlannedSize,
    PlannedTruth,
)
from pytest_bayesf1.settings import COMPARISONS, Model
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.power import NormalPower

POWERS = (0.8, 0.9)
"""With which the loss is to be found."""

_REDRAWN = 100
_INSIDE = 0.9
"""Of the pilots that might as well have been."""
_PER_DECADE = 10
_FEWEST = 10


@dataclass(frozen=True, eq=False)
class Truth:
    """A difference that may be the true one, and a population that has it."""

    name: str
    population: Population

    def power(self, model: Model, options: CompareOptions) -> NormalPower:
        """Return what a gate decides, by the first-order approximation.

        Parameters
        ----------
        model
            What the sides share.
        options
            Of the gate.
        """
        scatter, width = self.population.spread(model)
        return NormalPower(options.rope, options.hdi_prob, self.population.delta, scatter, width)

    def figures(self, rope: Rope) -> PlannedTruth:
        """Return what is told of it."""
        delta, agreement = self.population.delta, self.population.agreement
        return PlannedTruth(name=self.name, delta=delta, agreement=agreement, tolerated=delta >= rope.low - 1e-9)


@dataclass(frozen=True, eq=False)
class Truths:
    """The differences that a plan looks at.

    Attributes
    ----------
    pilot
        Where they come from.
    options
        Of the gate.
    loss
        The loss that is to be found.
    found
        The population that has it.
    all
        The first has no difference; the last is ``found``.
    """

    pilot: Pilot
    options: CompareOptions
    loss: float
    found: Truth
    all: tuple[Truth, ...]

    @classmethod
    def of(cls, pilot: Pilot, options: CompareOptions, loss: float) -> "Truths":
        """Make a population of each difference.

        Parameters
        ----------
        pilot
            What they are made of.
        options
            Of the gate.
        loss
            The loss that is to be found.

        Raises
        ------
        InputError
            When the pilot's outcomes cannot make one of the differences.
        """
        seen, low = pilot.population, options.rope.low
        found = Truth("the loss to find", seen.with_delta(-loss))
        stated = {low: "all of the tolerated loss", low / 2: "half of the tolerated loss", 0.0: "no difference"}
        others = [Truth(stated[delta], seen.with_delta(delta)) for delta in sorted(stated, reverse=True)]
        if pilot.has_both_sides:
            others.append(Truth("as in the pilot", seen))
        return cls(pilot, options, loss, found, (*others, found))

    def designs(self) -> tuple[PlannedDesign, ...]:
        """Say of each way to test how many examples it needs, and what is to be expected of others."""
        redrawn = list(self._redrawn())
        needed = {model: tuple(self._needed(model, redrawn)) for model in COMPARISONS}
        numbers = [each.n_examples for found in needed.values() for each in found]
        sizes = round_sizes(min(numbers) / 8, 1.5 * max(numbers))
        return tuple(
            PlannedDesign(model=model, needed=found, curve=tuple(self._curve(model, sizes)))
            for model, found in needed.items()
        )

    def _curve(self, model: Model, sizes: Sequence[int]) -> Iterator[PlannedSize]:
        powers = [truth.power(model, self.options) for truth in self.all]
        for size in sizes:
            yield PlannedSize(n_examples=size, rates=tuple(power.rates(size) for power in powers))

    def _needed(self, model: Model, redrawn: Sequence[Truth]) -> Iterator[Needed]:
        found, others = self.found.power(model, self.options), [each.power(model, self.options) for each in redrawn]
        for power in POWERS:
            wanted = found.examples_to_fail(power)
            assert wanted is not None  # the loss is larger than what is tolerated
            would_want = (each.examples_to_fail(power) for each in others)
            yield Needed(power=power, n_examples=wanted, interval=_inner([each for each in would_want if each]))

    def _redrawn(self) -> Iterator[Truth]:
        """Yield what has the loss if the pilot had turned out otherwise; nothing where no examples were counted."""
        rng = np.random.default_rng(self.options.seed)
        for _ in range(_REDRAWN if self.pilot.n_examples else 0):
            try:
                population = self.pilot.redrawn(rng).population.with_delta(-self.loss)
            except InputError:  # hardly any error is left in it
                continue
            yield Truth(self.found.name, population)

    def allocation(self, labels: Sequence[Label]) -> Allocation:
        """Say which classes need more examples, where both sides predict the same ones.

        Parameters
        ----------
        labels
            The names of the classes.
        """
        population = self.found.population
        shares, mu = optimal_shares(population), population.table.row_totals
        wanted = self.found.power(Model.PAIRED, self.options).examples_to_fail(POWERS[0])
        assert wanted is not None  # the loss is larger than what is tolerated
        best = ceil(wanted * relative_variance(population, shares))
        order = sorted(np.flatnonzero(mu > 0).tolist(), key=lambda code: mu[code] / shares[code])
        classes = (
            ClassNeed(label=labels[code], as_they_come=round(wanted * mu[code]), optimal=ceil(best * shares[code]))
            for code in order
        )
        return Allocation(n_as_they_come=wanted, n_optimal=best, classes=tuple(classes))


def round_sizes(least: float, most: float) -> list[int]:
    """List sizes of test sets, ten in each decade: 100, 130, 160, 200, ...

    Parameters
    ----------
    least, most
        Where they begin and end.

    Examples
    --------
    >>> round_sizes(100, 500)
    [100, 130, 160, 200, 250, 320, 400, 500]
    """
    exponents = range(floor(_PER_DECADE * log10(max(least, _FEWEST))), ceil(_PER_DECADE * log10(most)) + 1)
    return sorted({two_digits(10 ** (exponent / _PER_DECADE)) for exponent in exponents})


def two_digits(number: float) -> int:
    """Round to two digits that count.

    Parameters
    ----------
    number
        At least 1.

    Examples
    --------
    >>> two_digits(1_766)
    1800
    """
    return int(float(f"{number:.1e}"))


def rounded_up(number: int) -> int:
    """Round up to two digits that count.

    Parameters
    ----------
    number
        At least 1.

    Examples
    --------
    >>> rounded_up(1_103), rounded_up(7)
    (1200, 7)
    """
    step: int = 10 ** max(floor(log10(number)) - 1, 0)
    return -(-number // step) * step


def _inner(numbers: Sequence[int]) -> tuple[int, int] | None:
    if not numbers:
        return None
    tail = (1 - _INSIDE) / 2
    low, high = np.quantile(numbers, [tail, 1 - tail], method="closest_observation").tolist()
    return low, high
