"""YAML, and where everything in it stands."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import yaml

KeyPath: TypeAlias = tuple[str, ...]
"""Keys and positions that lead to a value, as text."""

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
    """Takes ``<<`` and ``=`` for text, and refuses aliases."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Build what stands inside of a node."""
        if self.check_event(yaml.AliasEvent):
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.composer.ComposerError(None, None, "an alias: say in defaults what gates have in common", mark)
        return super().compose_node(parent, index)

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """Merge nothing."""

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
_Loader.add_constructor("tag:yaml.org,2002:merge", _as_text)
_Loader.add_constructor("tag:yaml.org,2002:value", _as_text)


def load_document(text: str) -> YamlDocument:
    """Read a document, and where everything in it stands; raise `YamlError` for anything else."""
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        if node is None:
            return YamlDocument(None, {}, ())
        found = list(_walk(node, ()))
        value = loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (1, 1) if mark is None else (mark.line + 1, mark.column + 1)
        raise YamlError(str(error.problem or error.context), line, column) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise YamlError(f"{error.reason}: #x{error.character:04x}", line, 1) from None
    except RecursionError:
        raise YamlError("nested too deeply", 1, 1) from None
    except (ValueError, OverflowError):  # of escapes such as "\UFFFFFFFF"
        raise YamlError("a character that does not exist", loader.line + 1, loader.column + 1) from None
    repeated = tuple((path, line) for path, line, is_repeated in found if is_repeated)
    return YamlDocument(value, {path: line for path, line, _ in found}, repeated)


def _walk(node: yaml.Node, path: KeyPath) -> Iterator[tuple[KeyPath, int, bool]]:
    """Find every value's line, and whether its key repeats another one of the same mapping."""
    if isinstance(node, yaml.SequenceNode):
        for position, child in enumerate(node.value):
            yield (*path, str(position)), child.start_mark.line + 1, False
            yield from _walk(child, (*path, str(position)))
    if isinstance(node, yaml.MappingNode):
        entries = [entry for entry in node.value if isinstance(entry[0], yaml.ScalarNode)]
        kept = {(key.tag, key.value): child for key, child in entries}
        known = set()
        for key, child in entries:
            name = key.tag, key.value
            yield (*path, key.value), key.start_mark.line + 1, name in known
            known.add(name)
            if child is kept[name]:
                yield from _walk(child, (*path, key.value))
