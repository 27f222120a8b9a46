"""The plugin's options and ini keys."""

import os
from argparse import SUPPRESS
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from pytest_bayesf1.comparison.arguments import Argument, Offered, offered
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.project import Update, require_updatable


@dataclass(frozen=True)
class PluginConfig:
    """What the command line and the ini file say.

    Attributes
    ----------
    settings
        Arguments of `compare` that the project sets, by name.
    warn_undecided
        Whether gates warn that pass because the data cannot tell.
    report
        Where reports go, if anywhere: a directory, or a file for the JSON alone.
    update
        What may happen to stored baselines and to the manifest of gates.
    baseline_ref
        The commit that baselines are read from; None for the files that are checked out.
    command
        How much `bayesf1 gate`, if that runs pytest, shows of its entries: ``brief`` or ``full``; else empty.
    """

    settings: Mapping[str, Any]
    warn_undecided: bool
    report: Path | None
    update: Update
    baseline_ref: str | None
    command: str

    @property
    def in_full(self) -> bool:
        """Whether machines or pages have every figure."""
        return self.report is not None or self.command == "full"


_REPORT = "directory for report.json, .md and .html; or FILE.json for the first alone"
_PLACES = {
    "report": ("PATH", _REPORT),
    "baseline_ref": ("COMMIT", "read all baselines from this commit: a change cannot loosen its own gate"),
}
_SWITCHES = {
    "warn_undecided": "warn when assert_not_worse, bayes_regression or a gate passes because the data cannot tell"
}
_UPDATES = {
    Update.ALL: ("", "make the candidates of the tests that run the baselines, unless they are significantly worse"),
    Update.NEW: ("=new", "write only the baselines that are missing"),
    Update.ANCHOR: ("=anchor", "do the same, and count total loss from these candidates on"),
    Update.FORCE: ("=force", "write all baselines, in CI and of significantly worse candidates too"),
}


def add_options(parser: pytest.Parser) -> None:
    """Register every option in both places."""
    group = parser.getgroup("bayesf1", "Bayesian comparison of classifiers")
    for argument in offered(Offered.PROJECT):
        name, text = argument.name, _help(argument)
        group.addoption(flag(name), dest=ini_key(name), metavar=argument.metavar, help=text)
        parser.addini(ini_key(name), text)
    for name, what in _SWITCHES.items():
        group.addoption(flag(name), dest=ini_key(name), action="store_true", default=None, help=what)
        parser.addini(ini_key(name), what, type="bool", default=False)
    for name, (metavar, what) in _PLACES.items():
        group.addoption(flag(name), dest=ini_key(name), metavar=metavar, help=what)
    for update, (suffix, what) in _UPDATES.items():
        # spelt out, for an option with an optional value would swallow the path that follows it; plain, for workers
        group.addoption(
            f"{flag('update')}{suffix}", dest=ini_key("update"), action="store_const", const=update.value, help=what
        )
    parser.addini(ini_key("report"), _REPORT)


def add_options_of_command(parser: pytest.Parser) -> None:
    """Register what `bayesf1 gate` passes to pytest and to its workers."""
    parser.addoption(flag("command"), dest=ini_key("command"), default="", help=SUPPRESS)
    parser.addoption(flag("only"), dest=ini_key("only"), action="append", default=[], help=SUPPRESS)


def read_config(config: pytest.Config) -> PluginConfig:
    """Read and check the options; the command line beats the ini file."""
    for file in config.args:
        if file.startswith(flag("")):  # a folder of that name, and -- in addopts, would leave it without effect
            raise pytest.UsageError(f"pytest takes {file} for a file, because -- comes before it. Remove --")
    settings = {}
    for argument in offered(Offered.PROJECT):
        text, source = _lookup(config, argument.name)
        if text is not None:
            with _usage_errors(source):
                settings[argument.name] = argument.parse(text)
    update = Update(config.getoption(ini_key("update")) or Update.NONE)
    with _usage_errors():
        require_updatable(update, flag("update"), f"{flag('update')}=force")
    return PluginConfig(
        settings=MappingProxyType(settings),
        warn_undecided=_switch(config, "warn_undecided"),
        report=_report(config),
        update=update,
        baseline_ref=_ref(config, "baseline_ref"),
        command=config.getoption(ini_key("command")),
    )


@contextmanager
def _usage_errors(where: str = "") -> Iterator[None]:
    """Let a bad value be an error of how pytest was called."""
    try:
        yield
    except InputError as error:
        raise pytest.UsageError(f"{where}: {error.without_place}" if where else str(error)) from None


def _lookup(config: pytest.Config, name: str) -> tuple[str | None, str]:
    """Find an option's text and its source; an empty ini key counts as none."""
    given = config.getoption(ini_key(name))
    if given is not None:
        return str(given), flag(name)
    return str(config.getini(ini_key(name)) or "") or None, ini_key(name)


def _report(config: pytest.Config) -> Path | None:
    """Resolve the command line's path against where pytest was called, the ini file's against the root."""
    text, source = _lookup(config, "report")
    if text is None:
        return None
    if not text:
        raise pytest.UsageError(f"{source}: Name a directory or FILE.json")
    return (config.invocation_params.dir if source == flag("report") else config.rootpath) / text


def _switch(config: pytest.Config, name: str) -> bool:
    try:
        return bool(config.getoption(ini_key(name)) or config.getini(ini_key(name)))
    except (ValueError, pytest.UsageError) as error:
        raise pytest.UsageError(f"{ini_key(name)}: expected true or false ({error})") from None


def _ref(config: pytest.Config, name: str) -> str | None:
    ref = config.getoption(ini_key(name))
    if ref and config.getoption(ini_key("update")):
        raise pytest.UsageError(f"{flag(name)} does not go with {flag('update')}")
    return str(ref) if ref else None


def flag(name: str) -> str:
    """Write an option as on pytest's command line."""
    return f"--bayesf1-{name.replace('_', '-')}"


def ini_key(name: str) -> str:
    """Write an option as in the ini file."""
    return f"bayesf1_{name}"


def _help(argument: Argument) -> str:
    return argument.help if argument.default is None else f"{argument.help} ({argument.default})"


def shown_as(config: pytest.Config, report: Path | None) -> dict[str, Any]:
    """Return the session's settings of what gates say; known once the terminal's reporter is there."""
    return {
        "in_full": config.getoption("verbose", 0) > 0,  # the terminal may be off
        "more": _more(report),
    }


def encoding_of(config: pytest.Config) -> str:
    """Return the encoding of the terminal that pytest writes to."""
    reporter: Any = config.pluginmanager.get_plugin("terminalreporter")
    return getattr(getattr(reporter, "_tw", None) and reporter._tw._file, "encoding", None) or "utf-8"  # noqa: SLF001


def _more(report: Path | None) -> str:
    if report is None:
        return "pytest -v, or --bayesf1-report=DIR for a page of pictures"
    page = report if report.suffix == ".json" else report / "report.html"
    return f"{os.path.relpath(page)}, or pytest -v"
