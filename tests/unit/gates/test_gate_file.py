import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_bayesf1 import Decision, GateFileError, InputError, compare
from pytest_bayesf1.choices import FAIL_ON, Runs
from pytest_bayesf1.comparison.arguments import ARGUMENTS, Offered, Prevalence, offered
from pytest_bayesf1.data.columns import Schema
from pytest_bayesf1.gates.demand import Family, Verdict
from pytest_bayesf1.gates.evaluate import evaluate
from pytest_bayesf1.gates.gate_file import (
    _KINDS,
    FamilyDeclaration,
    PairDeclaration,
    Settings,
    _files_with_families,
    families_by_gate,
    gate_file_schema,
    load_all_gates,
    load_gates,
)
from pytest_bayesf1.results.policy import NOT_INFERIOR, NOT_WORSE, PROVEN_AT_LEAST
from pytest_bayesf1.stats.looks import LookSchedule
from tests.unit.files.logged import FOLDER, edited, with_twice_the_samples
from tests.unit.files.written import write
from tests.unit.gates.written_gates import BASELINE, CANDIDATE, counts, figures, gate_file, one_gate
from tests.unit.made_up import comparison


def test_every_key_is_described_and_none_has_an_empty_default():
    keys = [key for each in gate_file_schema()["$defs"].values() for key in each["properties"].values()]
    assert all(key["description"] for key in keys)
    assert not [key for key in keys if key.get("default", 1) is None]


GATES = dict.fromkeys(["spam", "mail-de", "mail-en", "odd[name]"])
TWENTY = Family("all", 0.05, 20)


def declared(**families):
    return {name: FamilyDeclaration(**family) for name, family in families.items()}


def worse(p_below, n_draws=20_000):
    found = comparison(
        decision=Decision.MUCH_WORSE, mean=-0.05, hdi=(-0.07, -0.03), p_below_rope=p_below, n_draws=n_draws
    )
    return Verdict.of(found, NOT_WORSE)


class TestFamily:
    @pytest.mark.parametrize(
        ("p_below", "n_draws", "verdict"),
        [(1.0, 20_000, "failed"), (0.999, 20_000, "failed"), (0.99, 20_000, "warned"), (1.0, 300, "warned")],
        ids=["surely", "surely enough", "not surely enough", "too few draws to tell"],
    )
    def test_a_failure_counts_only_where_it_is_sure_enough(self, p_below, n_draws, verdict):
        found = TWENTY.judged(worse(p_below, n_draws))
        assert found.outcome == verdict
        assert found.lifted is (verdict == "warned")

    def test_a_lifted_failure_says_why(self):
        assert "all is within what you allow, 1%, is not below 0.25%, this" in TWENTY.judged(worse(0.99)).advice
        among_ten = replace(TWENTY, n_comparisons=10).judged(worse(0.999))
        assert "0.1%, is not below 0.025%, this comparison's share of the 5%" in among_ten.advice

    @pytest.mark.parametrize("decision", [each for each in Decision if each is not Decision.MUCH_WORSE])
    def test_what_does_not_fail_stays_as_it_is(self, decision):
        found = Verdict.of(comparison(decision=decision), NOT_WORSE)
        assert TWENTY.judged(found) is found
        assert not found.lifted

    def test_patterns_and_names_of_which_each_gate_counts_once(self):
        mail = {"gates": ["mail-*", "odd[name]", "mail-de"], "level": 0.01}
        families = families_by_gate(declared(m=mail, s={"gates": ["spam"]}), GATES, {})
        family = Family("m", 0.01, 3)
        assert families == {"mail-de": family, "mail-en": family, "odd[name]": family, "spam": Family("s", 0.05, 1)}

    def test_a_family_so_large_that_no_failure_could_be_told_is_refused(self):
        Family("all", 0.05, 200).over(50)
        with pytest.raises(
            InputError, match="families: expected at least 5e-06 of the level for each comparison, got 4e-06, among"
        ):
            Family("all", 0.05, 250).over(50)


EVERYTHING = """
defaults: {measure: accuracy, rope: 0.01, hdi_prob: 0.9, seed: 1, per_class: true, slices: [language]}
gates:
  spam:
    baseline: baselines/spam.csv
    candidate: build/spam.csv
  ham: {baseline: a.npz, candidate: b.npz, fail_on: unproven, seed: 5, per_class: false, slices: [b, a]}
"""


def loaded(folder, text):
    return load_gates(gate_file(folder, text), folder)


class TestGateFile:
    def test_what_a_gate_says_counts_before_the_defaults_of_its_file(self, tmp_path):
        spam, ham = loaded(tmp_path, EVERYTHING)
        assert (spam.name, spam.line, spam.file) == ("spam", 4, tmp_path / "bayesf1.yaml")
        assert (ham.demand.policy, ham.demand.per_class, ham.demand.slices) == (NOT_INFERIOR, False, ("b", "a"))
        assert ham.demand.arguments == {**spam.demand.arguments, "seed": 5}

    def test_people_s_grades_are_found_beside_the_gate_file(self, tmp_path):
        spam, _ = loaded(tmp_path, EVERYTHING.replace("{measure", "{human: people.csv, measure"))
        assert spam.demand.arguments["human"] == str(tmp_path / "people.csv")
        with pytest.raises(GateFileError, match=r"spam\.human.*leads out"):
            loaded(tmp_path, EVERYTHING.replace("  ham:", "    human: ../people.csv\n  ham:"))
        with pytest.raises(GateFileError, match="human or anchor"):
            loaded(tmp_path, EVERYTHING.replace("  ham:", "    human: people.csv\n    anchor: v1.csv\n  ham:"))

    @pytest.mark.parametrize(
        ("settings", "files"),
        [
            (
                {"baseline": "a.csv", "anchor": "v1.csv", "rope": 0.1, "gold": "gold.csv"},
                ["a.csv", "v1.csv", "gold.csv"],
            ),
            ({"baseline": "a.csv", "rope": 0.1, "human": "people.csv"}, ["a.csv", "people.csv"]),
            ({"floor": 0.5, "gold": "gold.csv", "human": "people.csv"}, ["gold.csv", "people.csv"]),
            ({"pool": "p.labelling.json", "rope": 0.1, "labels": "kim.csv"}, ["p.labelling.json", "kim.csv"]),
            ({"pool": "p.labelling.json", "rope": 0.1}, ["p.labelling.json", "p.labels.csv"]),
        ],
    )
    def test_the_files_that_a_candidate_is_judged_by_are_none_of_its_own(self, tmp_path, settings, files):
        side = {} if "pool" in settings else {"candidate": "b.csv"}
        (gate,) = loaded(tmp_path, json.dumps({"gates": {"g": {**settings, **side}}}))
        assert [path.relative_to(tmp_path).as_posix() for path in gate.reviewed] == files
        assert gate.source.of_baseline == [tmp_path / name for name in files if name in ("a.csv", "v1.csv")]

    def test_several_files_are_read_as_one_and_all_that_is_wrong_is_told_once(self, tmp_path):
        files = [gate_file(tmp_path, one_gate(name), f"bayesf1-{name}.yaml") for name in ("spam", "ham")]
        assert [gate.name for gate in load_all_gates(files, tmp_path)] == ["spam", "ham"]
        wrong = [gate_file(tmp_path, one_gate(rope=rope), f"bayesf1-{rope}.yaml") for rope in (2, 3)]
        with pytest.raises(GateFileError) as caught:
            load_all_gates([*wrong, *files, wrong[0]], tmp_path)
        assert [each.partition(":")[0] for each in caught.value.problems] == ["bayesf1-2.yaml", "bayesf1-3.yaml"]

    def test_a_root_folder_behind_a_link(self, tmp_path):
        (tmp_path / "real").mkdir()
        (tmp_path / "link").symlink_to(tmp_path / "real")
        path = gate_file(tmp_path / "real", one_gate())
        assert [gate.name for gate in load_gates(path, tmp_path / "link")] == ["spam"]
        assert [gate.name for gate in load_gates(tmp_path / "link" / "bayesf1.yaml", tmp_path / "real")] == ["spam"]

    def test_a_byte_order_mark_is_none_of_the_gates(self, tmp_path):
        assert [gate.name for gate in loaded(tmp_path, b"\xef\xbb\xbf" + one_gate().encode())] == ["spam"]

    @pytest.mark.parametrize("name", ["a.b/c", " ", "a[b]c|", "'\"", "a:b:c", "[key]", "-x", "שלום", "x" * 200])
    def test_names_that_a_gate_may_have(self, tmp_path, name):
        assert [gate.name for gate in loaded(tmp_path, one_gate(name))] == [name]

    def test_a_gate_may_say_the_arguments_of_a_comparison_that_are_offered_to_it(self):
        arguments = {argument.name: argument for argument in offered(Offered.GATE)}
        assert {name for name in Settings.model_fields if name in ARGUMENTS and name != "budget"} == set(arguments)
        assert {name: getattr(Settings(), name) for name in arguments} == {
            name: argument.default for name, argument in arguments.items()
        }

    def test_a_family_of_one_name_in_several_files_of_a_repository_is_one(self, tmp_path):
        def written(folder, *names, level=0.05):
            gates = {name: {"baseline": "a.csv", "candidate": "b.csv", "rope": 0.01} for name in names}
            families = {"models": {"gates": ["*"], "level": level}}
            (tmp_path / folder).mkdir()
            return gate_file(tmp_path / folder, json.dumps({"gates": gates, "families": families}))

        (tmp_path / ".git").mkdir()
        spam, mail = written("spam", "spam"), written("mail", "mail-de", "mail-en")
        (tmp_path / "alone").mkdir()
        gate_file(tmp_path / "alone", GATE)
        for path, root in ((spam, tmp_path), (spam, spam.parent), (mail, tmp_path)):
            assert load_gates(path, root)[0].demand.family == Family("models", 0.05, 3)
        _files_with_families.cache_clear()
        strict = written("strict", "strict", level=0.01)
        with pytest.raises(GateFileError) as caught:
            load_gates(strict, tmp_path)
        for other in (mail, spam):
            assert f"0.01 here, 0.05 in {other.relative_to(tmp_path)}. A family has one level." in str(caught.value)
        _files_with_families.cache_clear()


SETTINGS = {
    "measure": ("recall_macro", {"measure": "recall_macro"}),
    "rope": ([-0.05, 0.04], {"rope": [-0.05, 0.04]}),
    "hdi_prob": (0.9, {"hdi_prob": 0.9}),
    "prevalence": ({"b": 0.25}, {"prevalence": Prevalence.of("b=0.25")}),
    "prior": ("uniform", {"prior": "uniform"}),
    "engine": ("pymc", {"engine": "pymc"}),
    "seed": (5, {"seed": 5}),
    "model": ("same-set", {"model": "same-set"}),
    "on_new_test_set": ("error", {"on_new_test_set": "error"}),
    "weak_baseline": (True, {"weak_baseline": True}),
    "human": ("people.csv", {"human": "people.csv"}),
    "fail_on": ("unproven", {"policy": NOT_INFERIOR, "words": 'fail_on "unproven"'}),
    "per_class": (True, {"per_class": True}),
    "slices": (["language", "age"], {"slices": ("language", "age")}),
    "max_gap": (0.3, {"max_gap": 0.3}),
    "budget": (0.4, {"budget": 0.4}),
    "looks": (3, {"looks": LookSchedule(3, 9)}),
    "planned_examples": (8, {"looks": LookSchedule(2, 8)}),
    "other_ruler": (True, {"other_ruler": True}),
    "show": (["text"], {"show": ("text",)}),
    "kind": ("spans", {"kind": "spans"}),
    "labels": (["c", "a"], {"labels": ("c", "a")}),
    "invalid": ("wrong", {"invalid": "wrong"}),
    "answer": (".", {"answer": "."}),
    "better": ("lower", {"better": "lower"}),
    "clusters": ("user", {"clusters": "user"}),
    "runs": ("seeds", {"runs": "seeds"}),
    "columns": ({"id": 3}, {"columns": (("id", "3"),)}),
    "rows": ({"final": True}, {"rows": (("final", "True"),)}),
    "gold": (
        {"file": "gold.csv", "columns": {"y_true": "tag"}, "rows": {"part": 2}},
        {"gold": "gold.csv", "gold_columns": (("y_true", "tag"),), "gold_rows": (("part", "2"),)},
    ),
}
OF_KIND = {
    "two files": {
        name: (f"new-{name}.csv", {"files": {name: f"new-{name}.csv"}}) for name in ("baseline", "anchor", "candidate")
    },
    "floor": {
        "fail_on": ("unproven", {"policy": PROVEN_AT_LEAST, "words": "floor 0.5, proven"}),
        "floor": (0.6, {"floor": 0.6, "words": "floor 0.6"}),
        "run_sd": (0.01, {"run_sd": 0.01}),
        "candidate": ("new.csv", {"files": {"runs": ("new.csv",)}}),
    },
    "pool": {
        "labels": ("mine.csv", {"files": {"labels": "mine.csv"}}),
        "pool": ("q.labelling.json", {"files": {"pool": "q.labelling.json"}}),
    },
}
USUAL = {
    "two files": {"baseline": "a.csv", "candidate": "b.csv", "rope": 0.02, "slices": ["site"]},
    "floor": {"candidate": "b.csv", "floor": 0.5},
    "pool": {"pool": "p.labelling.json", "rope": 0.02},
}
NEEDED = {"looks": {"planned_examples": 9}, "planned_examples": {"looks": 2}}


def known_of(folder, defaults, gate):
    """Return all that a gate file says of a gate: what it demands, how each of its files is read, and the files."""
    (found,) = loaded(folder, json.dumps({"defaults": defaults, "gates": {"g": gate}}))
    demand, source = dict(vars(found.demand)), dict(vars(found.source))
    readings = list(source.pop("readings").values())
    assert readings == readings[:1] * len(readings)
    said = {**demand.pop("arguments"), **demand, **(vars(readings[0]) if readings else {})}
    said["other_ruler"] = source.pop("other_ruler", False)
    return {**{name: _below(folder, value) for name, value in said.items()}, "files": _below(folder, source)}


def _below(folder, value):
    if isinstance(value, dict):
        return {name: _below(folder, each) for name, each in value.items() if name != "declared"}
    if isinstance(value, tuple) and value and isinstance(value[0], Path):
        return tuple(_below(folder, each) for each in value)
    is_path = isinstance(value, str | Path) and str(value).startswith(str(folder))
    return os.path.relpath(value, folder) if is_path else value


@pytest.mark.parametrize("key", dict.fromkeys(key for declared in _KINDS.values() for key in declared.model_fields))
@pytest.mark.parametrize("kind", USUAL)
def test_what_becomes_of_each_setting_that_a_gate_or_its_file_s_defaults_say(tmp_path, kind, key):
    usual = known_of(tmp_path, {}, USUAL[kind])
    value, expected = (SETTINGS | OF_KIND[kind]).get(key, (None, {}))
    said, rest = {key: value, **NEEDED.get(key, {})}, {name: USUAL[kind][name] for name in USUAL[kind] if name != key}
    if key in _KINDS[kind].model_fields:
        expected = {**usual, **expected, "files": {**usual["files"], **expected.get("files", {})}}
        assert known_of(tmp_path, {}, USUAL[kind] | said) == expected
    else:
        expected = usual
    if key in SETTINGS and (kind, key) != ("pool", "labels"):
        assert known_of(tmp_path, said, rest) == expected


def test_labels_that_defaults_say_are_no_file_of_a_pool(tmp_path):
    assert known_of(tmp_path, {"labels": ["a", "b"]}, USUAL["pool"]) == known_of(tmp_path, {}, USUAL["pool"])


GATE = "gates:\n  spam:\n    baseline: a.csv\n    candidate: b.csv\n    rope: 0.01\n"
LOOKS = "    looks: 2\n    planned_examples: 9\n"
TOGETHER = "looks and planned_examples go together."
OF_FILE = "defaults, gates, families"
*FIRST_WORDS, LAST_WORD = map(repr, FAIL_ON)
A_WORD = f"{', '.join(FIRST_WORDS)} or {LAST_WORD}"
A_SIDE = "the name of a file, or a mapping with file, columns, rows"
NO_ROPE = "expected the largest difference that does not matter, such as 0.01, got nothing. Set it here or in defaults."
NO_BASELINE = "There is no baseline. Name one; or set floor, the score that the candidate must reach."
NO_PROBABILITY = "expected the probability inside the interval, from 0.5 to 1, usually 0.95, got 95.0"
NAME = "expected a name without '::' and control characters, and without ':' at its ends"


def problems(folder, text):
    with pytest.raises(GateFileError) as caught:
        load_gates(gate_file(folder, text), folder)
    assert str(caught.value) == "\n".join(caught.value.problems)
    return list(caught.value.problems)


class TestErrors:
    def test_one_file_for_both_sides_needs_what_tells_them_apart(self, tmp_path):
        told = "Both sides are one file. Name another, or columns or rows that tell them apart."
        for candidate in ("a.csv", "./x/../a.csv"):
            found = problems(tmp_path, one_gate(baseline="a.csv", candidate=candidate))
            assert found == [f"bayesf1.yaml:1: gates.spam: {told}"]
        for told_apart in ({"columns": {"y_pred": "new"}}, {"rows": {"model": "new"}}):
            assert loaded(tmp_path, one_gate(baseline="a.csv", candidate={"file": "a.csv", **told_apart}))

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("", "1: There are no gates. List them under gates."),
            ("[1]", "1: expected a mapping, got [1]"),
            ("defaults: {rope: 0.1}", "1: gates: expected a value, got nothing"),
            ("\ngates:", "2: gates: expected a mapping, got nothing"),
            ("gates: {}", "1: gates: expected at least one, got {}"),
            ("gate: 1\n" + GATE, "1: gate: There is no such key. Did you mean 'gates'?"),
            ("defaults: {mesure: f1}\n" + GATE, "1: defaults.mesure: There is no such key. Did you mean 'measure'?"),
            (GATE + "    baselin: x", "6: gates.spam.baselin: There is no such key. Did you mean 'baseline'?"),
            ("gates: *x", "1: Not YAML at column 8: an alias: say in defaults what gates have in common."),
            (GATE + "    looks: 4", f"2: gates.spam: {TOGETHER} Add planned_examples."),
            (GATE + "    planned_examples: 9", f"2: gates.spam: {TOGETHER} Add looks."),
            (GATE + LOOKS + "families: {all: {gates: [spam]}}", "2: gates.spam: Gates of the family all"),
            (GATE + LOOKS.replace("2", "1"), "6: gates.spam.looks: expected at least 2, got 1"),
            (GATE + "families: {all: {gates: [spam], level: 0.7}}", "6: families.all.level: expected at most 0.5"),
        ],
    )
    def test_what_is_wrong_with_a_file(self, tmp_path, text, expected):
        assert problems(tmp_path, text)[0].startswith(f"bayesf1.yaml:{expected}")

    @pytest.mark.parametrize(
        ("key", "value", "expected"),
        [
            ("rope", 5, "a difference of scores, such as 0.01 for one point, got 5"),
            ("fail_on", None, f"{A_WORD}, got nothing"),
            ("model", "x" * 100, f"one of auto, paired, same-set, independent, got '{'x' * 76}..."),
            ("per_class", 1, "true or false, got 1"),
            ("slices", ["a", "b", "a"], "each name once, got 'a' 2 times"),
        ],
    )
    def test_what_is_wrong_with_a_value(self, tmp_path, key, value, expected):
        assert problems(tmp_path, one_gate(**{key: value})) == [
            f"bayesf1.yaml:1: gates.spam.{key}: expected {expected}"
        ]

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("a::b", f"a::b: {NAME}, got 'a::b'"),
            ("a:", f"a:: {NAME}, got 'a:'"),
            ("", "'': expected some text, got ''"),
            ("a\nb", f"'a\\nb': {NAME}, got 'a\\nb'"),
            ("\u202eabc", f"'\\u202eabc': {NAME}, got '\\u202eabc'"),
            ("x" * 1_000, f"{'x' * 77}...: expected at most 200 characters, got '{'x' * 76}..."),
        ],
        ids=lambda text: ascii(text)[:20],
    )
    def test_names_that_a_gate_may_not_have(self, tmp_path, name, expected):
        assert problems(tmp_path, one_gate(name)) == [f"bayesf1.yaml:1: gates.{expected}"]

    def test_a_gate_named_like_pydantics_own_mark_is_told_by_its_name(self, tmp_path):
        of_pair = ", ".join(PairDeclaration.model_fields)
        assert problems(
            tmp_path, "gates:\n  '[key]':\n    baseline: 1\n    candidate: b\n    rope: 0.1\n    '[key]': 1"
        ) == [
            f"bayesf1.yaml:3: gates.[key].baseline: expected {A_SIDE}, got 1",
            f"bayesf1.yaml:6: gates.[key].[key]: There is no such key. The keys are {of_pair}.",
        ]

    def test_everything_wrong_is_told_at_once_in_the_order_of_the_lines(self, tmp_path):
        text = """\
defaults:
  hdi_prob: 95
gates:
  a: {baseline: a.csv, candidate: b.csv, rope: [0.1, 0.2]}
  b:
    baseline: ../a.csv
    candidat: b.csv
  b:
    fail_on: worse
    slices:
    - language
    - ''
  1: {baseline: a.csv, candidate: b.csv, rope: 0.1}
extra: 1
"""
        assert problems(tmp_path, text) == [
            f"bayesf1.yaml:2: defaults.hdi_prob: {NO_PROBABILITY}",
            "bayesf1.yaml:4: gates.a.rope: expected an interval that holds 0, got [0.1, 0.2]",
            f"bayesf1.yaml:8: gates.b.baseline: {NO_BASELINE}",
            "bayesf1.yaml:8: gates.b.candidate: There is no candidate. Name its file.",
            f"bayesf1.yaml:8: gates.b.rope: {NO_ROPE}",
            "bayesf1.yaml:8: gates.b: This key is there twice. Keep one.",
            f"bayesf1.yaml:9: gates.b.fail_on: expected {A_WORD}, got 'worse'",
            "bayesf1.yaml:12: gates.b.slices.1: expected some text, got ''",
            "bayesf1.yaml:13: gates.1: expected text, got 1. Put it in quotes",
            f"bayesf1.yaml:14: extra: There is no such key. The keys are {OF_FILE}.",
        ]

    @pytest.mark.parametrize(
        "path", ["../a.csv", "x/../../a.csv", "../root-2/a.csv", "/etc/passwd", "link.csv", "folder/a.csv", "a\0b"]
    )
    def test_files_outside_of_the_root_folder_are_refused(self, tmp_path, path):
        root = tmp_path / "root"
        root.mkdir()
        (tmp_path / "a.csv").touch()
        (root / "link.csv").symlink_to("../a.csv")
        (root / "folder").symlink_to(tmp_path)
        (problem,) = problems(root, one_gate(candidate=path))
        told = f"{path!r} leads out of {root}. Copy the file into that folder"
        assert problem == f"bayesf1.yaml:1: gates.spam.candidate.file: {told}"

    def test_files_that_cannot_be_read(self, tmp_path):
        assert problems(tmp_path, b"a: \xff") == ["bayesf1.yaml: Not UTF-8: invalid start byte at byte 3"]
        (tmp_path / "models").mkdir()
        for name, told in (("none.yml", "file not found. Check the path, or propose one"), ("", "Is a directory")):
            with pytest.raises(GateFileError, match=rf"^models/?{name}: {told}"):
                load_gates(tmp_path / "models" / name, tmp_path)

    def test_what_is_wrong_with_families_and_gaps(self, tmp_path):
        text = """\
defaults: {rope: 0.01, fail_on: unproven}
gates:
  spam: {baseline: a.csv, candidate: b.csv, max_gap: 0.05}
  ham: {baseline: a.csv, candidate: b.csv, fail_on: "<<"}
families:
  all: {gates: ["*"]}
  some:
    gates:
    - han
    - ham
"""
        in_family = 'Gates of the family all need fail_on "<<", not "unproven"'
        unknown = "expected a gate of this file, or a pattern of some, got 'han'. Did you mean 'ham'?"
        assert problems(tmp_path, text) == [
            f"bayesf1.yaml:3: gates.spam: {in_family}: of no other can a family limit the chance of a false failure.",
            "bayesf1.yaml:3: gates.spam: max_gap is about slices, and there are none. Add slices.",
            "bayesf1.yaml:8: families.some.gates: ham is in the family all already. A gate is in one family at most.",
            f"bayesf1.yaml:9: families.some.gates.0: {unknown}",
        ]


BOTH = {"doc": BASELINE["id"], "gold": BASELINE["y_true"], "old": BASELINE["y_pred"], "new": CANDIDATE["y_pred"]}
NAMED = {"y_true": "gold", "id": "doc"}
SIDES = {"baseline": "old", "candidate": "new"}


def result_of(folder, **settings):
    (gate,) = loaded(folder, one_gate(**settings))
    return evaluate(gate)


class TestNamedColumns:
    def test_one_file_holds_both_sides_and_the_anchor(self, tmp_path):
        write(tmp_path, "a.csv", {**BOTH, "perfect": BASELINE["y_true"]})
        sides = {name: {"file": "a.csv", "columns": {"y_pred": column}} for name, column in SIDES.items()}
        anchor = {"file": "a.csv", "columns": {"y_pred": "perfect"}}
        result = result_of(tmp_path, columns=NAMED, anchor=anchor, **sides)
        expected = compare(counts(BASELINE), counts(CANDIDATE), rope=0.02)
        assert figures(result.overall.comparison) == figures(expected)
        (since,) = result.since_anchor
        assert since.comparison.baseline.observed == 1
        sides["anchor"] = sides["baseline"]
        assert result_of(tmp_path, columns=NAMED, **sides).since_anchor == ()

    def test_what_a_side_says_comes_before_what_the_gate_says_and_that_before_defaults(self, tmp_path):
        text = r"""
defaults:
  {rope: 0.01, columns: {y_true: gold}, rows: {version: 2}, clusters: doc, runs: samples, invalid: wrong, answer: .+}
gates:
  one: {baseline: a.csv, candidate: {file: b.csv, columns: {y_pred: -1, id: doc}, rows: {final: true}}}
  other: {baseline: a.csv, candidate: b.csv, columns: {y_true: truth}, rows: {}, clusters: null, runs: seeds,
          invalid: error, answer: '(a|b)'}
"""
        one, other = loaded(tmp_path, text)
        of_all = {"columns": (("y_true", "gold"),), "rows": (("version", "2"),), "answer": ".+"}
        said = Schema("wrong", "doc", Runs.SAMPLES, **of_all)
        assert one.source.reading("baseline") == said
        columns = ("y_true", "gold"), ("y_pred", "-1"), ("id", "doc")
        rows = ("version", "2"), ("final", "True")
        assert one.source.reading("candidate") == replace(said, columns=columns, rows=rows)
        expected = Schema("error", "", Runs.SEEDS, columns=(("y_true", "truth"),), answer="(a|b)")
        assert other.source.reading("candidate") == expected

    @pytest.mark.parametrize(
        ("settings", "told"),
        [
            ({"columns": {"y_tru": "gold"}}, "columns.y_tru: expected one of y_true, y_pred, id, run, n, y_score"),
            ({"rows": {"system": [1]}}, "rows.system: expected a text, a number or a boolean, got [1]"),
            ({"baseline": {"columns": {}}}, "baseline.file: expected a value, got nothing"),
            ({"baseline": {"file": "a", "column": {}}}, "baseline.column: There is no such key. Did you mean"),
            ({"gold": "../gold.conll"}, "gold.file: '../gold.conll' leads out of"),
            ({"answer": "(spam"}, "answer: expected a regular expression, got '(spam', which is none"),
        ],
    )
    def test_what_is_wrong_is_told_by_its_place(self, tmp_path, settings, told):
        (problem,) = problems(tmp_path, one_gate(**settings))
        assert problem.startswith(f"bayesf1.yaml:1: gates.spam.{told}")

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("floor: 0.9, baseline: old.csv", ".baseline: baseline does not go with floor"),
            ("run_sd: 0.01, rope: 0.01, baseline: old.csv", ".run_sd: run_sd does not go with two files."),
            ("floor: 0.9, run_sd: 0.01, per_class: true", ": run_sd is about all the data. Leave per_class"),
        ],
    )
    def test_what_goes_with_no_floor_or_with_one_alone(self, tmp_path, text, told):
        (problem,) = problems(tmp_path, f"gates: {{spam: {{candidate: new.csv, {text}}}}}")
        assert problem.startswith(f"bayesf1.yaml:1: gates.spam{told}")

    def test_logs_that_something_else_graded_need_a_declaration(self, tmp_path):
        def regraded(log):
            with_twice_the_samples(log)
            log["eval"]["task_version"] = 2

        edited(FOLDER / "inspect-first.json", tmp_path, with_twice_the_samples)
        edited(FOLDER / "inspect-second.json", tmp_path, regraded)
        (tmp_path / "old.json").write_bytes((tmp_path / "inspect-second.json").read_bytes())
        files = {"baseline": "inspect-first.json", "candidate": "inspect-second.json"}
        asked = {**files, "measure": "mean", "runs": "samples", "rope": 0.1}
        message = r"task_version: 0 as in the baseline, got task_version: 2\. Grade .* declare other_ruler: true"
        assert result_of(tmp_path, **asked, other_ruler=True).source.known["other_ruler"] is True
        with pytest.raises(InputError, match=message):
            result_of(tmp_path, **asked | {"baseline": "old.json", "anchor": "inspect-first.json"})
        found = result_of(tmp_path, **asked | {"baseline": "old.json"}).source.known
        assert found["ruler"] == "task_version: 2, scorer: match"


def test_no_file_that_a_pattern_names_may_lie_outside(tmp_path):
    (tmp_path / "secret.csv").write_text("y_true,y_pred")
    root = tmp_path / "project"
    (root / "runs").mkdir(parents=True)
    (root / "runs" / "1.csv").touch()
    (root / "runs" / "2.csv").symlink_to(tmp_path / "secret.csv")
    with pytest.raises(GateFileError, match=r"candidate.file: 'runs/\*\.csv' leads out of"):
        load_gates(gate_file(root, "gates: {a: {candidate: 'runs/*.csv', floor: 0.5}}"), root)
