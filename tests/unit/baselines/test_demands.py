"""What versions are compared by: the caller's wish, the gate's, the default."""

import json

import pytest

from pytest_bayesf1 import InputError
from pytest_bayesf1.baselines.history import Demands
from pytest_bayesf1.baselines.store import file_stem
from pytest_bayesf1.errors import BaselineError, GateFileError
from pytest_bayesf1.files.tables import Reading
from pytest_bayesf1.stats.decision import Rope
from tests.unit.baselines.versioned import FILE, manifest
from tests.unit.committed import Committed

GATE = {"policy": "not_worse", "measure": "f1[spam]", "rope": [-0.2, 0.3], "hdi_prob": 0.9, "prior": "uniform"}


@pytest.fixture
def repository(tmp_path):
    return Committed.new(tmp_path)


def test_defaults_where_only_the_rope_is_given(repository):
    assert Demands.of(repository.path / FILE, {"rope": 0.01}) == Demands(
        "f1_macro", Rope(-0.01, 0.01), 0.02, 0.95, "auto"
    )


def test_the_manifest_tells_what_the_test_demands_and_the_caller_overrules_it(repository):
    manifest(repository, **{"tests/test_spam.py__test_f1": [{**GATE, "budget": 0.25}]})
    path = repository.path / FILE
    of_gate = Demands("f1[spam]", Rope(-0.2, 0.3, wide=True), 0.25, 0.9, "uniform")
    assert Demands.of(path, {}) == of_gate
    assert Demands.of(path, {"measure": None, "rope": Rope(-0.02, 0.02), "budget": 0.1, "hdi_prob": 0.8}) == Demands(
        "f1[spam]", Rope(-0.02, 0.02), 0.1, 0.8, "uniform"
    )


@pytest.mark.parametrize(
    ("test", "file"),
    [
        ("tests/test_spam.py::TestA::test_f1", "TestA.test_f1.json"),
        ("tests/test_spam.py::test_f1[de]", "test_f1[de].json"),
        ("tests/test_spam.py::test_f1[a::b]", f"{file_stem('test_f1[a::b]')}.json"),
    ],
)
def test_a_baseline_is_named_after_its_test(repository, test, file):
    other = {**GATE, "rope": [-0.1, 0.1]}
    gates = {test: [{**GATE, "budget": 0.3}], "tests/test_spam.py::test_f2": [other]}
    document = {"format": "pytest-bayesf1 gates", "version": 1, "gates": gates}
    repository.write("__bayesf1__/gates.json", json.dumps(document))
    path = repository.path / "tests/__bayesf1__/test_spam" / file
    assert Demands.of(path, {}).rope == Rope(-0.2, 0.3, wide=True)


def test_a_gate_with_a_budget_comes_first(repository):
    floor = {"policy": "at_least", "measure": "accuracy", "floor": 0.8}
    gates = [floor, {**GATE, "measure": "accuracy"}, {**GATE, "budget": 0.3}]
    manifest(repository, **{"tests/test_spam.py__test_f1": gates})
    assert Demands.of(repository.path / FILE, {}).budget == 0.3


def test_a_baseline_with_a_name_of_its_own_is_its_modules_where_that_is_clear(repository):
    path = (repository.path / FILE).with_name("another.json")
    tests = {f"tests/test_spam.py__test_{n}": [{**GATE, "budget": 0.3}] for n in range(2)}
    manifest(repository, **tests)
    assert Demands.of(path, {}).measure == "f1[spam]"
    tests["tests/test_spam.py__test_1"] = [{**GATE, "budget": 0.4}]
    manifest(repository, **tests)
    with pytest.raises(InputError, match="expected a ROPE, from --rope or from a gate that names the baseline"):
        Demands.of(path, {})


def test_a_gate_file_tells_of_the_files_that_it_names(repository):
    repository.write(
        "ci/bayesf1.yaml",
        """
        defaults: {rope: 0.02, measure: accuracy}
        gates:
          other: {baseline: ham.csv, candidate: new.csv, rope: 0.5}
          spam: {baseline: old/spam.csv, candidate: new.csv, budget: 0.05, clusters: user,
                 anchor: {file: v1.csv, columns: {y_pred: v1}}}
        """,
    )
    path = repository.path / "ci/old/spam.csv"
    assert Demands.of(path, {}) == Demands(
        "accuracy",
        Rope(-0.02, 0.02),
        0.05,
        0.95,
        "auto",
        repository.path / "ci/v1.csv",
        Reading(clusters="user"),
        Reading(clusters="user", columns=(("y_pred", "v1"),)),
    )
    assert Demands.of(path, {}, repository.path / "v2.csv").anchor == repository.path / "v2.csv"


def test_files_that_are_damaged(repository):
    repository.write("bayesf1.yaml", "gates: {")
    with pytest.raises(GateFileError):
        Demands.of(repository.path / "spam.csv", {"rope": 0.01})
    repository.write("__bayesf1__/gates.json", "{")
    with pytest.raises(BaselineError):
        Demands.of(repository.path / FILE, {"rope": 0.01})


@pytest.mark.parametrize("given", [{"rope": 0.01, "budget": 2.0}, {"rope": -0.01}, {"rope": 0.01, "measure": "f2"}, {}])
def test_what_cannot_be_demanded(repository, given):
    with pytest.raises(InputError):
        Demands.of(repository.path / FILE, given)
