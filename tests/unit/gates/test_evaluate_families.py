"""Gates of a family, and what is said of classes and slices together, on real files."""

import json

import numpy as np
import pytest

from pytest_bayesf1 import InputError
from pytest_bayesf1.comparison.breakdown import shrink
from pytest_bayesf1.gates.evaluate import evaluate
from pytest_bayesf1.gates.gate_file import load_gates
from pytest_bayesf1.gates.manifest import GateSettings
from tests.unit.gates.written_gates import N, gate_file, result_of, side

LANGUAGES = ["de", "en", "fr", "fi"] * (N // 4)
BASELINE = side(0.9, 1, language=LANGUAGES)
UNFAIR = side(0.86, 2, language=LANGUAGES)
UNFAIR["y_pred"] = [
    "a" if language == "fi" and number % 3 else guess
    for number, (guess, language) in enumerate(zip(UNFAIR["y_pred"], LANGUAGES, strict=True))
]
PARTS = {"slices": ["language"], "per_class": True, "measure": "accuracy"}


def in_family(folder, n_gates, candidate=UNFAIR, **settings):
    """Evaluate one gate of a family of so many."""
    gate = {"baseline": "a.json", "candidate": "b.json", "rope": 0.02, "measure": "accuracy", **settings}
    content = {"gates": {f"g{n}": gate for n in range(n_gates)}, "families": {"all": {"gates": ["g*"]}}}
    for name, data in (("a", BASELINE), ("b", candidate)):
        (folder / f"{name}.json").write_text(json.dumps(data))
    first, *_ = load_gates(gate_file(folder, json.dumps(content)), folder)
    return evaluate(first)


@pytest.mark.parametrize(("n_gates", "verdict"), [(1, "failed"), (20, "warned")])
def test_the_same_loss_fails_alone_and_warns_in_a_family(tmp_path, n_gates, verdict):
    result = in_family(tmp_path, n_gates, side(0.81, 2))
    assert result.overall.comparison.decision == "<<"
    assert 0.05 / 20 < 1 - result.overall.comparison.p_below_rope < 0.025
    assert (result.verdict, result.overall.lifted) == (verdict, verdict == "warned")
    assert GateSettings.of_gate(result).family_level == 0.05 / n_gates


@pytest.mark.slow
def test_all_that_can_fail_a_gate_shares_what_it_has_of_the_level(tmp_path):
    result = in_family(tmp_path, 2, slices=["language"], per_class=True, max_gap=0.05, anchor="a.json")
    assert result.gate.family.n_comparisons == 1 + 1 + 3 + 4 + 1
    assert result.gate.tail == pytest.approx(0.05 / 20)
    assert [each.verdict for each in result.judgements if each.lifted] == [
        "warned"
        for each in result.judgements
        if each.comparison.decision == "<<" and 1 - each.comparison.p_below_rope >= result.gate.tail
    ]


@pytest.mark.slow
def test_classes_and_slices_are_shrunk_and_slices_have_a_gap(tmp_path):
    result = result_of(tmp_path, BASELINE, UNFAIR, **PARTS)
    classes, slices = result.groups
    assert (classes.by, classes.gap, slices.by) == ("class", None, "language")
    found = {each.part: each.comparison for each in result.judgements}
    for group in result.groups:
        direct = shrink({part.part: found[part.part] for part in group.parts}, by=group.by)
        assert direct.parts == group.parts
    assert (slices.gap.worst, slices.gap.limit) == ("language=fi", None)
    assert [each.verdict for each in result.gaps] == ["passed"]
    assert sum("apart (95% HDI" in note for note in result.notes()) == 1
    record, *others = result.records()
    assert record.groups == result.groups
    assert not any(each.groups for each in others)


@pytest.mark.slow
def test_a_gap_can_fail_a_gate_of_which_no_part_is_significantly_worse(tmp_path):
    result = result_of(tmp_path, UNFAIR, UNFAIR, slices=["language"], measure="accuracy", max_gap=0.1)
    assert "failed" not in [each.verdict for each in result.judgements]
    assert result.verdict == "failed"
    (group,) = result.groups
    low, high = group.gap.candidate.hdi
    rights = np.array(UNFAIR["y_true"]) == np.array(UNFAIR["y_pred"])
    observed = [rights[[each == language for each in LANGUAGES]].mean() for language in ("de", "en", "fr", "fi")]
    assert low < np.ptp(observed) < high
    assert group.gap.change.hdi == pytest.approx((0, 0), abs=0.03)
    assert result.records()[0].advice.startswith("The gap by language is wider than the 10 points of max_gap: ")


def test_one_part_alone_is_not_shrunk(tmp_path):
    one = [{**each, "language": ["de"] * N} for each in (BASELINE, UNFAIR)]
    result = result_of(tmp_path, *one, slices=["language"], measure="accuracy", max_gap=0.05)
    assert (result.groups, result.gaps) == ((), ())


def test_a_limit_in_per_cent_is_no_difference_of_scores(tmp_path):
    with pytest.raises(InputError, match="max_gap: expected a difference of scores"):
        result_of(tmp_path, BASELINE, UNFAIR, slices=["language"], max_gap=5)
