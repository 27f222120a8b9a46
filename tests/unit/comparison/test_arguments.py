"""One table declares every argument: calls, their types and their documentation agree with it."""

import re
import sys
from dataclasses import fields
from inspect import Parameter, getdoc, signature
from types import MappingProxyType
from typing import get_type_hints

import numpy as np
import pytest

from docs import generated
from pytest_bayesf1 import Comparison, Estimate, InputError, compare
from pytest_bayesf1.comparison.arguments import (
    ARGUMENTS,
    CompareArguments,
    CompareOptions,
    Offered,
    Options,
    SharedArguments,
    checked_floor,
    checked_run_sd,
    offered,
    resolved,
)
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.session import Session, active
from pytest_bayesf1.stats.decision import Rope

OF_A_FLOOR = {argument.name for argument in offered(Offered.FLOOR)}
OF_COMPARE = {name: argument for name, argument in ARGUMENTS.items() if Offered.ANCHORED not in argument.offered}
each_argument = pytest.mark.parametrize("argument", ARGUMENTS.values(), ids=ARGUMENTS)


def test_the_signature_of_compare_names_every_argument_in_its_order():
    named = [each for each in signature(compare).parameters.values() if each.kind is Parameter.KEYWORD_ONLY]
    assert [each.name for each in named] == list(OF_COMPARE)
    assert {each.default for each in named} == {None}  # the table decides


def test_what_type_checkers_know_agrees():
    assert _types_in_calls(CompareArguments).keys() == OF_COMPARE.keys()
    assert _types_in_calls(SharedArguments).keys() == OF_A_FLOOR
    assert _types_in_calls(CompareArguments).items() <= get_type_hints(compare).items()
    assert {field.name for field in fields(CompareOptions)} == OF_COMPARE.keys()
    assert {field.name for field in fields(Options)} == OF_A_FLOOR


def test_results_and_the_manifest_have_a_field_for_every_argument():
    of_data = ("weak_baseline", "human")
    recorded = {name: argument.recorded or name for name, argument in OF_COMPARE.items() if name not in of_data}
    assert set(recorded.values()) <= {field.name for field in fields(Comparison)}
    assert {recorded[name] for name in OF_A_FLOOR if name in recorded} <= {field.name for field in fields(Estimate)}


def _types_in_calls(arguments):
    return get_type_hints(arguments, localns=vars(sys.modules[compare.__module__]))


def _documented():
    """Split the section of parameters by name."""
    section = re.search(r"Parameters\n-+\n(.*?)\nReturns\n", getdoc(compare), re.DOTALL).group(1)
    parts = re.split(r"^(\w[\w, ]*)\n", section, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize("argument", OF_COMPARE.values(), ids=OF_COMPARE)
def test_the_documentation_of_compare_tells_defaults_and_choices(argument):
    text = _documented()[argument.name]
    if argument.default is not None:
        assert str(argument.default) in text
    assert ("Required." in text) == bool(argument.required)
    assert [choice for choice in argument.choices if f'``"{choice}"``' not in text] == []


@each_argument
def test_a_default_passes_its_own_check(argument):
    if not argument.required:
        assert argument.check(argument.default) == argument.default


@each_argument
def test_every_choice_passes_and_no_other_word(argument):
    if argument.choices:
        assert [argument.parse(str(choice)) for choice in argument.choices] == list(argument.choices)
        with pytest.raises(InputError, match=f"{argument.name}: expected one of {', '.join(argument.choices)}, got"):
            argument.parse("another")


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("measure", "f1[spam]", "f1[spam]"),
        ("rope", "-0.01, 0.02", Rope(-0.01, 0.02)),
        ("rope", "0.3", Rope(-0.3, 0.3)),
        ("rope", "[0.3, wide]", Rope(-0.3, 0.3, wide=True)),
        ("rope", "-0.3, 0.1, wide", Rope(-0.3, 0.1, wide=True)),
        ("hdi_prob", "0.9", 0.9),
        ("n_draws", "5000", 5_000),
    ],
)
def test_values_read_off_a_text(name, text, value):
    assert ARGUMENTS[name].parse(text) == value


def test_a_text_that_is_no_number_meets_the_check():
    with pytest.raises(InputError, match=r"^seed: expected a whole number.*, got 'much'"):
        ARGUMENTS["seed"].parse("much")


def test_the_page_tells_every_argument_where_it_can_be_given():
    rows = {row.split("`")[1]: row for row in generated.arguments().splitlines()[2:]}
    assert rows.keys() == ARGUMENTS.keys()
    for name, row in rows.items():
        is_setting = Offered.PROJECT in ARGUMENTS[name].offered
        assert (f"`bayesf1_{name}`" in row) == is_setting
        assert (f"--bayesf1-{name.replace('_', '-')}=" in row) == is_setting


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "0.5", None, True, [0.5]])
def test_not_a_finite_number(value):
    with pytest.raises(InputError, match=r"^floor: expected a finite number"):
        checked_floor(value)


@pytest.mark.parametrize("value", [0, -0.1, float("nan"), float("inf"), "0.5", True])
def test_runs_that_do_not_vary(value):
    with pytest.raises(InputError, match=r"^run_sd: expected a standard deviation above 0"):
        checked_run_sd(value)


class TestOptions:
    def test_the_project_s_settings_beat_the_defaults_and_the_caller_both(self):
        with active(Session(MappingProxyType({"measure": "accuracy", "hdi_prob": 0.9, "seed": 7}))):
            options = Options.resolve(measure=None)
            given = Options.resolve(measure="f1", seed=0)
        assert (options.measure, options.hdi_prob, options.seed, options.prior) == ("accuracy", 0.9, 7, "auto")
        assert (given.measure, given.hdi_prob, given.seed) == ("f1", 0.9, 0)

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

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            *(("hdi_prob", np.float32(0.5)), ("seed", 2**70), ("seed", np.int64(3)), ("budget", 1e-9)),
            *(("n_draws", n) for n in (1_000, 10_000_000)),
        ],
    )
    def test_values_that_serve(self, name, value):
        assert resolved(name, value) == value

    @pytest.mark.parametrize(
        ("name", "value", "expected", "advice"),
        [
            *(("hdi_prob", value, "from 0.5 to 1", "") for value in (0, 0.05, 1, 95, float("nan"), "0.95", True)),
            ("seed", -1, "not negative", ""),
            *(("seed", value, "whole number", "") for value in (1.0, "1", True)),
            ("n_draws", 999, "from 1,000 to 10,000,000", "Leave it out"),
            *(("n_draws", value, "whole number", "Leave it out") for value in (1e4, True, 10_000_001)),
            *(("budget", value, "a loss above 0", "") for value in (0, -0.01, float("inf"), "much")),
            *(("weak_baseline", value, "true or false", "") for value in (1, 0, "true")),
        ],
    )
    def test_values_that_do_not(self, name, value, expected, advice):
        with pytest.raises(InputError) as caught:
            resolved(name, value)
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
