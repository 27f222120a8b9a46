import json
import shlex
from contextlib import chdir
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from pytest_bayesf1.cli.main import main
from pytest_bayesf1.errors import command_line
from pytest_bayesf1.project import baselines_below
from tests.functional.gates import write_gate, write_gates, write_matrices
from tests.unit.committed import Committed

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

    @pytest.mark.parametrize("workers", ["-n0", pytest.param("-n1", marks=pytest.mark.long)])
    @pytest.mark.parametrize("name", ["a[1]", "a::b", "a b", "-a"])
    @pytest.mark.one_of_many
    def test_the_root_folder_may_have_any_name(self, pytester, runpytest, monkeypatch, name, workers):
        root = pytester.mkdir(name)
        (root / "tests").mkdir()
        (root / "tests" / "test_nothing.py").write_text("def test_nothing(): pass")
        (root / "pytest.ini").write_text("[pytest]\ntestpaths = tests")
        write_matrices(root)
        write_gates(root, spam="EQUIVALENT")
        monkeypatch.chdir(root)
        result = runpytest(workers, passed=2)
        assert "The gate passed" in result.stdout.str()

    @pytest.mark.parametrize("name", NAMES, ids=ascii)
    def test_whatever_its_name_a_gate_can_be_selected(self, pytester, name):
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
    def test_names_of_gate_files(self, pytester, file, is_taken):
        write_gates(pytester.path, file, spam="EQUIVALENT")
        assert collected(pytester) == [f"{file}::spam"] * is_taken

    def test_a_folder_named_like_a_gate_file_is_a_folder(self, pytester):
        folder = pytester.mkdir("bayesf1.yaml")
        write_matrices(folder)
        write_gates(folder, "bayesf1.yml", spam="EQUIVALENT")
        assert collected(pytester) == ["bayesf1.yaml/bayesf1.yml::spam"]
        pytester.makeini("[pytest]\ntestpaths = nothing")
        assert collected(pytester, "--rootdir", str(pytester.path)) == ["bayesf1.yaml/bayesf1.yml::spam"]

    def test_without_the_plugin_nothing_is_collected(self, pytester):
        write_gates(pytester.path, spam="MUCH_WORSE")
        pytester.makeini("[pytest]\ntestpaths = nothing")
        assert pytester.runpytest("-p", "no:bayesf1").ret == pytest.ExitCode.NO_TESTS_COLLECTED
        assert pytester.runpytest("-p", "no:bayesf1", ".").ret == pytest.ExitCode.NO_TESTS_COLLECTED

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

    def test_the_root_folder_is_the_fence_for_gate_files_in_subfolders(self, pytester, runpytest):
        write_gates(pytester.mkdir("models"), spam={"baseline": "../BASELINE.json", "candidate": "../EQUIVALENT"})
        pytester.runpytest().assert_outcomes(passed=1)
        result = runpytest("--rootdir", "models", "models", errors=1)
        result.stdout.fnmatch_lines(
            ["bayesf1.yaml:2: gates.spam.baseline.file: '../BASELINE.json' leads out of *Copy*"]
        )


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
                "  Do: Find what changed (data, features, labels) before merging. *",
                "  95% likely  −11.0 to −9.1, significantly worse",
                "  more        pytest -v, or --bayesf1-report=DIR for a page of pictures",
                "FAILED bayesf1.yaml::spam - ≪ macro-F1 −10.0 points (you allow 2): *",
            ]
        )
        assert has_no_package_frames(result)
        assert "Traceback" not in result.stdout.str()

    def test_a_leaning_worse_candidate_warns_at_the_line_of_its_gate(self, pytester, runpytest, workers, entries):
        write_gates(pytester.path, ham="BETTER", spam="WORSE")
        result = runpytest(workers, "--bayesf1-report=out/report.json", passed=2, warnings=1)
        assert result.ret == pytest.ExitCode.OK
        result.stdout.fnmatch_lines(["*bayesf1.yaml:3: LeaningWorseWarning: < macro-F1 −*"])
        assert {each["test"]: each["line"] for each in entries()} == {"bayesf1.yaml::spam": 3, "bayesf1.yaml::ham": 2}

    def test_gate_files_of_any_name_run_when_they_are_asked_for(self, pytester, monkeypatch):
        write_gates(pytester.path, "strict.yaml", spam="EQUIVALENT")
        write_gates(pytester.path, "others.yml", ham="EQUIVALENT")
        (pytester.path / "settings.yaml").write_text("a: 1\n")
        pytester.runpytest().assert_outcomes()
        pytester.runpytest("strict.yaml", "others.yml::ham").assert_outcomes(passed=2)
        result = pytester.runpytest("settings.yaml")
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines(["ERROR: not found: *settings.yaml"])
        monkeypatch.chdir(pytester.mkdir("sub"))
        pytester.runpytest("../strict.yaml").assert_outcomes(passed=1)

    def test_a_floor(self, pytester, runpytest, entries):
        floors = {"low": 0.5, "high": 0.99}
        lines = [f"  {name}: {{candidate: BASELINE.json, floor: {floor}}}" for name, floor in floors.items()]
        (pytester.path / "bayesf1.yaml").write_text("\n".join(["gates:", *lines]))
        result = runpytest("--bayesf1-update", "--bayesf1-report=out/report.json", passed=1, failed=1)
        result.stdout.fnmatch_lines(["macro-F1 * is below the floor of 0.99", "*FAILED *high *≥ 0.99*"])
        assert [(entry["test"], entry["kind"], entry["gate"], entry["policy"]) for entry in entries()] == [
            (f"bayesf1.yaml::{name}", "estimate", f"floor {floors[name]:g}", "at_least") for name in ("high", "low")
        ]
        (pytester.path / "bayesf1.yaml").write_text("\n".join(["gates:", lines[0].replace("0.5", "0.4")]))
        result = pytester.runpytest()
        result.stdout.fnmatch_lines(["*floor: was 0.5, is 0.4*"])

    def test_an_invalid_file_is_a_collection_error_that_names_every_problem(self, pytester, runpytest, workers):
        text = "defaults: {rope: 0.01, mesure: f1}\ngates:\n  spam:\n    baseline: a.csv\n    fail_on: worse\n"
        (pytester.path / "bayesf1.yaml").write_text(text)
        result = runpytest(workers, errors=1)
        assert result.ret == (pytest.ExitCode.INTERRUPTED if workers == "-n0" else pytest.ExitCode.TESTS_FAILED)
        result.stdout.fnmatch_lines(
            [
                "*_ ERROR collecting bayesf1.yaml _*",
                "bayesf1.yaml:1: defaults.mesure: There is no such key. Did you mean 'measure'?",
                "bayesf1.yaml:3: gates.spam.candidate: There is no candidate. Name its file.",
                "bayesf1.yaml:5: gates.spam.fail_on: expected '<<' or 'unproven', got 'worse'",
            ]
        )
        assert "Traceback" not in result.stdout.str()

    def test_classes_stand_in_the_report_and_in_junit_as_parts(self, pytester, workers, entries):
        write_gates(pytester.path, spam={"candidate": "MUCH_WORSE", "per_class": True})
        pytester.runpytest(workers, "--bayesf1-report=out/report.json", "--junit-xml=junit.xml").assert_outcomes(
            failed=1
        )
        told = [tuple(entry[key] for key in ("test", "part", "gate", "measure", "verdict")) for entry in entries()]
        assert sorted(told) == [
            ("bayesf1.yaml::spam", "", 'fail_on "<<"', "f1_macro", "failed"),
            ("bayesf1.yaml::spam", "class 0", "per_class", "f1[0]", "failed"),
            ("bayesf1.yaml::spam", "class 1", "per_class", "f1[1]", "failed"),
        ]
        (overall,) = (entry for entry in entries() if not entry["part"])
        assert any(note.startswith("2 of 2 classes and slices failed") for note in overall["notes"])
        (case,) = ET.parse(pytester.path / "junit.xml").iter("testcase")  # noqa: S314
        properties = {each.get("name"): each.get("value") for each in case.iter("property")}
        assert (case.get("classname"), case.get("name")) == ("bayesf1.yaml", "spam")
        found = [[properties.get(f"bayesf1.{number}.{name}") for number in (1, 2, 3)] for name in ("part", "measure")]
        assert found == [[None, "class 0", "class 1"], ["f1_macro", "f1[0]", "f1[1]"]]


SPAM = """
    def test_spam():
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)
"""
HAM = """
    def test_ham():
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02, measure="accuracy")
        assert_at_least(BASELINE, 0.7)
"""


def change(pytester, file, old, new):
    path = pytester.path / f"{file}.py"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


class TestManifest:
    @pytest.fixture
    def manifest(self, pytester):
        return lambda: json.loads((pytester.path / "__bayesf1__" / "gates.json").read_text("utf-8"))["gates"]

    @pytest.fixture
    def listed(self, pytester, write_tests):
        """A project whose three gates are listed."""
        write_tests(test_spam=SPAM, test_ham=HAM)
        pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=2)

    @pytest.fixture
    def findings(self, pytester, document):
        """Run pytest, in a folder if one is given, and read what differs: gate, kind, what is told."""

        def findings(*arguments, folder=pytester.path, **outcomes):
            with chdir(folder):
                result = pytester.runpytest(f"--bayesf1-report={pytester.path / 'out' / 'report.json'}", *arguments)
            if outcomes:
                result.assert_outcomes(**outcomes)
            return [(each["gate"], each["kind"], each["text"]) for each in document()["findings"]]

        return findings

    @pytest.fixture
    def since(self, pytester, commit, findings):
        """List the gates of a gate file in a base commit; return what a change of its folder makes differ."""

        def differ(*arguments):
            return findings("--bayesf1-baseline-ref=HEAD", *arguments)

        def listed():
            pytester.runpytest("--bayesf1-update=new", "bayesf1.yaml")
            commit()
            assert differ() == []
            return differ

        return listed

    def test_without_a_manifest_nothing_is_said(self, pytester, write_tests, findings):
        write_tests(test_spam=SPAM)
        assert findings(passed=1) == []
        assert not (pytester.path / "__bayesf1__").exists()

    @pytest.mark.parametrize("distribution", [["-n0"], ["-n2"]], ids=["here", "xdist"])
    def test_an_update_lists_every_gate(self, pytester, write_tests, manifest, distribution):
        write_tests(test_spam=SPAM, test_ham=HAM)
        result = pytester.runpytest("--bayesf1-update", *distribution)
        result.stdout.fnmatch_lines(["gates: __bayesf1__?gates.json"])
        assert {test: [each["policy"] for each in gates] for test, gates in manifest().items()} == {
            "test_ham.py::test_ham": ["not_worse", "at_least"],
            "test_spam.py::test_spam": ["not_worse"],
        }
        assert manifest()["test_spam.py::test_spam"][0]["rope"] == [-0.02, 0.02]

    def test_what_is_listed_is_no_finding(self, pytester, listed, findings):
        assert findings(passed=2) == []

    def test_a_looser_gate_is_told_and_changes_no_exit_code(self, pytester, listed, findings, section):
        change(pytester, "test_spam", "rope=0.02", "rope=0.1")
        assert findings(passed=2) == [("test_spam.py::test_spam", "loosened", "rope: was 2 points, is 10 points")]
        result = pytester.runpytest()
        assert result.ret == 0
        assert section(result)[-2:] == [
            "This change loosens 1 gate.",
            "  test_spam.py::test_spam: rope: was 2 points, is 10 points",
        ]

    def test_a_first_baseline_is_listed_before_there_is_anything_to_compare_with(self, pytester, write_tests, manifest):
        write_tests("def test_a(bayes_regression):\n    bayes_regression.check([[48, 2], [3, 47]], rope=0.01)\n")
        pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=1)
        ((gates,),) = manifest().values()
        assert (gates["policy"], gates["rope"]) == ("not_worse", [-0.01, 0.01])

    def test_gate_files_are_listed_with_their_parts(self, pytester, manifest, findings):
        gate = {"baseline": "a.json", "candidate": "b.json", "rope": 0.05, "fail_on": "unproven", "per_class": True}
        for name in ("a.json", "b.json"):
            (pytester.path / name).write_text("[[450, 50], [50, 450]]")
        write_gate(pytester.path, **gate)
        pytester.runpytest("--bayesf1-update=new", "bayesf1.yaml")
        ((listed,),) = manifest().values()
        assert (listed["policy"], listed["per_class"], "slices" in listed) == ("not_inferior", True, False)
        write_gate(pytester.path, **gate | {"fail_on": "<<"})
        told = "policy: was not inferior, is not worse"
        assert findings() == [("bayesf1.yaml::spam", "loosened", told)]

    @pytest.mark.parametrize(
        "call",
        [
            "assert_not_worse(old, new, {parts}rope=0.045, measure='recall_macro')",
            "bayes_regression.check(new, {parts}rope=0.045, measure='recall_macro')",
        ],
        ids=["assert", "check"],
    )
    def test_classes_and_slices_of_a_test(self, pytester, write_tests, manifest, findings, document, call):
        parts = "per_class=True, slices={'language': languages}, "

        def write(asked, wrong):
            write_tests(f"""
                truth, languages = ["a", "b"] * 1000, ["en", "en", "fi", "fi"] * 500
                said = [
                    "b" if row % 32 == 0 and {wrong} else true for row, true in enumerate(truth)
                ]
                old, new = (ConfusionMatrix.from_predictions(truth, each, ids=range(2000)) for each in (truth, said))

                def test_tickets(bayes_regression):
                    {call.format(parts=asked)}
            """)

        write(parts, wrong=False)
        pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=1)
        ((listed,),) = manifest().values()
        assert (listed["per_class"], listed["slices"]) == (True, ["language"])
        write(parts, wrong=True)
        assert findings(failed=1) == []
        entries = document()["entries"]
        assert {each["part"]: (each["gate"], each["verdict"]) for each in entries if each["part"]} == {
            "class a": ("per_class", "failed"),
            "class b": ("per_class", "passed"),
            "language=en": ("slices", "failed"),
            "language=fi": ("slices", "passed"),
        }
        assert [(each["verdict"], len(each["gaps"])) for each in entries if not each["part"]] == [("passed", 1)]
        write("", wrong=True)
        (test,) = manifest()
        assert findings(passed=1)[:2] == [
            (test, "loosened", "per_class: was yes, is not set"),
            (test, "loosened", "slices: was language, is not set"),
        ]

    def test_no_baseline_is_taken_for_a_manifest_nor_a_manifest_for_a_baseline(self, pytester, listed, baselines):
        folder = pytester.path / "__bayesf1__"
        assert list(baselines_below(pytester.path)) == []
        (folder / "test_spam").mkdir()
        (folder / "test_spam" / "gates.json").write_text("{}")
        assert list(baselines_below(pytester.path)) == [folder / "test_spam" / "gates.json"]
        (folder / "test_spam" / "gates.json").unlink()
        assert baselines(pytester.runpytest()) == []

    def test_an_update_that_cannot_read_the_manifest_fails_the_run(self, pytester, listed):
        (pytester.path / "__bayesf1__" / "gates.json").write_text("<<<<<<< ours")
        result = pytester.runpytest("--bayesf1-update")
        assert result.ret == pytest.ExitCode.INTERNAL_ERROR
        result.stdout.fnmatch_lines(["gates NOT written: *gates.json: The manifest of gates is damaged*"])

    @pytest.fixture
    def commit(self, pytester):
        return lambda: Committed.new(pytester.path).commit()

    @pytest.mark.parametrize("distribution", [["-n0"], ["-n1"]], ids=["here", "xdist"])
    def test_the_manifest_of_the_base_commit_counts(self, pytester, listed, commit, findings, distribution):
        commit()
        change(pytester, "test_spam", "rope=0.02", "rope=0.1")
        (pytester.path / "test_ham.py").unlink()
        pytester.runpytest("--bayesf1-update")
        assert findings() == []
        told = [each[1:] for each in findings("--bayesf1-baseline-ref=HEAD", *distribution)]
        gone = ("missing", "no test of this name ran: you deleted, renamed or did not select it")
        assert told == [gone, gone, ("loosened", "rope: was 2 points, is 10 points")]

    def test_a_change_that_is_wanted_is_accepted_and_listed_first(self, pytester, listed, commit, document, section):
        commit()
        change(pytester, "test_spam", "rope=0.02", "rope=0.1")
        (pytester.path / "test_ham.py").unlink()
        base = ("--bayesf1-baseline-ref=HEAD", f"--bayesf1-report={pytester.path / 'out' / 'report.json'}")
        said = " ".join(" ".join(section(pytester.runpytest(*base))).split())
        assert document()["verdict"] == "loosened"
        for each in document()["findings"]:
            command = command_line("bayesf1", "accept", each["gate"], "--loosened", each["change"], "--reason", ...)
            assert command in said
            words = shlex.split(command.replace("...", "half the size"))[1:]
            assert CliRunner().invoke(main, words, env={"CI": ""}).exit_code == 0
        said = " ".join(" ".join(section(pytester.runpytest(*base))).split())
        assert document()["verdict"] == "accepted"
        assert {each["accepted"] for each in document()["findings"]} == {"half the size"}
        assert said.startswith(
            "This change loosens 3 gates, as accepted; the gate passed This change loosens 3 gates. "
        )
        told = "rope: was 2 points, is 10 points. Accepted: half the size"
        assert told in said
        change(pytester, "test_spam", "rope=0.1", "rope=0.09")
        pytester.runpytest(*base)
        assert document()["verdict"] == "loosened"
        for gates in ([f"test_ham.py::test_ham (gate {n})" for n in (1, 2)], []):
            pytester.runpytest("--bayesf1-update")
            document = json.loads((pytester.path / "__bayesf1__" / "gates.json").read_text())
            assert list(document.get("exceptions", {})) == gates

    @pytest.mark.parametrize(
        ("words", "told"),
        [
            (["--loosened", "xyz"], "--loosened: expected the 12 digits that reports write after --loosened"),
            (["--loosened", "0123456789ab", "--up-to", "0.1"], "--up-to: A change that loosens a gate has no size"),
        ],
    )
    def test_what_cannot_be_accepted_is_refused(self, pytester, listed, words, told):
        done = CliRunner().invoke(main, ["accept", "spam", "--reason", "half the size", *words], env={"CI": ""})
        assert done.exit_code == 2
        assert told in " ".join(done.output.split())

    def test_a_change_cannot_make_the_candidate_the_truth(self, pytester, since, section):
        def write(name, often):
            tags = ["O" if (i % 2 == 0) != (i % often == 0) else "B-X" for i in range(1, 401)]
            (pytester.path / name).write_text("".join(f"word {tag}\n\n" for tag in tags))

        for name, often in (("gold.conll", 1_000), ("old.conll", 9), ("new.conll", 8)):
            write(name, often)
        write_gate(pytester.path, baseline="old.conll", candidate="new.conll", gold="gold.conll", rope=0.1)
        differ = since()
        write("new.conll", 6)
        write("gold.conll", 3)
        ((gate, kind, told),) = differ()
        assert (gate, kind) == ("bayesf1.yaml::spam", "changed")
        assert told.startswith('reading: was gold: "gold.conll of checksum ')
        said = " ".join(section(pytester.runpytest("--bayesf1-baseline-ref=HEAD")))
        assert "1 baseline or gate file changed: gold.conll." in said

    def test_a_change_cannot_move_the_root_folder_away_from_the_manifest(self, pytester, listed, commit, findings):
        commit()
        tests = pytester.mkdir("tests")
        (tests / "pytest.ini").write_text("[pytest]\n")
        (pytester.path / "classifiers.py").rename(tests / "classifiers.py")
        (pytester.path / "test_spam.py").rename(tests / "test_spam.py")
        found = findings("--bayesf1-baseline-ref=HEAD", "tests")
        missing = [gate for gate, kind, _ in found if kind == "missing"]
        assert missing == [f"../test_ham.py::test_ham (gate {n})" for n in (1, 2)]

    @pytest.fixture
    def in_tests(self, pytester, write_tests, commit):
        """A base commit whose gate is in a folder of tests, and a change that makes this a root folder of its own."""
        folder = pytester.mkdir("tests")
        (pytester.path / "pytest.ini").write_text("[pytest]\nbayesf1_rope = 0.02\n")
        (pytester.path / "classifiers.py").rename(folder / "classifiers.py")
        write_tests(**{"tests/test_spam": SPAM.replace(", rope=0.02", "")})
        pytester.runpytest("--bayesf1-update=new", "tests").assert_outcomes(passed=1)
        commit()
        (folder / "pytest.ini").write_text("[pytest]\nbayesf1_rope = 0.1\n")
        return folder

    def test_files_that_a_change_asks_for_itself_leave_none_out(
        self, pytester, write_tests, in_tests, commit, findings
    ):
        """A folder has a manifest already, and its new root folder asks for some of its tests only."""
        write_tests(**{"tests/test_ham": HAM})
        (in_tests / "pytest.ini").unlink()
        with chdir(in_tests):
            pytester.runpytest("--bayesf1-update=new", "--rootdir=.", "test_ham.py")
        commit()
        (in_tests / "pytest.ini").write_text("[pytest]\naddopts = test_ham.py\n")
        found = findings("--bayesf1-baseline-ref=HEAD", folder=in_tests)
        assert ("test_spam.py::test_spam", "missing") in [each[:2] for each in found]

    def test_baselines_that_are_read_from_elsewhere_are_looser(
        self, pytester, runpytest, write_tests, commit, findings
    ):
        regression = """
            from classifiers import {candidate} as candidate

            def test_spam(bayes_regression):
                bayes_regression.check(candidate, rope=0.02)
        """
        write_tests(test_spam=regression.format(candidate="BASELINE"))
        pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=1)
        commit()
        write_tests(test_spam=regression.format(candidate="WORSE"))
        (pytester.path / "pytest.ini").write_text("[pytest]\nbayesf1_baselines = others\n")
        pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=1)
        result = runpytest("--bayesf1-baseline-ref=HEAD", failed=1)
        result.stdout.fnmatch_lines(
            ["*others/test_spam/test_spam.json: git does not hold this file in the base commit *"]
        )
        commit()
        manifest = pytester.path / "__bayesf1__" / "gates.json"
        manifest.write_text(manifest.read_text().replace("others/test_spam", ""))
        commit()
        told = "baseline: was not set, is others/test_spam"
        assert findings("--bayesf1-baseline-ref=HEAD", passed=1) == [("test_spam.py::test_spam", "changed", told)]
