import shlex
from dataclasses import replace

import numpy as np
import pytest

import pytest_bayesf1 as bf
from pytest_bayesf1.comparison.result import run_estimate
from pytest_bayesf1.reports.wording import python_call as call
from pytest_bayesf1.reports.wording import redo
from tests.unit.hostile import HOSTILE
from tests.unit.made_up import comparison, entry, estimate

BASELINE, CANDIDATE = [[480, 20], [30, 470]], [[470, 30], [50, 450]]


@pytest.mark.parametrize(
    ("test", "command"),
    [
        ("tests/test_a.py::test_b", "pytest tests/test_a.py::test_b"),
        ("tests/test_a.py::test_b[x y]", "pytest 'tests/test_a.py::test_b[x y]'"),
        ("tests/test_a.py::Test::test_b[a::b]", "pytest 'tests/test_a.py::Test::test_b[a::b]'"),
        ("models/bayesf1.yaml::spam", "bayesf1 gate models/bayesf1.yaml --gate spam"),
        ("bayesf1-old.yml::it's", """bayesf1 gate bayesf1-old.yml --gate 'it'"'"'s'"""),
        ("old.csv → new.csv", ""),
    ],
)
def test_the_command_runs_what_made_it(test, command):
    assert redo(entry(comparison(), test=test)) == command


def test_a_shared_fixtures_file_is_run_as_a_whole():
    assert redo(replace(entry(comparison(), test="tests/test_a.py::model"), file="")) == "pytest tests/test_a.py"


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_one_word_of_the_command(name):
    command = redo(entry(comparison(), test=f"test_a.py::test[{name}]"))
    assert len(command.splitlines()) == 1
    assert len(shlex.split(command)) == 2


def test_the_call_computes_the_same_again():
    made = bf.compare(BASELINE, CANDIDATE, rope=(-0.01, 0.02), measure="f1[1]", hdi_prob=0.9, seed=3)
    given = {"baseline": BASELINE, "candidate": CANDIDATE, "compare": bf.compare}
    again = eval(call(entry(made)), given)  # noqa: S307 (our own text)
    assert (again.decision, again.hdi, again.n_draws) == (made.decision, made.hdi, made.n_draws)
    assert np.array_equal(again.delta, made.delta)


@pytest.mark.parametrize("agreement", [0.93, (0.9, 0.95)])
def test_so_does_that_of_a_stated_agreement(agreement):
    sides = {"baseline": [[480, 20], [30, 470]], "candidate": [[465, 35], [55, 445]]}
    made = bf.compare(**sides, rope=0.01, agreement=agreement)
    written = call(entry(made))
    assert f'model="paired", agreement={agreement}, ' in written
    assert np.array_equal(eval(written, {**sides, "compare": bf.compare}).delta, made.delta)  # noqa: S307


@pytest.mark.parametrize("measure", ["roc_auc", "neg_log_loss", "f1@0.5"])
def test_so_does_that_of_scores(measure):
    baseline, candidate = (
        bf.Scores.from_predictions([0, 1] * 30, given * 20) for given in ([0.1, 0.9, 0.5], [0.5] * 3)
    )
    made = bf.compare(baseline, candidate, rope=(-0.01, 0.02), measure=measure, n_draws=1_000)
    given = {"baseline": baseline, "candidate": candidate, "compare": bf.compare}
    assert np.array_equal(eval(call(entry(made)), given).delta, made.delta)  # noqa: S307


def test_so_does_that_of_an_estimate():
    made = run_estimate(BASELINE, 0.9, measure="accuracy", prior="uniform", seed=3)
    again = eval(call(entry(made)), {"matrix": BASELINE, "assert_at_least": bf.assert_at_least})  # noqa: S307
    assert np.array_equal(again.score.draws, made.score.draws)


def test_the_call_is_short_enough_to_read():
    assert call(entry(comparison())).splitlines() == [
        "compare(",
        '    baseline, candidate, measure="f1_macro", rope=0.01,',
        '    model="paired", hdi_prob=0.95, prior="uniform", engine="exact", seed=0, n_draws=20_000,',
        ")",
    ]
    assert call(entry(estimate())).splitlines()[1] == '    matrix, 0.75, measure="f1_macro",'


def test_what_no_name_stands_for_is_left_open():
    own = comparison(measure="<lambda>", custom_measure=True, prior="uniform after 300 earlier examples", engine="mine")
    assert "measure=..., " in call(entry(own))
    assert "prior=..., engine=..., " in call(entry(own))
    assert "measure=my_cost, " in call(entry(comparison(measure="my_cost", custom_measure=True)))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_one_text_of_the_call(name):
    told = call(entry(comparison(measure=f"f1[{name}]")))
    given = {"baseline": 1, "candidate": 2, "compare": lambda *_, **arguments: arguments["measure"]}
    assert eval(told, given) == f"f1[{name}]"  # noqa: S307
    assert len(told.splitlines()) == 4
