"""A judge that people's grades correct, from end to end."""

import json

import pytest

from tests.functional.gates import write_gate, write_rows
from tests.unit.comparison.test_human import GRADED, HUMAN, IDS, JUDGE

KNOWN = {"measure": "mean", "rope": 0.05}


@pytest.fixture
def files(pytester):
    """Write the judge's grades of both sides, and people's of some."""
    for name, side in zip(("a", "b"), JUDGE.tolist(), strict=True):
        write_rows(
            pytester.path / f"{name}.csv", [{"id": id_, "value": each} for id_, each in zip(IDS, side, strict=True)]
        )
    grades = [{"id": IDS[at], "baseline": HUMAN[0, at], "candidate": HUMAN[1, at]} for at in GRADED]
    write_rows(pytester.path / "people.csv", grades)
    return grades


def test_a_gate_file_lists_which_grades_correct_it(files, pytester, entries):
    write_gate(pytester.path, baseline="a.csv", candidate="b.csv", human="people.csv", **KNOWN)
    pytester.runpytest("-Wignore", "bayesf1.yaml", "--bayesf1-update=new")
    pytester.runpytest("-Wignore", "bayesf1.yaml", "--bayesf1-report=out/report.json")
    (found,) = entries()
    assert found["judge"]["n_human"] == len(GRADED)
    assert found["candidate"]["observed"] < found["judge"]["scores"][1]
    ((listed,),) = json.loads((pytester.path / "__bayesf1__" / "gates.json").read_text())["gates"].values()
    changed = dict(zip(IDS, JUDGE[1].tolist(), strict=True))
    changed[files[0]["id"]] = 0.5  # of another answer than people graded
    write_rows(pytester.path / "b.csv", [{"id": key, "value": each} for key, each in changed.items()])
    found = pytester.runpytest("-Wignore", "bayesf1.yaml")
    found.stdout.fnmatch_lines([f"*human: was {listed['human']}*"])
