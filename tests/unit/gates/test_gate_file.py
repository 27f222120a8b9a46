import json
from typing import get_args

import numpy as np
import pytest

from pytest_bayesf1 import BaselineError, Decision, GateFileError, InputError, Scores, compare
from pytest_bayesf1.comparison.arguments import ARGUMENTS, Offered, Prevalence, offered
from pytest_bayesf1.data.columns import Schema
from pytest_bayesf1.gates.demand import FAILS_ON, Family, Verdict
from pytest_bayesf1.gates.evaluate import evaluate
from pytest_bayesf1.gates.gate_file import (
    FamilyDeclaration,
    FloorDeclaration,
    PairDeclaration,
    PoolDeclaration,
    Settings,
    _files_with_families,
    families_by_gate,
    gate_file_schema,
    has_baseline,
    load_gates,
    problems_of_families,
)
from pytest_bayesf1.measures.formulas import Data
from pytest_bayesf1.measures.names import measures_of
from pytest_bayesf1.results.policy import NOT_WORSE
from tests.unit.files.logged import FOLDER, edited, with_twice_the_samples
from tests.unit.files.written import write
from tests.unit.gates.written_gates import BASELINE, CANDIDATE, counts, figures, gate_file, one_gate
from tests.unit.made_up import comparison

SCHEMA = gate_file_schema()
KINDS = {each.__name__: each.model_fields for each in (PairDeclaration, FloorDeclaration, PoolDeclaration)}
OF_GATE = SCHEMA["$defs"]["PairDeclaration"]["properties"]


class TestDeclaration:
    def test_the_schema_names_its_draft(self):
        assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"

    def test_keys_are_those_of_the_models_and_no_others(self):
        for name, keys in [*KINDS.items(), ("Settings", Settings.model_fields)]:
            assert set(SCHEMA["$defs"][name]["properties"]) == set(keys)
        closed = [SCHEMA, SCHEMA["properties"]["gates"], *SCHEMA["$defs"].values()]
        assert [each["additionalProperties"] for each in closed] == [False] * 8

    def test_a_gate_is_of_one_kind(self):
        (gate,) = SCHEMA["properties"]["gates"]["patternProperties"].values()
        assert {each["$ref"].rpartition("/")[2] for each in gate["oneOf"]} == set(KINDS)

    def test_what_is_required(self):
        assert SCHEMA["required"] == ["gates"]
        assert SCHEMA["properties"]["gates"]["minProperties"] == 1
        required = [SCHEMA["$defs"][name]["required"] for name in KINDS]
        assert required == [["baseline", "candidate"], ["candidate", "floor"], ["pool"]]
        assert "required" not in SCHEMA["$defs"]["Settings"]

    def test_every_key_is_described_and_none_has_an_empty_default(self):
        keys = [key for each in SCHEMA["$defs"].values() for key in each["properties"].values()]
        assert all(key["description"] for key in keys)
        assert not [key for key in keys if key.get("default", 1) is None]

    @pytest.mark.parametrize(
        ("key", "expected"),
        [
            (
                "rope",
                {
                    "anyOf": [
                        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
                        {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
                        {
                            "type": "array",
                            "items": {"anyOf": [{"type": "number"}, {"const": "wide", "type": "string"}]},
                            "minItems": 2,
                            "maxItems": 3,
                        },
                    ]
                },
            ),
            ("hdi_prob", {"type": "number", "minimum": 0.5, "exclusiveMaximum": 1, "default": 0.95}),
            ("fail_on", {"type": "string", "enum": ["<<", "unproven"], "default": "<<"}),
            ("seed", {"type": "integer", "minimum": 0, "default": 0}),
            (
                "slices",
                {"type": "array", "items": {"type": "string", "minLength": 1}, "uniqueItems": True, "default": []},
            ),
        ],
    )
    def test_values_that_a_key_may_have(self, key, expected):
        assert {name: told for name, told in OF_GATE[key].items() if name not in ("title", "description")} == expected


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
    def test_every_gate_and_every_comparison_has_an_equal_share(self):
        assert TWENTY.share == pytest.approx(0.0025)
        assert Family("all", 0.05, 20, n_comparisons=10).tail == pytest.approx(0.00025)

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
        assert TWENTY.judged(worse(0.99)).advice == (
            "Worse on its own, but within the chance of the 20 gates of the family all: the probability that all is "
            "within what you allow, 1%, is not below 0.25%, this comparison's share of the 5%. Look at it before "
            "you merge; "
            "more examples would tell."
        )

    @pytest.mark.parametrize("decision", [each for each in Decision if each is not Decision.MUCH_WORSE])
    def test_what_does_not_fail_stays_as_it_is(self, decision):
        found = Verdict.of(comparison(decision=decision), NOT_WORSE)
        assert TWENTY.judged(found) is found
        assert not found.lifted

    def test_patterns_and_names(self):
        families = families_by_gate(
            declared(m={"gates": ["mail-*", "odd[name]"], "level": 0.01}, s={"gates": ["spam"]}), GATES, {}
        )
        mail = Family("m", 0.01, 3)
        assert families == {"mail-de": mail, "mail-en": mail, "odd[name]": mail, "spam": Family("s", 0.05, 1)}

    def test_a_gate_that_two_patterns_name_counts_once(self):
        assert families_by_gate(declared(all={"gates": ["*", "spam"]}), GATES, {})["spam"].n_gates == 4

    def test_what_is_wrong_with_families(self):
        found = list(
            problems_of_families(declared(a={"gates": ["*"]}, b={"gates": ["spam", "mial-de", "x*"]}), GATES, {})
        )
        assert found == [
            (
                ("families", "b", "gates", 1),
                "expected a gate of this file, or a pattern of some, got 'mial-de'. Did you mean 'mail-de'?",
            ),
            (("families", "b", "gates", 2), "expected a gate of this file, or a pattern of some, got 'x*'"),
            (("families", "b", "gates"), "spam is in the family a already. A gate is in one family at most."),
        ]

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
  ham:
    baseline: a.npz
    candidate: b.npz
    measure: f1[ham]
    rope: [-0.02, 0.01]
    fail_on: <<
    hdi_prob: 0.8
    model: paired
    prevalence: {spam: 0.01, 1: 0.2}
    prior: jeffreys
    engine: pymc
    seed: 5
    per_class: false
    slices: [region, source]
"""


def loaded(folder, text):
    return load_gates(gate_file(folder, text), folder)


class TestGateFile:
    def test_a_gate_takes_what_it_does_not_say_from_the_defaults_of_its_file(self, tmp_path):
        spam, _ = loaded(tmp_path, EVERYTHING)
        assert (spam.name, spam.line, spam.file) == ("spam", 4, tmp_path / "bayesf1.yaml")
        assert spam.source.baseline == tmp_path / "baselines" / "spam.csv"
        assert spam.source.candidate == tmp_path / "build" / "spam.csv"
        said = {"measure": "accuracy", "rope": 0.01, "hdi_prob": 0.9, "seed": 1}
        assert spam.demand.arguments == {each.name: each.default for each in offered(Offered.GATE)} | said
        demand = spam.demand
        assert (demand.policy, demand.per_class, demand.slices) == (NOT_WORSE, True, ("language",))

    def test_people_s_grades_are_found_beside_the_gate_file(self, tmp_path):
        spam, ham = loaded(tmp_path, EVERYTHING.replace("{measure", "{human: people.csv, measure"))
        assert spam.demand.arguments["human"] == str(tmp_path / "people.csv")
        assert tmp_path / "people.csv" in ham.reviewed
        with pytest.raises(GateFileError, match=r"spam\.human.*leads out"):
            loaded(tmp_path, EVERYTHING.replace("  ham:", "    human: ../people.csv\n  ham:"))
        with pytest.raises(GateFileError, match="human or anchor"):
            loaded(tmp_path, EVERYTHING.replace("  ham:", "    human: people.csv\n    anchor: v1.csv\n  ham:"))

    def test_a_gate_overrides_the_defaults_with_defaults_too(self, tmp_path):
        _, ham = loaded(tmp_path, EVERYTHING)
        assert ham.demand.arguments == {
            "measure": "f1[ham]",
            "rope": [-0.02, 0.01],
            "hdi_prob": 0.8,
            "human": None,
            "model": "paired",
            "on_new_test_set": "shared",
            "prevalence": Prevalence.of({"spam": 0.01, "1": 0.2}),
            "prior": "jeffreys",
            "engine": "pymc",
            "seed": 5,
            "weak_baseline": False,
        }
        demand = ham.demand
        assert (demand.policy, demand.per_class, demand.slices) == (NOT_WORSE, False, ("region", "source"))

    def test_a_gate_takes_from_the_defaults_what_its_kind_has(self, tmp_path):
        of_pairs = "budget: 0.02, model: paired, max_gap: 0.05, show: [text]"
        text = f"""
defaults: {{rope: 0.01, seed: 1, looks: 2, planned_examples: 9, slices: [language], clusters: user, {of_pairs}}}
gates:
  pair: {{baseline: a.csv, candidate: b.csv}}
  floor: {{candidate: b.csv, floor: 0.9}}
  pool: {{pool: a.labelling.json}}
"""
        pair, floor, pool = loaded(tmp_path, text)
        assert [gate.demand.arguments["seed"] for gate in (pair, floor, pool)] == [1, 1, 1]
        assert ["rope" in gate.demand.arguments for gate in (pair, floor, pool)] == [True, False, True]
        assert [gate.demand.looks is None for gate in (pair, floor, pool)] == [False, True, False]
        assert [gate.demand.slices for gate in (pair, floor, pool)] == [("language",), ("language",), ()]
        assert [gate.demand.max_gap for gate in (pair, floor, pool)] == [0.05, None, None]
        assert pair.source.reading("candidate") == Schema(clusters="user", show=("text",))
        assert floor.source.reading("candidate") == Schema(clusters="user")

    def test_files_are_found_beside_the_gate_file(self, tmp_path):
        folder = tmp_path / "models" / "spam"
        folder.mkdir(parents=True)
        (gate,) = filter(has_baseline, load_gates(gate_file(folder, one_gate(baseline="../baselines/a.csv")), tmp_path))
        assert gate.source.baseline.resolve() == tmp_path / "models" / "baselines" / "a.csv"
        assert gate.source.candidate == folder / "b.json"

    def test_an_absolute_path_inside_of_the_root_folder(self, tmp_path):
        (gate,) = loaded(tmp_path, one_gate(baseline=str(tmp_path / "x" / "a.csv")))
        assert gate.source.baseline == tmp_path / "x" / "a.csv"

    def test_a_root_folder_behind_a_link(self, tmp_path):
        (tmp_path / "real").mkdir()
        (tmp_path / "link").symlink_to(tmp_path / "real")
        path = gate_file(tmp_path / "real", one_gate())
        assert [gate.name for gate in load_gates(path, tmp_path / "link")] == ["spam"]
        assert [gate.name for gate in load_gates(tmp_path / "link" / "bayesf1.yaml", tmp_path / "real")] == ["spam"]

    def test_a_byte_order_mark_is_none_of_the_gates(self, tmp_path):
        assert [gate.name for gate in loaded(tmp_path, b"\xef\xbb\xbf" + one_gate().encode())] == ["spam"]

    @pytest.mark.parametrize(
        "name", ["a.b", "a/b", "a b", " ", "a|b", "a[b", "a[b]c", "'\"", "a:b:c", "[key]", "-x", "שלום", "x" * 200]
    )
    def test_names_that_a_gate_may_have(self, tmp_path, name):
        assert [gate.name for gate in loaded(tmp_path, one_gate(name))] == [name]

    @pytest.mark.parametrize("fail_on", FAILS_ON)
    def test_the_policy_and_how_it_is_told(self, tmp_path, fail_on):
        (gate,) = loaded(tmp_path, one_gate(fail_on=fail_on))
        assert gate.demand.policy is FAILS_ON[fail_on]
        assert gate.demand.words == f'fail_on "{fail_on}"'

    def test_the_policies_are_those_that_a_gate_may_name(self):
        assert set(get_args(Settings.model_fields["fail_on"].annotation)) == set(FAILS_ON)

    def test_a_gate_may_say_the_arguments_of_a_comparison_that_are_offered_to_it(self):
        arguments = {argument.name: argument for argument in offered(Offered.GATE)}
        assert {name for name in Settings.model_fields if name in ARGUMENTS and name != "budget"} == set(arguments)
        assert {name: getattr(Settings(), name) for name in arguments} == {
            name: argument.default for name, argument in arguments.items()
        }

    def test_a_family_is_known_to_its_gates(self, tmp_path):
        gates = {name: {"baseline": "a.csv", "candidate": "b.csv"} for name in ("spam", "mail-de", "mail-en")}
        families = {"mail": {"gates": ["mail-*"], "level": 0.01}}
        text = json.dumps(
            {"defaults": {"rope": 0.01, "max_gap": 0.05, "slices": ["x"]}, "gates": gates, "families": families}
        )
        spam, german, english = loaded(tmp_path, text)
        assert (spam.demand.family, spam.demand.tail, spam.demand.max_gap) == (None, 1.0, 0.05)
        assert german.demand.family == english.demand.family == Family("mail", 0.01, 2)
        assert german.demand.tail == 0.005

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


GATE = "gates:\n  spam:\n    baseline: a.csv\n    candidate: b.csv\n    rope: 0.01\n"
OF_FILE = "defaults, gates, families"
OF_DEFAULTS = ", ".join(Settings.model_fields)
A_SIDE = "the name of a file, or a mapping with file, columns, rows"
OF_PAIR = ", ".join(PairDeclaration.model_fields)
NO_ROPE = "expected the largest difference that does not matter, such as 0.01, got nothing. Set it here or in defaults."
NO_BASELINE = "There is no baseline. Name one; or set floor, the score that the candidate must reach."
NO_GATES = "1: There are no gates. List them under gates."
NAME = "expected a name without '::' and control characters, and without ':' at its ends"


def problems(folder, text):
    with pytest.raises(GateFileError) as caught:
        load_gates(gate_file(folder, text), folder)
    assert str(caught.value) == "\n".join(caught.value.problems)
    return list(caught.value.problems)


def outside(path, root):
    return f"{path!r} leads out of {root}. Copy the file into that folder"


class TestErrors:
    def test_one_file_for_both_sides_needs_what_tells_them_apart(self, tmp_path):
        told = "Both sides are one file. Name another, or columns or rows that tell them apart."
        for candidate in ("a.csv", "./x/../a.csv"):
            found = problems(tmp_path, one_gate(baseline="a.csv", candidate=candidate))
            assert found == [f"bayesf1.yaml:1: gates.spam: {told}"]
        assert loaded(tmp_path, one_gate(baseline="a.csv", candidate={"file": "a.csv", "columns": {"y_pred": "new"}}))

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("", NO_GATES),
            ("# nothing yet\n", NO_GATES),
            ("[1]", "1: expected a mapping, got [1]"),
            ("hello", "1: expected a mapping, got 'hello'"),
            ("defaults: {rope: 0.1}", "1: gates: expected a value, got nothing"),
            ("\ngates:", "2: gates: expected a mapping, got nothing"),
            ("gates: {}", "1: gates: expected at least one, got {}"),
            ("gates: [spam]", "1: gates: expected a mapping, got ['spam']"),
            ("gates:\n  spam:", "2: gates.spam: expected a mapping, got nothing"),
            ("defaults:\n" + GATE, "1: defaults: expected a mapping, got nothing"),
            ("gate: 1\n" + GATE, "1: gate: There is no such key. Did you mean 'gates'?"),
            ("x: 1\n" + GATE, f"1: x: There is no such key. The keys are {OF_FILE}."),
            ("defaults: {mesure: f1}\n" + GATE, "1: defaults.mesure: There is no such key. Did you mean 'measure'?"),
            (
                "defaults: {candidate: a}\n" + GATE,
                f"1: defaults.candidate: There is no such key. The keys are {OF_DEFAULTS}.",
            ),
            (GATE + "    baselin: x", "6: gates.spam.baselin: There is no such key. Did you mean 'baseline'?"),
            ("1: x\n" + GATE, "1: 1: expected text, got 1. Put it in quotes"),
            (GATE + "    2: x", "6: gates.spam.2: expected text, got 2. Put it in quotes"),
            ("gates:\n  spam: {}\n" + GATE[7:], "3: gates.spam: This key is there twice. Keep one."),
            ("gates: *x", "1: Not YAML at column 8: an alias: say in defaults what gates have in common."),
            (GATE + "    fail_on: ?", "6: Not YAML at column 14: mapping keys are not allowed here."),
            ("gates:\n\tspam: 1", "2: Not YAML at column 1: found character '\\t' that cannot start any token."),
            ("a: \0", "1: Not YAML at column 1: special characters are not allowed: #x0000."),
            ("a: 1\n---\nb: 2", "2: Not YAML at column 1: but found another document."),
        ],
    )
    def test_what_is_wrong_with_a_file(self, tmp_path, text, expected):
        assert problems(tmp_path, text)[0] == f"bayesf1.yaml:{expected}"

    @pytest.mark.parametrize(
        ("key", "value", "expected"),
        [
            ("baseline", 1, f"{A_SIDE}, got 1"),
            ("candidate", ["a"], f"{A_SIDE}, got ['a']"),
            ("rope", "0.01", "a half-width such as 0.01, or both ends, got '0.01'"),
            ("rope", [1, 2, 3], "a half-width such as 0.01, or both ends, got [1, 2, 3]"),
            ("rope", [0.1, 0.2], "an interval that holds 0, got [0.1, 0.2]"),
            ("rope", 10**400, "finite bounds, got [-inf, inf]"),
            ("measure", "f1_marco", f"the name of a measure, got 'f1_marco'. {measures_of(~Data(0))}"),
            ("measure", 1, "text, got 1"),
            ("fail_on", "<<<", "'<<' or 'unproven', got '<<<'"),
            ("fail_on", None, "'<<' or 'unproven', got nothing"),
            ("hdi_prob", 95, "a probability between 0 and 1, got 95.0. The usual value is 0.95."),
            ("hdi_prob", "0.9", "a number, got '0.9'"),
            (
                "model",
                "same_set",
                "one of auto, paired, same-set, independent, got 'same_set'. Did you mean 'same-set'?",
            ),
            ("seed", -1, "a whole number that is not negative, got -1"),
            ("seed", 1.0, "a whole number, got 1.0"),
            ("per_class", 1, "true or false, got 1"),
            ("slices", "language", "a list, got 'language'"),
            ("slices", ["a", "b", "a"], "each name once, got 'a' 2 times"),
        ],
    )
    def test_what_is_wrong_with_a_value(self, tmp_path, key, value, expected):
        assert problems(tmp_path, one_gate(**{key: value})) == [
            f"bayesf1.yaml:1: gates.spam.{key}: expected {expected}"
        ]

    def test_what_is_wrong_inside_of_a_list(self, tmp_path):
        text = GATE + "    slices:\n    - language\n    - ''\n    - 1\n"
        assert problems(tmp_path, text) == [
            "bayesf1.yaml:8: gates.spam.slices.1: expected some text, got ''",
            "bayesf1.yaml:9: gates.spam.slices.2: expected text, got 1",
        ]

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("a::b", f"a::b: {NAME}, got 'a::b'"),
            ("a:", f"a:: {NAME}, got 'a:'"),
            ("", "'': expected some text, got ''"),
            ("a\nb", f"'a\\nb': {NAME}, got 'a\\nb'"),
            ("\x1b[31m", f"'\\x1b[31m': {NAME}, got '\\x1b[31m'"),
            ("a\x9bb", f"'a\\x9bb': {NAME}, got 'a\\x9bb'"),
            ("a\u2028b", f"'a\\u2028b': {NAME}, got 'a\\u2028b'"),
            ("\u202eabc", f"'\\u202eabc': {NAME}, got '\\u202eabc'"),
            ("x" * 1_000, f"{'x' * 77}...: expected at most 200 characters, got '{'x' * 76}..."),
        ],
        ids=lambda text: ascii(text)[:20],
    )
    def test_names_that_a_gate_may_not_have(self, tmp_path, name, expected):
        assert problems(tmp_path, one_gate(name)) == [f"bayesf1.yaml:1: gates.{expected}"]

    @pytest.mark.parametrize("name", ["1", "1.5", "0x1"])
    def test_a_number_is_no_name(self, tmp_path, name):
        text = f"gates:\n  {name}: {{baseline: a, candidate: b, rope: 0.1}}"
        (told,) = problems(tmp_path, text)
        assert told.endswith(f": expected text, got {eval(name)}. Put it in quotes")  # noqa: S307

    def test_a_gate_named_like_pydantics_own_mark_is_told_by_its_name(self, tmp_path):
        assert problems(
            tmp_path, "gates:\n  '[key]':\n    baseline: 1\n    candidate: b\n    rope: 0.1\n    '[key]': 1"
        ) == [
            f"bayesf1.yaml:3: gates.[key].baseline: expected {A_SIDE}, got 1",
            f"bayesf1.yaml:6: gates.[key].[key]: There is no such key. The keys are {OF_PAIR}.",
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
extra: 1
"""
        assert problems(tmp_path, text) == [
            (
                "bayesf1.yaml:2: defaults.hdi_prob: expected a probability between 0 and 1, got 95.0. The usual "
                "value is 0.95."
            ),
            "bayesf1.yaml:4: gates.a.rope: expected an interval that holds 0, got [0.1, 0.2]",
            f"bayesf1.yaml:8: gates.b.baseline: {NO_BASELINE}",
            "bayesf1.yaml:8: gates.b.candidate: There is no candidate. Name its file.",
            f"bayesf1.yaml:8: gates.b.rope: {NO_ROPE}",
            "bayesf1.yaml:8: gates.b: This key is there twice. Keep one.",
            "bayesf1.yaml:9: gates.b.fail_on: expected '<<' or 'unproven', got 'worse'",
            f"bayesf1.yaml:10: extra: There is no such key. The keys are {OF_FILE}.",
        ]

    @pytest.mark.parametrize(
        ("rope", "told"),
        [
            ("5", "a difference of scores, such as 0.01 for one point, got 5"),
            ("[0.3, wide, wide]", "a half-width such as 0.01, or both ends, got [0.3, 'wide', 'wide']"),
            ("", "a half-width such as 0.01, or both ends, got None"),
        ],
    )
    @pytest.mark.parametrize("place", ["gate", "defaults"])
    def test_a_bad_rope_is_told_together_with_all_else(self, tmp_path, rope, told, place):
        of_gate = f"rope: {rope}" if place == "gate" else "seed: 1"
        of_defaults = f"rope: {rope}" if place == "defaults" else "seed: 1"
        text = f"""\
defaults:
  {of_defaults}
gates:
  a:
    baseline: ../a.csv
    candidat: b.csv
    {of_gate}
  b: {{baseline: a.csv, candidate: b.csv, measure: f1_marco}}
  c: {{baseline: a.csv, candidate: b.csv}}
"""
        at = "7: gates.a.rope" if place == "gate" else "2: defaults.rope"
        found = problems(tmp_path, text)
        assert f"bayesf1.yaml:{at}: expected {told}" in found
        assert f"bayesf1.yaml:5: gates.a.baseline.file: {outside('../a.csv', tmp_path)}" in found
        assert [line.split(": ")[1] for line in found if line.startswith("bayesf1.yaml:8")] == (
            ["gates.b.measure", "gates.b.rope"] if place == "gate" else ["gates.b.measure"]
        )
        assert (f"bayesf1.yaml:9: gates.c.rope: {NO_ROPE}" in found) is (place == "gate")

    @pytest.mark.parametrize(
        "path", ["../a.csv", "x/../../a.csv", "/etc/passwd", "link.csv", "folder/a.csv", "a\0b", "../a\nb"]
    )
    def test_files_outside_of_the_root_folder_are_refused(self, tmp_path, path):
        root = tmp_path / "root"
        root.mkdir()
        (tmp_path / "a.csv").touch()
        (root / "link.csv").symlink_to("../a.csv")
        (root / "folder").symlink_to(tmp_path)
        assert problems(root, one_gate(candidate=path)) == [
            f"bayesf1.yaml:1: gates.spam.candidate.file: {outside(path, root)}"
        ]

    def test_a_folder_beside_the_root_of_which_the_name_begins_alike(self, tmp_path):
        root = tmp_path / "root"
        root.mkdir()
        assert len(problems(root, one_gate(baseline="../root-2/a.csv"))) == 1

    def test_the_path_of_a_file_in_a_subfolder_is_told(self, tmp_path):
        (tmp_path / "models").mkdir()
        path = gate_file(tmp_path / "models", "gates: 1", "bayesf1-spam.yml")
        with pytest.raises(GateFileError, match=r"^models/bayesf1-spam\.yml:1: gates: expected a mapping, got 1$"):
            load_gates(path, tmp_path)

    def test_files_that_cannot_be_read(self, tmp_path):
        assert problems(tmp_path, b"a: \xff") == ["bayesf1.yaml: Not UTF-8: invalid start byte at byte 3"]
        for name, told in (
            ("bayesf1-none.yaml", "file not found. Check the path, or propose one: bayesf1 init"),
            ("", "Is a directory"),
        ):
            with pytest.raises(GateFileError, match=rf"{name}: {told}$"):
                load_gates(tmp_path / name, tmp_path)

    def test_long_values_are_cut(self, tmp_path):
        of_gate = f"    measure: {'x' * 10_000}\n    model: {'y' * 10_000}\n    ? {'z' * 10_000}\n    : 1\n"
        text = f"{GATE}{of_gate}  ? {'n' * 10_000}\n  : 1"
        told = problems(tmp_path, text)
        assert len(told) == 5
        assert max(map(len, told)) < 700

    def test_no_python_objects(self, tmp_path):
        (told,) = problems(tmp_path, "gates: !!python/object/apply:os.system ['touch hacked']")
        assert told.startswith("bayesf1.yaml:1: Not YAML at column 8: could not determine a constructor for the tag")
        assert not (tmp_path / "hacked").exists()

    @pytest.mark.parametrize(
        ("keys", "problem"),
        [
            ("looks: 4", "gates.spam: looks and planned_examples go together. Add planned_examples."),
            ("planned_examples: 9", "gates.spam: looks and planned_examples go together. Add looks."),
            (
                "looks: 2\n    planned_examples: 9\nfamilies: {all: {gates: [spam]}}",
                "gates.spam: Gates of the family all look once. Leave looks and planned_examples out.",
            ),
            ("looks: 1\n    planned_examples: 9", "gates.spam.looks: expected at least 2, got 1"),
            ("looks: 2\n    planned_examples: 0", "gates.spam.planned_examples: expected at least 1, got 0"),
        ],
    )
    def test_looks_that_are_no_plan(self, tmp_path, keys, problem):
        (found,) = problems(tmp_path, f"{GATE}    {keys}\n")
        assert problem in found

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

    @pytest.mark.parametrize(
        ("family", "told"),
        [
            ("{gates: []}", "families.all.gates: expected at least one, got []"),
            ("{gates: [spam], level: 0.7}", "families.all.level: expected at most 0.5, got 0.7"),
            ("{gates: [spam], level: 0}", "families.all.level: expected greater than 0, got 0"),
            ("{gates: [spam], lvl: 0.1}", "families.all.lvl: There is no such key. Did you mean 'level'?"),
        ],
    )
    def test_a_family_that_is_none(self, tmp_path, family, told):
        assert problems(tmp_path, f"{GATE}families:\n  all: {family}\n")[0].endswith(told)


BOTH = {"doc": BASELINE["id"], "gold": BASELINE["y_true"], "old": BASELINE["y_pred"], "new": CANDIDATE["y_pred"]}
NAMED = {"y_true": "gold", "id": "doc"}
SIDES = {"baseline": "old", "candidate": "new"}


def result_of(folder, **settings):
    (gate,) = loaded(folder, one_gate(**settings))
    return evaluate(gate)


class TestNamedColumns:
    def test_one_file_holds_both_sides(self, tmp_path):
        write(tmp_path, "a.csv", BOTH)
        sides = {name: {"file": "a.csv", "columns": {"y_pred": column}} for name, column in SIDES.items()}
        result = result_of(tmp_path, columns=NAMED, measure="accuracy", **sides)
        expected = compare(counts(BASELINE), counts(CANDIDATE), rope=0.02, measure="accuracy")
        assert figures(result.overall.comparison) == figures(expected)
        assert expected.model == "paired"

    def test_one_file_holds_the_rows_of_both_sides(self, tmp_path):
        rows = {name: [*BASELINE[name], *CANDIDATE[name]] for name in BASELINE}
        write(tmp_path, "a.csv", {**rows, "system": np.repeat(["old", "new"], len(BASELINE["id"])).tolist()})
        sides = {name: {"file": "a.csv", "rows": {"system": system}} for name, system in SIDES.items()}
        result = result_of(tmp_path, measure="accuracy", **sides)
        expected = compare(counts(BASELINE), counts(CANDIDATE), rope=0.02, measure="accuracy")
        assert figures(result.overall.comparison) == figures(expected)

    def test_an_anchor_in_the_same_file_is_another_side(self, tmp_path):
        write(tmp_path, "a.csv", {**BOTH, "perfect": BASELINE["y_true"]})
        sides = {name: {"file": "a.csv", "columns": {"y_pred": column}} for name, column in SIDES.items()}
        anchor = {"file": "a.csv", "columns": {"y_pred": "perfect"}}
        result = result_of(tmp_path, columns=NAMED, anchor=anchor, **sides)
        (since,) = result.since_anchor
        assert since.comparison.baseline.observed == 1
        sides["anchor"] = sides["baseline"]
        assert result_of(tmp_path, columns=NAMED, **sides).since_anchor == ()

    def test_what_a_side_says_comes_before_what_the_gate_says_and_that_before_defaults(self, tmp_path):
        text = """
defaults: {rope: 0.01, columns: {y_true: gold}, rows: {version: 2}}
gates:
  one: {baseline: a.csv, candidate: {file: b.csv, columns: {y_pred: new, id: doc}, rows: {final: true}}}
  other: {baseline: a.csv, candidate: b.csv, columns: {y_true: truth}, rows: {}}
"""
        one, other = loaded(tmp_path, text)
        assert one.source.reading("baseline") == Schema(columns=(("y_true", "gold"),), rows=(("version", "2"),))
        assert one.source.reading("candidate") == Schema(
            columns=(("y_true", "gold"), ("y_pred", "new"), ("id", "doc")), rows=(("version", "2"), ("final", "True"))
        )
        assert other.source.reading("candidate") == Schema(columns=(("y_true", "truth"),))

    @pytest.mark.parametrize(
        ("settings", "told"),
        [
            (
                {"columns": {"y_tru": "gold"}},
                "columns.y_tru: expected one of y_true, y_pred, id, run, n, y_score, value",
            ),
            ({"columns": {"y_true": ""}}, "columns.y_true: expected some text, got ''"),
            ({"columns": ["gold"]}, "columns: expected a mapping, got ['gold']"),
            ({"rows": {"system": [1]}}, "rows.system: expected a text, a number or a boolean, got [1]"),
            ({"baseline": {"columns": {}}}, "baseline.file: expected a value, got nothing"),
            (
                {"baseline": {"file": "a", "column": {}}},
                "baseline.column: There is no such key. Did you mean 'columns'?",
            ),
            ({"baseline": {"file": "../a.csv"}}, "baseline.file: '../a.csv' leads out of"),
            ({"anchor": {"file": "a", "columns": {"x": "y"}}}, "anchor.columns.x: expected one of y_true"),
        ],
    )
    def test_what_is_wrong_is_told_by_its_place(self, tmp_path, settings, told):
        (problem,) = problems(tmp_path, one_gate(**settings))
        assert problem.startswith(f"bayesf1.yaml:1: gates.spam.{told}")

    def test_a_column_that_a_file_lacks_is_told_with_those_that_it_has(self, tmp_path):
        write(tmp_path, "a.json", BASELINE)
        with pytest.raises(BaselineError, match=r"No column 'gold' to take for y_true: found columns 'id', 'y_true'"):
            result_of(tmp_path, columns=NAMED)

    def test_a_gate_on_the_logs_of_two_systems(self, tmp_path):
        files = {}
        for side, system in (("baseline", "first"), ("candidate", "second")):
            files[side] = edited(FOLDER / f"inspect-{system}.json", tmp_path, with_twice_the_samples).name
        result = result_of(tmp_path, **files, measure="mean", runs="samples", rope=0.1)
        before, after = (Scores.from_values(2 * grades) for grades in ([1, 1, 1, 1, 1, 0], [0.5, 0, 0.5, 0, 1, 0]))
        expected = compare(before, after, measure="mean", rope=0.1)
        assert result.overall.comparison.baseline.observed == expected.baseline.observed
        assert result.overall.comparison.candidate.observed == expected.candidate.observed
        assert "baseline: 'scores.match.value' of this log of inspect_ai counts." in result.overall.comparison.notes()

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
        with pytest.raises(InputError, match=message):
            result_of(tmp_path, **asked)
        assert result_of(tmp_path, **asked, other_ruler=True).source.known["other_ruler"] is True
        with pytest.raises(InputError, match=message):
            result_of(tmp_path, **asked | {"baseline": "old.json", "anchor": "inspect-first.json"})
        found = result_of(tmp_path, **asked | {"baseline": "old.json"}).source.known
        assert found["ruler"] == "task_version: 2, scorer: match"


class TestGoldAndAnswers:
    def test_the_file_of_true_tags_is_found_beside_the_gate_file(self, tmp_path):
        (gate,) = loaded(tmp_path, one_gate(gold="data/gold.conll"))
        assert gate.source.reading("candidate").gold == str(tmp_path / "data" / "gold.conll")
        in_defaults = one_gate().replace('{"gates"', '{"defaults": {"gold": "../gold.conll"}, "gates"')
        for text in (one_gate(gold="../gold.conll"), in_defaults):
            assert "gold.file: '../gold.conll' leads out of" in problems(tmp_path, text)[0]

    def test_answers_are_read_by_the_rule_of_the_gate_or_of_defaults(self, tmp_path):
        text = r"""
defaults: {rope: 0.01, answer: '.+'}
gates:
  one: {baseline: a.csv, candidate: b.csv}
  other: {baseline: a.csv, candidate: b.csv, answer: '\b(spam|ham)\b'}
"""
        one, other = loaded(tmp_path, text)
        assert one.source.reading("baseline").answer == ".+"
        assert other.source.reading("candidate").answer == r"\b(spam|ham)\b"

    @pytest.mark.parametrize(
        ("settings", "told"),
        [
            ({"answer": "(spam"}, "answer: expected a regular expression, got '(spam', which is none"),
            ({"answer": "(a)(b)"}, "answer: expected a regular expression with one group at most"),
            ({"answer": {"pattern": "spam"}}, "answer: expected text, got {'pattern': 'spam'}"),
            ({"answer": ""}, "answer: "),
        ],
    )
    def test_what_cannot_be_said(self, tmp_path, settings, told):
        assert told in problems(tmp_path, one_gate(**settings))[0]

    def test_the_number_of_a_column_needs_no_quotes(self, tmp_path):
        (gate,) = loaded(tmp_path, one_gate(columns={"y_true": 2, "y_pred": -1}))
        assert gate.source.reading("baseline").columns == (("y_true", "2"), ("y_pred", "-1"))


def test_no_file_that_a_pattern_names_may_lie_outside(tmp_path):
    (tmp_path / "secret.csv").write_text("y_true,y_pred")
    root = tmp_path / "project"
    (root / "runs").mkdir(parents=True)
    (root / "runs" / "1.csv").symlink_to(tmp_path / "secret.csv")
    with pytest.raises(GateFileError, match=r"candidate.file: 'runs/\*\.csv' leads out of"):
        load_gates(gate_file(root, "gates: {a: {candidate: 'runs/*.csv', floor: 0.5}}"), root)
