"""What is wrong with a gate file, as its author reads it."""

import time

import pytest

from pytest_bayesf1.errors import GateFileError
from pytest_bayesf1.gates.gate_file import load_gates
from tests.unit.gates.written_gates import gate_file, one_gate

GATE = "gates:\n  spam:\n    baseline: a.csv\n    candidate: b.csv\n    rope: 0.01\n"
OF_FILE = "defaults, gates, families"
OF_DEFAULTS = (
    "measure, rope, budget, fail_on, hdi_prob, model, agreement, prior, engine, seed, invalid, clusters, runs, show, "
    "columns, rows, per_class, slices, max_gap"
)
A_SIDE = "the name of a file, or a mapping with file, columns, rows"
OF_GATE = f"{OF_DEFAULTS}, baseline, anchor, candidate"
NO_ROPE = "expected the largest difference that does not matter, such as 0.01, got nothing. Set it here or in defaults."
NAME = "expected a name without '::' and control characters, and without ':' at its ends"
LAUGHS = "\n".join(
    ["a0: &a0 [lol]"]
    + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    + [GATE + "    seed: *a29"]
)


def problems(folder, text):
    with pytest.raises(GateFileError) as caught:
        load_gates(gate_file(folder, text), folder)
    assert str(caught.value) == "\n".join(caught.value.problems)
    return list(caught.value.problems)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "1: expected gates, got an empty file"),
        ("# nothing yet\n", "1: expected gates, got an empty file"),
        ("[1]", "1: expected a mapping, got [1]"),
        ("hello", "1: expected a mapping, got 'hello'"),
        ("defaults: {rope: 0.1}", "1: gates: expected a value, got nothing"),
        ("\ngates:", "2: gates: expected a mapping, got nothing"),
        ("gates: {}", "1: gates: expected at least one, got {}"),
        ("gates: [spam]", "1: gates: expected a mapping, got ['spam']"),
        ("gates:\n  spam:", "2: gates.spam: expected a mapping, got nothing"),
        ("defaults:\n" + GATE, "1: defaults: expected a mapping, got nothing"),
        ("gate: 1\n" + GATE, f"1: gate: expected one of {OF_FILE}, got 'gate'. Did you mean 'gates'?"),
        ("x: 1\n" + GATE, f"1: x: expected one of {OF_FILE}, got 'x'"),
        (
            "defaults: {mesure: f1}\n" + GATE,
            f"1: defaults.mesure: expected one of {OF_DEFAULTS}, got 'mesure'. Did you mean 'measure'?",
        ),
        (
            "defaults: {baseline: a}\n" + GATE,
            f"1: defaults.baseline: expected one of {OF_DEFAULTS}, got 'baseline'",
        ),
        (
            GATE + "    baselin: x",
            f"6: gates.spam.baselin: expected one of {OF_GATE}, got 'baselin'. Did you mean 'baseline'?",
        ),
        ("1: x\n" + GATE, "1: 1: expected text, got 1. Put it in quotes"),
        (GATE + "    2: x", "6: gates.spam.2: expected text, got 2. Put it in quotes"),
        ("gates:\n  spam: {}\n" + GATE[7:], "3: gates.spam: expected each key once, got it twice"),
        ("gates: *x", "1: not YAML at column 8: found undefined alias 'x'."),
        (GATE + "    fail_on: ?", '6: not YAML at column 14: mapping keys are not allowed here. Put "?" in quotes.'),
        (
            "gates: {spam: {fail_on: ?}}",
            "1: not YAML at column 25: expected the node content, but found '?'. Put \"?\" in quotes.",
        ),
        ("gates:\n\tspam: 1", "2: not YAML at column 1: found character '\\t' that cannot start any token."),
        ("a: \0", "1: not YAML at column 1: special characters are not allowed: #x0000."),
        ("a: 1\n---\nb: 2", "2: not YAML at column 1: but found another document."),
        ("x: &x {y: *x}", "1: not YAML at column 1: aliases repeat more than 1,000,000 values, or themselves."),
    ],
)
def test_what_is_wrong_with_a_file(tmp_path, text, expected):
    assert problems(tmp_path, text)[0] == f"bayesf1.yaml:{expected}"


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("baseline", 1, f"{A_SIDE}, got 1"),
        ("candidate", "", f"{A_SIDE}, got ''"),
        (
            "agreement",
            93,
            "a share from 0 to 1 such as 0.93, or the least and the greatest, got 93",
        ),
        (
            "agreement",
            [0.9, "x"],
            "a share from 0 to 1 such as 0.93, or the least and the greatest, got [0.9, 'x']",
        ),
        ("rope", "0.01", "a half-width such as 0.01, or (low, high), got '0.01'"),
        ("rope", None, "a half-width such as 0.01, or (low, high), got None"),
        ("rope", True, "a half-width such as 0.01, or (low, high), got True"),
        ("rope", [1, 2, 3], "a half-width such as 0.01, or (low, high), got [1, 2, 3]"),
        ("rope", -1, "[low, high] with low < high, got [1, -1]. A half-width must be positive."),
        ("rope", [0.1, 0.2], "an interval that holds 0, got [0.1, 0.2]"),
        ("rope", float("nan"), "a half-width such as 0.01, or (low, high), got 'NaN'"),
        ("rope", 10**400, "finite bounds, got [-inf, inf]"),
        ("measure", "f1_marco", "the name of a measure, or a function, got 'f1_marco'. Did you mean 'f1_macro'?"),
        ("measure", "fbeta", "a beta for fbeta, as in fbeta(2), and for nothing else, got 'fbeta'"),
        ("measure", 1, "text, got 1"),
        ("fail_on", "<<<", "'<<', '<' or '?', got '<<<'"),
        ("fail_on", "~", "'<<', '<' or '?', got '~'"),
        ("fail_on", None, "'<<', '<' or '?', got nothing"),
        ("hdi_prob", 95, "a probability between 0 and 1, got 95.0. The usual value is 0.95."),
        ("hdi_prob", 0.05, "the probability inside the interval, at least 0.5, got 0.05. Did you mean 0.95?"),
        ("hdi_prob", "0.9", "a number, got '0.9'"),
        ("model", "same_set", "one of auto, paired, same-set, independent, got 'same_set'. Did you mean 'same-set'?"),
        ("prior", "nestd", "one of auto, hierarchical, nested, uniform, jeffreys, got 'nestd'. Did you mean 'nested'?"),
        ("engine", "nuts", "one of exact, pymc, got 'nuts'"),
        ("seed", -1, "a whole number that is not negative, got -1"),
        ("seed", 1.0, "a whole number, got 1.0"),
        ("seed", True, "a whole number, got True"),
        ("per_class", 1, "true or false, got 1"),
        ("per_class", "yes", "true or false, got 'yes'"),
        ("slices", "language", "a list, got 'language'"),
        ("slices", ["a", "b", "a"], "each name once, got 'a' 2 times"),
    ],
)
def test_what_is_wrong_with_a_value(tmp_path, key, value, expected):
    assert problems(tmp_path, one_gate(**{key: value})) == [f"bayesf1.yaml:1: gates.spam.{key}: expected {expected}"]


def test_what_is_wrong_inside_of_a_list(tmp_path):
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
        ("", f": {NAME}, got ''"),
        ("a\nb", f"'a\\nb': {NAME}, got 'a\\nb'"),
        ("\x1b[31m", f"'\\x1b[31m': {NAME}, got '\\x1b[31m'"),
        ("a\x9bb", f"'a\\x9bb': {NAME}, got 'a\\x9bb'"),
        ("a\u2028b", f"'a\\u2028b': {NAME}, got 'a\\u2028b'"),
        ("x" * 1_000, f"{'x' * 77}...: expected at most 200 characters, got '{'x' * 76}..."),
    ],
    ids=lambda text: ascii(text)[:20],
)
def test_names_that_a_gate_may_not_have(tmp_path, name, expected):
    assert problems(tmp_path, one_gate(name)) == [f"bayesf1.yaml:1: gates.{expected}"]


@pytest.mark.parametrize("name", ["1", "1.5", "0x1"])
def test_a_number_is_no_name(tmp_path, name):
    text = f"gates:\n  {name}: {{baseline: a, candidate: b, rope: 0.1}}"
    (told,) = problems(tmp_path, text)
    assert told.endswith(f": expected text, got {eval(name)}. Put it in quotes")  # noqa: S307


def test_a_gate_named_like_pydantics_own_mark_is_told_by_its_name(tmp_path):
    assert problems(
        tmp_path, "gates:\n  '[key]':\n    baseline: 1\n    candidate: b\n    rope: 0.1\n    '[key]': 1"
    ) == [
        f"bayesf1.yaml:3: gates.[key].baseline: expected {A_SIDE}, got 1",
        f"bayesf1.yaml:6: gates.[key].[key]: expected one of {OF_GATE}, got '[key]'",
    ]


def test_everything_wrong_is_told_at_once_in_the_order_of_the_lines(tmp_path):
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
        "bayesf1.yaml:2: defaults.hdi_prob: expected a probability between 0 and 1, got 95.0. The usual value is 0.95.",
        "bayesf1.yaml:4: gates.a.rope: expected an interval that holds 0, got [0.1, 0.2]",
        "bayesf1.yaml:8: gates.b.baseline: expected a value, got nothing",
        "bayesf1.yaml:8: gates.b.candidate: expected a value, got nothing",
        f"bayesf1.yaml:8: gates.b.rope: {NO_ROPE}",
        "bayesf1.yaml:8: gates.b: expected each key once, got it twice",
        "bayesf1.yaml:9: gates.b.fail_on: expected '<<', '<' or '?', got 'worse'",
        f"bayesf1.yaml:10: extra: expected one of {OF_FILE}, got 'extra'",
    ]


@pytest.mark.parametrize(
    ("rope", "told"),
    [
        ("5", "a difference of scores, such as 0.01 for one point, got (-5, 5)"),
        ("[-0.01, 1]", "a difference of scores, such as 0.01 for one point, got (-0.01, 1)"),
        ("-0.01", "[low, high] with low < high, got [0.01, -0.01]. A half-width must be positive."),
        ("one point", "a half-width such as 0.01, or (low, high), got 'one point'"),
        ("{low: 0.1}", "a half-width such as 0.01, or (low, high), got {'low': 0.1}"),
        ("[wide]", "a half-width such as 0.01, or (low, high), got ['wide']"),
        ("[0.3, wide, wide]", "a half-width such as 0.01, or (low, high), got [0.3, 'wide', 'wide']"),
        ("2026-01-01", "a half-width such as 0.01, or (low, high), got 2026-01-01"),
        ("", "a half-width such as 0.01, or (low, high), got None"),
    ],
)
@pytest.mark.parametrize("place", ["gate", "defaults"])
def test_a_bad_rope_is_told_together_with_all_else(tmp_path, rope, told, place):
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
    assert f"bayesf1.yaml:5: gates.a.baseline: expected a file inside {tmp_path}, got '../a.csv'" in found
    assert [line.split(": ")[1] for line in found if line.startswith("bayesf1.yaml:8")] == (
        ["gates.b.measure", "gates.b.rope"] if place == "gate" else ["gates.b.measure"]
    )
    assert (f"bayesf1.yaml:9: gates.c.rope: {NO_ROPE}" in found) is (place == "gate")


def test_ropes_and_paths_of_all_gates_are_told_at_once(tmp_path):
    text = "gates:\n  a: {baseline: ../a, candidate: b}\n  b:\n    rope: 0.1\n    baseline: a\n    candidate: /b\n"
    assert problems(tmp_path, text) == [
        f"bayesf1.yaml:2: gates.a.baseline: expected a file inside {tmp_path}, got '../a'",
        f"bayesf1.yaml:2: gates.a.rope: {NO_ROPE}",
        f"bayesf1.yaml:6: gates.b.candidate: expected a file inside {tmp_path}, got '/b'",
    ]


@pytest.mark.parametrize(
    "path", ["../a.csv", "x/../../a.csv", "/etc/passwd", "link.csv", "folder/a.csv", "circle.csv", "a\0b", "../a\nb"]
)
def test_files_outside_of_the_root_folder_are_refused(tmp_path, path):
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "a.csv").touch()
    (root / "link.csv").symlink_to("../a.csv")
    (root / "folder").symlink_to(tmp_path)
    (root / "circle.csv").symlink_to("circle.csv")
    expected = f"bayesf1.yaml:1: gates.spam.candidate: expected a file inside {root}, got {path!r}"
    assert problems(root, one_gate(candidate=path)) == [expected]


def test_a_folder_beside_the_root_of_which_the_name_begins_alike(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    assert len(problems(root, one_gate(baseline="../root-2/a.csv"))) == 1


def test_the_path_of_a_file_in_a_subfolder_is_told(tmp_path):
    (tmp_path / "models").mkdir()
    path = gate_file(tmp_path / "models", "gates: 1", "bayesf1-spam.yml")
    with pytest.raises(GateFileError, match=r"^models/bayesf1-spam\.yml:1: gates: expected a mapping, got 1$"):
        load_gates(path, tmp_path)


def test_files_that_cannot_be_read(tmp_path):
    assert problems(tmp_path, b"a: \xff") == ["bayesf1.yaml: expected UTF-8, got invalid start byte at byte 3"]
    for name, told in (("bayesf1-none.yaml", "No such file or directory"), ("", "Is a directory")):
        with pytest.raises(GateFileError, match=rf"{name}: {told}$"):
            load_gates(tmp_path / name, tmp_path)


def test_long_values_are_cut(tmp_path):
    of_gate = f"    measure: {'x' * 10_000}\n    model: {'y' * 10_000}\n    ? {'z' * 10_000}\n    : 1\n"
    text = f"{GATE}{of_gate}  ? {'n' * 10_000}\n  : 1"
    told = problems(tmp_path, text)
    assert len(told) == 5
    assert max(map(len, told)) < 700


def test_a_billion_laughs_are_told_at_once(tmp_path):
    begin = time.perf_counter()
    assert problems(tmp_path, LAUGHS) == [
        "bayesf1.yaml:1: not YAML at column 1: aliases repeat more than 1,000,000 values, or themselves."
    ]
    assert time.perf_counter() - begin < 5


def test_no_python_objects(tmp_path):
    (told,) = problems(tmp_path, "gates: !!python/object/apply:os.system ['touch hacked']")
    assert told.startswith("bayesf1.yaml:1: not YAML at column 8: could not determine a constructor for the tag")
    assert not (tmp_path / "hacked").exists()


def test_what_is_wrong_with_families_and_gaps(tmp_path):
    text = """\
defaults: {rope: 0.01, fail_on: "?"}
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
    in_family = 'expected fail_on "<<" in the family all of 2 gates, got "?"'
    unknown = "expected a gate of this file, or a pattern of some, got 'han'. Did you mean 'ham'?"
    assert problems(tmp_path, text) == [
        f"bayesf1.yaml:3: gates.spam: {in_family}: only that a failure is false has a chance that can be kept.",
        "bayesf1.yaml:3: gates.spam: expected slices beside max_gap, which is about every column of them, got none",
        "bayesf1.yaml:8: families.some.gates: expected gates of one family each, got ham, also in all",
        f"bayesf1.yaml:9: families.some.gates.0: {unknown}",
    ]


@pytest.mark.parametrize(
    ("family", "told"),
    [
        ("{gates: []}", "families.all.gates: expected at least one, got []"),
        ("{gates: [spam], level: 0.7}", "families.all.level: expected at most 0.5, got 0.7"),
        ("{gates: [spam], level: 0}", "families.all.level: expected greater than 0, got 0"),
        (
            "{gates: [spam], lvl: 0.1}",
            "families.all.lvl: expected one of gates, level, got 'lvl'. Did you mean 'level'?",
        ),
    ],
)
def test_a_family_that_is_none(tmp_path, family, told):
    assert problems(tmp_path, f"{GATE}families:\n  all: {family}\n")[0].endswith(told)
