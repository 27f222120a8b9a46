"""Which test files to run for what changed since a commit: ``python -m tests.touched REF`` lists them.

A test file runs if it or its conftest imports a changed module, directly or not. Whole runs of pytest, of commands and
of the Action hardly import anything, so they follow the rooms that they are about.
"""

import ast
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import grimp

import pytest_bayesf1

ROOT = Path(__file__).parents[1]
PACKAGES = "pytest_bayesf1", "tests", "docs", "benchmarks"
WHOLE_RUNS = "tests/action", "tests/functional"
THEIR_ROOMS = {"baselines", "cli", "gates", "github", "plugin", "reports"}


def changed_since(ref: str) -> set[str]:
    """List the files that differ from where this branch left another, uncommitted and new ones too."""
    base = _git("merge-base", ref, "HEAD")[0]
    return {*_git("diff", "--name-only", base), *_git("ls-files", "--others", "--exclude-standard")}


def touched(changed: Iterable[str]) -> list[str]:
    """List the test files that changed files can break, and changed modules, whose examples are tests too."""
    graph, found = _imports(), set[str]()
    files = {_file(module): module for module in graph.modules}
    tests = {file for file in files if Path(file).name.startswith("test_")}
    for file in changed:
        room = Path(file).parts[1] if file.startswith("pytest_bayesf1/") else ""
        modules = {files[file]} if file in files else set[str]()
        if not modules and f"pytest_bayesf1.{room}" in graph.modules:  # a template changes its room
            modules = graph.find_descendants(f"pytest_bayesf1.{room}")
        for module in modules:
            found |= {_file(each) for each in (module, *graph.find_downstream_modules(module))}
        if room in THEIR_ROOMS:
            found |= {test for test in tests if test.startswith(WHOLE_RUNS) or "(transcript" in _text(test)}
        if not modules:
            found |= {test for test in tests if Path(file).name in _text(test)}
        if file.endswith((".md", ".toml", ".yml")):
            found |= {test for test in tests if test.startswith("tests/architecture")}
    for conftest in {file for file in found if file.endswith("/conftest.py")} - {"tests/conftest.py"}:
        found |= {test for test in tests if Path(test).is_relative_to(Path(conftest).parent)}
    if "tests/conftest.py" in changed:
        return ["tests"]
    examples = {file for file in changed if file in files and file.startswith("pytest_bayesf1/")}
    return sorted(found & (tests | examples))


@cache
def _imports() -> grimp.ImportGraph:
    """Build the graph of imports, in which a public name is imported from the module that defines it."""
    graph = grimp.build_graph(*PACKAGES, cache_dir=None, exclude_type_checking_imports=True)
    for command in graph.find_children("pytest_bayesf1.cli"):  # found by name when it is called
        graph.add_import(importer="pytest_bayesf1.cli.main", imported=command)
    for home in graph.find_modules_directly_imported_by("pytest_bayesf1"):
        graph.remove_import(importer="pytest_bayesf1", imported=home)
    for module in graph.find_modules_that_directly_import("pytest_bayesf1"):
        for node in ast.walk(ast.parse((ROOT / _file(module)).read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "pytest_bayesf1":
                for home in {
                    pytest_bayesf1._HOME[alias.name] for alias in node.names if alias.name in pytest_bayesf1._HOME
                }:
                    graph.add_import(importer=module, imported=f"pytest_bayesf1.{home}")
    return graph


def _file(module: str) -> str:
    path = module.replace(".", "/")
    return f"{path}/__init__.py" if (ROOT / path).is_dir() else f"{path}.py"


def _text(file: str) -> str:
    return (ROOT / file).read_text("utf-8")


def _git(*arguments: str) -> list[str]:
    command = ["git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


if __name__ == "__main__":
    sys.stdout.write("\n".join(touched(changed_since(sys.argv[1]))))
