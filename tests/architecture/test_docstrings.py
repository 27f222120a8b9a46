"""Whoever calls a function of the statistics finds every parameter explained beside it."""

import ast
import re
from pathlib import Path

import pytest

import pytest_bayesf1

PACKAGE = Path(pytest_bayesf1.__file__).parent
ROOMS = ("counts", "measures", "priors", "stats", "engines", "comparison", "gates", "baselines")
MODULES = {
    path.relative_to(PACKAGE).as_posix(): path for room in ROOMS for path in sorted((PACKAGE / room).rglob("*.py"))
}
SECTION = re.compile(r"^Parameters\n-+\n(.*?)(?=\n\n\w+\n-+\n|\Z)", re.DOTALL | re.MULTILINE)
WORDS_AT_LEAST = 3


def definitions(path):
    """Yield the public functions and methods of a module, and of methods whether they are class methods."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node, "function"
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for method in node.body:
                marks = {ast.unparse(mark) for mark in getattr(method, "decorator_list", ())}
                if isinstance(method, ast.FunctionDef) and not method.name.startswith("_") and "overload" not in marks:
                    yield method, "constructor" if "classmethod" in marks else "method"


def parameters(node, kind):
    taken = node.args
    positional = [*taken.posonlyargs, *taken.args][kind != "function" :]
    starred = [each for each in (taken.vararg, taken.kwarg) if each]
    return {each.arg for each in (*positional, *taken.kwonlyargs, *starred)}


def explained(node):
    found = SECTION.search(ast.get_docstring(node))
    heads = re.findall(r"^(\S[^:\n]*)", found[1], flags=re.MULTILINE) if found else []
    return {name.strip().lstrip("*") for head in heads for name in head.split(",")}


EXPLAINED = {
    (node.name, frozenset(explained(node)))
    for path in MODULES.values()
    for node, kind in definitions(path)
    if kind == "method"
}


@pytest.mark.parametrize("path", MODULES.values(), ids=MODULES)
def test_every_parameter_is_explained(path):
    """A method needs it from two parameters on, unless a method that it stands in for explains the same."""
    for node, kind in definitions(path):
        wanted = parameters(node, kind)
        may_be_short = kind == "method" and (len(wanted) == 1 or (node.name, frozenset(wanted)) in EXPLAINED)
        assert explained(node) == wanted or (may_be_short and not explained(node)), node.name


@pytest.mark.parametrize("path", MODULES.values(), ids=MODULES)
def test_errors_are_announced(path):
    for node, kind in definitions(path):
        raises = any(isinstance(inner, ast.Raise) and inner.exc is not None for inner in ast.walk(node))
        if raises and kind != "method":
            assert "\nRaises\n------\n" in (ast.get_docstring(node) or ""), node.name


@pytest.mark.parametrize("path", MODULES.values(), ids=MODULES)
def test_a_docstring_says_more_than_a_word(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node):
            assert len(ast.get_docstring(node).split()) >= WORDS_AT_LEAST, node.name
