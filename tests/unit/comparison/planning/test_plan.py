"""`plan`: what is asked, and how it is told."""

import json

import numpy as np
import pytest

from pytest_bayesf1 import PairedCounts, Prior, compare, plan
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.settings import Model
from tests.unit.comparison.planning.populations import CLASSES

ASSUMED = {"shares": CLASSES, "accuracy": 0.85, "agreement": 0.95, "rope": 0.01}
BINARY = {**ASSUMED, "shares": {"ham": 0.7, "spam": 0.3}, "measure": "f1[spam]", "loss": 0.05}


@pytest.fixture(scope="module")
def quick():
    return plan(**ASSUMED, repetitions=0)


@pytest.fixture(scope="module")
def simulated():
    return plan(**BINARY, repetitions=10, looks=3, n_examples=300)


def test_the_figures_of_the_gate_are_kept(quick):
    assert (quick.measure, quick.rope, quick.hdi_prob, quick.loss) == ("f1_macro", (-0.01, 0.01), 0.95, 0.02)
    assert quick.prior == "nested"
    assert (quick.n_pilot, quick.repetitions, quick.simulated, quick.looks) == (0, 0, (), None)
    assert repr(quick) == f"<Plan f1_macro loss=0.02 n={quick.designs[0].needed[0].n_examples}>"


def test_the_answer_in_words(quick):
    paired, _, independent = (design.needed[0].n_examples for design in quick.designs)
    assert quick.headline == (
        "A loss of 2 points of macro-F1, where you tolerate 1 point, is found with probability 0.8 on "
        f"{paired:,} examples that both predict; on two test sets it takes {2 * independent:,} labels, "
        f"{2 * independent / paired:.1f} times as many"
    )
    shown = str(quick)
    assert f"the same examples, both predictions kept (paired)  {paired:,}" in shown
    assert "Nothing was counted" in shown
    assert "simulated" not in shown


@pytest.mark.slow
def test_every_row_is_as_long_as_its_columns(simulated):
    for table in simulated.tables():
        assert table.rows
        assert {len(row) for row in table.rows} == {len(table.columns)}


@pytest.mark.slow
def test_the_gate_itself_is_tried_on_each_difference(simulated):
    assert [(each.model, each.scenario) for each in simulated.simulated] == [
        (model, truth.name) for model in (Model.PAIRED, Model.INDEPENDENT) for truth in simulated.scenarios
    ]
    assert {each.n_examples for each in simulated.simulated} == {300}
    assert simulated.looks.n_examples == (100, 200, 300)
    once = {each.scenario: each.rates.much_worse for each in simulated.simulated if each.model is Model.PAIRED}
    assert {each.scenario: each.failed_once for each in simulated.looks.rates} == once


@pytest.mark.slow
def test_everything_is_written_as_json(simulated):
    found = json.loads(simulated.to_json())
    assert found["headline"] == simulated.headline
    assert found["designs"][0]["model"] == "paired"
    assert found["looks"]["n_examples"] == [100, 200, 300]
    assert len(found["notes"]) == len(simulated.notes())


@pytest.mark.slow
def test_an_approximation_that_is_off_is_told():
    """Three examples of spam in a test set: nothing there is normal."""
    rare = plan(**{**BINARY, "shares": {"ham": 0.97, "spam": 0.03}}, n_examples=100, repetitions=10)
    off = [each for each in rare.simulated if not each.agrees]
    told = [note for note in rare.notes() if "Believe the simulation" in note]
    assert len(told) == len(off)


@pytest.mark.slow
def test_a_figure(quick, tmp_path):
    for name, start in (("power.svg", b"<svg"), ("power.png", b"\x89PNG")):
        quick.save_figure(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(start)
    with pytest.raises(InputError, match=r"figure: expected a file that ends in \.svg or \.png, got power\.pdf"):
        quick.save_figure("power.pdf")


def test_a_loss_that_leaves_less_agreement_is_told():
    found = plan(**{**BINARY, "agreement": 0.995}, repetitions=0)
    (note,) = (note for note in found.notes() if note.startswith("Who loses as much"))
    assert note.endswith("not on 99.5%.")
    assert found.scenarios[-1].agreement < 0.99
    assert not any(note.startswith("Who loses") for note in plan(**ASSUMED, repetitions=0).notes())


def test_a_measure_of_ones_own_has_no_points():
    def negative_errors(p):
        return np.trace(p, axis1=-2, axis2=-1) - 1

    found = plan(**ASSUMED, measure=negative_errors, repetitions=0)
    assert found.headline.startswith("A loss of 0.02 of negative_errors, where you tolerate 0.01, is")


@pytest.mark.slow
def test_a_pilot_of_predictions():
    rng = np.random.default_rng(2)
    truth = rng.choice(["ham", "spam"], 300)
    sides = [np.where(rng.random(300) < 0.9, truth, "ham") for _ in range(2)]
    found = plan(PairedCounts.from_predictions(truth, *sides), measure="accuracy", rope=0.01, repetitions=0)
    assert found.n_pilot == 300
    assert found.notes()[1].startswith("The pilot knows that only so well: nine in ten pilots of its size would ask")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "baseline: expected a pilot, or shares of the classes in its place, got neither"),
        ({**ASSUMED, "baseline": np.eye(3)}, "got both"),
        ({**ASSUMED, "loss": 0.01}, "loss: expected a positive number beyond the 0.01 that the ROPE tolerates"),
        ({**ASSUMED, "loss": "big"}, "loss: .*, got 'big'"),
        ({**ASSUMED, "rope": (0, 0.01)}, "loss: .*, got nothing"),
        ({**ASSUMED, "loss": 0.98}, "loss: expected one that some candidate has"),
        ({**ASSUMED, "looks": 0}, "looks: expected a whole number from 1 to 100, got 0"),
        ({**ASSUMED, "looks": 50, "n_examples": 20}, "looks: expected no more than there are examples, 20, got 50"),
        ({**ASSUMED, "looks": 2.5}, "looks: .*, got 2.5"),
        ({**ASSUMED, "looks": 2, "repetitions": 0}, "repetitions: expected some, for looks are simulated"),
        ({**ASSUMED, "workers": True}, "workers: .*, got True"),
        ({**ASSUMED, "workers": 2, "measure": lambda p: p[..., 0, 0]}, "workers: expected 1, for a measure that is no"),
        ({**ASSUMED, "n_examples": 5}, "n_examples: expected a whole number from 10"),
        ({**ASSUMED, "measure": "roc_auc"}, "measure"),
    ],
)
def test_what_cannot_be_planned(given, told):
    with pytest.raises(InputError, match=told):
        plan(**{"rope": 0.01, **given})


def test_a_prior_that_saw_a_test_set():
    seen = compare([[40, 2], [3, 30]], [[40, 2], [3, 30]], rope=0.05, n_draws=1_000).as_prior()
    with pytest.raises(InputError, match="prior: expected a prior that has seen nothing yet"):
        plan(**BINARY, prior=seen)
    assert plan(**BINARY, prior=Prior.named("uniform"), repetitions=0).prior == "uniform"
