"""The words that users choose among: models, priors and engines. Light: the plugin checks options with them."""

from enum import StrEnum
from typing import Literal, TypeAlias

AUTO: Literal["auto"] = "auto"
"""Leaves the choice to the data."""


class Choice(StrEnum):
    """A word that stands for itself, in messages as in calls.

    Examples
    --------
    >>> Model.SAME_SET
    'same-set'
    >>> Model("paired") == "paired"
    True
    """

    def __repr__(self) -> str:
        """Write it as a caller does."""
        return repr(self.value)


class Model(Choice):
    """What the two sides share; see `pytest_bayesf1.counts.experiment.Experiment`."""

    PAIRED = "paired"
    SAME_SET = "same-set"
    INDEPENDENT = "independent"
    SINGLE = "single"
    """One classifier alone, which shares nothing."""


COMPARISONS = (Model.PAIRED, Model.SAME_SET, Model.INDEPENDENT)
"""The models of two sides, the strongest first."""

AnyModel: TypeAlias = Model | Literal["auto"]


class PriorName(Choice):
    """The priors that have a name; see `pytest_bayesf1.priors.priors.PRIORS`."""

    HIERARCHICAL = "hierarchical"
    NESTED = "nested"
    UNIFORM = "uniform"
    JEFFREYS = "jeffreys"


class EngineName(Choice):
    """The engines that have a name; see `pytest_bayesf1.engines.load_engine`."""

    EXACT = "exact"
    PYMC = "pymc"
