"""The plugin's options: each on the command line as ``--bayesf1-x`` and in the ini file as ``bayesf1_x``."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from pytest_bayesf1.comparison import rules
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.measure_names import parse_name


@dataclass(frozen=True)
class PluginConfig:
    """What the command line and the ini file say.

    Attributes
    ----------
    settings
        Arguments of `compare` that the project sets, by name.
    report_dir
        Where reports go, if anywhere.
    """

    settings: Mapping[str, Any]
    report_dir: Path | None


@dataclass(frozen=True)
class _Option:
    help: str
    metavar: str
    parse: Callable[[str], Any]


def _parse_rope(text: str) -> Rope:
    bounds = [float(part) for part in text.strip("[]() ").split(",")]
    return Rope.of(bounds[0] if len(bounds) == 1 else bounds)


def _parse_probability(text: str) -> float:
    return rules.hdi_probability("hdi_prob", float(text))


_OPTIONS = {
    "rope": _Option("differences that do not matter: a half-width, or LOW,HIGH", "ROPE", _parse_rope),
    "hdi_prob": _Option(
        "probability inside the highest-density interval (0.95)",
        "P",
        _parse_probability,
    ),
    "measure": _Option("what to compare (f1_macro)", "NAME", lambda text: parse_name(text).text),
    "prior": _Option(
        "auto, hierarchical, nested, uniform or jeffreys (auto)", "NAME", lambda text: rules.prior("prior", text)
    ),
    "engine": _Option(
        "how to sample the posterior: exact or pymc (exact)", "NAME", lambda text: rules.engine("engine", text)
    ),
    "seed": _Option("seed of the random numbers (0)", "N", lambda text: rules.seed("seed", int(text))),
}


def add_options(parser: pytest.Parser) -> None:
    """Register every option in both places."""
    group = parser.getgroup("bayesf1", "Bayesian comparison of classifiers")
    for name, option in _OPTIONS.items():
        group.addoption(_flag(name), dest=_key(name), metavar=option.metavar, help=option.help)
        parser.addini(_key(name), option.help)
    help_text = "directory for report.json, report.md and report.html"
    group.addoption(_flag("report"), dest=_key("report"), metavar="DIR", help=help_text)
    parser.addini(_key("report"), help_text)


def read_config(config: pytest.Config) -> PluginConfig:
    """Read and check the options; the command line beats the ini file.

    Raises
    ------
    pytest.UsageError
        Naming the option and what is wrong with it.
    """
    settings = {}
    for name, option in _OPTIONS.items():
        text, source = _lookup(config, name)
        if text is not None:
            settings[name] = _parsed(option, text, source)
    return PluginConfig(MappingProxyType(settings), _report_dir(config))


def _parsed(option: _Option, text: str, source: str) -> Any:
    try:
        return option.parse(text)
    except InputError as error:
        raise pytest.UsageError(f"{source}: {error}") from None
    except ValueError:
        raise pytest.UsageError(f"{source}: expected {option.help}, got {text!r}") from None


def _lookup(config: pytest.Config, name: str) -> tuple[str | None, str]:
    """Find an option's text and where it stands; an empty ini key counts as none."""
    given = config.getoption(_key(name))
    if given is not None:
        return str(given), _flag(name)
    return str(config.getini(_key(name)) or "") or None, _key(name)


def _report_dir(config: pytest.Config) -> Path | None:
    """Resolve the command line's directory against where pytest was called, the ini file's against the root."""
    text, source = _lookup(config, "report")
    if text is None:
        return None
    if not text:
        raise pytest.UsageError(f"{source}: expected a directory, got nothing")
    return (config.invocation_params.dir if source == _flag("report") else config.rootpath) / text


def _flag(name: str) -> str:
    return f"--bayesf1-{name.replace('_', '-')}"


def _key(name: str) -> str:
    return f"bayesf1_{name}"
