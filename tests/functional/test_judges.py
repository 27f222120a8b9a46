"""A judge that people's grades correct, at every door: a gate file, a stored baseline, the command."""

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
    write_rows(pytester.path / "of_one.csv", [{"id": each["id"], "value": each["candidate"]} for each in grades])
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


def test_a_stored_baseline_is_corrected_from_the_second_candidate_on(files, pytester, write_tests, entries):
    written = "--bayesf1-report=out/report.json"
    for name, told in (("a", "--bayesf1-update=new"), ("b", "--bayesf1-update"), ("a", written)):
        write_tests(f"""
            import csv
            import pytest
            from pytest_bayesf1 import Scores

            @pytest.mark.filterwarnings("ignore")
            def test_judge(bayes_regression):
                rows = list(csv.DictReader(open("{name}.csv")))
                side = Scores.from_values([float(row["value"]) for row in rows], ids=[row["id"] for row in rows])
                bayes_regression.check(side, human="people.csv", measure="mean", rope=(0.9, "wide"))
        """)
        pytester.runpytest("test_gates.py", told).assert_outcomes(passed=1)
    (found,) = entries()
    assert found["judge"]["n_human"] == len(GRADED)
    assert any("graded no answers of the anchor" in note for note in found["notes"])


@pytest.mark.filterwarnings("ignore::pytest_bayesf1.BayesF1Warning")
def test_the_command_corrects_both_sides_or_one(files, bayesf1):
    shown = bayesf1("compare", "a.csv", "b.csv", "--human", "people.csv", "--measure", "mean", "--rope", "0.05").stdout
    assert f"people's grades of {len(GRADED)} of {len(IDS)} examples" in " ".join(str(shown).split())
    shown = bayesf1("check", "b.csv", "--floor", "0.9", "--human", "of_one.csv", "--measure", "mean").stdout
    assert "judge alone" in str(shown)
