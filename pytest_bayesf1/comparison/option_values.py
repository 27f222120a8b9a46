"""From the text of an option to its value."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from pytest_bayesf1.comparison import rules
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.measure_names import parse_name


def _rope(text: str) -> Rope:
    bounds = [float(part) for part in text.strip("[]() ").split(",")]
    return Rope.of(bounds[0] if len(bounds) == 1 else bounds)


PARSERS: Mapping[str, Callable[[str], Any]] = MappingProxyType(
    {
        "rope": _rope,
        "hdi_prob": lambda text: rules.hdi_probability("hdi_prob", float(text)),
        "measure": lambda text: parse_name(text).text,
        "prior": lambda text: rules.prior("prior", text),
        "engine": lambda text: rules.engine("engine", text),
        "seed": lambda text: rules.seed("seed", int(text)),
    }
)
