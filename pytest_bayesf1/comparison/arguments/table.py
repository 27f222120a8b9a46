"""The table of arguments. Light, for the plugin registers its options by it."""

from collections.abc import Iterator
from types import MappingProxyType

from pytest_bayesf1.comparison.arguments import validators
from pytest_bayesf1.comparison.arguments.argument import Argument, Offered
from pytest_bayesf1.settings import AUTO, COMPARISONS, EngineName, PriorName
from pytest_bayesf1.stats.decision import CONFIRMED

_DECLARED = (
    Argument(
        name="measure",
        meaning="what to compare: f1_macro, accuracy, f1[spam], fbeta_macro(2), ...",
        metavar="NAME",
        default="f1_macro",
        validate=validators.measure,
    ),
    Argument(
        name="rope",
        meaning=(
            "differences that do not matter: a half-width such as 0.01, or both ends; above 0.1 with the word "
            f"{CONFIRMED} behind it"
        ),
        metavar=f"WIDTH|LOW,HIGH[,{CONFIRMED}]",
        required="the largest difference that does not matter, such as 0.01",
        offered=Offered.PROJECT | Offered.GATE,
        validate=validators.rope,
        read=validators.read_bounds,
    ),
    Argument(
        name="budget",
        meaning="the loss since the anchor that is tolerated in all; where it is left out twice the ROPE's lower half",
        metavar="LOSS",
        offered=Offered.PROJECT | Offered.ANCHORED,
        validate=validators.budget,
        read=float,
    ),
    Argument(
        name="hdi_prob",
        meaning="probability inside the highest-density interval",
        metavar="P",
        default=0.95,
        validate=validators.inner_probability,
        read=float,
    ),
    Argument(
        name="model",
        meaning="what the two sides share, auto being the strongest model that the data allow",
        metavar="NAME",
        default=AUTO,
        choices=(AUTO, *COMPARISONS),
        offered=Offered.GATE,
        validate=validators.model,
    ),
    Argument(
        name="agreement",
        meaning="the share of the examples on which both sides predict the same, or its bounds, where counts are bare",
        metavar="SHARE|LEAST,MOST",
        offered=Offered.GATE,
        validate=validators.agreement,
        read=validators.read_bounds,
    ),
    Argument(
        name="prior",
        meaning="the prior of the cell probabilities",
        metavar="NAME",
        default=AUTO,
        choices=(AUTO, *PriorName),
        validate=validators.prior,
    ),
    Argument(
        name="engine",
        meaning="how to sample the posterior",
        metavar="NAME",
        default=EngineName.EXACT,
        choices=tuple(EngineName),
        validate=validators.engine,
    ),
    Argument(
        name="seed",
        meaning="seed of the random numbers",
        metavar="N",
        default=0,
        validate=validators.not_negative,
        read=int,
    ),
    Argument(
        name="n_draws",
        meaning="number of posterior draws; where it is left out as many as settle the decision",
        metavar="N",
        offered=Offered.FLOOR,
        validate=validators.number_of_draws,
        read=int,
    ),
)

ARGUMENTS = MappingProxyType({argument.name: argument for argument in _DECLARED})
"""By name, in the order of `pytest_bayesf1.compare`, which knows of no anchor."""


def offered(where: Offered) -> Iterator[Argument]:
    """List the arguments that can be given somewhere.

    Parameters
    ----------
    where
        The place besides a call that compares two sides; or several places.

    Returns
    -------
    iterator of Argument
        In their order.

    Examples
    --------
    >>> [argument.name for argument in offered(Offered.PROJECT)]
    ['measure', 'rope', 'budget', 'hdi_prob', 'prior', 'engine', 'seed']
    """
    return (argument for argument in ARGUMENTS.values() if where & argument.offered)
