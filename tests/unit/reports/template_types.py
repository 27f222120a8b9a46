"""Which attributes the templates ask for, checked against the types that they are given.

A small inference over a template's syntax tree: names have types, attributes and items lead to others, filters and
calls to what they return. Of a union an attribute must be on one member at least, for a template asks for an entry's
kind before it asks for figures that only this kind has. What has no known type is not followed.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cached_property
from inspect import isclass
from types import GenericAlias, NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from jinja2 import nodes

UNKNOWN = Any


def plainly(hint):
    """Leave out what an annotation says beside the type."""
    return plainly(get_args(hint)[0]) if get_origin(hint) is Annotated else hint


def members(hint):
    """Return the types of a union, without None."""
    hint = plainly(hint)
    if get_origin(hint) in (Union, UnionType):
        return [each for part in get_args(hint) for each in members(part)]
    return [] if hint is NoneType else [hint]


def together(hints):
    """Return the union of types; unknown if one of them is."""
    found = [each for hint in hints for each in members(hint)]
    return UNKNOWN if not found or UNKNOWN in found else Union[tuple(found)]  # noqa: UP007 (made as the program runs)


def item_of(hint):
    """Return the type of what a collection holds; of a tuple of several types that of all of them."""
    found = []
    for each in members(hint):
        arguments = [argument for argument in get_args(each) if argument is not Ellipsis]
        is_mapping = isclass(get_origin(each)) and issubclass(get_origin(each), Mapping)
        found += arguments[:1] if is_mapping else arguments
    return together(found)


def parts_of(hint):
    """Return the types of a tuple's parts; unknown ones where it is none."""
    (each,) = members(hint) if len(members(hint)) == 1 else (UNKNOWN,)
    is_tuple = get_origin(each) is tuple and Ellipsis not in get_args(each)
    return get_args(each) if is_tuple else None


class Checker:
    """Follows one template.

    Attributes
    ----------
    missing
        Attributes that no type has, as ``Type.attribute``.
    followed
        How many were found.
    """

    def __init__(self, environment, template, parameters, filters):
        self.environment, self.template = environment, template
        self.parameters, self.filters = parameters, filters
        self.missing, self.followed = [], 0

    def check(self):
        source, _, _ = self.environment.loader.get_source(self.environment, self.template)
        self.block(self.environment.parse(source).body, dict(self.parameters))
        return self

    def block(self, statements, names):
        for statement in statements:
            self.statement(statement, names)

    def statement(self, node, names):
        match node:
            case nodes.Macro():
                own = {argument.name: self.parameters.get(argument.name, UNKNOWN) for argument in node.args}
                self.block(node.body, {**names, **own})
            case nodes.For():
                inside = {**names, "loop": UNKNOWN}
                self.bind(node.target, item_of(self.type_of(node.iter, names)), inside)
                self.block([*node.body, *node.else_], inside)
            case nodes.Assign():
                self.bind(node.target, self.type_of(node.node, names), names)
            case nodes.If():
                self.type_of(node.test, names)
                self.block([*node.body, *node.elif_, *node.else_], names)
            case nodes.Output():
                for each in node.nodes:
                    self.type_of(each, names)
            case _:
                self.block(node.iter_child_nodes(), names)

    def bind(self, target, hint, names):
        match target:
            case nodes.Name():
                names[target.name] = hint
            case nodes.Tuple():
                parts = parts_of(hint) or [UNKNOWN] * len(target.items)
                for each, part in zip(target.items, parts, strict=True):
                    self.bind(each, part, names)

    def type_of(self, node, names):  # noqa: PLR0911 (one for each kind of node)
        match node:
            case nodes.Name():
                return names.get(node.name, UNKNOWN)
            case nodes.Getattr():
                return self.attribute(self.type_of(node.node, names), node.attr)
            case nodes.Getitem():
                self.type_of(node.arg, names)
                return item_of(self.type_of(node.node, names))
            case nodes.Call():
                for each in node.args:
                    self.type_of(each, names)
                return self.called(node.node, names)
            case nodes.Filter():
                for argument in (node.node, *node.args):
                    self.type_of(argument, names)
                return self.filters.get(node.name, UNKNOWN)
            case nodes.Tuple():
                return GenericAlias(tuple, tuple(self.type_of(each, names) for each in node.items))
            case _:
                for child in node.iter_child_nodes():
                    self.type_of(child, names)
                return UNKNOWN

    def called(self, node, names):
        if not isinstance(node, nodes.Getattr):
            return UNKNOWN
        owner = self.type_of(node.node, names)
        found = []
        for each in members(owner):
            function = UNKNOWN if each is UNKNOWN else getattr(get_origin(each) or each, node.attr, None)
            self.note(each, node.attr, is_there=function is not None)
            found.append(returned(function))
        return together(found)

    def attribute(self, owner, name):
        found = [hint for each in members(owner) if (hint := attribute_of(each, name)) is not None]
        self.note(owner, name, is_there=bool(found) or UNKNOWN in members(owner) or not members(owner))
        return together(found)

    def note(self, owner, name, *, is_there):
        if is_there:
            self.followed += owner is not UNKNOWN
        else:
            self.missing.append(f"{getattr(owner, '__name__', owner)}.{name}")


def attribute_of(hint, name):
    """Return the type of an attribute; None where there is no such attribute."""
    if hint is UNKNOWN:
        return UNKNOWN
    owner = hint if isclass(hint) else get_origin(hint)
    if is_dataclass(owner) and name in {field.name for field in fields(owner)}:
        return get_type_hints(owner, include_extras=True)[name]
    found = next((vars(each)[name] for each in owner.__mro__ if name in vars(each)), None)
    match found:
        case property():
            return returned(found.fget)
        case cached_property():
            return returned(found.func)
    return None if found is None else UNKNOWN


def returned(function):
    """Return the type of what a function returns; what an iterator yields is what it holds."""
    try:
        hints = {} if function is UNKNOWN else get_type_hints(function, include_extras=True)
        return hints.get("return", UNKNOWN)
    except (NameError, TypeError):
        return UNKNOWN


def types_of_filters(filters):
    """Return what each filter makes; of a class itself."""
    return {name: made if isclass(made) else returned(made) for name, made in filters.items()}
