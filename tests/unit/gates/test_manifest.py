import json
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_bayesf1 import BaselineError
from pytest_bayesf1.gates import manifest
from pytest_bayesf1.gates.acceptance import Acceptance, AcceptedChange
from pytest_bayesf1.gates.demand import Family
from pytest_bayesf1.gates.manifest import (
    _ADVICE,
    GatesOfRun,
    Listed,
    compare_file,
    compare_gates,
    needless_exceptions,
    renamed_tests,
    row_of,
    to_text,
    write_manifest,
)
from pytest_bayesf1.results.policy import AT_LEAST, NOT_INFERIOR
from pytest_bayesf1.results.run import Finding, FindingKind
from pytest_bayesf1.stats.looks import LookSchedule
from tests.unit.made_up import comparison, estimate, gated, judged

TEST_SET = {"examples": 1_000, "digest": "0123456789ab"}
GATE = {
    "policy": "not_worse", "measure": "f1_macro", "rope": [-0.01, 0.01], "hdi_prob": 0.95, "prior": "auto",
    "model": "paired", "budget": 0.02, "per_class": True, "slices": ["language", "site"], "max_gap": 0.05,
}  # fmt: skip
FLOOR = {"policy": "at_least", "measure": "accuracy", "floor": 0.9, "hdi_prob": 0.95, "test_set": TEST_SET}
OTHER = {**GATE, "measure": "accuracy"}
LOSS = Acceptance(measure="f1_macro", baseline="old", candidate="new", loss=0.05, reason="a smaller model")


def read(text):
    return Listed.of(text.encode("utf-8", "surrogatepass"), Path("gates.json"))


def changed(gate=GATE, **changes):
    return {name: value for name, value in {**gate, **changes}.items() if value is not None}


def run_of(made, **run):
    return GatesOfRun(rows={"spam": made} if made else {}, **{"why_missing": lambda _: "it did not run", **run})


def found(listed, made, **run):
    return compare_gates([{"spam": listed} if listed else {}], run_of(made, **run))


def kinds_and_words(was, now, **run):
    return [(finding.kind, finding.text) for finding in found([was], [now], **run)]


class TestRow:
    def test_it_is_what_was_demanded_and_the_test_set(self):
        row = dict(row_of(gated(comparison())))
        assert row.pop("test_set")["examples"] == 1_000
        assert row == {
            "policy": "not_worse", "measure": "f1_macro", "rope": [-0.01, 0.01], "hdi_prob": 0.95, "prior": "auto",
            "model": "paired",
        }  # fmt: skip
        floor = {"floor": 0.75, "prior": "uniform", "run_sd": 0.02, "hdi_prob": 0.8}
        asked = row_of(gated(estimate(), AT_LEAST, arguments=floor), with_test_set=False)
        assert asked == {"policy": "at_least", "measure": "f1_macro", **floor}

    def test_all_that_a_gate_may_demand_stands_in_it(self):
        judge = replace(judged((0.1, 2, 9), (0.2, 3, 8)), n_human=1_200, checksum="abc")
        found = comparison(clusters=SimpleNamespace(noun="users"), judge=judge, on_new_test_set="error")
        asked = {"hdi_prob": 0.9, "prior": "uniform", "weak_baseline": True}
        parts = {"per_class": True, "slices": ("site", "age", "site"), "max_gap": 0.07, "looks": LookSchedule(3, 4_000)}
        run = gated(found, NOT_INFERIOR, arguments=asked, budget=0.5, family=Family("all", 0.04, 5, 3), **parts)
        run = replace(run, budget=0.02, source=replace(run.source, known={"baseline": "old.csv", "anchor": ""}))
        assert row_of(run, with_test_set=False) == {
            **asked, "policy": "not_inferior", "measure": "f1_macro", "rope": [-0.01, 0.01], "model": "paired",
            "budget": 0.02, "per_class": True, "slices": ["age", "site"], "max_gap": 0.07, "looks": 3,
            "planned_examples": 4_000, "family_level": 0.008, "clusters": "users", "baseline": "old.csv",
            "human": "1,200 of checksum abc", "on_new_test_set": "error",
        }  # fmt: skip

    @pytest.mark.parametrize("n_gates", [3, 7, 12, 13])
    @pytest.mark.parametrize("rope", [0.01, 0.1 + 0.2, 1 / 3])
    def test_numbers_of_many_digits_are_those_that_the_manifest_lists(self, n_gates, rope):
        row = row_of(gated(comparison(rope=(-rope, rope)), family=Family("all", 0.05, n_gates), budget=2 / 3))
        assert read(to_text({"spam": [row]})).rows["spam"] == [row]

    def test_what_the_candidate_lacks_of_its_baseline_is_never_listed(self):
        assert read(to_text({"spam": [{**GATE, "unlike_baseline": "lacks 7"}]})).rows == {"spam": [GATE]}


class TestDifferences:
    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"rope": [-0.05, 0.05]}, "rope: was 1 point, is 5 points"),
            ({"rope": [-0.05, 0.01]}, "rope: was 1 point, is a range of −5 to +1 points"),
            ({"budget": 0.03}, "budget: was 2 points, is 3 points"),
            ({"budget": None}, "budget: was 2 points, is not set"),
            ({"hdi_prob": 0.8}, "hdi_prob: was 95%, is 80%"),
            ({"max_gap": 0.1}, "max_gap: was 5 points, is 10 points"),
            ({"per_class": None}, "per_class: was yes, is not set"),
            ({"slices": ["language"]}, "slices: was language, site, is language"),
        ],
    )
    def test_a_key_with_a_direction_loosens_the_gate(self, changes, words):
        assert kinds_and_words(GATE, changed(**changes)) == [("loosened", words)]

    @pytest.mark.parametrize(
        "changes", [{"budget": 0.01}, {"max_gap": 0.01}, {"per_class": True}, {"slices": ["age", "language", "site"]}]
    )
    def test_what_is_stricter_or_fails_nothing_is_no_finding(self, changes):
        assert kinds_and_words(GATE, changed(**changes)) == []
        assert kinds_and_words(changed(**dict.fromkeys(changes)), GATE) == []

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"measure": "accuracy"}, "measure: was f1_macro, is accuracy"),
            ({"slices": ["a\nb", "site"]}, "slices: was language, site, is a↵b, site"),
            ({"of_a_later_version": 0.1}, "of_a_later_version: was not set, is 0.1"),
        ],
    )
    def test_any_other_key_changes_it(self, changes, words):
        assert kinds_and_words(GATE, changed(**changes)) == [("changed", words)]

    @pytest.mark.parametrize(
        ("was", "now", "kind"),
        [
            ("not_inferior", "not_worse", "loosened"),
            ("not_worse", "better", None),
            ("better", "equivalent", "changed"),
            ("not_worse", "of a later version", "changed"),
        ],
    )
    def test_policies_have_an_order(self, was, now, kind):
        found = kinds_and_words(changed(policy=was), changed(policy=now))
        assert [each for each, _ in found] == [kind] * (kind is not None)

    @pytest.mark.parametrize(
        ("policy", "wider", "narrower"),
        [("not_worse", "low", ""), ("not_inferior", "low", ""), ("equivalent", "low high", ""), ("better", "", "high")],
    )
    @pytest.mark.parametrize(("end", "rope"), [("low", [-0.02, 0.01]), ("high", [-0.01, 0.02])])
    def test_which_end_of_the_rope_loosens_depends_on_the_policy(self, policy, wider, narrower, end, rope):
        before, after = changed(policy=policy), changed(policy=policy, rope=rope)
        assert bool(found([before], [after])) is (end in wider)
        assert bool(found([after], [before])) is (end in narrower)

    def test_a_higher_probability_is_stricter_where_the_interval_must_show_something(self):
        assert kinds_and_words(changed(policy="not_inferior"), changed(policy="not_inferior", hdi_prob=0.99)) == []

    def test_floors(self):
        told = "floor: was 0.9, is 0.8"
        assert kinds_and_words(FLOOR, changed(FLOOR, floor=0.8)) == [("loosened", told)]
        assert kinds_and_words(FLOOR, changed(FLOOR, floor=0.95)) == []
        told = "floor: was 0.9, is not set"
        assert ("loosened", told) in kinds_and_words(FLOOR, changed(FLOOR, policy="not_worse", floor=None))

    @pytest.mark.parametrize(
        ("now", "words"),
        [
            ({"examples": 1_100, "digest": "ab"}, "1,100 examples (ab)"),
            ({"digest": "ab", "grows": True}, "1,000 examples (ab)"),
            ({"examples": 1_100, "digest": "ab", "grows": True}, None),
            ({"grows": True}, None),
            ({"slice age": "cd"}, None),
        ],
    )
    def test_a_test_set_may_grow_where_that_is_planned(self, now, words):
        told = kinds_and_words(FLOOR, changed(FLOOR, test_set={**TEST_SET, **now}))
        text = f"test_set: was 1,000 examples (0123456789ab), is {words}"
        assert told == ([] if words is None else [("changed", text)])

    def test_the_unit_of_a_measure_of_the_users_own_is_unknown(self):
        before, after = changed(measure="cost", rope=[-1.0, 1.0]), changed(measure="cost", rope=[-2.0, 2.0])
        assert kinds_and_words(before, after) == [("loosened", "rope: was 1, is 2")]

    def test_a_gate_that_did_not_judge_is_missing_unless_that_is_no_alarm(self):
        (finding,) = found([GATE, FLOOR], [GATE])
        assert (finding.gate, finding.kind, finding.text) == ("spam (gate 2)", "missing", "it did not run")
        assert found([GATE], [], why_missing=lambda _: "") == ()

    def test_a_gate_that_is_not_listed_does_not_loosen(self):
        (finding,) = found([FLOOR], [FLOOR, GATE])
        assert (finding.gate, finding.kind, finding.loosens) == ("spam (gate 2)", "outdated", False)
        assert "--bayesf1-update=new" in finding.text
        run = replace(run_of([FLOOR, GATE]), listed={"spam": [FLOOR, GATE]})
        assert compare_gates([{"spam": [FLOOR]}], run) == ()

    def test_a_manifest_that_lists_no_gate_is_compared_with_none(self):
        assert found([], [GATE]) == ()

    @pytest.mark.parametrize(("listed", "kinds"), [([GATE], ["loosened"]), ([FLOOR], ["loosened", "outdated"])])
    def test_a_gate_of_a_test_that_is_expected_to_fail(self, listed, kinds):
        findings = found(listed, [*listed, *([] if GATE in listed else [GATE])], powerless=frozenset({"spam"}))
        assert [(finding.kind, finding.about) for finding in findings] == [(kind, "xfail") for kind in kinds]
        assert findings[0].text == "its test is expected to fail (xfail), so it cannot fail the run"

    def test_a_looser_manifest_hides_no_stricter_one_and_one_digest_accepts_both(self):
        wide = changed(rope=[-0.03, 0.03], measure="f1_macro")
        run = run_of([changed(rope=[-0.05, 0.05])])
        findings = compare_gates([{"spam": [wide]}, {"spam": [GATE]}, {"spam": [GATE]}], run)
        assert [each.text for each in findings] == [
            f"rope: was {points}, is 5 points" for points in ("3 points", "1 point")
        ]
        assert len({each.change for each in findings}) == 1

    def test_gates_of_a_test_belong_together_by_their_order(self):
        assert {each.gate for each in found([GATE, OTHER], [OTHER, GATE])} == {"spam (gate 1)", "spam (gate 2)"}
        assert {each.kind for each in found([GATE, OTHER], [OTHER])} == {"changed", "missing"}

    def test_a_change_is_accepted_by_its_digest_alone(self):
        (finding,) = found([GATE], [changed(rope=[-0.05, 0.05])])
        exceptions = {"spam": [LOSS, AcceptedChange(change=finding.change, reason="agreed")]}
        (accepted,) = found([GATE], [changed(rope=[-0.05, 0.05])], exceptions=exceptions)
        assert (accepted.accepted, accepted.loosens, accepted.is_looser) == ("agreed", False, True)
        (other,) = found([GATE], [changed(rope=[-0.06, 0.05])], exceptions=exceptions)
        assert other.accepted == ""

    def test_a_change_that_is_accepted_accepts_no_test_that_is_expected_to_fail(self):
        run = {"powerless": frozenset({"spam"})}
        (finding,) = found([GATE], [GATE], **run)
        accepted = {"exceptions": {"spam": [AcceptedChange(change=finding.change, reason="agreed")]}}
        assert [each.accepted for each in found([GATE], [GATE], **run, **accepted)] == ["agreed"]
        assert {each.change for each in found([GATE], [changed(measure="accuracy")])} != {finding.change}
        wider = [changed(rope=[-0.05, 0.05])]
        assert found([GATE], wider, **run)[0].change != found([GATE], wider)[0].change


class TestFile:
    """The manifest that is checked out is the base commit's, or what the run would write."""

    STRICTER = changed(rope=[-0.005, 0.005])
    WIDER = changed(rope=[-0.05, 0.05])

    @staticmethod
    def of(now, base, made, **run):
        base = None if base is None else Listed({"spam": base, "ham": [OTHER]})
        now = Listed({"spam": now, "ham": [OTHER]} if isinstance(now, list) else now)
        made = {**run_of(made).rows, "ham": [OTHER]}
        known = GatesOfRun(**{"rows": made, "why_missing": lambda _: "", **run})
        return [
            (each.kind, each.text.partition(" neither")[0]) for each in compare_file("gates.json", now, base, known, [])
        ]

    @pytest.mark.parametrize(
        "now", [[GATE], [STRICTER], [STRICTER, FLOOR], [GATE, FLOOR]], ids=["base", "run", "new", "new alone"]
    )
    def test_either_is_no_finding(self, now):
        assert self.of(now, [GATE], [self.STRICTER, FLOOR]) == []

    @pytest.mark.parametrize(
        ("now", "listed"),
        [
            ([WIDER], "spam"),
            ([GATE, WIDER], "spam"),
            ([GATE, GATE], "spam"),
            ({"ham": [OTHER]}, "spam"),
            ({}, "ham, spam"),
            ({"spam": [GATE], "ham": [OTHER], "later": [GATE]}, "later"),
        ],
        ids=["widened", "another", "twice", "removed", "deleted", "in advance"],
    )
    def test_anything_else_is(self, now, listed):
        run = {"is_gone": lambda test: test == "later"}
        assert self.of(now, [GATE], [GATE], **run) == [("file", f"it lists {listed}")]

    def test_without_a_base_commit_other_findings_say_so(self):
        assert self.of([self.WIDER], None, [GATE]) == []

    def test_of_a_part_of_the_run_only_gates_that_ran_are_compared(self):
        assert self.of({"spam": [GATE], "ham": [self.WIDER]}, [GATE], [GATE], rows={"spam": [GATE]}) == []

    def test_a_gate_that_is_gone_may_be_listed_or_not(self):
        gone = {"is_gone": lambda test: test == "spam"}
        assert self.of([GATE], [GATE], [], **gone) == self.of({"ham": [OTHER]}, [GATE], [], **gone) == []

    @pytest.mark.parametrize(
        "damage",
        [
            lambda text: text.replace('"gates"', '"gates": {},\n "gates"'),
            lambda text: text.replace('"gates"', '"more": {},\n "gates"'),
            lambda text: text.replace(" 0.01", " 1e-2"),
            lambda text: text.replace("\n", ""),
        ],
        ids=["a key twice", "another key", "another number", "one line"],
    )
    def test_it_is_written_in_one_way(self, damage):
        listed, text = {"spam": [GATE]}, to_text({"spam": [GATE]})
        assert read(text).is_canonical
        assert read(text.replace("\n", "\r\n")).is_canonical
        assert not read(damage(text)).is_canonical
        run = GatesOfRun(rows=listed, why_missing=lambda _: "")
        ((finding),) = compare_file("gates.json", read(damage(text)), None, run, [])
        assert (finding.gate, finding.kind) == ("gates.json", "file")

    @pytest.mark.parametrize(
        ("base", "kinds"), [(None, ["outdated"] * 2), ("same", ["outdated"] * 2), ("without", ["file"] * 2)]
    )
    def test_an_exception_that_matches_nothing_is_a_finding(self, base, kinds):
        exceptions = {"spam": [LOSS, AcceptedChange(change="0" * 12, reason="agreed")], "ham": [LOSS]}
        now = Listed({"spam": [GATE]}, exceptions)
        base = {None: None, "same": now, "without": Listed(now.rows)}[base]
        run = run_of([GATE], losses={"spam": [replace(LOSS, baseline="another")], "ham": []})
        found = list(compare_file("gates.json", now, base, run, []))
        assert [each.kind for each in found] == kinds
        assert "a smaller model" in found[0].text
        assert "agreed" in found[1].text

    @pytest.mark.parametrize(("base", "kinds"), [(None, []), ("same", []), ("without", ["file"])])
    def test_a_loss_of_another_candidate_stays_accepted_but_is_not_in_advance(self, base, kinds):
        now = Listed({"spam": [GATE]}, {"spam": [LOSS]})
        base = {None: None, "same": now, "without": Listed(now.rows)}[base]
        run = run_of([GATE], losses={"spam": [replace(LOSS, candidate="another")]})
        assert [each.kind for each in compare_file("gates.json", now, base, run, [])] == kinds
        assert now.updated(run, ["spam"]).exceptions == now.exceptions

    def test_it_is_of_one_gate_of_a_test_and_stays_where_the_test_failed(self):
        run = run_of([GATE, OTHER], losses={"spam": [LOSS]})
        change, loss = AcceptedChange(change="a" * 12, reason="agreed"), replace(LOSS, baseline="another")
        exceptions = {"spam": [loss], "spam (gate 2)": [change], "spam (gate 3)": [change], "ham (gate 2)": [change]}
        of_gate = Finding("spam (gate 2)", FindingKind.LOOSENED, "rope", "", change.change)
        needless = [*needless_exceptions(exceptions, run, [of_gate], exceptions)]
        assert needless == [("spam", loss), ("spam (gate 3)", change)]
        failed = [*needless_exceptions(exceptions, replace(run, losses={}), [], exceptions)]
        assert failed == [("spam (gate 2)", change), ("spam (gate 3)", change)]

    @pytest.mark.parametrize("accepted", [LOSS, replace(LOSS, candidate="another", up_to=0.06)])
    def test_one_that_matches_a_loss_or_a_finding_is_none(self, accepted):
        (change,) = found([GATE], [changed(rope=[-0.05, 0.05])])
        exceptions = {"spam": [accepted, AcceptedChange(change=change.change, reason="agreed")]}
        run = run_of([changed(rope=[-0.05, 0.05])], losses={"spam": [LOSS]})
        assert list(compare_file("gates.json", Listed({}, exceptions), None, run, [change])) == []

    def test_a_limit_that_is_new_is_told(self):
        now = Listed({"spam": [GATE]}, {"spam": [replace(LOSS, up_to=0.06)]})
        run = run_of([GATE], losses={"spam": [LOSS]})
        (finding,) = compare_file("gates.json", now, Listed(now.rows), run, [])
        assert (finding.kind, finding.accepted) == (FindingKind.LOOSENED, "a smaller model")
        assert finding.text.endswith("up to 6 points")
        assert list(compare_file("gates.json", now, now, run, [])) == []


class TestNames:
    """By which a manifest knows a test, from wherever and however it is called."""

    @pytest.mark.parametrize(
        ("listed", "made", "renames"),
        [
            ({"old.py::a": [GATE]}, {"new.py::a": [GATE]}, {"old.py::a": "new.py::a"}),
            ({"old.py::a": [GATE]}, {"new.py::b": [GATE]}, {}),
            ({"old.py::a": [GATE]}, {"new.py::a": [OTHER]}, {}),
            ({"old.py::a": [GATE]}, {"b.py::a": [OTHER], "c.py::a": [GATE]}, {"old.py::a": "c.py::a"}),
            ({"here.py::a": [GATE]}, {"new.py::a": [GATE]}, {}),
            ({"old.py::a": [GATE]}, {"unstored.py::a": [GATE]}, {}),
            ({"old.py::a": [GATE], "old.py::b": [GATE]}, {"new.py::b": [GATE]}, {"old.py::b": "new.py::b"}),
            ({"old.py::a": [GATE], "older.py::a": [GATE]}, {"new.py::a": [GATE]}, {"old.py::a": "new.py::a"}),
            ({"old.py::a": [GATE], "new.py::a": [GATE]}, {"new.py::a": [GATE]}, {}),
        ],
    )
    def test_one_that_another_file_makes_alike_is_renamed(self, listed, made, renames):
        run = GatesOfRun(rows=made, why_missing=str, is_gone=lambda test: test.startswith("old"))
        halves = [dict([each]) for each in listed.items()]
        assert renamed_tests(halves, run, lambda old, new: old != new and "unstored" not in new) == renames

    def test_its_exceptions_are_renamed_with_it_and_each_of_its_gates(self):
        gates = ("old.py::a", "old.py::a (gate 2)", "old.py::b (gate 2)", "old.py::c (gate 2)")
        now = Listed({"old.py::a": [GATE]}, {gate: [LOSS] for gate in gates}).renamed(
            {"old.py::a": "new.py::a", "old.py::c (gate 2)": "new.yaml::c (gate 2)"}
        )
        assert [*now.rows] == ["new.py::a"]
        assert [*now.exceptions] == ["new.py::a", "new.py::a (gate 2)", gates[2], "new.yaml::c (gate 2)"]

    @pytest.mark.parametrize(("root", "folder", "seen"), [("p/t", "p", "a.py"), ("p", "p/t", "t/t/a.py")])
    def test_it_is_seen_from_the_root_folder_of_the_run(self, tmp_path, root, folder, seen):
        listed = Listed({"t/a.py::a[b::c]": [GATE]}, {"t/a.py::a[b::c] (gate 2)": [LOSS]}, is_canonical=False)
        found = listed.seen_from(tmp_path / root, tmp_path / folder)
        assert found == Listed({f"{seen}::a[b::c]": [GATE]}, {f"{seen}::a[b::c] (gate 2)": [LOSS]}, is_canonical=False)


class TestManifest:
    def test_the_order_of_tests_and_keys_does_not_matter(self):
        backwards = dict(reversed(GATE.items()))
        assert to_text({"a": [GATE], "b": [FLOOR]}) == to_text({"b": [FLOOR], "a": [backwards], "c": []})

    def test_it_is_read_as_it_was_written(self):
        rows = {"tests/test_ä.py::test[x]": [GATE, FLOOR], "bayesf1.yaml::spam": [{**OTHER, "later": {"alpha": 0.025}}]}
        exceptions: dict[str, list[Any]] = {
            "bayesf1.yaml::spam": [LOSS, AcceptedChange(change="0" * 12, reason="agreed")]
        }
        text = to_text(rows, {"none": [], **exceptions})
        assert read(text) == Listed(rows, exceptions)
        assert [*json.loads(text)["exceptions"]] == ["bayesf1.yaml::spam"]
        said = {"measure": "f1_macro", "baseline": "old", "candidate": "new", "loss": 0.05, "reason": "a smaller model"}
        limit = replace(LOSS, failed=("class a",))
        assert limit.to_dict() == {**said, "failed": ["class a"]}
        assert replace(limit, up_to=0.06).to_dict() == {**said, "failed": ["class a"], "up_to": 0.06}
        assert read(text).losses("bayesf1.yaml::spam") == [LOSS]
        assert read(text).losses("another") == []

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("{", "The manifest of gates is damaged ("),
            ('{"version": 2, "gates": {}}', "expected format version 1, got 2. Install the newer"),
            ('{"version": "1", "gates": {}}', "expected format version 1, got '1'. Restore"),
            ('{"version": 1, "gates": []}', "gates is not an object"),
            ('{"version": 1, "gates": {"a": [{"rope": 1}]}}', "gates.a.0.rope is not a list"),
            ('{"version": 1, "gates": {"a": [{"later": NaN}]}}', "The manifest of gates is damaged (NaN is no number"),
            ('{"version": 1, "gates": {}, "exceptions": {"a": [{"change": "b", "reason": " "}]}}',
             "exceptions.a.0.reason is not a reason"),
            ('{"version": 1, "gates": {}, "exceptions": {"a": [{"reason": "b"}]}}',
             "exceptions.a.0.measure is missing"),
        ],
    )  # fmt: skip
    def test_damage_is_told(self, text, told):
        with pytest.raises(BaselineError) as caught:
            read(text.replace('{"version"', '{"format": "pytest-bayesf1 gates", "version"'))
        assert str(caught.value).startswith(f"gates.json: {told}")

    @staticmethod
    def updated(listed, made, *, passed=None, gone=(), losses=None, exceptions=None, change=Listed.updated):
        run = GatesOfRun(rows=made, why_missing=str, is_gone=lambda test: test in gone, losses=losses or {})
        return change(Listed(listed, exceptions or {}), run, made if passed is None else passed)

    def test_an_update_lists_what_passed_and_leaves_the_rest(self):
        listed = {"a": [GATE], "b": [GATE], "c": [GATE]}
        assert self.updated(listed, {"a": [FLOOR]}).rows == {**listed, "a": [FLOOR]}
        assert self.updated(listed, {"a": [FLOOR]}, passed=()).rows == listed
        assert self.updated(listed, {"a": [FLOOR]}, gone={"b"}).rows == {"a": [FLOOR], "c": [GATE]}

    def test_only_new_gates_are_added(self):
        made = {"a": [changed(rope=[-0.05, 0.05]), OTHER], "d": [FLOOR]}
        known = {"a": [GATE], "b": [GATE, FLOOR]}
        assert self.updated(known, made, change=Listed.with_new).rows == {**known, "a": [GATE, OTHER], "d": [FLOOR]}

    def test_an_update_removes_exceptions_that_its_gates_do_not_need(self):
        wider = changed(rope=[-0.05, 0.05])
        (change,) = compare_gates([{"a": [GATE]}], GatesOfRun(rows={"a": [wider]}, why_missing=lambda _: ""))
        needed = AcceptedChange(change=change.change, reason="agreed")
        exceptions = {"a": [needed, AcceptedChange(change="0" * 12, reason="old"), LOSS], "b": [LOSS], "c": [LOSS]}
        update = {"exceptions": exceptions, "losses": {"a": []}, "gone": {"c"}}
        assert self.updated({"a": [GATE]}, {"a": [wider]}, **update).exceptions == {"a": [needed], "b": [LOSS], "c": []}
        assert self.updated({"a": [wider]}, {"a": [wider]}, **update).exceptions == {"a": [], "b": [LOSS], "c": []}
        assert self.updated({"a": [GATE]}, {}, change=Listed.with_new, exceptions=exceptions).exceptions == exceptions

    def test_an_exception_replaces_the_one_that_it_is_instead_of(self):
        first, second = (AcceptedChange(change=digit * 12, reason="agreed") for digit in "01")
        listed = Listed().with_exceptions({"a": [first, LOSS]}).with_exceptions({"a": [second], "b": [second]})
        assert listed.exceptions == {"a": [LOSS, second], "b": [second]}
        again = replace(LOSS, reason="agreed")
        assert listed.with_exceptions({"a": [again]}).exceptions["a"] == [second, again]
        of_another = replace(LOSS, candidate="another", up_to=0.06)
        assert listed.with_exceptions({"a": [of_another]}).exceptions["a"] == [LOSS, second, of_another]
        limited = Listed(exceptions={"a": [of_another]})
        assert limited.with_exceptions({"a": [LOSS]}).exceptions["a"] == [LOSS]

    def test_the_file_is_written_once(self, tmp_path):
        path = tmp_path / "__bayesf1__" / "gates.json"
        assert not write_manifest(path, lambda listed: listed)
        assert not path.parent.exists()
        for is_changed in (True, False):
            assert write_manifest(path, lambda listed: Listed({**listed.rows, "a": [GATE]})) is is_changed
        assert Listed.checked_out(path).rows == {"a": [GATE]}

    def test_a_damaged_file_is_not_overwritten(self, tmp_path):
        path = tmp_path / "gates.json"
        path.write_bytes(b"{}\xff")
        with pytest.raises(BaselineError) as caught:
            write_manifest(path, lambda listed: listed)
        assert str(caught.value) == f"{path}: Not UTF-8: invalid start byte at byte 2. {_ADVICE}"
        assert path.read_bytes() == b"{}\xff"

    def test_a_file_that_cannot_be_written_is_told(self, tmp_path):
        (tmp_path / "file").touch()
        with pytest.raises(BaselineError, match="Cannot write the file"):
            write_manifest(tmp_path / "file" / "gates.json", lambda _: Listed({"a": [GATE]}))

    def test_what_another_process_lists_meanwhile_is_kept(self, tmp_path, monkeypatch):
        path = tmp_path / "gates.json"
        path.write_text(to_text({"a": [GATE]}))

        @contextmanager
        def locked(folder):
            assert folder == tmp_path
            path.write_text(to_text({"a": [GATE], "b": [GATE]}))
            yield

        monkeypatch.setattr(manifest, "locked", locked)
        assert write_manifest(path, lambda listed: Listed({**listed.rows, "c": [GATE]}))
        assert [*Listed.checked_out(path).rows] == ["a", "b", "c"]
