"""Fixtures that several tests share: which of them runs first depends on the order and on the worker."""

from collections.abc import Generator
from typing import Any

import pytest

Source = tuple[str, str]


class SharedFixtures:
    """Knows the shared fixture that is being set up or torn down, so that its comparisons belong to no single test."""

    def __init__(self) -> None:
        self._running: list[Source] = []

    def running(self) -> Source | None:
        """Return the fixture's id and what it is about; None outside of shared fixtures."""
        return self._running[-1] if self._running else None

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
    ) -> Generator[None, object, object]:
        """Follow a shared fixture through its setup and, by finalizers around its own, through its teardown."""
        if fixturedef.scope == "function":
            return (yield)
        fixture = _fixture_id(fixturedef, request)
        fixturedef.addfinalizer(self._running.pop)  # the first finalizer runs last
        self._running.append((fixture, f"{fixturedef.argname} setup"))
        try:
            return (yield)
        finally:
            self._running.pop()
            fixturedef.addfinalizer(lambda: self._running.append((fixture, f"{fixturedef.argname} teardown")))


def _fixture_id(fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest) -> str:
    """Name a fixture like a test, below what shares it; pytest's own, such as setup_module's, by what shares it."""
    place = request.node.nodeid or fixturedef.baseid
    name = "" if fixturedef.argname.startswith("_") else fixturedef.argname + _parameter(request)
    return "::".join(part for part in (place, name) if part)


def _parameter(request: pytest.FixtureRequest) -> str:
    if not hasattr(request, "param"):
        return ""
    plain = request.param is None or isinstance(request.param, bool | int | float | str)
    return f"[{request.param if plain else getattr(request, 'param_index', 0)}]"
