from pathlib import Path

import click
import pytest

from pytest_bayesf1.cli.answers import chosen_gates
from pytest_bayesf1.errors import GateFileError, InputError


def names(*chosen, files=()):
    return [gate.name for gate in chosen_gates(files, chosen, Path())]


def test_all_gates_of_the_folder_or_those_of_the_names(gates):
    gates("same", "better", "worse")
    assert names() == ["same", "better", "worse"]
    assert names("worse", "same") == ["same", "worse"]  # in the file's order


def test_a_file_that_is_given_twice_is_read_once(gates):
    path = gates("same")
    assert names(files=[path, path]) == ["same"]


def test_a_name_that_no_gate_has(gates):
    gates("same")
    with pytest.raises(InputError, match="--gate: expected"):
        names("sane")


def test_the_problems_of_all_files_together(gates):
    path = gates("same")
    path.write_text("gates: {a: 1}")
    other = path.with_name("bayesf1-other.yaml")
    other.write_text("gates: {b: 2}")
    with pytest.raises(GateFileError) as caught:
        names()
    assert len(caught.value.problems) == 2


def test_no_gate_file():
    with pytest.raises(click.UsageError, match=r"found no bayesf1\*.yaml"):
        names()
