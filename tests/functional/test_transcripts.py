"""What runs of pytest print, all of it, as people have reviewed it."""

import json
import re
import shlex
from xml.etree import ElementTree as ET

import pytest

from tests.functional import classifiers
from tests.unit.committed import Committed

CLASSES = ("ham", "spam", "a|b <i>")
CANDIDATE = """
    import json
    from pathlib import Path

    def candidate(with_ids=True):
        held = json.loads(Path("candidate.json").read_text("utf-8"))
        return {name: held[name] for name in ("y_true", "y_pred", "ids")[: 2 + with_ids]}

    def languages():
        return {"language": json.loads(Path("candidate.json").read_text("utf-8"))["language"]}
"""


@pytest.fixture
def candidate(pytester, monkeypatch, write_tests):
    """Choose how often the candidate is wrong, and which tests there are."""
    monkeypatch.setenv("BAYESF1_CACHE", str(pytester.path / "cache"))

    def choose(every, tests=""):
        true = [CLASSES[k % 7 % 3] for k in range(300)]
        held = {
            "ids": [f"e{k}" for k in range(300)],
            "y_true": true,
            "y_pred": [CLASSES[(k % 7 % 3 + (k % every == 1)) % 3] for k in range(300)],
            "language": [("de", "en", "fi", "fi")[k % 4] for k in range(300)],
        }
        (pytester.path / "candidate.json").write_text(json.dumps(held), "utf-8")
        if tests:
            write_tests(CANDIDATE + tests)

    return choose


REGRESSION = """
    def test_all(bayes_regression):
        bayes_regression.check(**candidate(), rope=0.02, measure="accuracy")

    class TestParts:
        @pytest.mark.parametrize("measure", ["f1_macro", "f1[a|b <i>]"])
        def test_each(self, bayes_regression, measure):
            asked = {"rope": 0.02, "measure": measure, "slices": languages(), "per_class": True}
            bayes_regression.check(**candidate(), **asked)
"""


def test_a_baseline_is_stored_and_updated(transcript, candidate):
    for every, options in (
        (9, ""),
        (9, "--bayesf1-update=new"),
        (8, ""),
        (10, "--bayesf1-update"),
        (3, "-v"),
        (3, "--bayesf1-update -k test_all"),
        (3, '-k "all or macro" --bayesf1-accept "smaller | faster"'),
        (3, "--bayesf1-update"),
    ):
        candidate(every, REGRESSION)
        transcript.pytest(options)
    transcript.cat("__bayesf1__/gates.json")


ASSERTIONS = """
    def test_worse():
        assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02, measure="accuracy")

    def test_leaning():
        assert_not_worse(BASELINE, WORSE, rope=0.02)

    def test_open():
        assert_not_worse(BASELINE, UNDECIDED, rope=0.02)

    def test_proven():
        assert_not_inferior(BASELINE, UNDECIDED, rope=(-0.02, 0.01))

    def test_better():
        assert_better(BASELINE, BETTER, rope=0.02, measure="f1[0]")

    def test_alike():
        assert_equivalent(MUCH_BETTER, BASELINE, rope=0.02)

    @pytest.mark.parametrize("floor", [0.5, 0.95])
    def test_floor(floor):
        assert_at_least(BETTER, floor, measure="accuracy")

    def test_wide():
        assert_not_worse(BASELINE, EQUIVALENT, rope=(0.2, "wide"))

    def test_wrong_rope():
        assert_not_worse(BASELINE, EQUIVALENT, rope=5)

    def test_wrong_data():
        assert_not_worse(BASELINE, [[1, 2, 3], [4, 5, 6]], rope=0.02)
"""


def test_assertions(transcript, write_tests):
    write_tests(ASSERTIONS)
    for options in ("", "-v --tb=no -rA", "-q --tb=line --bayesf1-rope=0.3", "--bayesf1-warn-undecided --tb=no"):
        transcript.pytest(f"{options} --bayesf1-report=out.json".lstrip())


def test_comparisons_that_tests_share_expect_and_look_at(transcript, write_tests, pytester):
    write_tests(
        """
        @pytest.fixture(scope="module")
        def shared():
            return assert_not_worse(BASELINE, BETTER, rope=0.02), compare(BASELINE, WORSE, rope=0.03, measure="kappa")

        @pytest.fixture
        def failing():
            assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02, measure="precision_macro")

        def test_first(shared, bayes_compare):
            bayes_compare(BASELINE, UNDECIDED, rope=0.02, measure="recall_macro")
            assert bayes_compare(BASELINE, MUCH_WORSE, rope=0.02).decision == "~"

        def test_second(shared):
            assert shared[0].decision not in ("<<", "<")

        def test_in_set_up(failing):
            pass

        @pytest.mark.xfail(reason="known", strict=True)
        def test_expected():
            assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02, measure="f1[1]")

        @pytest.mark.xfail
        def test_unexpectedly_fine():
            assert_not_worse(BASELINE, MUCH_BETTER, rope=0.02)

        def test_several():
            assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)
            for candidate in (UNDECIDED, MUCH_WORSE, WORSE):
                assert_not_worse(BASELINE, candidate, rope=0.01, measure="accuracy")

        def test_caught():
            with pytest.raises(AssertionError):
                assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)
    """.replace("kappa", "cohen_kappa")
    )
    for options in ("", "-v --junit-xml=junit.xml", "-x", "--lf -q --tb=no", "-k 'second or several' --co -q"):
        transcript.pytest(options)
    found = ET.parse(pytester.path / "junit.xml").iter("testcase")  # noqa: S314
    properties = [
        (case.get("name"), each.get("name"), each.get("value")) for case in found for each in case.iter("property")
    ]
    transcript.show("cat junit.xml", "".join(f"{test}: {name} = {value}\n" for test, name, value in properties))


WRONG = """
    --bayesf1-rope=1 --bayesf1-rope=x --bayesf1-rope=0.02,0.01 --bayesf1-rope=0,0 --bayesf1-hdi-prob=95
    --bayesf1-hdi-prob=1 --bayesf1-measure=f1_makro --bayesf1-prior=flat --bayesf1-engine=nuts --bayesf1-seed=-1
    --bayesf1-budget=0 --bayesf1-prevalence=spam=2 --bayesf1-on-new-test-set=pair --bayesf1-report= --bayesf1-changes=
    --bayesf1-note=model --bayesf1-accept= --bayesf1-accept-up-to=0.1 --bayesf1-update=all
    "--bayesf1-accept a --bayesf1-accept-up-to -1" "--bayesf1-accept a --bayesf1-update=new"
    "--bayesf1-baseline-ref HEAD --bayesf1-update" "--bayesf1-gates-ref HEAD --bayesf1-update=new"
    "--bayesf1-note a=1 --bayesf1-note a=2" --bayesf1-baseline-ref=none --bayesf1-gates-ref=none
    "-o bayesf1_rope=2" "-o bayesf1_warn_undecided=perhaps" "-o bayesf1_seed=x" "-o bayesf1_baselines=test_gates.py"
    "-o bayesf1_report=test_gates.py" "-o bayesf1_prevalence=fraud"
"""


def test_options_that_cannot_be_used(transcript, write_tests):
    write_tests("def test_gate():\n    assert_not_worse(BASELINE, EQUIVALENT)")
    for options in shlex.split(WRONG):
        transcript.pytest(options)


def test_options_are_those_of_the_run(transcript, write_tests, monkeypatch):
    write_tests("""
        def test_gate(bayes_regression, bayes_compare):
            bayes_compare(BASELINE, UNDECIDED)
            assert_not_worse(BASELINE, MUCH_WORSE)
    """)
    given = "--bayesf1-rope=0.15,wide --bayesf1-measure=accuracy --bayesf1-hdi-prob=.9 --bayesf1-seed=3 -v"
    transcript.pytest(f"{given} --bayesf1-prior=jeffreys --bayesf1-note model=v3 --bayesf1-note run=<7>")
    transcript.pytest("-o bayesf1_rope=-0.01,0.03 -o bayesf1_measure=f1[1] --bayesf1-prevalence=0=.8,1=.2")
    monkeypatch.setenv("CI", "true")
    for options in ("--bayesf1-update", "--bayesf1-update=force", "--bayesf1-accept agreed"):
        transcript.pytest(f"{options} --tb=no")


def test_baselines_that_are_renamed_dropped_and_damaged(transcript, candidate, pytester):
    candidate(9, REGRESSION)
    transcript.pytest("--bayesf1-update=new -o bayesf1_baselines=kept")
    candidate(9, REGRESSION.replace("test_all", "test_whole"))
    for options in ("--tb=line", "--bayesf1-update=new", "--bayesf1-update=anchor", "--bayesf1-update -k whole"):
        transcript.pytest(f"{options} -o bayesf1_baselines=kept")
    path = pytester.path / "kept" / "test_gates" / "test_whole.json"
    path.write_text(path.read_text("utf-8").replace("e7", "e8"), "utf-8")
    for options in ("-k whole", "--bayesf1-update=new", "--bayesf1-update=force"):
        transcript.pytest(f"{options} --tb=short -o bayesf1_baselines=kept")
    candidate(5, REGRESSION.replace("candidate()", "candidate(with_ids=False)"))
    transcript.pytest("--bayesf1-update=force -o bayesf1_baselines=kept")
    transcript.pytest("-o bayesf1_baselines=kept")
    transcript.cat("__bayesf1__/gates.json")


GATES = """
defaults: {rope: 0.02}
gates:
  worse: {baseline: old.csv, candidate: much_worse.csv, per_class: true}
  better: {baseline: old.csv, candidate: better.csv}
  leaning: {baseline: old.csv, candidate: worse.csv, measure: accuracy}
  open: {baseline: old.csv, candidate: undecided.csv, fail_on: unproven}
  none: {baseline: old.csv, candidate: none.csv}
"""


def test_gate_files(transcript, pytester, write_tests):
    for name in ("BASELINE", "MUCH_WORSE", "WORSE", "UNDECIDED", "BETTER"):
        rows = "".join(f"{a},{b}\n" for a, b in getattr(classifiers, name))
        (pytester.path / f"{name.lower().replace('baseline', 'old')}.csv").write_text(rows)
    pytester.makefile(".yaml", bayesf1=GATES)
    write_tests("def test_gate():\n    assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)")
    for options in (
        "--bayesf1-report=out --bayesf1-changes=changed",
        "-v",
        "-q --co",
        "-k 'worse or leaning' --tb=no",
        "bayesf1.yaml::open -q",
        "bayesf1.yaml::no",
        "bayesf1.yaml::leaning -q -W error",
        "-x --tb=no",
        "--bayesf1-update=new --tb=no",
        "--deselect bayesf1.yaml::none --deselect bayesf1.yaml::worse --tb=no",
    ):
        transcript.pytest(options)
    twelve = "".join(f"  g{n}: {{baseline: old.csv, candidate: much_worse.csv}}\n" for n in range(12))
    pytester.makefile(".yaml", bayesf1=GATES + twelve, **{"bayesf1-wrong": "gates: {a: {rope: 1}, b: 2}"})
    for options in ("", "bayesf1.yaml -v --tb=no", "bayesf1.yaml test_gates.py --bayesf1-report=test_gates.py"):
        transcript.pytest(options)


def test_what_a_run_leaves_unfinished(transcript, write_tests, pytester):
    write_tests(
        """
        def test_a():
            assert_not_worse(BASELINE, BETTER, rope=0.02)

        def test_b():
            assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)

        def test_c():
            assert_not_worse(BASELINE, UNDECIDED, rope=0.02)
            pytest.exit("enough")

        def test_d():
            assert_not_worse(BASELINE, BETTER, rope=0.02, measure="accuracy")
    """,
        test_other="1 / 0",
    )
    without = "--deselect test_gates.py::test_"
    for options in ("test_gates.py", "", f"test_gates.py {without}b", f"--continue-on-collection-errors {without}c"):
        transcript.pytest(f"{options} --bayesf1-report=out.json")
        report = json.loads((pytester.path / "out.json").read_text("utf-8"))
        transcript.show("jq", f"{report['verdict']} {report['complete']} {report['missing']}\n")


def test_help(transcript):
    printed = "\n".join(transcript.runpytest("--help").outlines)
    ours = re.search(r"(?ms)^Bayesian comparison of classifiers:\n.*?\n(?=\S)", printed)[0]
    keys = re.findall(r"(?m)^  bayesf1_.*\n(?: {4,}\S.*\n)*", printed)
    transcript.show("pytest --help", ours + "".join(keys))


def test_losses_are_accepted(transcript, write_tests, monkeypatch, pytester):
    def write(worst, baseline="BASELINE"):
        write_tests(
            f"""
            @pytest.fixture(scope="module")
            def shared():
                assert_not_worse({baseline}, WORSE, rope=0.005, measure="f1[1]")

            def test_two(shared):
                assert_not_worse({baseline}, {worst}, rope=0.02, measure="f1[0]")
                assert_not_worse({baseline}, WORSE, rope=0.01, measure="accuracy")

            @pytest.mark.parametrize("name", ["a b", "c|d"])
            def test_each(name):
                assert_not_worse({baseline}, {worst} if "b" in name else BETTER, rope=0.01)

            def test_both():
                assert_not_worse({baseline}, WORSE, rope=0.01)
                assert not "a bug"

            def test_floor():
                assert_at_least({worst}, 0.85)
        """
        )

    monkeypatch.setenv("BAYESF1_CACHE", str(pytester.path / "cache"))
    write("MUCH_WORSE")
    transcript.pytest("--tb=no")
    transcript.pytest('--tb=no --bayesf1-accept "half the size | <b>"')
    transcript.cat("__bayesf1__/gates.json")
    transcript.pytest("--tb=no -n2 -v -rN")
    write("[[3980, 1020], [1010, 3990]]")
    transcript.pytest("--tb=line -k 'two or each'")
    transcript.pytest("--tb=no -k two --bayesf1-accept more --bayesf1-accept-up-to 0.05")
    transcript.pytest("--tb=no -k two --bayesf1-accept more --bayesf1-accept-up-to 0.12")
    write("BETTER", baseline="EQUIVALENT")
    for options in ("--tb=no", "--tb=no --bayesf1-update", "-q --tb=no"):
        transcript.pytest(options)
    transcript.bayesf1('accept test_gates.py::shared --reason "the last one"')
    transcript.cat("__bayesf1__/gates.json")


def test_what_becomes_of_a_baseline(transcript, write_tests, pytester, monkeypatch):
    def write(candidate):
        write_tests(
            f"""
            @pytest.fixture
            def checked(bayes_regression):
                return bayes_regression.check({candidate}, rope=0.02)

            def test_in_set_up(checked):
                pass

            def test_twice(bayes_regression):
                for _ in range(2):
                    bayes_regression.check({candidate}, rope=0.02, measure="accuracy")

            def test_unused(bayes_regression):
                pass

            def test_fails_after(bayes_regression):
                bayes_regression.check({candidate}, rope=0.02)
                assert bayes_regression is None

            @pytest.mark.xfail
            def test_expected(bayes_regression):
                bayes_regression.check({candidate}, rope=0.02)

            class TestNamed:
                @pytest.mark.parametrize("name", ["ä", "a/b", "A/b", ""])
                def test_names(self, bayes_regression, name):
                    bayes_regression.check({candidate}, rope=0.02)
        """,
            test_none="def test_none(): pass",
        )

    write("BASELINE")
    transcript.pytest("--tb=short --bayesf1-update")
    write("BETTER")
    transcript.pytest("--tb=no -v")
    folder = pytester.path / "__bayesf1__" / "test_gates"
    (folder / "test_in_set_up.json").unlink()
    (folder / "test_in_set_up.json").mkdir()
    (folder / "test_of_old.json.gz").touch()
    (folder.with_name("test_gone")).mkdir()
    (folder.with_name("test_gone") / "test_gone.json").touch()
    monkeypatch.setenv("CI", "true")
    transcript.pytest("--tb=line")
    monkeypatch.setenv("CI", "")
    write("MUCH_WORSE")
    for options in ("--bayesf1-update", "--bayesf1-update=force", "--maxfail=1", "-k names"):
        transcript.pytest(f"--tb=no {options}")


APP = """
    @pytest.mark.parametrize("name", ["kept", "loose", "a|b"])
    def test_gate(name):
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02, measure="accuracy")

    def test_gone():
        assert_better(BASELINE, BETTER, rope=0.01)

    def test_floor():
        assert_at_least(BETTER, 0.9)
        assert_at_least(BETTER, 0.85, measure="accuracy")

    def test_stored(bayes_regression):
        bayes_regression.check(BETTER, rope=0.02)
"""


def test_what_the_base_commit_demands(transcript, write_tests, pytester):
    repository = Committed.new(pytester.path)
    for name, matrix in {"old.csv": classifiers.BASELINE, "new.csv": classifiers.EQUIVALENT}.items():
        repository.write(name, "".join(f"{a},{b}\n" for a, b in matrix))
    repository.write(".gitignore", "__pycache__\n.pytest_cache\nout\n")
    gate = "gates: {kept: {baseline: old.csv, candidate: new.csv, rope: %s}}"
    repository.write("bayesf1.yaml", gate % 0.02)
    for counts in ("BASELINE", "BETTER"):
        write_tests(APP.replace("check(BETTER", f"check({counts}"))
        transcript.runpytest("-p", "no:randomly", "--bayesf1-update")
        repository.commit(counts)

    repository.write("bayesf1.yaml", gate % 0.04)
    changed = APP.replace("EQUIVALENT, rope=0.02", 'EQUIVALENT, rope=0.02 if name != "loose" else 0.05')
    changed = changed.replace("test_gone", "test_new").replace("check(BETTER", "check(MUCH_BETTER")
    write_tests(changed.replace("        assert_at_least(BETTER, 0.9)\n", ""))
    transcript.runpytest("-p", "no:randomly", "--bayesf1-update=force")
    repository.commit("the change")
    for options in (
        "--bayesf1-baseline-ref=HEAD~1 --bayesf1-report=out -v",
        "--bayesf1-gates-ref=HEAD~1 -k 'gone or stored' --tb=no",
        "--bayesf1-baseline-ref=HEAD~1 test_gates.py::test_floor",
        "--bayesf1-baseline-ref=HEAD~1 test_plain.py",
        "--bayesf1-baseline-ref=next",
    ):
        (pytester.path / "test_plain.py").write_text("def test_plain():\n    pass\n" if "plain" in options else "")
        transcript.pytest(options)
    report = json.loads((pytester.path / "out" / "report.json").read_text("utf-8"))
    (trend,) = (entry["trend"] for entry in report["entries"] if entry.get("trend"))
    transcript.show("jq", f"{report['verdict']} {report['changed']} {[point['date'] for point in trend['points']]}\n")


def test_losses_of_any_candidate_are_accepted(transcript, pytester):
    """One that the base commit accepts already, one with another reason, one that is new, and one that is dropped."""
    repository = Committed.new(pytester.path)
    for name, matrix in {"old.csv": classifiers.BASELINE, "new.csv": classifiers.MUCH_WORSE}.items():
        repository.write(name, "".join(f"{a},{b}\n" for a, b in matrix))
    repository.write(".gitignore", "__pycache__\n.pytest_cache\n")
    gates = ("stays", "reasons", "comes", "goes")
    gate = "{baseline: old.csv, candidate: new.csv, rope: 0.02}"
    repository.write("bayesf1.yaml", "\n".join(["gates:", *(f"  {name}: {gate}" for name in gates), ""]))
    repository.commit("gates")

    def accept(gate, limit):
        accepted = f"--bayesf1-accept=smaller --bayesf1-accept-up-to={limit}"
        transcript.pytest(f"bayesf1.yaml::{gate} {accepted} -q --tb=no")

    for gate, limit in ("stays", 0.12), ("reasons", 0.13), ("goes", 0.14):
        accept(gate, limit)
    repository.commit("losses")
    accept("comes", 0.15)
    manifest = pytester.path / "__bayesf1__" / "gates.json"
    listed = json.loads(manifest.read_text("utf-8"))
    del listed["accepted"]["bayesf1.yaml::goes"]
    listed["accepted"]["bayesf1.yaml::reasons"][0]["reason"] = "cheaper"
    manifest.write_text(json.dumps(listed), "utf-8")
    repository.commit("the change")
    transcript.pytest("--bayesf1-baseline-ref=HEAD~1 --tb=no")
    transcript.pytest("--tb=no")
