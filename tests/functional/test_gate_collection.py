"""Which gates run when."""

import pytest

from .gates import write_gates, write_matrices

NAMES = ["a|b", "a[b", "a[b]c", 'it\'s "q"', "שלום\u200f", "\u202eabc", "a:b", "a/b", "a b", "-x", "a.py", "x" * 200]


@pytest.fixture(autouse=True)
def _matrices(pytester):
    write_matrices(pytester.path)


def collected(pytester, *arguments):
    result = pytester.runpytest("--collect-only", "-q", *arguments)
    return sorted(line for line in result.outlines if "::" in line)  # other plugins shuffle


@pytest.fixture
def two_files(pytester):
    """Write gate files into the root folder and into a subfolder, each with a test module beside it."""
    for folder in (pytester.path, pytester.mkdir("models")):
        write_matrices(folder)
        (folder / f"test_{folder.name.strip('0123456789')[:4]}.py").write_text("def test_nothing(): pass")
    write_gates(pytester.path, spam="EQUIVALENT", ham="BETTER")
    write_gates(pytester.path / "models", "bayesf1-more.yml", spam="EQUIVALENT")


ROOT = ["bayesf1.yaml::spam", "bayesf1.yaml::ham"]
MODELS = ["models/bayesf1-more.yml::spam"]


def gates(lines):
    return [line for line in lines if ".py::" not in line]


@pytest.mark.usefixtures("two_files")
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], [*ROOT, *MODELS]),
        (["models"], MODELS),
        (["bayesf1.yaml"], ROOT),
        (["bayesf1.yaml::ham"], ROOT[1:]),
        (["bayesf1.yaml::ham", "models/bayesf1-more.yml::spam"], [ROOT[1], *MODELS]),
        (["-k", "ham"], ROOT[1:]),
        (["-k", "bayesf1 and not ham"], [ROOT[0], *MODELS]),
        (["--deselect", "bayesf1.yaml::spam"], [ROOT[1], *MODELS]),
        (["--ignore", "models"], ROOT),
    ],
)
def test_selection(pytester, arguments, expected):
    assert gates(collected(pytester, *arguments)) == sorted(expected)


@pytest.mark.usefixtures("two_files")
@pytest.mark.parametrize("testpaths", ["models", ".", "models .", "bayesf1.yaml models", "mod*"])
@pytest.mark.one_of_many
def test_gates_of_the_root_folder_run_whatever_testpaths_says(pytester, testpaths):
    pytester.makeini(f"[pytest]\ntestpaths = {testpaths}")
    assert gates(collected(pytester)) == sorted([*ROOT, *MODELS])
    assert gates(collected(pytester, "models")) == MODELS
    result = pytester.runpytest("-n1")
    assert result.parseoutcomes()["passed"] >= 3
    assert "bayesf1.yaml::ham" in result.stdout.str()


@pytest.mark.parametrize("workers", ["-n0", pytest.param("-n1", marks=pytest.mark.long)])
@pytest.mark.parametrize("name", ["a[1]", "a::b", "a b", "-a"])
@pytest.mark.one_of_many
def test_the_root_folder_may_have_any_name(pytester, monkeypatch, name, workers):
    root = pytester.mkdir(name)
    (root / "tests").mkdir()
    (root / "tests" / "test_nothing.py").write_text("def test_nothing(): pass")
    (root / "pytest.ini").write_text("[pytest]\ntestpaths = tests")
    write_matrices(root)
    write_gates(root, spam="EQUIVALENT")
    monkeypatch.chdir(root)
    result = pytester.runpytest(workers)
    result.assert_outcomes(passed=2)
    assert "bayesf1.yaml::spam" in result.stdout.str()


@pytest.mark.usefixtures("two_files")
def test_a_path_on_the_command_line_beats_testpaths(pytester):
    pytester.makeini("[pytest]\ntestpaths = models")
    lines = collected(pytester, "models/test_mode.py")
    assert lines == ["models/test_mode.py::test_nothing"]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_whatever_its_name_a_gate_can_be_selected(pytester, name):
    write_gates(pytester.path, **{name: "EQUIVALENT", "other": "BETTER"})
    assert set(collected(pytester)) == {f"bayesf1.yaml::{name}", "bayesf1.yaml::other"}
    assert collected(pytester, f"bayesf1.yaml::{name}") == [f"bayesf1.yaml::{name}"]


@pytest.mark.parametrize(
    ("file", "is_taken"),
    [
        ("bayesf1.yaml", True),
        ("bayesf1.yml", True),
        ("bayesf1-spam.yaml", True),
        ("bayesf1_spam.v2.yml", True),
        ("my-bayesf1.yaml", False),
        ("bayesf1.json", False),
        ("bayesf1.yaml.txt", False),
        (".bayesf1.yaml", False),
    ],
)
def test_names_of_gate_files(pytester, file, is_taken):
    write_gates(pytester.path, file, spam="EQUIVALENT")
    assert collected(pytester) == [f"{file}::spam"] * is_taken


def test_a_folder_named_like_a_gate_file_is_a_folder(pytester):
    folder = pytester.mkdir("bayesf1.yaml")
    write_matrices(folder)
    write_gates(folder, "bayesf1.yml", spam="EQUIVALENT")
    assert collected(pytester) == ["bayesf1.yaml/bayesf1.yml::spam"]
    pytester.makeini("[pytest]\ntestpaths = nothing")
    assert collected(pytester, "--rootdir", str(pytester.path)) == ["bayesf1.yaml/bayesf1.yml::spam"]


@pytest.mark.parametrize("plugin", ["bayesf1", "bayesf1-gates"])
def test_without_the_plugin_nothing_is_collected(pytester, plugin):
    write_gates(pytester.path, spam="MUCH_WORSE")
    pytester.makeini("[pytest]\ntestpaths = nothing")
    result = pytester.runpytest("-p", f"no:{plugin}")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    assert pytester.runpytest("-p", f"no:{plugin}", ".").ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_listing_gates_evaluates_none(pytester):
    write_gates(pytester.path, spam="missing")
    result = pytester.runpytest("--collect-only")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["*<GateFileCollector bayesf1.yaml>*", "*<GateItem spam>*"])


def test_the_root_folder_is_the_fence_for_gate_files_in_subfolders(pytester):
    write_gates(pytester.mkdir("models"), spam={"baseline": "../BASELINE.json", "candidate": "../EQUIVALENT"})
    pytester.runpytest().assert_outcomes(passed=1)
    result = pytester.runpytest("--rootdir", "models", "models")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["bayesf1.yaml:2: gates.spam.baseline: expected a file inside *models, got '../BASE*"])
