"""The page of report.json, made of its schema."""

import json
from pathlib import Path
from typing import Any, TypeAlias

Schema: TypeAlias = dict[str, Any]

SCHEMA = Path(__file__).parents[1] / "report.schema.json"
_HEAD = """\
# report.json

What [a report](reports.md) says, for programs, by its [JSON Schema](../report.schema.json): `bayesf1 schema report` prints that too.
A `?` stands behind what may be null. Documents of older versions are read.
"""


def page() -> str:
    """Write a table for the report, and one for every kind of object in it."""
    schema = json.loads(SCHEMA.read_text("utf-8"))
    kinds = {"The report": schema, **schema["$defs"]}
    return "\n".join([_HEAD, *(_section(name, kind) for name, kind in kinds.items() if "properties" in kind)])


def _section(name: str, kind: Schema) -> str:
    rows = [
        f"| `{key}` | {_type(each)} | {_cell(each.get('description', ''))} |" for key, each in kind["properties"].items()
    ]
    told = "" if name == "The report" else kind.get("description", "")
    return "\n".join([f"## {name}\n", told, "", "| field | type | meaning |", "| --- | --- | --- |", *rows, ""])


def _type(schema: Schema) -> str:
    """Say in a few words what a field holds, with links to other kinds."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        kinds = [_type(each) for each in schema["anyOf"] if each.get("type") != "null"]
        return " or ".join(kinds) + ("?" if len(kinds) < len(schema["anyOf"]) else "")
    if "enum" in schema:
        return ", ".join(f"`{each}`" for each in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    if schema.get("type") == "array":
        return f"list of {_type(schema['items'])}" if "items" in schema else "list"
    if schema.get("type") == "object":
        values = schema.get("additionalProperties")
        return f"object of {_type(values)}" if isinstance(values, dict) and values else "object"
    return str(schema.get("type", "anything"))


def _cell(text: str) -> str:
    """Keep a text from ending its cell, and names such as ``__bayesf1__`` from being bold."""
    return text.replace("|", r"\|").replace("__", r"\_\_")
