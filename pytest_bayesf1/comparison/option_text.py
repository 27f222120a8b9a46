"""The arguments of a comparison as people write them where only text can be written: options and ini keys."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pytest_bayesf1.comparison import rules
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.measure_names import parse_name


@dataclass(frozen=True)
class TextOption:
    """One argument.

    Attributes
    ----------
    help
        What it is, with the default in parentheses.
    metavar
        What stands for its value in a help text.
    """

    name: str
    help: str
    metavar: str
    _parse: Callable[[str], Any]

    def parse(self, text: str) -> Any:
        """Return the argument's value; raise `InputError` for text that is none."""
        try:
            return self._parse(text)
        except InputError:
            raise
        except ValueError:
            raise InputError(self.name, self.help, repr(text)) from None


def _rope(text: str) -> Rope:
    bounds = [float(part) for part in text.strip("[]() ").split(",")]
    return Rope.of(bounds[0] if len(bounds) == 1 else bounds)


TEXT_OPTIONS = {
    option.name: option
    for option in (
        TextOption("rope", "differences that do not matter: a half-width, or LOW,HIGH", "ROPE", _rope),
        TextOption(
            "hdi_prob",
            "probability inside the highest-density interval (0.95)",
            "P",
            lambda text: rules.hdi_probability("hdi_prob", float(text)),
        ),
        TextOption("measure", "what to compare (f1_macro)", "NAME", lambda text: parse_name(text).text),
        TextOption(
            "prior",
            "auto, hierarchical, nested, uniform or jeffreys (auto)",
            "NAME",
            lambda text: rules.prior("prior", text),
        ),
        TextOption(
            "engine",
            "how to sample the posterior: exact or pymc (exact)",
            "NAME",
            lambda text: rules.engine("engine", text),
        ),
        TextOption("seed", "seed of the random numbers (0)", "N", lambda text: rules.seed("seed", int(text))),
    )
}
