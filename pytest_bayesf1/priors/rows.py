"""The prior of the outcomes of one true class."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class EvenCells:
    """The same Dirichlet pseudo-count in every outcome of every row (Zhang et al. 2016: 1)."""

    weight: float


@dataclass(frozen=True)
class SharedGroups:
    """One unit of Dirichlet mass per row; its groups of outcomes share it in unknown proportions eta (2015, eq. 1-13).

    Attributes
    ----------
    alpha
        Of eta ~ Beta(alpha): the pseudo-counts of being right and of being wrong, for each side.
    """

    alpha: tuple[float, float] = (1.0, 1.0)


@dataclass(frozen=True)
class NestedGroups:
    """Two questions apart: how likely a row's groups of outcomes are, and how a group's share is split over its cells.

    The groups' probabilities in a row are Dirichlet(kappa eta), and a group's share is split by a symmetric Dirichlet
    of total rho. kappa and every group's rho are unknown too, each evenly likely on a grid of powers of the root of 2.

    Attributes
    ----------
    alpha
        As in `SharedGroups`.
    kappa, rho
        Smallest and largest value.
    """

    alpha: tuple[float, float] = (1.0, 1.0)
    kappa: tuple[float, float] = (0.5, 256.0)
    rho: tuple[float, float] = (0.25, 16.0)


RowPrior: TypeAlias = EvenCells | SharedGroups | NestedGroups
