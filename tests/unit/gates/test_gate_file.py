"""What stands in a gate file, and what follows from it."""

import json
from typing import get_args

import pytest

from pytest_bayesf1.comparison.arguments import Offered, offered
from pytest_bayesf1.gates.gate_file import POLICIES, Declaration, Family, Settings, load_gates
from tests.unit.gates.written_gates import gate_file, one_gate

EVERYTHING = """
defaults: {measure: accuracy, rope: 0.01, hdi_prob: 0.9, seed: 1, per_class: true, slices: [language]}
gates:
  spam:
    baseline: baselines/spam.csv
    candidate: build/spam.csv
  ham:
    baseline: a.npz
    candidate: b.npz
    measure: f1[ham]
    rope: [-0.02, 0.01]
    fail_on: <<
    hdi_prob: 0.8
    model: paired
    agreement: [0.9, 0.95]
    prior: jeffreys
    engine: pymc
    seed: 5
    per_class: false
    slices: [region, source]
"""


def loaded(folder, text):
    return load_gates(gate_file(folder, text), folder)


def test_a_gate_takes_what_it_does_not_say_from_the_defaults_of_its_file(tmp_path):
    spam, _ = loaded(tmp_path, EVERYTHING)
    assert (spam.name, spam.line, spam.file) == ("spam", 4, tmp_path / "bayesf1.yaml")
    assert spam.baseline == tmp_path / "baselines" / "spam.csv"
    assert spam.candidate == tmp_path / "build" / "spam.csv"
    assert spam.arguments == {
        "measure": "accuracy",
        "rope": 0.01,
        "hdi_prob": 0.9,
        "model": "auto",
        "agreement": None,
        "prior": "auto",
        "engine": "exact",
        "seed": 1,
    }
    assert (spam.fail_on, spam.per_class, spam.slices) == ("<<", True, ("language",))


def test_a_gate_overrides_the_defaults_with_defaults_too(tmp_path):
    _, ham = loaded(tmp_path, EVERYTHING)
    assert ham.arguments == {
        "measure": "f1[ham]",
        "rope": [-0.02, 0.01],
        "hdi_prob": 0.8,
        "model": "paired",
        "agreement": (0.9, 0.95),
        "prior": "jeffreys",
        "engine": "pymc",
        "seed": 5,
    }
    assert (ham.fail_on, ham.per_class, ham.slices) == ("<<", False, ("region", "source"))


def test_files_are_found_beside_the_gate_file(tmp_path):
    folder = tmp_path / "models" / "spam"
    folder.mkdir(parents=True)
    (gate,) = load_gates(gate_file(folder, one_gate(baseline="../baselines/a.csv")), tmp_path)
    assert gate.baseline.resolve() == tmp_path / "models" / "baselines" / "a.csv"
    assert gate.candidate == folder / "b.json"


def test_an_absolute_path_inside_of_the_root_folder(tmp_path):
    (gate,) = loaded(tmp_path, one_gate(baseline=str(tmp_path / "x" / "a.csv")))
    assert gate.baseline == tmp_path / "x" / "a.csv"


def test_a_root_folder_behind_a_link(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    path = gate_file(tmp_path / "real", one_gate())
    assert [gate.name for gate in load_gates(path, tmp_path / "link")] == ["spam"]
    assert [gate.name for gate in load_gates(tmp_path / "link" / "bayesf1.yaml", tmp_path / "real")] == ["spam"]


def test_gates_that_share_settings_by_an_anchor(tmp_path):
    text = (
        "gates:\n  a: &a {baseline: a.csv, candidate: b.csv, rope: 0.01}\n  b:\n    <<: *a\n    rope: 0.02\n  c: *a\n"
    )
    assert [(gate.name, gate.line, gate.arguments["rope"]) for gate in loaded(tmp_path, text)] == [
        ("a", 2, 0.01),
        ("b", 3, 0.02),
        ("c", 6, 0.01),
    ]


def test_a_byte_order_mark_is_none_of_the_gates(tmp_path):
    assert [gate.name for gate in loaded(tmp_path, b"\xef\xbb\xbf" + one_gate().encode())] == ["spam"]


@pytest.mark.parametrize(
    "name",
    [
        "a.b",
        "a/b",
        "a b",
        " ",
        "a|b",
        "a[b",
        "a[b]c",
        "'\"",
        "a:b:c",
        "[key]",
        "-x",
        "שלום\u200f",
        "\u202eabc",
        "x" * 200,
    ],
)
def test_names_that_a_gate_may_have(tmp_path, name):
    assert [gate.name for gate in loaded(tmp_path, one_gate(name))] == [name]


@pytest.mark.parametrize("fail_on", POLICIES)
def test_the_policy_and_how_it_is_told(tmp_path, fail_on):
    (gate,) = loaded(tmp_path, one_gate(fail_on=fail_on))
    assert gate.policy is POLICIES[fail_on]
    assert gate.demand == f'fail_on "{fail_on}"'


def test_the_policies_are_those_that_a_gate_may_name():
    assert set(get_args(Settings.model_fields["fail_on"].annotation)) == set(POLICIES)


def test_a_gate_may_say_the_arguments_of_a_comparison_that_are_offered_to_it():
    own = {
        "budget",
        "clusters",
        "columns",
        "fail_on",
        "invalid",
        "max_gap",
        "per_class",
        "rows",
        "runs",
        "show",
        "slices",
    }
    arguments = {argument.name: argument for argument in offered(Offered.GATE)}
    assert [name for name in Settings.model_fields if name not in own] == list(arguments)
    assert {name: getattr(Settings(), name) for name in arguments} == {
        name: argument.default for name, argument in arguments.items()
    }


def test_every_field_says_what_it_is():
    assert all(field.description for field in Declaration.model_fields.values())


def test_a_family_is_known_to_its_gates(tmp_path):
    gates = {name: {"baseline": "a.csv", "candidate": "b.csv"} for name in ("spam", "mail-de", "mail-en")}
    families = {"mail": {"gates": ["mail-*"], "level": 0.01}}
    text = json.dumps(
        {"defaults": {"rope": 0.01, "max_gap": 0.05, "slices": ["x"]}, "gates": gates, "families": families}
    )
    spam, german, english = loaded(tmp_path, text)
    assert (spam.family, spam.tail, spam.max_gap) == (None, 1.0, 0.05)
    assert german.family == english.family == Family("mail", 0.01, 2)
    assert german.tail == 0.005
