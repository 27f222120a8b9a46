import re

import numpy as np
import pandas as pd
import polars as pl
import pytest

from pytest_bayesf1 import (
    ConfusionMatrix,
    InputError,
    PairedCounts,
    assert_better,
    assert_equivalent,
    assert_not_inferior,
    assert_not_worse,
    compare,
)
from pytest_bayesf1.results.policy import NOT_WORSE
from pytest_bayesf1.words.results import verdict_line
from tests.unit.gates.written_gates import N, counts, figures, parts, result_of, side
from tests.unit.made_up import recording

BASELINE = [[4_000, 1_000], [1_000, 4_000]]
CANDIDATES = {"<<": [[3_500, 1_500], [1_500, 3_500]], "~": BASELINE}
ARGUMENTS = {"measure": "accuracy", "rope": 0.0125, "n_draws": 10_000}
ASSERTIONS = [assert_not_worse, assert_not_inferior, assert_better, assert_equivalent]
each_assertion = pytest.mark.parametrize("gate", ASSERTIONS, ids=lambda gate: gate.__name__)


def call(gate, decision, **arguments):
    return gate(BASELINE, CANDIDATES[decision], **{**ARGUMENTS, **arguments})


@pytest.fixture
def recorded():
    """What the session records."""
    with recording() as found:
        yield found


def test_what_passes_returns_the_comparison_that_is_recorded(recorded):
    result = call(assert_not_worse, "~")
    assert result.delta.tolist() == compare(BASELINE, CANDIDATES["~"], **ARGUMENTS).delta.tolist()
    (found,) = recorded.verdicts
    assert found.result is result
    assert (found.gate, found.outcome, found.advice) == ("assert_not_worse", "passed", "")


@each_assertion
def test_what_fails_says_what_is_demanded_and_what_to_do(gate, recorded):
    with pytest.raises(AssertionError) as caught:
        call(gate, "<<")
    (found,) = recorded.verdicts
    assert (found.gate, found.outcome) == (gate.__name__, "failed")
    message = str(caught.value)
    assert message.startswith(f"{verdict_line(found.result, policy=found.policy)}\n  Do: ")
    assert gate is assert_not_worse or f"({gate.__name__})" in message
    assert f" Do: {found.advice} " in re.sub(r"\s+", " ", message)


@each_assertion
def test_bad_input_is_an_error_not_a_failure(gate, recorded):
    with pytest.raises(InputError):
        gate(BASELINE, BASELINE)
    assert recorded == []


LANGUAGES = [("en", "fi")[row % 2] for row in range(N)]
before = side(0.9, 1)
PAIRED = enumerate(zip(before["y_true"], before["y_pred"], strict=True))
LOST_FINNISH = {**before, "y_pred": ["b" if y == "a" and n % 2 and n % 3 else p for n, (y, p) in PAIRED]}
EARLIER = compare(counts(before), counts(before), rope=0.1, n_draws=1_000).as_prior()


class TestParts:
    @each_assertion
    def test_classes_and_slices_are_judged_as_in_a_gate_file(self, gate, tmp_path, recorded):
        order = np.random.default_rng(3).permutation(N)[: int(0.95 * N)]
        after = {name: [values[row] for row in order] for name, values in LOST_FINNISH.items()}
        languages = [LANGUAGES[row] for row in order]
        after["y_true"][0] = "b" if after["y_true"][0] != "b" else "c"
        asked = {"measure": "accuracy", "rope": 0.04, "prior": "nested"}
        file = result_of(
            tmp_path,
            {**before, "language": LANGUAGES},
            {**after, "language": languages},
            per_class=True,
            slices=["language"],
            **asked,
        )
        with pytest.raises(AssertionError) as caught:
            gate(counts(before), counts(after), per_class=True, slices={"language": languages}, **asked)
        assert {each.part: figures(each.result) for each in recorded.verdicts} == {
            part: figures(comparison) for part, comparison in parts(file).items()
        }
        corrected = [
            each.part
            for each in recorded.verdicts
            if each.result.shared_examples and each.result.shared_examples.n_corrected
        ]
        assert corrected == ["", "class a", "class b", "class c", f"language={languages[0]}"]
        (run,) = recorded
        assert {(each.gate, each.policy) for each in run.judged[1:4]} == {("per_class", NOT_WORSE)}
        assert (run.overall.gate, run.notes()) == (gate.__name__, file.notes())
        assert {"class a", "language=fi"} <= set(re.findall(r"class \w|language=\w+", str(caught.value)))

    def test_classes_of_pairs(self, recorded):
        pairs = PairedCounts.from_predictions(["x", "y"] * 200, ["x", "y"] * 200, ["x", "y"] * 200)
        assert_not_worse(pairs, rope=0.05, per_class=True)
        assert [each.part for each in recorded.verdicts] == ["", "class x", "class y"]

    @pytest.mark.parametrize(
        ("slices", "column"),
        [
            (np.array(LANGUAGES), "slice"),
            (pd.Series(LANGUAGES, name="language"), "language"),
            (pl.DataFrame({"language": LANGUAGES}), "language"),
            ({"language": pd.Series(LANGUAGES, dtype="category")}, "language"),
            ({"kind": [(1.0, None, "x", True)[row % 4] for row in range(N)]}, "kind"),
        ],
        ids=["array", "series", "frame", "category", "values as in gate files"],
    )
    def test_what_holds_the_columns(self, recorded, slices, column):
        assert_not_worse(counts(before), counts(before), rope=0.1, slices=slices)
        values = ["", "1", "True", "x"] if column == "kind" else ["en", "fi"]
        assert [each.part for each in recorded.verdicts] == ["", *(f"{column}={value}" for value in values)]

    @pytest.mark.parametrize(
        ("sides", "asked", "message"),
        [
            ("both", {"slices": {"language": LANGUAGES[1:]}}, "slices: language: expected 400 values, .*, got 399"),
            ("both", {"slices": np.array([LANGUAGES]).T}, "slices: slice, position 0: expected a value, .*ndarray"),
            ("both", {"slices": "language"}, "slices: slice: expected an array of values, .*, got str. Name "),
            ("both", {"per_class": ["a"]}, r"per_class: expected True or False, got \['a'\]"),
            ("both", {"per_class": True, "measure": lambda p: p[..., 0, 0]}, "per_class: expected .*, got function"),
            ("bare baseline", {"slices": LANGUAGES}, "slices: Only predictions that pair up .* same-set"),
            ("bare", {"slices": LANGUAGES}, "slices: Bare counts have no slices. Build each side from"),
            ("pairs", {"slices": LANGUAGES}, "slices: expected a baseline and a candidate .*, got PairedCounts"),
            ("runs", {"slices": LANGUAGES}, "slices: Several runs have no slices here"),
            ("both", {"slices": LANGUAGES, "prior": EARLIER}, "prior: It has counts of whole test sets"),
        ],
    )
    def test_what_cannot_be_judged_is_an_error(self, recorded, sides, asked, message):
        known, bare = counts(before), ConfusionMatrix(counts(before).counts, labels=counts(before).labels)
        twice = {name: values * 2 for name, values in before.items()}
        given = {
            "both": (known, known),
            "bare": (bare, bare),
            "bare baseline": (bare, known),
            "pairs": (PairedCounts.from_predictions(*[before["y_true"]] * 3),),
            "runs": (known, counts(twice, runs="samples")),
        }
        with pytest.raises(InputError, match=f"^{message}"):
            assert_not_worse(*given[sides], **{"rope": 0.1, **asked})
        assert recorded == []
