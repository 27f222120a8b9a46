"""Types on the pages of Python as a reader knows them: ``float`` for what is also checked to be a probability."""

import ast
from typing import Annotated, Any, get_origin

import griffe

from pytest_bayesf1.results import schema

_SIMPLE = {
    name: value.__origin__.__name__
    for name, value in vars(schema).items()
    if get_origin(value) is Annotated and isinstance(value.__origin__, type)
}
_SIMPLE |= {"Interval": "tuple[float, float]", "RopeBounds": "tuple[float, float]", "Counts": "tuple[int, int]"}
_SIMPLE |= {"Texts": "tuple[str, ...]", "Shares": "tuple[float, float]"}


class _Plain(ast.NodeTransformer):
    """Leaves out what a type is annotated with, and names what an alias stands for."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Take the type alone."""
        if isinstance(node.value, ast.Name) and node.value.id == "Annotated" and isinstance(node.slice, ast.Tuple):
            return self.visit(node.slice.elts[0])  # type: ignore[no-any-return]
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Take what the alias stands for."""
        return ast.parse(_SIMPLE[node.id], mode="eval").body if node.id in _SIMPLE else node


def plain(annotation: str) -> str:
    """Return an annotation without what checks it."""
    return ast.unparse(_Plain().visit(ast.parse(annotation, mode="eval")))


class PlainTypes(griffe.Extension):
    """Makes the types of attributes and parameters plain, before dataclasses get their signatures."""

    def on_attribute_instance(self, *, attr: griffe.Attribute, **_: Any) -> None:
        """Make the type of an attribute plain."""
        if attr.annotation is not None and attr.parent is not None:
            attr.annotation = _parsed(str(attr.annotation), attr.parent)

    def on_function_instance(self, *, func: griffe.Function, **_: Any) -> None:
        """Make the types of parameters, and of what is returned, plain; show of a call the way that takes arrays."""
        assert func.parent is not None
        if func.overloads and "arguments" in func.overloads[0].parameters:
            func.overloads = func.overloads[:1]
            func.overloads[0].parameters["arguments"].annotation = None
        for each in func.parameters:
            if each.annotation is not None:
                each.annotation = _parsed(str(each.annotation), func.parent)
        if func.returns is not None:
            func.returns = _parsed(str(func.returns), func.parent)


def _parsed(annotation: str, parent: Any) -> Any:
    return griffe.get_annotation(ast.parse(plain(annotation), mode="eval").body, parent)
