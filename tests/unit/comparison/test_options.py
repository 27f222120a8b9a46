from inspect import signature
from types import MappingProxyType

import numpy as np
import pytest

import pytest_bayesf1 as bf
from pytest_bayesf1 import InputError, Regression
from pytest_bayesf1.baselines.store import BaselineStore
from pytest_bayesf1.choices import Model
from pytest_bayesf1.comparison.arguments import CompareOptions, Options, resolved
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.project import Update
from pytest_bayesf1.session import Session, active
from pytest_bayesf1.stats.decision import Rope

PROJECT = Session(MappingProxyType({"measure": "accuracy", "hdi_prob": 0.9, "seed": 7}))


class TestOptions:
    def test_defaults(self):
        assert Options.resolve() == Options("f1_macro", 0.95, None, "auto", ExactEngine(), 0, None)

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
        assert caught.value.advice == "Pass rope=..., or set bayesf1_rope in the project's pytest configuration."
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
            ("n_draws", 999, "at least 1,000", "Leave it out"),
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
        assert caught.value.expected == "one of measure, hdi_prob, prevalence, prior, engine, seed, n_draws"
        assert caught.value.found == "'n_draw'"
        assert "'n_draws'" in caught.value.advice

    def test_a_floor_has_no_rope(self):
        with pytest.raises(InputError, match=r"arguments: expected one of measure, .*, got 'rope'"):
            Options.resolve(rope=0.1)


TRUE = np.arange(20) % 2
OLD, NEW = TRUE.copy(), 1 - TRUE
PAIRS = "PairedCounts.from_predictions(y_true, baseline_pred, candidate_pred)"
TWO_SIDES = [bf.compare, bf.assert_not_worse, bf.assert_not_inferior, bf.assert_better, bf.assert_equivalent]


class TestPositional:
    @pytest.mark.parametrize("function", TWO_SIDES, ids=lambda function: function.__name__)
    def test_truth_and_two_predictions_are_told_how_to_become_two_sides(self, function):
        with pytest.raises(InputError, match="Only baseline and candidate can be passed by position") as caught:
            function(TRUE, OLD, NEW, rope=0.01)
        assert PAIRS in caught.value.advice

    def test_what_is_advised_works(self):
        pairs = bf.PairedCounts.from_predictions(TRUE, OLD, NEW)
        assert bf.compare(pairs, rope=0.01).decision == "<<"

    def test_truth_and_predictions_are_told_how_to_become_counts(self, tmp_path):
        regression = Regression(BaselineStore(tmp_path), "test", Update.NONE, "pytest", lambda *_: None)
        for call, names in (
            (lambda: bf.assert_at_least(TRUE, OLD, 0.9), "cm and floor"),
            (lambda: regression.check(TRUE, OLD, rope=0.01), "candidate"),
        ):
            with pytest.raises(InputError, match=f"^arguments: Only {names} can be passed by position") as caught:
                call()
            assert "ConfusionMatrix.from_predictions(y_true, y_pred)" in caught.value.advice

    def test_one_too_many_is_counted_without_self(self, tmp_path):
        regression = Regression(BaselineStore(tmp_path), "test", Update.NONE, "pytest", lambda *_: None)
        with pytest.raises(InputError, match="Only candidate can be passed by position"):
            regression.check(TRUE, OLD)

    @pytest.mark.parametrize("function", TWO_SIDES, ids=lambda function: function.__name__)
    def test_a_call_still_looks_as_it_is_written(self, function):
        assert list(signature(function).parameters)[:2] == ["baseline", "candidate"]
