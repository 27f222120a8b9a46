"""Engines, imported only when they are asked for."""

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING

from pytest_bayesf1.checks import require_choice

if TYPE_CHECKING:
    from pytest_bayesf1.engines.protocol import Engine

ENGINES = MappingProxyType({"exact": ("exact", "ExactEngine"), "pymc": ("pymc.nuts", "NutsEngine")})


def load_engine(name: str) -> "Engine":
    """Import an engine when its name is asked for, since PyMC alone takes seconds to load.

    Parameters
    ----------
    name
        One of `ENGINES`.

    Raises
    ------
    InputError
        For another name.
    """
    require_choice("engine", name, ENGINES)
    module, cls = ENGINES[name]
    engine: Engine = getattr(import_module(f"{__name__}.{module}"), cls)()
    return engine
