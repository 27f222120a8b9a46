"""Gates say what files call their columns, and which rows are of which side."""

import numpy as np
import pytest

from pytest_bayesf1 import Scores, compare
from pytest_bayesf1.errors import BaselineError, GateFileError
from pytest_bayesf1.files.tables import Reading
from pytest_bayesf1.gates.evaluate import evaluate
from pytest_bayesf1.gates.gate_file import load_gates
from tests.unit.files.logs.logged import FOLDER
from tests.unit.files.written import write
from tests.unit.gates.written_gates import BASELINE, CANDIDATE, counts, figures, gate_file, one_gate

BOTH = {"doc": BASELINE["id"], "gold": BASELINE["y_true"], "old": BASELINE["y_pred"], "new": CANDIDATE["y_pred"]}
NAMED = {"y_true": "gold", "id": "doc"}
SIDES = {"baseline": "old", "candidate": "new"}


def gates_of(folder, text):
    return load_gates(gate_file(folder, text), folder)


def result_of(folder, **settings):
    (gate,) = gates_of(folder, one_gate(**settings))
    return evaluate(gate)


def test_one_file_holds_both_sides(tmp_path):
    write(tmp_path, "a.csv", BOTH)
    sides = {name: {"file": "a.csv", "columns": {"y_pred": column}} for name, column in SIDES.items()}
    result = result_of(tmp_path, columns=NAMED, measure="accuracy", **sides)
    expected = compare(counts(BASELINE), counts(CANDIDATE), rope=0.02, measure="accuracy")
    assert figures(result.overall.comparison) == figures(expected)
    assert expected.model == "paired"


def test_one_file_holds_the_rows_of_both_sides(tmp_path):
    rows = {name: [*BASELINE[name], *CANDIDATE[name]] for name in BASELINE}
    write(tmp_path, "a.csv", {**rows, "system": np.repeat(["old", "new"], len(BASELINE["id"])).tolist()})
    sides = {name: {"file": "a.csv", "rows": {"system": system}} for name, system in SIDES.items()}
    result = result_of(tmp_path, measure="accuracy", **sides)
    expected = compare(counts(BASELINE), counts(CANDIDATE), rope=0.02, measure="accuracy")
    assert figures(result.overall.comparison) == figures(expected)


def test_an_anchor_in_the_same_file_is_another_side(tmp_path):
    write(tmp_path, "a.csv", BOTH)
    sides = {name: {"file": "a.csv", "columns": {"y_pred": column}} for name, column in SIDES.items()}
    anchor = {"file": "a.csv", "columns": {"y_pred": "gold"}}
    result = result_of(tmp_path, columns=NAMED, anchor=anchor, **sides)
    (since,) = result.since_anchor
    assert since.comparison.baseline.observed == 1
    sides["anchor"] = sides["baseline"]
    assert result_of(tmp_path, columns=NAMED, **sides).since_anchor == ()


def test_what_a_side_says_comes_before_what_the_gate_says_and_that_before_defaults(tmp_path):
    text = """
defaults: {rope: 0.01, columns: {y_true: gold}, rows: {version: 2}}
gates:
  one: {baseline: a.csv, candidate: {file: b.csv, columns: {y_pred: new, id: doc}, rows: {final: true}}}
  other: {baseline: a.csv, candidate: b.csv, columns: {y_true: truth}, rows: {}}
"""
    one, other = gates_of(tmp_path, text)
    assert one.reading("baseline") == Reading(columns=(("y_true", "gold"),), rows=(("version", "2"),))
    assert one.reading("candidate") == Reading(
        columns=(("y_true", "gold"), ("y_pred", "new"), ("id", "doc")), rows=(("version", "2"), ("final", "True"))
    )
    assert other.reading("candidate") == Reading(columns=(("y_true", "truth"),))


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"columns": {"y_tru": "gold"}}, "columns.y_tru: expected one of y_true, y_pred, id, run, y_score, value"),
        ({"columns": {"y_true": ""}}, "columns.y_true: expected some text, got ''"),
        ({"columns": ["gold"]}, "columns: expected a mapping, got ['gold']"),
        ({"rows": {"system": [1]}}, "rows.system: expected a text, a number or a boolean, got [1]"),
        ({"baseline": {"columns": {}}}, "baseline.file: expected a value, got nothing"),
        (
            {"baseline": {"file": "a", "column": {}}},
            "baseline.column: expected one of file, columns, rows, got 'column'",
        ),
        ({"baseline": {"file": "../a.csv"}}, "baseline: expected a file inside"),
        ({"anchor": {"file": "a", "columns": {"x": "y"}}}, "anchor.columns.x: expected one of y_true"),
        ({"candidate": ["a"]}, "candidate: expected the name of a file, or a mapping with file, columns, rows, got"),
    ],
)
def test_what_is_wrong_is_told_by_its_place(tmp_path, settings, told):
    with pytest.raises(GateFileError) as caught:
        gates_of(tmp_path, one_gate(**settings))
    (problem,) = caught.value.problems
    assert problem.startswith(f"bayesf1.yaml:1: gates.spam.{told}")


def test_a_column_that_a_file_lacks_is_told_with_those_that_it_has(tmp_path):
    write(tmp_path, "a.json", BASELINE)
    with pytest.raises(BaselineError, match="expected a column 'gold', which is y_true, got columns 'id', 'y_true'"):
        result_of(tmp_path, columns=NAMED)


def test_a_gate_on_the_logs_of_two_systems(tmp_path):
    files = {}
    for side, system in (("baseline", "first"), ("candidate", "second")):
        (tmp_path / f"{side}.json").write_bytes((FOLDER / f"inspect-{system}.json").read_bytes())
        files[side] = f"{side}.json"
    result = result_of(tmp_path, **files, measure="mean", runs="samples", rope=0.1)
    before, after = Scores.from_values([1, 1, 1, 1, 1, 0]), Scores.from_values([0.5, 0, 0.5, 0, 1, 0])
    expected = compare(before, after, measure="mean", rope=0.1)
    assert result.overall.comparison.baseline.observed == expected.baseline.observed
    assert result.overall.comparison.candidate.observed == expected.candidate.observed
    assert "baseline: 'scores.match.value' of this log of inspect_ai is compared." in result.overall.comparison.notes()
