"""Priors by name: how much mass each group of outcomes holds before the data, and how the classes are spread."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from pytest_bayesf1.errors import InputError


@dataclass(frozen=True)
class Prior:
    """A prior on one table of outcomes.

    Attributes
    ----------
    name
        ``hierarchical``, ``uniform`` or ``jeffreys``.
    class_weight
        Dirichlet pseudo-count of every class in the class proportions mu.
    cell_weight
        Dirichlet pseudo-count of every outcome of a true class; None for the hierarchical prior, where the groups
        share one unit of mass a row in proportions eta that are themselves unknown.
    """

    name: str
    class_weight: float
    cell_weight: float | None

    def makes_joint_dirichlet(self) -> bool:
        """Whether, given eta, the whole joint probability is one Dirichlet: each row's mass equals its class weight."""
        return self.cell_weight is None and self.class_weight == 1.0


HIERARCHICAL = Prior("hierarchical", class_weight=1.0, cell_weight=None)
UNIFORM = Prior("uniform", class_weight=1.0, cell_weight=1.0)
JEFFREYS = Prior("jeffreys", class_weight=0.5, cell_weight=0.5)

PRIORS = {prior.name: prior for prior in (HIERARCHICAL, UNIFORM, JEFFREYS)}


def prior_by_name(name: str, n_classes: int) -> Prior:
    """Look a prior up; ``auto`` is each paper's own choice: uniform for two classes, hierarchical for more."""
    if name == "auto":
        return UNIFORM if n_classes == 2 else HIERARCHICAL
    require_choice("prior", name, ("auto", *PRIORS))
    return PRIORS[name]


def require_choice(where: str, value: object, choices: Iterable[str]) -> None:
    """Raise `InputError` when ``value`` is none of the choices, with the nearest one as advice."""
    choices = tuple(choices)
    if value in choices:
        return
    near = get_close_matches(str(value), choices, n=1)
    raise InputError(where, f"one of {', '.join(choices)}", repr(value), f"Did you mean {near[0]!r}?" if near else "")
