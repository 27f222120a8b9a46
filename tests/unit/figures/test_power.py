import pytest

from pytest_bayesf1 import plan
from pytest_bayesf1.figures.plots import power_figure
from tests.unit.figures.test_posterior import texts


@pytest.fixture(scope="module")
def planned():
    return plan(
        shares={"<b>": 0.7, "spam": 0.3}, accuracy=0.9, agreement=0.95, measure="f1[<b>]", rope=0.01, repetitions=0
    )


def test_a_file_of_its_own_has_colours_of_its_own(planned):
    svg = power_figure(planned, "a").file(".svg").decode()
    assert "var(--" not in svg
    assert "#0969da" in svg
    assert power_figure(planned, "a").file(".svg").decode() == svg


def test_names_are_text(planned):
    svg = power_figure(planned, "a").file(".svg").decode()
    assert "<b>" not in svg
    assert any("F1 of <b>" in text for text in texts(svg))


def test_each_way_to_test_and_the_chosen_size_are_named(planned):
    found = texts(power_figure(planned, "a").file(".svg").decode())
    assert {"no difference, paired", "δ = −2, independent", f"N = {planned.n_examples:,}"} <= set(found)
