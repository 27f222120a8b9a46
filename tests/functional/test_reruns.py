"""A test that is run again counts once: its last attempt stands, whatever the earlier ones said."""

from xml.etree import ElementTree as ET

import pytest

FLAKY = """
    from pathlib import Path
    import pytest
    from pytest_bayesf1 import assert_not_worse, compare
    from classifiers import BASELINE, BETTER, EQUIVALENT, MUCH_WORSE

    def attempt():
        file = Path(__file__).with_name("attempts")
        number = len(file.read_text()) if file.exists() else 0
        file.write_text("x" * (number + 1))
        return number

    @pytest.fixture
    def prepared(request):
        request.node.user_properties.append(("mine", "kept"))
        compare(BASELINE, BETTER, rope=0.02, measure="accuracy")

    def test_gate(prepared):
        candidate = [MUCH_WORSE, {then}][attempt()]
        compare(BASELINE, BETTER, rope=0.02)
        assert_not_worse(BASELINE, candidate, rope=0.02)
"""

WORKERS = pytest.mark.parametrize("workers", ["-n0", pytest.param("-n1", marks=pytest.mark.long)])


@pytest.fixture
def run(pytester, document):
    def report(*arguments, then="EQUIVALENT"):
        pytester.makepyfile(test_gates=FLAKY.format(then=then))
        result = pytester.runpytest(
            "--reruns=1", "--bayesf1-report=out/report.json", "--junit-xml=junit.xml", *arguments
        )
        assert document()["complete"]
        return result

    return report


def outcomes(document):
    return [(entry["verdict"], entry["measure"], entry["decision"]) for entry in document["entries"]]


@WORKERS
@pytest.mark.one_of_many
def test_a_rerun_that_passes_leaves_no_failure(run, document, rows, workers):
    result = run(workers)
    assert result.ret == pytest.ExitCode.OK
    assert outcomes(document()) == [("", "accuracy", ">"), ("", "f1_macro", ">"), ("passed", "f1_macro", "≈")]
    assert [row.split()[:2] for _, row in rows(result)] == [["─", ">"], ["─", ">"], ["passed", "≈"]]


@WORKERS
@pytest.mark.one_of_many
def test_a_rerun_that_fails_again_leaves_one_failure(run, document, workers):
    result = run(workers, then="MUCH_WORSE")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert outcomes(document()) == [("failed", "f1_macro", "≪"), ("", "accuracy", ">"), ("", "f1_macro", ">")]


@WORKERS
@pytest.mark.one_of_many
def test_junit_properties_are_those_of_the_last_attempt(run, pytester, workers):
    run(workers)
    cases = ET.parse(pytester.path / "junit.xml").iter("testcase")  # noqa: S314
    earlier, last = [[(p.get("name"), p.get("value")) for p in case.iter("property")] for case in cases]
    assert [(name, value) for name, value in last if name.endswith((".measure", ".decision"))] == [
        ("bayesf1.1.measure", "accuracy"),
        ("bayesf1.1.decision", ">"),
        ("bayesf1.2.measure", "f1_macro"),
        ("bayesf1.2.decision", ">"),
        ("bayesf1.3.measure", "f1_macro"),
        ("bayesf1.3.decision", "≈"),
    ]
    assert earlier == [("mine", "kept")]
    assert ("mine", "kept") in last


def test_a_plain_assert_explains_the_attempt_at_hand(pytester):
    pytester.makepyfile("""
        from pytest_bayesf1 import compare
        from classifiers import BASELINE, MUCH_WORSE
        measures = ["accuracy", "f1_macro"]
        def test_gate():
            assert compare(BASELINE, MUCH_WORSE, rope=0.02, measure=measures.pop()).decision != "<<"
    """)
    text = pytester.runpytest("--reruns=1").stdout.str()
    assert "worse: accuracy falls" in text
    assert "worse: macro-F1 falls" not in text


def test_a_setup_that_fails_first(pytester, document):
    pytester.makepyfile("""
        import pytest
        from pytest_bayesf1 import assert_not_worse
        from classifiers import BASELINE, EQUIVALENT, MUCH_WORSE
        candidates = [EQUIVALENT, MUCH_WORSE]
        @pytest.fixture
        def gate():
            assert_not_worse(BASELINE, candidates.pop(), rope=0.02)
        def test_gate(gate):
            pass
    """)
    assert pytester.runpytest("--reruns=1", "--bayesf1-report=out/report.json").ret == pytest.ExitCode.OK
    assert outcomes(document()) == [("passed", "f1_macro", "≈")]


def test_a_rerun_that_is_interrupted_is_missing_and_its_earlier_attempt_forgotten(pytester, document):
    pytester.makepyfile(
        test_gates="""
        from pytest_bayesf1 import assert_not_worse
        from classifiers import BASELINE, MUCH_WORSE
        attempts = []
        def test_gate():
            if attempts:
                raise KeyboardInterrupt
            attempts.append(1)
            assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)
        """
    )
    pytester.runpytest("--reruns=1", "--bayesf1-report=out/report.json", no_reraise_ctrlc=True)
    assert document()["missing"] == ["test_gates.py::test_gate"]
    assert outcomes(document()) == []


def test_a_rerun_that_is_interrupted_before_it_begins_leaves_nothing_of_the_earlier_attempt(pytester, document):
    pytester.makepyfile(
        test_gates="""
        import pytest
        from pytest_bayesf1 import compare
        from classifiers import BASELINE, MUCH_WORSE
        attempts = []
        @pytest.fixture
        def compared():
            if attempts:
                raise KeyboardInterrupt
            attempts.append(1)
            compare(BASELINE, MUCH_WORSE, rope=0.02)
        def test_gate(compared):
            assert False
        """
    )
    pytester.runpytest("--reruns=1", "--bayesf1-report=out/report.json", no_reraise_ctrlc=True)
    assert document()["missing"] == ["test_gates.py::test_gate"]
    assert outcomes(document()) == []


@pytest.mark.long
def test_a_crash_that_a_rerun_makes_good_leaves_nothing_missing(pytester, document):
    pytester.makepyfile("""
        import os
        from pathlib import Path
        from pytest_bayesf1 import assert_not_worse
        from classifiers import BASELINE, EQUIVALENT
        def test_gate():
            assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)
            marker = Path(__file__).with_name("crashed")
            if not marker.exists():
                marker.touch()
                os._exit(1)
    """)
    pytester.runpytest("--reruns=1", "--bayesf1-report=out/report.json", "-n1")
    assert document()["complete"]
    assert outcomes(document()) == [("passed", "f1_macro", "≈")]


def test_whoever_runs_a_test_again_the_last_attempt_counts(pytester, document):
    pytester.makepyfile("""
        from pytest_bayesf1 import assert_not_worse
        from classifiers import BASELINE, EQUIVALENT, MUCH_WORSE
        candidates = [EQUIVALENT, MUCH_WORSE]
        def test_gate():
            assert_not_worse(BASELINE, candidates.pop(), rope=0.02)
    """)
    pytester.makeconftest("""
        from _pytest.runner import runtestprotocol
        def pytest_runtest_protocol(item, nextitem):
            runtestprotocol(item, nextitem=nextitem)
            runtestprotocol(item, nextitem=nextitem)
            return True
    """)
    pytester.runpytest("--bayesf1-report=out/report.json", "--junit-xml=junit.xml")
    assert outcomes(document()) == [("passed", "f1_macro", "≈")]
    last = list(ET.parse(pytester.path / "junit.xml").iter("testcase"))[-1]  # noqa: S314
    assert [p.get("value") for p in last.iter("property") if p.get("name").endswith(".verdict")] == ["passed"]
