"""The prior of several systems on the same examples: a few more examples of every class, which are imagined.

The outcomes of a class follow a Dirichlet process (Ferguson 1973): its mass is what the imagined examples of the class
weigh together, and its base measure is what the systems predict for one of them. Dirichlet weights add up, so that
every two of the systems have a Dirichlet process between themselves, of the same mass.
"""

from dataclasses import dataclass

from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.settings import PriorName

_AS_FOR_TWO = 0.5
"""Pseudo-count of every outcome of two classes, or of what is found, missed and invented, as ``jeffreys`` has it."""


@dataclass(frozen=True)
class ImaginedExamples:
    """What is imagined of every class.

    Attributes
    ----------
    name
        What results call it.
    mass
        What the imagined examples of a class weigh together, in real ones.
    beta
        Pseudo-count of every class in the class proportions; where it is the mass, these follow from the outcomes.
    as_observed
        Whether the systems that are wrong about an imagined example are those that are wrong about one of the test set.
        Else every system is wrong half of the time, whatever the others are.
    """

    name: str
    mass: float
    beta: float
    as_observed: bool

    @classmethod
    def of(cls, table: OutcomeTable) -> "ImaginedExamples":
        """Choose by the kind of data, never by what they say or how many they are.

        Of spans, and of two classes whose examples are drawn one by one, the posterior of any two systems is the very
        one that they have by themselves under the prior ``jeffreys``: a class has 2 x 2 outcomes with a pseudo-count
        each. Else a class has one imagined example, as under ``hierarchical``.

        Parameters
        ----------
        table
            The joint outcomes of all systems.
        """
        two_classes = table.n_classes == 2 and not table.multilabel and table.units is None
        if not (table.spans or two_classes):
            return cls("imagined-example", 1.0, 1.0, as_observed=True)
        mass = 4 * _AS_FOR_TWO
        return cls(PriorName.JEFFREYS, mass, mass if table.spans else _AS_FOR_TWO, as_observed=False)

    @property
    def makes_joint_dirichlet(self) -> bool:
        """Whether the joint probability of all outcomes is one Dirichlet process."""
        return self.beta == self.mass

    @property
    def n_examples(self) -> int:
        """Examples that it has really seen: none."""
        return 0

    def __str__(self) -> str:
        """Write what results call it."""
        return self.name
