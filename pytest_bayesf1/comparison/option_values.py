"""From the text of an option to its value."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from pytest_bayesf1.comparison import rules
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.stats.decision import CONFIRMED, Rope


def _rope(text: str) -> Rope:
    parts = [part.strip() for part in text.strip("[]() ").split(",")]
    values = [part if part == CONFIRMED else float(part) for part in parts]
    return Rope.of(values[0] if len(values) == 1 else values)


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
