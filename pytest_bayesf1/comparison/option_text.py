"""The arguments of a comparison as people write them where only text can be written: options and ini keys."""

from dataclasses import dataclass
from typing import Any

from pytest_bayesf1.errors import InputError


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

    def parse(self, text: str) -> Any:
        """Return the argument's value; raise `InputError` for text that is none."""
        from pytest_bayesf1.comparison.option_values import PARSERS  # noqa: PLC0415 (runs without options need none)

        try:
            return PARSERS[self.name](text)
        except InputError:
            raise
        except ValueError:
            raise InputError(self.name, self.help, repr(text)) from None


TEXT_OPTIONS = {
    option.name: option
    for option in (
        TextOption(
            "rope", "differences that do not matter: a half-width, or LOW,HIGH; above 0.1 with ,wide behind it", "ROPE"
        ),
        TextOption("hdi_prob", "probability inside the highest-density interval (0.95)", "P"),
        TextOption("measure", "what to compare (f1_macro)", "NAME"),
        TextOption("prior", "auto, hierarchical, nested, uniform or jeffreys (auto)", "NAME"),
        TextOption("engine", "how to sample the posterior: exact or pymc (exact)", "NAME"),
        TextOption("seed", "seed of the random numbers (0)", "N"),
    )
}
