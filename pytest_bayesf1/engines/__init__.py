"""Engines, imported only when they are asked for."""

from typing import TYPE_CHECKING

from pytest_bayesf1.stats.choices import require_choice

if TYPE_CHECKING:
    from pytest_bayesf1.engines.protocol import Engine

ENGINES = ("exact",)


def load_engine(name: str) -> "Engine":
    """Import an engine by its name."""
    require_choice("engine", name, ENGINES)
    from pytest_bayesf1.engines.exact import ExactEngine

    return ExactEngine()
