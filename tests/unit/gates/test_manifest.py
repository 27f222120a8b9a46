import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_bayesf1 import BaselineError, Decision, PairedCounts
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.gates.demand import Family
from pytest_bayesf1.gates.manifest import (
    _ADVICE,
    GateSettings,
    GatesOfRun,
    Listed,
    compare_gates,
    matched_gates,
    to_text,
    updated_gates,
    write_manifest,
)
from pytest_bayesf1.results.comparison import SharedExamples
from pytest_bayesf1.results.policy import AT_LEAST
from tests.unit.made_up import comparison, estimate, gated

GATE = GateSettings(
    policy="not_worse", measure="f1_macro", rope=[-0.01, 0.01], hdi_prob=0.95, prior="auto", model="paired",
    budget=0.02, per_class=True, slices=("language", "site"), max_gap=0.05,
)  # fmt: skip
FLOOR = GateSettings(policy="at_least", measure="accuracy", floor=0.9, hdi_prob=0.95, prior="auto")


def read(text):
    return Listed.of(text.encode("utf-8", "surrogatepass"), Path("gates.json")).gates


def changed(gate=GATE, **changes):
    return replace(gate, **changes)


def found(listed, made, **run):
    run = {"why_missing": lambda test: "it did not run", **run}
    return compare_gates({"spam": listed} if listed else {}, GatesOfRun({"spam": made} if made else {}, **run))


def kinds_and_words(was, now, **run):
    return [(finding.kind, finding.text) for finding in found([was], [now], **run)]


@pytest.mark.parametrize(
    ("old_decision", "corrected"),
    [
        (None, "3 other labels"),
        (comparison().decision, "3 other labels"),
        (Decision.MUCH_WORSE, "3 other labels, by yours the decision would be ≪ ("),
    ],
)
def test_corrected_labels_are_listed_with_what_they_change(old_decision, corrected):
    shared = SharedExamples(
        n_baseline=40,
        n_candidate=50,
        n_shared=33,
        n_corrected=3,
        favoured=(2, 1),
        p_favoured=1.0,
        decision_if_wrong=None,
        decision_on_old_truth=old_decision,
        decision_on_whole=None,
        whole_scores=None,
    )
    made = GateSettings.of(gated(comparison(shared_examples=shared)))
    assert made.lacking == 7
    assert made.corrected.startswith(corrected)
    assert made.corrected.endswith(("labels", ")"))


class TestDifferences:
    def test_the_same_gates_are_no_finding(self):
        assert found([GATE, FLOOR], [GATE, FLOOR]) == ()

    def test_a_wider_rope_of_a_pull_request_in_words(self):
        (finding,) = found([GATE], [changed(rope=[-0.05, 0.05])], another_commit=True)
        assert (finding.gate, finding.about, finding.loosens) == ("spam", "rope", True)
        assert finding.text == "you allowed 1 point, this pull request allows 5 points"

    @pytest.mark.parametrize(
        ("changes", "kind", "words"),
        [
            ({"rope": [-0.05, 0.01]}, "looser", "you allowed 1 point, this run allows a range of −5 to +1 points"),
            ({"rope": [-0.005, 0.005]}, "stricter", "you allowed 1 point, this run allows 0.5 points"),
            ({"budget": 0.03}, "looser",
             "you allowed 2 points lost since the anchor, this run allows 3 points"),
            ({"budget": 0.01}, "stricter",
             "you allowed 2 points lost since the anchor, this run allows 1 point"),
            ({"budget": None}, "looser",
             "you allowed 2 points lost since the anchor, this run does not compare with an anchor"),
            ({"measure": "accuracy"}, "other", "you compared f1_macro, this run compares accuracy"),
            ({"hdi_prob": 0.8}, "looser", "you judged by a 95% HDI, this run judges by a 80% HDI"),
            ({"hdi_prob": 0.999}, "looser", "you judged by a 95% HDI, this run judges by a 99.9% HDI"),
            ({"looks": 4}, "other", "you looked once, this run looks 4 times"),
            ({"planned_examples": 900}, "other", "you planned 0 examples, this run plans 900"),
            ({"policy": "not_inferior"}, "stricter", "you demanded not worse, this run demands not inferior"),
            ({"policy": "at_least"}, "other", "you demanded not worse, this run demands at least"),
            ({"prior": "uniform"}, "other", "you took the auto prior, this run takes the uniform one"),
            ({"model": "independent"}, "other",
             "you compared by the paired model, this run compares by the independent one"),
            ({"clusters": "clusters of doc"}, "other",
             "you took examples for independent, this run takes clusters of doc"),
            ({"per_class": False}, "looser", "you judged every class too, this run judges the whole alone"),
            ({"slices": ("site",)}, "looser", "you judged the slices by language, site, this run judges site"),
            ({"slices": ()}, "looser", "you judged the slices by language, site, this run judges no slice"),
            ({"slices": ("a", "language", "site")}, "stricter",
             "you judged the slices by language, site, this run judges a, language, site"),
            ({"max_gap": 0.1}, "looser", "you allowed 5 points between slices, this run allows 10 points"),
            ({"max_gap": 0.01}, "stricter", "you allowed 5 points between slices, this run allows 1 point"),
            ({"max_gap": None}, "looser", "you allowed 5 points between slices, this run allows any gap"),
        ],
    )  # fmt: skip
    def test_every_setting_that_differs(self, changes, kind, words):
        assert kinds_and_words(GATE, changed(**changes)) == [(kind, words)]

    @pytest.mark.parametrize(
        ("was", "now", "kind", "words"),
        [
            (
                1.0,
                0.01,
                "looser",
                "you failed by the HDI alone, this run fails only where its family leaves a chance below 1%",
            ),
            (
                0.01,
                1.0,
                "stricter",
                "you failed only where its family leaves a chance below 1%, this run fails by the HDI alone",
            ),
        ],
    )
    def test_a_gate_that_enters_a_family_or_leaves_it(self, was, now, kind, words):
        assert kinds_and_words(changed(family_level=was), changed(family_level=now)) == [(kind, words)]

    def test_parts_that_share_the_level_of_a_family_are_no_stricter(self):
        member = changed(family_level=0.01)
        more = changed(member, slices=("language", "site", "id"))
        assert [kind for kind, _ in kinds_and_words(member, more)] == ["other"]
        whole = changed(member, per_class=False)
        assert [kind for kind, _ in kinds_and_words(whole, member)] == ["other"]

    def test_a_family_that_grows_is_looser(self):
        ((kind, _),) = kinds_and_words(changed(family_level=0.05 / 20), changed(family_level=0.05 / 21))
        assert kind == "looser"

    @pytest.mark.parametrize(
        ("plan", "kind"), [({}, "other"), ({"looks": 2}, "stricter"), ({"on_new_test_set": "independent"}, "stricter")]
    )
    def test_a_test_set_may_grow_where_that_is_planned(self, plan, kind):
        before, after = (changed(truths={"a": n, "b": 10}, **plan) for n in (10, 20))
        assert [each for each, _ in kinds_and_words(before, after)] == [kind]

    @pytest.mark.parametrize(
        ("was", "now", "kind"),
        [
            ("not_even_leaning_worse", "not_worse", "looser"),
            ("not_inferior", "not_even_leaning_worse", "looser"),
            ("better", "not_inferior", "looser"),
            ("equivalent", "not_worse", "looser"),
            ("better", "equivalent", "other"),
            ("not_worse", "better", "stricter"),
            ("not_worse", "of a later version", "other"),
        ],
    )
    def test_policies_have_an_order(self, was, now, kind):
        assert [each for each, _ in kinds_and_words(changed(policy=was), changed(policy=now))] == [kind]

    @pytest.mark.parametrize(
        ("policy", "wider"),
        [("not_worse", "looser"), ("not_inferior", "looser"), ("equivalent", "looser"), ("better", "stricter")],
    )
    def test_which_rope_is_looser_depends_on_the_policy(self, policy, wider):
        before, after = changed(policy=policy), changed(policy=policy, rope=[-0.02, 0.02])
        narrower = {"looser": "stricter", "stricter": "looser"}[wider]
        assert [kind for kind, _ in kinds_and_words(before, after)] == [wider]
        assert [kind for kind, _ in kinds_and_words(after, before)] == [narrower]

    def test_an_end_of_the_rope_that_fails_nothing_is_no_finding(self):
        assert kinds_and_words(GATE, changed(rope=[-0.01, 0.05])) == []

    def test_a_higher_probability_is_stricter_where_the_interval_must_show_something(self):
        before, after = changed(policy="not_inferior"), changed(policy="not_inferior", hdi_prob=0.99)
        assert [kind for kind, _ in kinds_and_words(before, after)] == ["stricter"]

    def test_floors(self):
        told = "you demanded at least 0.9, this run demands at least 0.8"
        assert kinds_and_words(FLOOR, changed(FLOOR, floor=0.8)) == [("looser", told)]
        assert [kind for kind, _ in kinds_and_words(FLOOR, changed(FLOOR, floor=0.95))] == ["stricter"]
        compares = changed(FLOOR, policy="not_worse", floor=None)
        told = "you demanded at least 0.9, this run demands no least score"
        assert ("looser", told) in kinds_and_words(FLOOR, compares)

    @pytest.mark.parametrize(
        ("was", "now", "kind"),
        [(0.0, 0.01, "looser"), (0.01, 0.0, "looser"), (0.01, 0.02, "looser"), (0.02, 0.01, "stricter")],
    )
    def test_how_far_runs_vary(self, was, now, kind):
        (finding,) = found([changed(FLOOR, run_sd=was)], [changed(FLOOR, run_sd=now)])
        assert finding.kind == kind

    def test_fewer_examples_of_a_floor_and_runs_that_are_missing_are_looser(self):
        of_1000 = changed(FLOOR, examples=1_000, missing_runs=5)
        assert kinds_and_words(of_1000, changed(of_1000, examples=999)) == [
            ("looser", "you judged 1,000 examples, this run leaves out 1 of them")
        ]
        told = "you judged a candidate that lacks 5 runs of its examples, this run judges one that lacks 6"
        assert kinds_and_words(of_1000, changed(of_1000, missing_runs=6)) == [("looser", told)]
        assert kinds_and_words(of_1000, changed(of_1000, examples=1_001, missing_runs=4)) == []

    def test_the_unit_of_a_measure_of_the_users_own_is_unknown(self):
        before, after = changed(measure="cost", rope=[-1.0, 1.0]), changed(measure="cost", rope=[-2.0, 2.0])
        assert kinds_and_words(before, after) == [("looser", "you allowed 1, this run allows 2")]

    def test_a_setting_that_one_side_does_not_know_is_no_finding(self):
        assert kinds_and_words(GateSettings(measure="f1_macro"), changed(per_class=False, slices=())) == []
        known = changed(budget=None, max_gap=None, per_class=False, slices=())
        assert kinds_and_words(known, GateSettings(measure="f1_macro")) == []

    def test_a_call_that_no_longer_asks_for_classes_and_slices_is_looser(self):
        assert kinds_and_words(GATE, changed(per_class=False, slices=())) == [
            ("looser", "you judged every class too, this run judges the whole alone"),
            ("looser", "you judged the slices by language, site, this run judges no slice"),
        ]
        assert kinds_and_words(changed(per_class=False), GATE) == [
            ("stricter", "you judged the whole, this run judges every class too")
        ]

    def test_a_gate_that_did_not_judge_is_missing_unless_that_is_no_alarm(self):
        (finding,) = found([GATE, FLOOR], [GATE])
        assert (finding.gate, finding.kind, finding.text) == ("spam (gate 2)", "missing", "it did not run")
        assert found([GATE], [], why_missing=lambda test: "") == ()

    def test_a_gate_that_is_not_listed_does_not_loosen(self):
        (finding,) = found([FLOOR], [FLOOR, GATE])
        assert (finding.gate, finding.kind, finding.loosens) == ("spam (gate 2)", "unlisted", False)
        assert finding.text == "gates.json does not list it: pytest --bayesf1-update=new adds it once it passes"
        (finding,) = found([FLOOR], [FLOOR, GATE], another_commit=True)
        assert finding.text == "the base commit's gates.json does not list it"

    def test_a_manifest_that_lists_no_gate_is_compared_with_none(self):
        assert found([], [GATE]) == ()

    @pytest.mark.parametrize(("listed", "kinds"), [([GATE], ["looser"]), ([FLOOR], ["looser", "unlisted"])])
    def test_a_gate_of_a_test_that_is_expected_to_fail(self, listed, kinds):
        findings = found(listed, [*listed, *([] if GATE in listed else [GATE])], powerless=frozenset({"spam"}))
        assert [(finding.kind, finding.about) for finding in findings] == [(kind, "xfail") for kind in kinds]
        assert findings[0].text == "its test is expected to fail (xfail), so it cannot fail the run"


STRICT = GateSettings.of(gated(comparison()))
LOOSE = replace(STRICT, rope=[-0.05, 0.05])
ACCURACY = replace(STRICT, measure="accuracy")
TEST_SET = {"examples": 1_000, "truths": {"0": 500, "1": 500}}
SETTINGS_FLOOR = GateSettings.of(gated(estimate(), AT_LEAST, arguments={"floor": 0.75, "prior": "uniform"}))


@pytest.mark.parametrize(
    ("was", "now", "kind"),
    [
        ("not_inferior", "not_worse", "looser"),
        ("proven_at_least", "at_least", "looser"),
        ("at_least", "proven_at_least", "stricter"),
        ("at_least", "not_worse", "other"),
        ("better", "proven_at_least", "other"),
    ],
)
def test_a_weaker_policy_is_looser(was, now, kind):
    assert kinds_and_words(*(replace(STRICT, policy=policy) for policy in (was, now)))[0][0] == kind


class TestSettings:
    def test_the_settings_are_those_of_the_comparison(self):
        assert STRICT.to_dict() == {
            "policy": "not_worse",
            "measure": "f1_macro",
            "rope": [-0.01, 0.01],
            "hdi_prob": 0.95,
            "prior": "auto",
            "model": "paired",
            **TEST_SET,
        }
        assert SETTINGS_FLOOR.to_dict() == {
            "policy": "at_least", "measure": "f1_macro", "floor": 0.75, "hdi_prob": 0.95, "prior": "uniform",
            **TEST_SET,
        }  # fmt: skip

    @pytest.mark.parametrize("n_gates", [3, 7, 12, 13])
    @pytest.mark.parametrize("rope", [0.01, 0.1 + 0.2, 1 / 3])
    def test_numbers_of_many_digits_are_those_that_the_manifest_lists(self, n_gates, rope):
        judged = gated(comparison(rope=(-rope, rope)), family=Family("all", 0.05, n_gates), budget=2 / 3)
        settings = GateSettings.of(judged)
        listed = read(to_text({"spam": [settings]}))["spam"]
        assert listed == (settings,)
        assert not found(listed, [settings])

    def test_a_changed_setting_is_one_line_of_a_diff(self):
        strict, loose = (to_text({"a": [ACCURACY], "b": [each]}).splitlines() for each in (STRICT, LOOSE))
        changed = [lines for lines in zip(strict, loose, strict=True) if lines[0] != lines[1]]
        assert [(old.strip(), new.strip()) for old, new in changed] == [
            ('"rope": [ -0.01, 0.01 ],', '"rope": [ -0.05, 0.05 ],')
        ]

    def test_the_order_of_the_tests_does_not_matter(self):
        assert to_text({"a": [STRICT], "b": [SETTINGS_FLOOR]}) == to_text(
            {"b": [SETTINGS_FLOOR], "a": [STRICT], "c": []}
        )

    def test_it_is_read_as_it_was_written(self):
        gates = {"tests/test_ä.py::test[x]": (STRICT, SETTINGS_FLOOR), "bayesf1.yaml::spam": (LOOSE,)}
        assert read(to_text(gates)) == gates

    def test_settings_of_a_later_version_are_kept(self):
        document = json.loads(to_text({"a": [STRICT]}))
        document["gates"]["a"][0]["quota"] = {"alpha": 0.025}
        text = to_text(updated_gates(read(json.dumps(document)), {"b": [SETTINGS_FLOOR]}))
        assert json.loads(text)["gates"]["a"][0]["quota"] == {"alpha": 0.025}

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("{", "The manifest of gates is damaged ("),
            ("[]", "Not a file of the format 'pytest-bayesf1 gates'. Restore"),
            (
                '{"format": "pytest-bayesf1 gates", "version": 2, "gates": {}}',
                "expected format version 1, got 2. Install the newer",
            ),
            ('{"format": "pytest-bayesf1 gates", "version": 1}', "gates is not an object"),
            ('{"format": "pytest-bayesf1 gates", "version": 1, "gates": []}', "gates is not an object"),
            ('{"format": "pytest-bayesf1 gates", "version": 1, "gates": {"a": 3}}', "gates.a is not a list"),
            (
                '{"format": "pytest-bayesf1 gates", "version": 1, "gates": {"a": [{"rope": 1}]}}',
                "gates.a.0.rope is not a list",
            ),
        ],
    )
    def test_damage_is_told(self, text, told):
        with pytest.raises(BaselineError) as caught:
            read(text)
        assert str(caught.value).startswith(f"gates.json: {told}")

    def test_gates_of_one_measure_belong_together_wherever_they_stand(self):
        assert list(matched_gates([STRICT, ACCURACY], [ACCURACY])) == [(ACCURACY, ACCURACY), (STRICT, None)]
        assert list(matched_gates([STRICT], [ACCURACY])) == [(STRICT, ACCURACY)]
        assert list(matched_gates([STRICT], [LOOSE, ACCURACY])) == [(STRICT, LOOSE), (None, ACCURACY)]

    def test_an_update_lists_what_ran_and_leaves_the_rest(self):
        listed = {"a": (STRICT,), "b": (STRICT,), "c": (STRICT,)}
        assert updated_gates(listed, {"a": [LOOSE]}) == {**listed, "a": [LOOSE]}
        assert updated_gates(listed, {"a": [LOOSE]}, gone={"b"}) == {"a": [LOOSE], "c": (STRICT,)}

    def test_only_new_gates_are_added(self):
        listed = {"a": (STRICT,)}
        assert updated_gates(listed, {"a": [LOOSE, ACCURACY], "d": [SETTINGS_FLOOR]}, only_new=True) == {
            "a": [STRICT, ACCURACY], "d": [SETTINGS_FLOOR],
        }  # fmt: skip

    def test_the_file_is_written_once(self, tmp_path):
        path = tmp_path / "__bayesf1__" / "gates.json"
        assert not write_manifest(path, {})
        assert not path.exists()
        assert write_manifest(path, {"a": [STRICT]})
        assert not write_manifest(path, {"a": [STRICT]})
        assert write_manifest(path, {"b": [STRICT]}, gone=lambda test: test == "a")
        assert list(Listed.checked_out(path).gates) == ["b"]
        assert write_manifest(path, {"b": [LOOSE], "c": [ACCURACY]}, only_new=True)
        assert Listed.checked_out(path).gates == {"b": (STRICT,), "c": (ACCURACY,)}

    def test_a_damaged_file_is_not_overwritten(self, tmp_path):
        path = tmp_path / "gates.json"
        path.write_bytes(b"{}\xff")
        with pytest.raises(BaselineError) as caught:
            write_manifest(path, {"a": [STRICT]})
        assert str(caught.value) == f"{path}: Not UTF-8: invalid start byte at byte 2. {_ADVICE}"
        assert path.read_bytes() == b"{}\xff"

    def test_a_file_that_cannot_be_written_is_told(self, tmp_path):
        (tmp_path / "file").touch()
        with pytest.raises(BaselineError, match="Cannot write the file"):
            write_manifest(tmp_path / "file" / "gates.json", {"a": [STRICT]})

    def test_units_are_listed_where_there_are_any(self):
        """What was listed before there were any had none."""
        pairs = PairedCounts.from_predictions([0, 1] * 20, [0, 1] * 20, [1, 1, 0, 0] * 10, clusters=list(range(20)) * 2)
        settings = GateSettings.of(gated(run_comparison(pairs, rope=0.05, n_draws=1_000)))
        assert settings.to_dict()["clusters"] == "clusters"
        assert read(to_text({"a": [settings]}))["a"] == (settings,)
        assert STRICT.clusters == "examples"

    def test_a_family_and_a_gap_are_listed_where_there_are_any(self):
        plain = STRICT.to_dict()
        assert not {"family_level", "max_gap"} & plain.keys()
        other = replace(STRICT, family_level=0.0025, max_gap=0.05).to_dict()
        assert other == {**plain, "family_level": 0.0025, "max_gap": 0.05}


RACER = """
import sys
from pathlib import Path
from pytest_bayesf1.gates.manifest import GateSettings, write_manifest

print("ready", flush=True)
sys.stdin.readline()
for turn in range(20):
    made = {f"test_{sys.argv[2]}.py::test_{turn}": (GateSettings(policy="not_worse", measure="f1_macro"),)}
    assert write_manifest(Path(sys.argv[1]), made, only_new=True)
"""


@pytest.mark.slow
def test_updates_at_the_same_time_are_all_kept_whatever_shells_they_run_in(tmp_path):
    path = tmp_path / "project" / "__bayesf1__" / "gates.json"
    racers = []
    for number in range(4):
        home = tmp_path / str(number)
        home.mkdir()
        environment = {**os.environ, "TMPDIR": str(home), "HOME": str(home)}
        command = [sys.executable, "-c", RACER, str(path), str(number)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        racers.append(subprocess.Popen(command, env=environment, text=True, **pipes))
    assert [racer.stdout.readline() for racer in racers] == ["ready\n"] * 4
    for racer in racers:
        racer.stdin.write("\n")
        racer.stdin.flush()
    for racer in racers:
        racer.communicate(timeout=120)
    assert [racer.returncode for racer in racers] == [0] * 4
    assert len(Listed.checked_out(path).gates) == 80
    assert [each.name for each in path.parent.iterdir()] == ["gates.json"]
