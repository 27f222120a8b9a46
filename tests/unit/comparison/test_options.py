from types import MappingProxyType

import numpy as np
import pytest

from pytest_bayesf1 import InputError
from pytest_bayesf1.comparison.arguments import CompareOptions, Options, resolved
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.settings import Model, Session, active
from pytest_bayesf1.stats.decision import Rope

PROJECT = Session(MappingProxyType({"measure": "accuracy", "hdi_prob": 0.9, "seed": 7}))


def test_defaults():
    assert Options.resolve() == Options("f1_macro", 0.95, "auto", ExactEngine(), 0, None)


def test_the_project_s_settings_beat_the_defaults():
    with active(PROJECT):
        options = Options.resolve()
    assert (options.measure, options.hdi_prob, options.seed) == ("accuracy", 0.9, 7)
    assert (options.prior, options.engine) == ("auto", ExactEngine())


def test_the_caller_beats_the_project():
    with active(PROJECT):
        options = Options.resolve(measure="f1", seed=0)
    assert (options.measure, options.hdi_prob, options.seed) == ("f1", 0.9, 0)


def test_none_means_not_given():
    with active(PROJECT):
        assert Options.resolve(measure=None, seed=None) == Options.resolve()


def test_an_engine_goes_by_its_name_or_is_one():
    own = type("OwnEngine", (ExactEngine,), {})()
    assert Options.resolve(engine="exact").engine == ExactEngine()
    assert Options.resolve(engine=own).engine is own


def test_what_nobody_gives_and_everybody_needs_is_an_error():
    with pytest.raises(InputError) as caught:
        resolved("rope")
    assert caught.value.expected == "the largest difference that does not matter, such as 0.01"
    assert caught.value.advice == "Pass rope=..., or set bayesf1_rope in the project's pytest configuration."
    with active(Session(MappingProxyType({"rope": 0.3}))):
        assert resolved("rope") == Rope(-0.3, 0.3)
        assert resolved("rope", 0.2) == Rope(-0.2, 0.2)


def test_a_comparison_decides_on_rope_and_model_too():
    options = CompareOptions.resolve(rope=(-0.1, 0.2), seed=3)
    assert (options.rope, options.model, options.seed) == (Rope(-0.1, 0.2), "auto", 3)
    assert CompareOptions.resolve(rope=0.1, model="same-set").model is Model.SAME_SET
    assert CompareOptions.resolve(rope=0.1, model=None).model == "auto"


def test_the_project_s_settings_are_checked_too():
    with active(Session(MappingProxyType({"prior": "flat"}))), pytest.raises(InputError, match="'flat'"):
        Options.resolve()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("hdi_prob", 0.5),
        ("hdi_prob", np.float32(0.5)),
        ("seed", 2**70),
        ("seed", np.int64(3)),
        ("n_draws", 1_000),
        ("n_draws", np.int32(5_000)),
        ("prior", "jeffreys"),
    ],
)
def test_values_that_serve(name, value):
    assert getattr(Options.resolve(**{name: value}), name) == value


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("hdi_prob", 0, "between 0 and 1"),
        ("hdi_prob", 1, "between 0 and 1"),
        ("hdi_prob", 95, "between 0 and 1"),
        ("hdi_prob", float("nan"), "between 0 and 1"),
        ("hdi_prob", "0.95", "between 0 and 1"),
        ("hdi_prob", True, "between 0 and 1"),
        ("seed", -1, "not negative"),
        ("seed", 1.0, "whole number"),
        ("seed", "1", "whole number"),
        ("seed", True, "whole number"),
        ("n_draws", 999, "at least 1,000"),
        ("n_draws", 1e4, "whole number"),
        ("n_draws", True, "whole number"),
        ("prior", "flat", "auto, hierarchical, nested, uniform, jeffreys"),
        ("prior", 1, "auto, hierarchical, nested, uniform, jeffreys"),
        ("engine", "approximate", "exact"),
    ],
)
def test_values_that_do_not(name, value, expected):
    with pytest.raises(InputError) as caught:
        Options.resolve(**{name: value})
    assert caught.value.where == name
    assert expected in caught.value.expected
    assert caught.value.found == repr(value)


def test_an_argument_that_does_not_exist_is_an_error():
    with pytest.raises(InputError) as caught:
        Options.resolve(seed=1, n_draw=5)
    assert caught.value.where == "arguments"
    assert caught.value.expected == "one of measure, hdi_prob, prior, engine, seed, n_draws"
    assert caught.value.found == "'n_draw'"
    assert "'n_draws'" in caught.value.advice


def test_a_floor_has_no_rope():
    with pytest.raises(InputError, match=r"arguments: expected one of measure, .*, got 'rope'"):
        Options.resolve(rope=0.1)
