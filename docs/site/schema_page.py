"""The page of report.json, made of its schema."""

import json
from pathlib import Path
from typing import Any, TypeAlias

Schema: TypeAlias = dict[str, Any]

SCHEMA = Path(__file__).parents[1] / "report.schema.json"
_HEAD = """\
# report.json

What [a report](reports.md) says, for programs, by its [JSON Schema](../report.schema.json), which `bayesf1 schema
report` prints too.
A `?` marks fields that may be null.
"""


def page() -> str:
    """Write a table for the report, and one for every kind of object in it."""
    schema = json.loads(SCHEMA.read_text("utf-8"))
    kinds = {"The report": schema, **schema["$defs"]}
    return "\n".join([_HEAD, *(_section(name, kind) for name, kind in kinds.items() if "properties" in kind)])


def _section(name: str, kind: Schema) -> str:
    rows = [
        f"| `{key}` | {_type(each)} | {_cell(each.get('description', ''))} |"
        for key, each in kind["properties"].items()
    ]
    text = "" if name == "The report" else kind.get("description", "")
    return "\n".join([f"## {name}\n", text, "", "| field | type | meaning |", "| --- | --- | --- |", *rows, ""])


def _type(schema: Schema) -> str:
    """Say in a few words what a field holds, with links to other kinds."""
    match schema:
        case {"$ref": str(path)}:
            name = path.rpartition("/")[2]
            said = f"[{name}](#{name.lower()})"
        case {"anyOf": list(kinds)}:
            some = [_type(each) for each in kinds if each.get("type") != "null"]
            said = " or ".join(some) + ("?" if len(some) < len(kinds) else "")
        case {"enum": list(words)}:
            said = ", ".join(f"`{word}`" for word in words)
        case {"const": word}:
            said = f"`{word}`"
        case {"type": "array", "items": dict(items)}:
            said = f"list of {_type(items)}"
        case {"type": "object", "additionalProperties": dict(values)}:
            said = f"object of {_type(values)}"
        case _:
            said = str(schema.get("type", "anything"))
    return said


def _cell(text: str) -> str:
    """Keep a text from ending its cell, and names such as ``__bayesf1__`` from being bold."""
    return text.replace("|", r"\|").replace("__", r"\_\_")
