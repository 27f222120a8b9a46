import json

import pandas as pd
import pytest

from pytest_bayesf1 import InputError, rank
from tests.unit.ranked import systems


@pytest.fixture(scope="module")
def ranking():
    given = systems(accuracies=(0.6, 0.8, 0.8), n_examples=600)
    names = {"<low>": given["a"], "b\nroken": given["b"], "same": given["b"]}
    return rank(names, measure="accuracy", rope=0.02, n_draws=4_000)


def test_it_tells_who_leads_and_who_is_tied(ranking):
    lines = str(ranking).splitlines()
    first = " ".join(ranking.systems[0].name.split())
    assert lines[0].startswith(f"{first} leads with accuracy 0.")
    assert f"it is the best of 3 with probability {100 * ranking.systems[0].p_best:.0f}%." in lines[0]
    assert lines[1].split() == [
        "system",
        "score",
        "HDI",
        "P(best)",
        "ranks",
        "expected",
        "loss",
        "against",
        "the",
        "first",
    ]
    assert [line.split("  ")[1] for line in lines[2:5]] == [first, " ".join(ranking.systems[1].name.split()), "<low>"]
    assert "≈" in lines[3]
    assert "≪ −" in lines[4]
    assert "<1%" in lines[4]
    assert any(line.strip().startswith("Tied, any two within the ROPE:") for line in lines)
    said = " ".join(str(ranking).split())
    assert said.endswith("600 examples of 3 classes, ROPE 0.02, pseudo-observation prior, 4,000 draws, seed 0.")
    assert repr(ranking).startswith("<Ranking accuracy: ")


def test_decisions_hold_in_either_direction(ranking):
    assert ranking.decision("<low>", "same") == ">>"
    assert ranking.decision("same", "<low>") == "<<"
    assert ranking.decision("same", "b\nroken") == ranking.decision("b\nroken", "same") == "~"


@pytest.mark.parametrize("names", [("same", "none"), ("same", "same")])
def test_a_decision_is_about_two_systems_that_there_are(ranking, names):
    with pytest.raises(InputError, match="systems: expected two of '<low>', "):
        ranking.decision(*names)


def test_a_system_that_there_is_not(ranking):
    with pytest.raises(InputError, match=r"system: expected one of '<low>', .*, got 'none'"):
        ranking["none"]


def test_all_figures_as_json(ranking):
    found = json.loads(json.dumps(ranking.to_dict()))
    assert [each["name"] for each in found["systems"]] == [each.name for each in ranking.systems]
    assert found["systems"][0]["rank_hdi"] == [1, 2]
    assert {each["decision"] for each in found["pairs"]} == {"≈", "≪"}
    assert "draws" not in found


def test_all_systems_as_a_frame(ranking):
    frame = ranking.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert frame["system"].tolist() == [each.name for each in ranking.systems]
    assert frame["p_best"].sum() == pytest.approx(1)
    assert frame["against_first"].tolist() == ["", "≈", "≪"]


def test_a_notebook_shows_names_as_text(ranking):
    shown = ranking._repr_html_()
    assert "<svg" in shown
    assert "&lt;low&gt;" in shown
    assert "<low>" not in shown
