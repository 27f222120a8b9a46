import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import chdir
from html import unescape
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from pytest_bayesf1 import compare
from pytest_bayesf1.reports.reading import load_report
from tests.functional.classifiers import BASELINE, MUCH_WORSE, ROPE
from tests.functional.gates import write_gates, write_matrices
from tests.unit.committed import Committed

GATES = """
    TRUTH = ["a", "b"] * 50
    def side(n_wrong):
        return ConfusionMatrix.from_predictions(TRUTH, ["b"] * n_wrong + TRUTH[n_wrong:])

    def test_two_gates():
        assert_not_worse(side(4), side(2), rope=0.02)
        assert_not_worse(side(0), side(6), rope=0.02, measure="accuracy")

    def test_a_look():
        compare(side(4), side(2), rope=0.02)

    def test_counts():
        assert_not_worse([[50, 0], [0, 50]], [[50, 0], [0, 50]], rope=0.02)
"""


SCRIPT = """
import json
from pytest_bayesf1 import ConfusionMatrix, PairedCounts, compare
from classifiers import BASELINE, UNDECIDED
true = ["spam", "ham", "eggs", "ham", "spam", "eggs"] * 20
baseline = ["spam", "ham", "ham", "ham", "spam", "eggs"] * 20
candidate = ["spam", "eggs", "eggs", "ham", "ham", "eggs"] * 20
for comparison in (
    compare(BASELINE, UNDECIDED, rope=0.02),
    compare(ConfusionMatrix(BASELINE, ["spam", "ham"]), [[90, 5], [10, 95]], rope=0.02, prior="hierarchical"),
    compare(PairedCounts.from_predictions(true, baseline, candidate), rope=0.02, measure="f1[spam]"),
):
    print(json.dumps(comparison.to_dict()))
"""


class TestDeterminism:
    def test_same_bytes_whatever_the_hash_seed(self, pytester, monkeypatch):
        outputs = []
        for hash_seed in ("1", "2"):
            monkeypatch.setenv("PYTHONHASHSEED", hash_seed)
            result = pytester.run(sys.executable, "-c", SCRIPT)
            assert result.ret == 0
            outputs.append(result.outlines)
        assert len(outputs[0]) == 3
        assert outputs[0] == outputs[1]


SOURCE = """
    @pytest.fixture
    def afterwards():
        yield
        compare(BASELINE, MUCH_WORSE, rope=0.02, measure="accuracy")

    def test_fails():
        assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)

    def test_compares(bayes_compare, afterwards):
        bayes_compare(BASELINE, BETTER, rope=0.02)

    def test_floor():
        assert_at_least(BASELINE, 0.8)

    def test_without():
        pass
"""


class TestJunit:
    @pytest.fixture(params=["-n0", pytest.param("-n1", marks=pytest.mark.long)])
    def properties(self, pytester, write_tests, request):
        """Return the properties of every test case by name."""
        write_tests(SOURCE)
        pytester.runpytest("--junit-xml=junit.xml", request.param)
        cases = ET.parse(pytester.path / "junit.xml").iter("testcase")  # noqa: S314
        return {case.get("name"): {p.get("name"): p.get("value") for p in case.iter("property")} for case in cases}

    def test_every_comparison_of_a_test_has_numbered_properties(self, properties):
        worse = compare(BASELINE, MUCH_WORSE, rope=ROPE)
        said = {"gate": "assert_not_worse", "verdict": "failed", "measure": "f1_macro", "decision": "≪"}
        numbers = {"delta": worse.mean, "hdi_low": worse.hdi[0], "hdi_high": worse.hdi[1]}
        said |= {name: f"{number:.6f}" for name, number in numbers.items()}
        assert properties["test_fails"] == {f"bayesf1.1.{name}": each for name, each in said.items()}
        found = properties["test_compares"]
        assert (found["bayesf1.1.decision"], found["bayesf1.2.decision"]) == (">", "≪")
        assert (found["bayesf1.1.measure"], found["bayesf1.2.measure"]) == ("f1_macro", "accuracy")
        found = properties["test_floor"]
        assert found["bayesf1.1.gate"] == "assert_at_least"
        assert 0.89 < float(found["bayesf1.1.hdi_low"]) < float(found["bayesf1.1.score"]) < 0.91
        assert properties["test_without"] == {}


_RUN_AND_LIST = """
import sys
if sys.argv[1] == "gate":
    from pytest_bayesf1.cli.main import main
    try:
        main()
    except SystemExit as end:
        code = end.code
else:
    import pytest
    code = pytest.main()
print(int(code), sorted(sys.modules.keys() & {"matplotlib", "pymc", "scipy.stats"}))
"""


class TestReportOption:
    @pytest.mark.filterwarnings("default::RuntimeWarning")
    def test_a_measure_that_never_changes_gives_a_report(self, pytester, runpytest, write_tests):
        write_tests("""
            import numpy as np

            def constant(p):
                return np.ones(p.shape[:-2])
            def test_gate(bayes_compare):
                assert bayes_compare([[9, 1], [2, 8]], [[8, 2], [1, 9]], rope=0.02, measure=constant).decision == "~"
        """)
        runpytest("--bayesf1-report=out", passed=1, warnings=0)
        assert "NaN" not in (pytester.path / "out" / "report.json").read_text("utf-8")

    @pytest.mark.parametrize(("chosen", "code"), [("passes", 3), ("fails", 1), ("neither", 3)])
    def test_a_report_that_cannot_be_written_fails_the_run(self, pytester, write_tests, chosen, code):
        write_tests("""
            def test_passes():
                assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)
            def test_fails():
                assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)
        """)
        (pytester.path / "out").touch()
        result = pytester.runpytest("--bayesf1-report=out", "-k", chosen)
        assert result.ret == code
        result.stdout.fnmatch_lines(["report NOT written: *out: * (RenderError)"])

    def test_an_option_is_seen_from_where_pytest_is_called_and_an_ini_key_from_the_root(self, pytester, write_tests):
        write_tests(GATES)
        pytester.makeini("[pytest]\nbayesf1_report = of-ini.json")
        with chdir(pytester.mkdir("below")):
            pytester.runpytest("..")
            pytester.runpytest("..", "--bayesf1-report=of-option.json")
        found = pytester.path.rglob("of-*.json")
        assert {path.relative_to(pytester.path).as_posix() for path in found} == {"of-ini.json", "below/of-option.json"}

    @pytest.mark.parametrize("way", ["option", "ini", "command"])
    @pytest.mark.one_of_many
    def test_a_path_that_ends_in_json_takes_the_json_alone(self, pytester, monkeypatch, way):
        monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # other plugins import what they like
        for name in ("counts.csv", "same.csv"):
            pytester.path.joinpath(name).write_text("48,2\n3,47\n")
        pytester.path.joinpath("bayesf1.yaml").write_text(
            "gates: {spam: {baseline: counts.csv, candidate: same.csv, rope: [0.2, wide], measure: accuracy}}"
        )
        said = {"option": "--bayesf1-report=out/night.json", "ini": "-obayesf1_report=out/night.json"}
        called = ["-c", _RUN_AND_LIST, "gate", "--report=out/night.json"]
        if way != "command":
            called = ["-c", _RUN_AND_LIST, "-p", "bayesf1", said[way]]
        result = pytester.run(sys.executable, *called)
        assert result.outlines[-1] == "0 []"
        assert any(line.startswith("report: ") and line.endswith("out/night.json") for line in result.outlines)
        assert [path.name for path in pytester.path.joinpath("out").iterdir()] == ["night.json"]
        assert load_report(pytester.path / "out" / "night.json").entries[0].verdict == "passed"


TEST = """
    def test_gate():
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)
"""


class TestRunIdentity:
    @pytest.fixture
    def repository(self, pytester, write_tests):
        write_tests(TEST)
        repository = Committed.new(pytester.path)
        commit = repository.commit()
        repository.git("checkout", "-q", "-b", "faster")
        return commit

    def test_every_format_tells_commit_and_notes(self, pytester, runpytest, repository, section):
        notes = ("--bayesf1-note=model=v3", "--bayesf1-note=why=<b>new & better</b>")
        result = runpytest("--bayesf1-report=out", *notes, passed=1)
        assert section(result)[-3:-1] == ["model=v3", "why: <b>new & better</b>"]
        found = {path.name: path.read_text("utf-8") for path in (pytester.path / "out").glob("report.*")}
        assert load_report(pytester.path / "out" / "report.json").run.text[0] == f"commit {repository[:7]}"
        assert json.loads(found["report.json"])["run"] == {
            "commit": repository,
            "branch": "faster",
            "url": "",
            "date": "2026-05-01",
            "notes": {"model": "v3", "why": "<b>new & better</b>"},
            "base_commit": "",
            "base_branch": "",
            "attempt": 1,
        }
        shown = "branch faster · 1 May 2026 · model=v3 · why: &lt;b&gt;new &amp; better"
        assert f"commit {repository[:7]} · {shown}&lt;/b&gt;" in found["report.html"]
        assert shown in found["report.md"]

    @pytest.mark.long
    def test_workers_change_nothing(self, pytester, repository):
        made = []
        for workers in ("0", "2"):
            pytester.runpytest("--bayesf1-report=out/report.json", "--bayesf1-note=model=v3", "-n", workers)
            made.append((pytester.path / "out" / "report.json").read_bytes())
        assert made[0] == made[1]
        assert repository.encode() in made[0]


SAME_REPORT_GATES = """
    import numpy as np

    @pytest.fixture
    def surrounded():
        compare(BASELINE, MUCH_WORSE, rope=0.02)
        yield
        compare(BASELINE, BETTER, rope=0.02)

    @pytest.mark.parametrize("measure", ["f1_macro", "accuracy"])
    @pytest.mark.parametrize("name", ["BETTER", "MUCH_WORSE", "EQUIVALENT"])
    def test_parametrised(name, measure):
        np.random.random()  # nothing is drawn from the generator that all share
        assert_not_worse(BASELINE, getattr(classifiers, name), rope=0.02, measure=measure)

    class TestClass:
        @pytest.fixture(autouse=True)
        def prepared(self):
            compare(BASELINE, BETTER, rope=0.02, measure="recall")

        def test_one(self):
            assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)

        def test_two(self, surrounded):
            assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)

    def test_several(surrounded):
        for measure in ("precision", "f1[1]", "accuracy"):
            compare(BASELINE, BETTER, rope=0.02, measure=measure)

    def test_without():
        pass
"""

EXPECTED = 6 + (1 + 1) + (1 + 1 + 2) + (3 + 2)


class TestSameReport:
    @pytest.fixture
    def report(self, pytester):
        """Run pytest and return the bytes of report.json."""

        def run(*arguments):
            pytester.runpytest("--bayesf1-report=out/report.json", *arguments).assert_outcomes(passed=8, failed=2)
            return (pytester.path / "out" / "report.json").read_bytes()

        return run

    @pytest.fixture
    def expected(self, write_tests, report, entries):
        write_tests(SAME_REPORT_GATES)
        made = report("-p", "no:randomly", "-p", "no:xdist")
        assert len(entries()) == EXPECTED
        return made

    @pytest.mark.parametrize("workers", ["-n2", "-n0", pytest.param("-n5", marks=pytest.mark.long)])
    @pytest.mark.one_of_many
    def test_in_any_number_of_workers(self, report, expected, workers):
        assert report("-p", "no:randomly", workers) == expected

    @pytest.mark.parametrize("distribution", ["worksteal", pytest.param("loadscope", marks=pytest.mark.long)])
    @pytest.mark.long
    def test_in_any_order_and_distribution(self, report, expected, distribution):
        assert report("--randomly-seed=4", "-n2", f"--dist={distribution}") == expected


TWO_GATES = """
    def test_better(bayes_compare):
        bayes_compare(BASELINE, BETTER, rope=0.02)

    def test_worse():
        assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)
"""


MANY = """
    @pytest.mark.parametrize("n", range({n}))
    def test_same(n):
        assert_not_worse(BASELINE, BASELINE, rope=0.2, n_draws=1_000)

    def test_undecided():
        assert_not_worse(BASELINE, BASELINE, rope=0.003, n_draws=1_000)
"""


class TestTerminal:
    def test_counts_and_scores_are_those_of_pytest_and_scikit_learn(self, pytester, write_tests, document):
        metrics = pytest.importorskip("sklearn.metrics")
        write_tests("""
            import numpy as np

            rng = np.random.default_rng(5)
            TRUE = rng.integers(0, 5, 300) // 2
            OLD = np.where(rng.random(300) < 0.8, TRUE, (TRUE + 1) % 3)

            @pytest.mark.parametrize("kept", [0.2, 0.5, 0.97, 1.0])
            @pytest.mark.parametrize("measure", ["f1_macro", "accuracy"])
            def test_gate(kept, measure):
                new = np.where(np.random.default_rng(6).random(300) < kept, OLD, 0)
                np.savetxt(f"{kept}.txt", new, fmt="%d")
                np.savetxt("old.txt", OLD, fmt="%d")
                np.savetxt("true.txt", TRUE, fmt="%d")
                sides = [ConfusionMatrix.from_predictions(TRUE, side) for side in (OLD, new)]
                for _ in range(2):
                    assert_not_worse(*sides, measure=measure, rope=0.02)
        """)
        result = pytester.runpytest("--bayesf1-report=out", "-W", "ignore")
        outcomes, counts = result.parseoutcomes(), document()["counts"]
        assert counts["failed"] == outcomes["failed"] > 0
        assert counts["total"] == outcomes["failed"] + outcomes["passed"] == 8
        true, old = (np.loadtxt(f"{name}.txt", dtype=int) for name in ("true", "old"))
        shown = [(pytester.path / "out" / name).read_text("utf-8") for name in ("report.md", "report.html")]
        shown.append(result.stdout.str())
        for entry in document()["entries"]:
            kept = re.search(r"-([\d.]+)\]", entry["test"])[1]
            new = np.loadtxt(f"{kept}.txt", dtype=int)
            if entry["measure"] == "accuracy":
                scores = [metrics.accuracy_score(true, side) for side in (old, new)]
            else:
                scores = [metrics.f1_score(true, side, average="macro") for side in (old, new)]
            assert [entry[side]["observed"] for side in ("baseline", "candidate")] == pytest.approx(scores)
            if entry["verdict"] == "failed":
                assert all(f"{scores[0]:.3f} → {scores[1]:.3f}" in text for text in shown)

    def test_scores_of_an_example_are_those_of_scikit_learn(self, pytester, document):
        metrics = pytest.importorskip("sklearn.metrics")
        example = Path(__file__).parents[2] / "examples" / "newsgroups"
        shutil.copytree(example, pytester.path / "newsgroups")
        result = pytester.runpytest_subprocess("newsgroups", "--bayesf1-report=out", "--bayesf1-rope=0.005")
        outcomes, counts = result.parseoutcomes(), document()["counts"]
        assert counts["total"] == outcomes["passed"] + outcomes["xfailed"] == 8
        assert counts["expected"] == outcomes["xfailed"] == 1
        text = (pytester.path / "out" / "report.html").read_text("utf-8").replace("<wbr>", "")
        for name, files, average in (
            ("multinomial-bayes", ("svm_l2", "nb_mult"), "macro"),
            ("l2-penalty", ("svm_l1", "svm_l2"), "micro"),  # of one class per example the accuracy
            ("test_bernoulli_bayes_must_not_replace_the_multinomial_one", ("nb_mult", "nb_bern"), "macro"),
        ):
            matrices = (np.loadtxt(example / "matrices" / f"{file}.csv", delimiter=",", dtype=int) for file in files)
            before, after = (
                metrics.f1_score(
                    *np.repeat(np.indices(each.shape).reshape(2, -1), each.ravel(), axis=1), average=average
                )
                for each in matrices
            )
            row = re.search(rf"<a [^>]*>{name}</a>.*?</tr>", text, flags=re.DOTALL)[0]
            assert f"{before:.3f} → {after:.3f}" in row

    def test_ascii_symbols_where_the_terminal_knows_no_others(self, pytester, write_tests, section, rows, monkeypatch):
        monkeypatch.setenv("PYTHONIOENCODING", "ascii")
        write_tests("""
            def test_all():
                for name in ("MUCH_WORSE", "WORSE", "UNDECIDED", "EQUIVALENT", "BETTER", "MUCH_BETTER"):
                    compare(classifiers.BASELINE, getattr(classifiers, name), rope=0.02)
        """)
        result = pytester.runpytest_subprocess()
        result.assert_outcomes(passed=1)
        assert len(rows(result)) == 1
        assert any("->" in line for line in section(result))
        assert all(line.isascii() for line in section(result))

    def test_switched_off_there_is_neither_section_nor_fixture_and_the_assertions_work(
        self, pytester, write_tests, section
    ):
        write_tests("""
            def test_worse():
                assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)

            def test_better():
                assert compare(BASELINE, BETTER, rope=0.02).decision == ">"

            def test_fixture(bayes_compare):
                pass
        """)
        result = pytester.runpytest_subprocess("-p", "no:bayesf1", "-p", "no:randomly")
        result.assert_outcomes(passed=1, failed=1, errors=1)
        result.stdout.fnmatch_lines(["E *fixture 'bayes_compare' not found", "E *≪ macro-F1 −*"])
        assert section(result) == []


@pytest.mark.parametrize("workers", ["-n0", pytest.param("-n1", marks=pytest.mark.long)])
def test_many_warnings_of_gates_are_one_line_of_pytests_summary(pytester, write_tests, listed_warnings, workers):
    write_tests("""
        import warnings

        @pytest.mark.parametrize("number", range(12))
        def test_gate(number):
            assert_not_worse(BASELINE, [[4380 - number, 620 + number], [620, 4380]], rope=0.02)

        def test_other():
            warnings.warn("of its own")
    """)
    result = pytester.runpytest("-W", "default", workers)
    summary = listed_warnings(result)
    (line,) = [line for line in summary if "of gates" in line]
    assert re.fullmatch(r"\d+ warnings of gates: see the section bayesf1 below; -v lists all gates\.", line)
    assert int(line.split()[0]) >= 12
    assert len(summary) < 10
    assert any("of its own" in line for line in summary)
    assert pytester.runpytest("-W", "error::pytest_bayesf1.BayesF1Warning").ret == pytest.ExitCode.TESTS_FAILED


class TestRunAgain:
    """What a report prints to run a gate again runs as it is printed, in the folder that pytest ran in."""

    def test_of_tests_and_of_gate_files(self, pytester, write_tests):
        write_matrices(pytester.path)
        write_gates(pytester.path, spam="MUCH_WORSE", **{"it's [a]": "MUCH_WORSE"})
        write_tests(
            """
            class TestSpam:
                @pytest.mark.parametrize("name", ["a b", "a'|b"])
                def test_gate(self, name):
                    rope = (-0.3, 0.001, "wide") if name == "a b" else ROPE
                    assert_better(BASELINE, MUCH_WORSE, rope=rope)

            def test_floor():
                assert_at_least(BASELINE, 0.99987654321)
            """
        )
        pytester.runpytest("--bayesf1-report=out")
        report = Path("out", "report.html").read_text("utf-8")
        printed = [unescape(code) for code in re.findall("<pre><code>(.*?)</code></pre>", report, re.DOTALL)]
        commands = [code for code in printed if code.startswith(("pytest", "bayesf1"))]
        assert len(commands) == 5
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        for command in commands:
            made = subprocess.run(  # noqa: S602
                command, shell=True, check=False, env={**os.environ, "PATH": path}, capture_output=True, text=True
            )
            assert (made.returncode, "≪" in made.stdout or "1 failed" in made.stdout) == (1, True), command


class TestArrays:
    """The truth and both predictions, as they are, wherever a test compares."""

    def test_every_door_takes_them(self, pytester, write_tests):
        write_tests(
            """
            TRUE = ["ham", "spam"] * 300
            OLD, NEW = (["spam"] * n + TRUE[n:] for n in (20, 22))

            def test_gates():
                language = {"language": ["en", "en", "fi"] * 200}
                assert_not_worse(TRUE, OLD, NEW, rope=0.05, per_class=True, slices=language, ids=range(600))
                assert_at_least(TRUE, NEW, 0.9)

            def test_fixture(bayes_compare):
                assert bayes_compare(TRUE, OLD, NEW, rope=0.05).model == "paired"

            def test_stored(bayes_regression):
                bayes_regression.check(TRUE, NEW, rope=0.05, ids=range(600))
            """
        )
        assert pytester.runpytest("--bayesf1-update", "--bayesf1-report=out").parseoutcomes()["passed"] == 3
        assert pytester.runpytest("--bayesf1-report=out").parseoutcomes()["passed"] == 3
        report = load_report(Path("out", "report.json"))
        assert {entry.part for entry in report.entries} >= {"class ham", "class spam", "language=en", "language=fi"}
        stored = next(entry for entry in report.entries if entry.test.endswith("test_stored"))
        assert (stored.model, stored.change) == ("paired", 0)


@pytest.mark.parametrize("workers", ["-n0", pytest.param("-n1", marks=pytest.mark.long)])
@pytest.mark.parametrize("in_ci", [False, pytest.param(True, marks=pytest.mark.long)])
def test_of_many_gates_of_a_file_that_fail_one_is_explained(pytester, runpytest, section, monkeypatch, workers, in_ci):
    if in_ci:
        monkeypatch.setenv("CI", "true")
    write_matrices(pytester.path)
    write_gates(pytester.path, **{f"gate{number}": "MUCH_WORSE" for number in range(14)}, missing="NOWHERE")
    pytester.makepyfile("def test_other(): assert 1 == 2")
    result = runpytest(workers, failed=16)
    explained = result.outlines[result.outlines.index(next(each for each in result.outlines if "FAILURES" in each)) :]
    titles = [each for each in explained if re.fullmatch(r"_+ .* _+", each)]
    assert len([each for each in titles if " gate " in each]) == 1
    assert any("test_other" in each for each in titles)
    assert "14 more gates failed, each a line in the short summary; -v explains them all." in explained
    assert len([each for each in result.outlines if each.startswith("FAILED bayesf1.yaml::")]) == 15
    assert any(each.startswith("do: ") for each in section(result))
    for arguments, n_explained in ((["-v"], 15), (["-k", "bayesf1 and not gate1"], 10)):
        lines = pytester.runpytest(workers, *arguments).outlines
        assert sum(bool(re.fullmatch(r"_+ gate .* _+", each)) for each in lines) == n_explained
