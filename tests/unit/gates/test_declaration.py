"""The JSON Schema of gate files, by which editors complete and check them."""

import pytest

from pytest_bayesf1.gates.gate_file import Declaration, Settings, gate_file_schema

SCHEMA = gate_file_schema()
OF_GATE = SCHEMA["$defs"]["Declaration"]["properties"]


def test_the_schema_names_its_draft():
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_keys_are_those_of_the_model_and_no_others():
    assert set(OF_GATE) == set(Declaration.model_fields)
    assert set(SCHEMA["$defs"]["Settings"]["properties"]) == set(Settings.model_fields)
    closed = [SCHEMA, SCHEMA["properties"]["gates"], *SCHEMA["$defs"].values()]
    assert [each["additionalProperties"] for each in closed] == [False] * 6


def test_what_is_required():
    assert SCHEMA["required"] == ["gates"]
    assert SCHEMA["properties"]["gates"]["minProperties"] == 1
    assert SCHEMA["$defs"]["Declaration"]["required"] == ["baseline", "candidate"]
    assert "required" not in SCHEMA["$defs"]["Settings"]


def test_every_key_is_described():
    assert all(each["description"] for each in OF_GATE.values())


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (
            "rope",
            {
                "anyOf": [
                    {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
                    {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
                    {
                        "type": "array",
                        "items": {"anyOf": [{"type": "number"}, {"const": "wide", "type": "string"}]},
                        "minItems": 2,
                        "maxItems": 3,
                    },
                ]
            },
        ),
        (
            "agreement",
            {
                "anyOf": [
                    {"type": "number", "minimum": 0, "maximum": 1},
                    {
                        "type": "array",
                        "prefixItems": [{"type": "number", "minimum": 0, "maximum": 1}] * 2,
                        "minItems": 2,
                        "maxItems": 2,
                    },
                ]
            },
        ),
        ("hdi_prob", {"type": "number", "minimum": 0.5, "exclusiveMaximum": 1, "default": 0.95}),
        ("fail_on", {"type": "string", "enum": ["<<", "<", "?"], "default": "<<"}),
        ("seed", {"type": "integer", "minimum": 0, "default": 0}),
        (
            "slices",
            {"type": "array", "items": {"type": "string", "minLength": 1}, "uniqueItems": True, "default": []},
        ),
    ],
)
def test_values_that_a_key_may_have(key, expected):
    assert {name: told for name, told in OF_GATE[key].items() if name not in ("title", "description")} == expected
