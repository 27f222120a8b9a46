"""Gate files as items of pytest."""

import pytest

from tests.functional.gates import write_gates, write_matrices

NAMES = ["a|b", "a[b", "a[b]c", 'it\'s "q"', "שלום", "a:b", "a/b", "a b", "-x", "a.py", "x" * 200]


def collected(pytester, *arguments):
    result = pytester.runpytest("--collect-only", "-q", *arguments)
    return sorted(line for line in result.outlines if "::" in line)  # other plugins shuffle


ROOT = ["bayesf1.yaml::spam", "bayesf1.yaml::ham"]
MODELS = ["models/bayesf1-more.yml::spam"]


def gates(lines):
    return [line for line in lines if ".py::" not in line]


class TestGateCollection:
    @pytest.fixture(autouse=True)
    def _matrices(self, pytester):
        write_matrices(pytester.path)

    @pytest.fixture
    def two_files(self, pytester):
        """Write gate files into the root folder and into a subfolder, each with a test module beside it."""
        for folder in (pytester.path, pytester.mkdir("models")):
            write_matrices(folder)
            (folder / f"test_{folder.name.strip('0123456789')[:4]}.py").write_text("def test_nothing(): pass")
        write_gates(pytester.path, spam="EQUIVALENT", ham="BETTER")
        write_gates(pytester.path / "models", "bayesf1-more.yml", spam="EQUIVALENT")

    @pytest.mark.usefixtures("two_files")
    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            ([], [*ROOT, *MODELS]),
            (["bayesf1.yaml::ham", "models/bayesf1-more.yml::spam"], [ROOT[1], *MODELS]),
            (["-k", "bayesf1 and not ham"], [ROOT[0], *MODELS]),
            (["--deselect", "bayesf1.yaml::spam"], [ROOT[1], *MODELS]),
            (["--ignore", "models"], ROOT),
        ],
    )
    def test_selection(self, pytester, arguments, expected):
        assert gates(collected(pytester, *arguments)) == sorted(expected)

    @pytest.mark.usefixtures("two_files")
    @pytest.mark.parametrize("testpaths", ["models", ".", "models .", "bayesf1.yaml models", "mod*"])
    @pytest.mark.one_of_many
    def test_gates_of_the_root_folder_run_whatever_testpaths_says(self, pytester, testpaths):
        pytester.makeini(f"[pytest]\ntestpaths = {testpaths}")
        assert gates(collected(pytester)) == sorted([*ROOT, *MODELS])
        assert gates(collected(pytester, "models")) == MODELS
        assert collected(pytester, "models/test_mode.py") == ["models/test_mode.py::test_nothing"]
        result = pytester.runpytest("-n1")
        assert result.parseoutcomes()["passed"] >= 3
        assert "3 passed (-v lists them)" in result.stdout.str()

    @pytest.mark.parametrize("name", ["a[1]", "a::b", "a b", "-a"])
    @pytest.mark.one_of_many
    def test_the_root_folder_may_have_any_name(self, pytester, runpytest, monkeypatch, name):
        root = pytester.mkdir(name)
        (root / "tests").mkdir()
        (root / "tests" / "test_nothing.py").write_text("def test_nothing(): pass")
        (root / "pytest.ini").write_text("[pytest]\ntestpaths = tests")
        write_matrices(root)
        write_gates(root, spam="EQUIVALENT")
        monkeypatch.chdir(root)
        assert "The gate passed" in runpytest(passed=2).stdout.str()

    def test_whatever_its_name_a_gate_can_be_selected(self, pytester):
        write_gates(pytester.path, **dict.fromkeys(NAMES, "EQUIVALENT"), other="BETTER")
        selected = [f"bayesf1.yaml::{name}" for name in NAMES]
        assert collected(pytester) == sorted([*selected, "bayesf1.yaml::other"])
        assert collected(pytester, *selected) == sorted(selected)

    def test_a_folder_named_like_a_gate_file_is_a_folder(self, pytester):
        folder = pytester.mkdir("bayesf1.yaml")
        write_matrices(folder)
        write_gates(folder, "bayesf1.yml", spam="EQUIVALENT")
        pytester.makeini("[pytest]\ntestpaths = nothing")
        assert collected(pytester, "--rootdir", str(pytester.path)) == ["bayesf1.yaml/bayesf1.yml::spam"]

    def test_no_part_of_the_plugin_has_a_name_by_which_it_could_be_switched_off(self, pytester):
        pytester.makeconftest("""
            def pytest_sessionfinish(session):
                manager = session.config.pluginmanager
                ours = [name for name, each in manager.list_name_plugin()
                        if (getattr(each, "__name__", None) or type(each).__module__).startswith("pytest_bayesf1")]
                print("ours:", len(ours) > 5, [name for name in ours if not name.isdigit()])
        """)
        assert "ours: True ['bayesf1']" in pytester.runpytest("-s").stdout.str()

    def test_an_option_that_is_taken_for_a_file_is_an_error(self, pytester):
        write_gates(pytester.path, spam="EQUIVALENT")
        (pytester.path / "--bayesf1-baseline-ref=HEAD").mkdir()
        pytester.makeini("[pytest]\naddopts = bayesf1.yaml --")
        result = pytester.runpytest("--bayesf1-baseline-ref=HEAD")
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines(["ERROR: pytest takes --bayesf1-baseline-ref=HEAD for a file, because -- *"])

    def test_listing_gates_evaluates_none(self, pytester):
        write_gates(pytester.path, spam="missing")
        result = pytester.runpytest("--collect-only")
        assert result.ret == pytest.ExitCode.OK
        result.stdout.fnmatch_lines(["*<GateFileCollector bayesf1.yaml>*", "*<GateItem spam>*"])


class TestGateFiles:
    # the filters of the outer run hold inside an inner one, and they turn warnings into errors
    pytestmark = pytest.mark.filterwarnings("default::pytest_bayesf1.BayesF1Warning")

    @pytest.fixture(autouse=True)
    def _matrices(self, pytester):
        write_matrices(pytester.path)

    @pytest.fixture(params=["-n0", pytest.param("-n1", marks=pytest.mark.long)])
    def workers(self, request):
        return request.param

    def test_a_gate_fails_with_what_to_know_and_to_do_and_no_traceback(
        self, pytester, runpytest, workers, has_no_package_frames
    ):
        write_gates(pytester.path, spam="MUCH_WORSE", ham="BETTER")
        result = runpytest(workers, failed=1, passed=1)
        assert result.ret == pytest.ExitCode.TESTS_FAILED
        result.stdout.fnmatch_lines(
            [
                "*_ gate spam _*",
                "≪ macro-F1 −10.0 points (you allow 2): 0.900 → 0.800",
                "  Do: Find what changed *",
                "FAILED bayesf1.yaml::spam - ≪ macro-F1 −10.0 points (you allow 2): *",
            ]
        )
        assert has_no_package_frames(result)
        assert "Traceback" not in result.stdout.str()

    def test_an_invalid_file_is_a_collection_error_that_names_every_problem(self, pytester, runpytest, workers):
        text = "defaults: {rope: 0.01, mesure: f1}\ngates:\n  spam:\n    baseline: a.csv\n    fail_on: worse\n"
        (pytester.path / "bayesf1.yaml").write_text(text)
        result = runpytest(workers, errors=1)
        assert result.ret == (pytest.ExitCode.INTERRUPTED if workers == "-n0" else pytest.ExitCode.TESTS_FAILED)
        problems = {1: "defaults.mesure", 3: "gates.spam.candidate", 5: "gates.spam.fail_on"}
        told = [f"bayesf1.yaml:{line}: {key}: *" for line, key in problems.items()]
        result.stdout.fnmatch_lines(["*_ ERROR collecting bayesf1.yaml _*", *told])
        assert "Traceback" not in result.stdout.str()
