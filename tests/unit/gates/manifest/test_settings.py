"""What every gate demands, as text that a diff shows, and back."""

import json
from dataclasses import replace

import pytest

from pytest_bayesf1 import BaselineError, PairedCounts
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.gates.manifest import (
    GateSettings,
    from_text,
    matched_gates,
    parse_manifest,
    to_text,
    updated_gates,
    write_manifest,
)
from pytest_bayesf1.gates.policy import Policy
from tests.unit.made_up import comparison, estimate

STRICT = GateSettings.of(comparison(), Policy.NOT_WORSE.key, "auto")
LOOSE = replace(STRICT, rope=[-0.05, 0.05])
ACCURACY = replace(STRICT, measure="accuracy")
FLOOR = GateSettings.of(estimate(), "at_least", "uniform")


def test_the_settings_are_those_of_the_comparison():
    assert STRICT.to_dict() == {
        "policy": "not_worse",
        "measure": "f1_macro",
        "rope": [-0.01, 0.01],
        "hdi_prob": 0.95,
        "prior": "auto",
        "model": "paired",
    }
    assert FLOOR.to_dict() == {
        "policy": "at_least", "measure": "f1_macro", "floor": 0.75, "hdi_prob": 0.95, "prior": "uniform",
    }  # fmt: skip


def test_a_changed_setting_is_one_line_of_a_diff():
    strict, loose = (to_text({"a": [ACCURACY], "b": [each]}).splitlines() for each in (STRICT, LOOSE))
    changed = [lines for lines in zip(strict, loose, strict=True) if lines[0] != lines[1]]
    assert [(old.strip(), new.strip()) for old, new in changed] == [
        ('"rope": [ -0.01, 0.01 ],', '"rope": [ -0.05, 0.05 ],')
    ]


def test_the_order_of_the_tests_does_not_matter():
    assert to_text({"a": [STRICT], "b": [FLOOR]}) == to_text({"b": [FLOOR], "a": [STRICT], "c": []})


def test_it_is_read_as_it_was_written():
    gates = {"tests/test_ä.py::test[x]": (STRICT, FLOOR), "bayesf1.yaml::spam": (LOOSE,)}
    assert from_text(to_text(gates), "gates.json") == gates


def test_settings_of_a_later_version_are_kept():
    document = json.loads(to_text({"a": [STRICT]}))
    document["gates"]["a"][0]["quota"] = {"alpha": 0.025}
    text = to_text(updated_gates(from_text(json.dumps(document), "gates.json"), {"b": [FLOOR]}))
    assert json.loads(text)["gates"]["a"][0]["quota"] == {"alpha": 0.025}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "text that is damaged"),
        ("[]", "something else"),
        ('{"format": "pytest-bayesf1 gates", "version": 2, "gates": {}}', "Install the newer"),
        ('{"format": "pytest-bayesf1 gates", "version": 1}', "the settings of every gate by test"),
        ('{"format": "pytest-bayesf1 gates", "version": 1, "gates": []}', "the settings of every gate by test"),
        ('{"format": "pytest-bayesf1 gates", "version": 1, "gates": {"a": 3}}', "the settings of every gate by test"),
        ('{"format": "pytest-bayesf1 gates", "version": 1, "gates": {"a": [{"rope": 1}]}}', "the settings of every"),
    ],
)
def test_damage_is_told(text, told):
    with pytest.raises(BaselineError, match=r"gates\.json: expected") as caught:
        from_text(text, "gates.json")
    assert told in str(caught.value)


def test_gates_of_one_measure_belong_together_wherever_they_stand():
    assert list(matched_gates([STRICT, ACCURACY], [ACCURACY])) == [(ACCURACY, ACCURACY), (STRICT, None)]
    assert list(matched_gates([STRICT], [ACCURACY])) == [(STRICT, ACCURACY)]
    assert list(matched_gates([STRICT], [LOOSE, ACCURACY])) == [(STRICT, LOOSE), (None, ACCURACY)]


def test_an_update_lists_what_ran_and_leaves_the_rest():
    listed = {"a": (STRICT,), "b": (STRICT,), "c": (STRICT,)}
    assert updated_gates(listed, {"a": [LOOSE]}) == {**listed, "a": [LOOSE]}
    assert updated_gates(listed, {"a": [LOOSE]}, gone={"b"}) == {"a": [LOOSE], "c": (STRICT,)}


def test_only_new_gates_are_added():
    listed = {"a": (STRICT,)}
    assert updated_gates(listed, {"a": [LOOSE, ACCURACY], "d": [FLOOR]}, only_new=True) == {
        "a": [STRICT, ACCURACY], "d": [FLOOR],
    }  # fmt: skip


def test_the_file_is_written_once(tmp_path):
    path = tmp_path / "__bayesf1__" / "gates.json"
    assert not write_manifest(path, {})
    assert not path.exists()
    assert write_manifest(path, {"a": [STRICT]})
    assert not write_manifest(path, {"a": [STRICT]})
    assert write_manifest(path, {"b": [STRICT]}, gone=lambda test: test == "a")
    assert list(parse_manifest(path.read_bytes(), path)) == ["b"]


def test_a_damaged_file_is_not_overwritten(tmp_path):
    path = tmp_path / "gates.json"
    path.write_bytes(b"\xff")
    with pytest.raises(BaselineError, match="expected UTF-8"):
        write_manifest(path, {"a": [STRICT]})
    assert path.read_bytes() == b"\xff"


def test_a_file_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "gates.json").mkdir()
    with pytest.raises(BaselineError, match="a file that can be written"):
        write_manifest(tmp_path / "gates.json", {"a": [STRICT]})


def test_units_are_listed_where_there_are_any():
    """What was listed before there were any had none."""
    pairs = PairedCounts.from_predictions([0, 1] * 20, [0, 1] * 20, [1, 1, 0, 0] * 10, clusters=list(range(20)) * 2)
    settings = GateSettings.of(run_comparison(pairs, rope=0.05, n_draws=1_000), Policy.NOT_WORSE.key, "auto")
    assert settings.to_dict()["clusters"] == "clusters"
    assert from_text(to_text({"a": [settings]}), "")["a"] == (settings,)
    assert STRICT.clusters == "examples"


def test_a_family_and_a_gap_are_listed_where_there_are_any():
    plain = STRICT.to_dict()
    assert not {"family_level", "max_gap"} & plain.keys()
    other = replace(STRICT, family_level=0.0025, max_gap=0.05).to_dict()
    assert other == {**plain, "family_level": 0.0025, "max_gap": 0.05}
