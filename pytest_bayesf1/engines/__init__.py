"""Engines, imported only when they are asked for."""

from importlib import import_module
from typing import TYPE_CHECKING

from pytest_bayesf1.choices import EngineName
from pytest_bayesf1.values import require_choice

if TYPE_CHECKING:
    from pytest_bayesf1.engines.protocol import Engine

_HOME = {EngineName.EXACT: ("exact", "ExactEngine"), EngineName.PYMC: ("nuts", "NutsEngine")}


def load_engine(engine: "str | Engine") -> "Engine":
    """Import an engine by its name."""
    if not isinstance(engine, str):
        return engine
    require_choice("engine", engine, EngineName)
    module, cls = _HOME[EngineName(engine)]
    loaded: Engine = getattr(import_module(f"{__name__}.{module}"), cls)()
    return loaded
