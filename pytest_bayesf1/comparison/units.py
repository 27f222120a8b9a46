"""Units that hold several examples or runs: whether they are enough, and what they do to an interval."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pytest_bayesf1._util import counted
from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.comparison.options import Options
from pytest_bayesf1.data.outcomes import Experiment, ScoreExperiment, UnitContents
from pytest_bayesf1.data.spans import DOCUMENTS
from pytest_bayesf1.errors import FewUnitsWarning, InputError
from pytest_bayesf1.results.comparison import UnitFigures, nouns_of
from pytest_bayesf1.settings import EngineName, Model
from pytest_bayesf1.stats.posterior import Draws

FEWEST = 10
"""Units below which nothing tells how much units vary."""
FEW = 40
"""Units, if they were of one size, below which intervals are wide, and those of a single score yet too narrow."""
FEW_TRAININGS = 5

N_DRAWS = 4_000
"""Of the posterior that there would be if examples were independent: its spread is then known to one per cent."""


@dataclass(frozen=True, kw_only=True)
class Units:
    """The units of a test set.

    Attributes
    ----------
    noun
        What they are called, in the plural.
    holding
        What they hold, in the plural.
    n
        How many each side has.
    n_equal
        How many of one size would tell as much.
    runs
        The most predictions that an example has, side by side.
    trainings
        Of how many trainings of a recipe each side is; 0 where it is one classifier.
    """

    noun: str
    holding: str
    n: tuple[int, ...]
    n_equal: tuple[int, ...]
    runs: tuple[int, ...]
    trainings: tuple[int, ...]

    @classmethod
    def of(
        cls,
        units: Sequence[UnitContents],
        *,
        runs: tuple[int, ...],
        trainings: tuple[int, ...] = (),
        holding: str = "examples",
    ) -> "Units | None":
        """Describe units; None where every example is drawn on its own.

        Parameters
        ----------
        units
            Of both sides together, or of each.
        runs
            The most predictions that an example has, side by side.
        trainings
            Of how many trainings each side is; none where both are one classifier.
        holding
            What units hold, in the plural.
        """
        if not units:
            return None
        times = len(runs) // len(units)
        return cls(
            noun=units[0].noun,
            holding=holding,
            n=tuple(round(each.n) for each in units) * times,
            n_equal=tuple(round(each.n_equal) for each in units) * times,
            runs=runs,
            trainings=trainings or (0,) * len(runs),
        )

    def figures(self, values: Floats, independent: Floats | None, hdi_prob: float) -> UnitFigures:
        """Set the posterior against the one that there would be if examples were independent.

        Parameters
        ----------
        values, independent : (n,)
            Draws of either, of delta or of a score; None where examples are independent.
        hdi_prob
            Probability inside the interval.
        """
        if independent is None:
            independent = values
        spread = float(independent.std())
        effect = float(values.std() / spread) ** 2 if spread > 0 else float("nan")
        return UnitFigures(**vars(self), design_effect=effect, independent_hdi=Draws(independent).hdi(hdi_prob))


def require_enough_units(experiment: Experiment | ScoreExperiment, options: Options) -> None:
    """Refuse what makes no sense together with units, and too few of them.

    Parameters
    ----------
    experiment
        Counts or scores, with or without units.
    options
        The engine that is asked for.

    Raises
    ------
    InputError
        For the model ``same-set``, another engine than the exact one, or fewer than `FEWEST` units.
    """
    if not experiment.units:
        return
    if experiment.model is Model.SAME_SET:
        advice = "Leave the model out: units tell which examples belong together on both sides."
        raise InputError("model", "'paired' or 'independent' where examples belong to units", "'same-set'", advice)
    if options.engine.name != EngineName.EXACT:
        advice = "Leave the engine out: the exact one draws weights of units."
        raise InputError("engine", "'exact' where examples belong to units", repr(options.engine.name), advice)
    for units in experiment.units:
        if units.n < FEWEST:
            advice = (
                "With so few nobody can tell how much units vary. Collect more of them, or take a finer unit if the "
                "examples of a unit have nothing in common."
            )
            where = "documents" if units.noun == DOCUMENTS else "clusters"
            raise InputError(where, f"at least {FEWEST} units", f"{units.n:.0f} {units.noun}", advice)


def note_on(units: UnitFigures, n_samples: Sequence[int], independent: str) -> str:
    """Say what the units are, and what the interval would be without them.

    Parameters
    ----------
    units
        Of a comparison or an estimate.
    n_samples
        Examples of each side.
    independent
        `UnitFigures.independent_hdi` in words.
    """
    numbers = " and ".join(dict.fromkeys(f"{n:,}" for n in units.n))
    told = [f"{numbers} {units.noun}"]
    if units.noun != units.holding:
        held = " and ".join(dict.fromkeys(f"{n:,}" for n in n_samples))
        told.append(f"{held} {units.holding}")
    if max(units.runs) > 1:
        told.append(f"{' and '.join(dict.fromkeys(f'{n}' for n in units.runs))} predictions of each example")
    if any(units.trainings):
        told.append("of trainings of a recipe")
    return (
        f"{', '.join(told)}, design effect {units.design_effect:.2g}: had every {nouns_of(units)[0]} been drawn on its "
        f"own, the HDI would be {independent}."
    )


def warnings_on(units: "UnitFigures | Units") -> Iterator[FewUnitsWarning]:
    """Warn of units or trainings that are too few to tell how much they vary.

    Parameters
    ----------
    units
        Of a comparison, an estimate or a ranking.

    Yields
    ------
    FewUnitsWarning
        At most one of units, and one of trainings.
    """
    n, n_equal = min(zip(units.n, units.n_equal, strict=True), key=lambda side: side[1])
    if n_equal < FEW:
        held = "runs" if units.noun == units.holding else units.holding
        of_one_size = f" (they tell as much as {n_equal} of one size)" if n_equal < n else ""
        yield FewUnitsWarning(
            f"{n} {units.noun} are few{of_one_size}: intervals of differences are wide, and those of a single score "
            f"too narrow if the {held} of a unit are much alike. Collect more {units.noun} rather than more {held} of "
            "each."
        )
    trainings = [n for n in units.trainings if n]
    if trainings and min(trainings) < FEW_TRAININGS:
        yield FewUnitsWarning(
            f"{counted(min(trainings), 'training')} hardly tell how much trainings vary: the interval is wide. "
            f"{FEW_TRAININGS} or more make it narrower."
        )
