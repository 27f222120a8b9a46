from types import MappingProxyType

import numpy as np
import pytest

from pytest_bayesf1 import InputError
from pytest_bayesf1.comparison import rules
from pytest_bayesf1.comparison.options import Options, require_known, setting
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.session import Session, active

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


def test_a_setting_falls_back_on_the_default():
    assert setting("rope", None) is None
    assert setting("rope", None, 0.1) == 0.1
    assert setting("rope", 0.2, 0.1) == 0.2
    with active(Session(MappingProxyType({"rope": 0.3}))):
        assert setting("rope", None, 0.1) == 0.3


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
        require_known(["seed", "n_draw"], ["seed", "n_draws"])
    assert caught.value.where == "arguments"
    assert caught.value.expected == "one of seed, n_draws"
    assert caught.value.found == "'n_draw'"
    assert "'n_draws'" in caught.value.advice


def test_arguments_that_exist_pass():
    assert require_known(["seed"], ["seed", "n_draws"]) is None


@pytest.mark.parametrize("value", [0, -1.5, np.float64(0.25)])
def test_a_finite_number(value):
    assert rules.finite("floor", value) == value


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "0.5", None, True, [0.5]])
def test_not_a_finite_number(value):
    with pytest.raises(InputError) as caught:
        rules.finite("floor", value)
    assert caught.value.where == "floor"
    assert caught.value.expected == "a finite number"
