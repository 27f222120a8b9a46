"""YAML, and where everything in it stands."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from math import inf
from typing import Any, TypeAlias

import yaml

KeyPath: TypeAlias = tuple[str, ...]
"""Keys and positions that lead to a value, as text."""

_MERGE = "tag:yaml.org,2002:merge"
_MOST_REPEATED = 1_000_000
_DEEPEST = 100
_NO_SUCH_VALUE = (AttributeError, LookupError, OverflowError, TypeError, ValueError)
"""What PyYAML raises for a date, a number or a boolean that is none."""


class YamlError(ValueError):
    """Text that is no YAML, with its line and column, counted from 1."""

    def __init__(self, problem: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {problem}")
        self.problem, self.line, self.column = problem, line, column


@dataclass(frozen=True)
class YamlDocument:
    """A document of plain values.

    Attributes
    ----------
    value
        What it says.
    lines
        Where each value stands, counted from 1; of a mapping's value the line of its key.
    repeated
        Keys that a mapping has twice, of which YAML itself would keep the last in silence.
    """

    value: Any
    lines: dict[KeyPath, int]
    repeated: tuple[tuple[KeyPath, int], ...]

    def line_of(self, steps: Iterable[str | int]) -> int:
        """Return the line of the value that keys and positions lead to, or of what it should have been part of."""
        path = tuple(map(str, steps))
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


class _Loader(yaml.SafeLoader):
    """Takes ``<<`` and ``=`` for text where they are values; as a key ``<<`` merges mappings, as everywhere."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Build what stands inside of a node; tell where it stands deeper than anybody nests."""
        if self._depth > _DEEPEST:
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.composer.ComposerError(None, None, "nested too deeply", mark)
        self._depth += 1
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """Build a value; tell where one stands that is not what its tag or its look promises."""
        try:
            return super().construct_object(node, deep)
        except _NO_SUCH_VALUE:
            kind = node.tag.rpartition(":")[2]
            raise yaml.constructor.ConstructorError(None, None, f"an invalid {kind}", node.start_mark) from None


def _as_text(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> Any:
    return loader.construct_scalar(node)


def _int_or_code(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> Any:
    """Read a number as people write it, and take 010 and 12:30 for text, which YAML has for 8 and 750."""
    return node.value if _CODE.fullmatch(node.value) else loader.construct_yaml_int(node)


_CODE = re.compile(r"[+-]?0[0-9].*|.*:.*")

_Loader.add_constructor("tag:yaml.org,2002:int", _int_or_code)
_Loader.add_constructor(_MERGE, _as_text)
_Loader.add_constructor("tag:yaml.org,2002:value", _as_text)


def load_document(text: str) -> YamlDocument:
    """Read a document, and where everything in it stands; raise `YamlError` for anything else."""
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        if node is None:
            return YamlDocument(None, {}, ())
        _require_finite(node)
        found = list(_walk(node, (), set()))
        value = loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (1, 1) if mark is None else (mark.line + 1, mark.column + 1)
        raise YamlError(str(error.problem or error.context), line, column) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise YamlError(f"{error.reason}: #x{error.character:04x}", line, 1) from None
    except (ValueError, OverflowError):  # of escapes such as "\UFFFFFFFF"
        raise YamlError("a character that does not exist", loader.line + 1, loader.column + 1) from None
    repeated = tuple((path, line) for path, line, is_repeated in found if is_repeated)
    return YamlDocument(value, {path: line for path, line, _ in found}, repeated)


def _require_finite(root: yaml.Node) -> None:
    """Refuse aliases that make a short text a huge value, or an endless one."""
    sizes: dict[int, float] = {}
    if _size(root, sizes) - len(sizes) > _MOST_REPEATED:
        problem = f"aliases repeat more than {_MOST_REPEATED:,} values, or themselves"
        raise yaml.composer.ComposerError(None, None, problem, root.start_mark)


def _size(node: yaml.Node, sizes: dict[int, float]) -> float:
    """Count the values in a node, in full wherever an alias repeats them."""
    if id(node) not in sizes:
        sizes[id(node)] = inf  # until all are counted: what holds itself is endless
        children: Iterable[yaml.Node] = node.value if isinstance(node, yaml.SequenceNode) else ()
        if isinstance(node, yaml.MappingNode):
            children = chain.from_iterable(node.value)
        sizes[id(node)] = 1 + sum([_size(child, sizes) for child in children])
    return sizes[id(node)]


def _walk(node: yaml.Node, path: KeyPath, seen: set[int]) -> Iterator[tuple[KeyPath, int, bool]]:
    """Find every value's line, and whether its key repeats another one of the same mapping.

    What an alias repeats is found at its first place only.
    """
    if id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        for position, child in enumerate(node.value):
            yield (*path, str(position)), child.start_mark.line + 1, False
            yield from _walk(child, (*path, str(position)), seen)
    if isinstance(node, yaml.MappingNode):
        entries = [entry for entry in node.value if isinstance(entry[0], yaml.ScalarNode) and entry[0].tag != _MERGE]
        kept = {(key.tag, key.value): child for key, child in entries}
        known = set()
        for key, child in entries:
            name = key.tag, key.value
            yield (*path, key.value), key.start_mark.line + 1, name in known
            known.add(name)
            if child is kept[name]:
                yield from _walk(child, (*path, key.value), seen)
