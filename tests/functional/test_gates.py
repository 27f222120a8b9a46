"""Gate files as items of pytest."""

import pytest

from tests.functional.gates import write_gates, write_matrices

NAMES = ["a|b", "a[b", "a[b]c", 'it\'s "q"', "שלום", "a:b", "a/b", "a b", "-x", "a.py", "x" * 200]


def collected(pytester, *arguments):
    result = pytester.runpytest("--collect-only", "-q", *arguments)
    return sorted(line for line in result.outlines if "::" in line)  # other plugins shuffle


class TestGateCollection:
    @pytest.fixture(autouse=True)
    def _matrices(self, pytester):
        write_matrices(pytester.path)

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
