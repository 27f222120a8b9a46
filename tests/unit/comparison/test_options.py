from types import MappingProxyType

import numpy as np
import pytest

from pytest_bayesf1 import InputError
from pytest_bayesf1.choices import Model
from pytest_bayesf1.comparison.arguments import CompareOptions, Options, resolved
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.session import Session, active
from pytest_bayesf1.stats.decision import Rope

PROJECT = Session(MappingProxyType({"measure": "accuracy", "hdi_prob": 0.9, "seed": 7}))


class TestOptions:
    def test_defaults(self):
        assert Options.resolve() == Options("f1_macro", 0.95, None, None, "auto", ExactEngine(), 0, None)

    def test_the_project_s_settings_beat_the_defaults(self):
        with active(PROJECT):
            options = Options.resolve()
        assert (options.measure, options.hdi_prob, options.seed) == ("accuracy", 0.9, 7)
        assert (options.prior, options.engine) == ("auto", ExactEngine())

    def test_the_caller_beats_the_project(self):
        with active(PROJECT):
            options = Options.resolve(measure="f1", seed=0)
        assert (options.measure, options.hdi_prob, options.seed) == ("f1", 0.9, 0)

    def test_none_means_not_given(self):
        with active(PROJECT):
            assert Options.resolve(measure=None, seed=None) == Options.resolve()

    def test_an_engine_goes_by_its_name_or_is_one(self):
        own = type("OwnEngine", (ExactEngine,), {})()
        assert Options.resolve(engine="exact").engine == ExactEngine()
        assert Options.resolve(engine=own).engine is own

    def test_what_nobody_gives_and_everybody_needs_is_an_error(self):
        with pytest.raises(InputError) as caught:
            resolved("rope")
        assert caught.value.expected == "the largest difference that does not matter, such as 0.01"
        assert caught.value.advice == "Pass rope, or set bayesf1_rope in the project's pytest configuration."
        with active(Session(MappingProxyType({"rope": 0.3}))):
            assert resolved("rope") == Rope(-0.3, 0.3)
            assert resolved("rope", 0.2) == Rope(-0.2, 0.2)

    def test_a_comparison_decides_on_rope_and_model_too(self):
        options = CompareOptions.resolve(rope=(-0.1, 0.2), seed=3)
        assert (options.rope, options.model, options.seed) == (Rope(-0.1, 0.2), "auto", 3)
        assert CompareOptions.resolve(rope=0.1, model="same-set").model is Model.SAME_SET
        assert CompareOptions.resolve(rope=0.1, model=None).model == "auto"

    def test_the_project_s_settings_are_checked_too(self):
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
    def test_values_that_serve(self, name, value):
        assert getattr(Options.resolve(**{name: value}), name) == value

    @pytest.mark.parametrize(
        ("name", "value", "expected", "advice"),
        [
            *(("hdi_prob", value, "between 0 and 1", "0.95") for value in (0, 1, 95, float("nan"), "0.95", True)),
            ("seed", -1, "not negative", ""),
            *(("seed", value, "whole number", "") for value in (1.0, "1", True)),
            ("n_draws", 999, "from 1,000 to 10,000,000", "Leave it out"),
            *(("n_draws", value, "whole number", "Leave it out") for value in (1e4, True)),
        ],
    )
    def test_values_that_do_not(self, name, value, expected, advice):
        with pytest.raises(InputError) as caught:
            Options.resolve(**{name: value})
        assert caught.value.where == name
        assert expected in caught.value.expected
        assert caught.value.found == repr(value)
        assert advice in caught.value.advice

    def test_an_argument_that_does_not_exist_is_an_error(self):
        with pytest.raises(InputError) as caught:
            Options.resolve(seed=1, n_draw=5)
        assert caught.value.where == "arguments"
        assert caught.value.expected == "one of measure, hdi_prob, human, prevalence, prior, engine, seed, n_draws"
        assert caught.value.found == "'n_draw'"
        assert "'n_draws'" in caught.value.advice

    def test_a_floor_has_no_rope(self):
        with pytest.raises(InputError, match=r"arguments: expected one of measure, .*, got 'rope'"):
            Options.resolve(rope=0.1)
