"""Every comparison belongs to the test that made it, in the terminal and in the report."""

import sys

import pytest


@pytest.fixture
def owners(pytester, rows, entries):
    """Run pytest and return the test of every entry, after checking that terminal and report agree."""

    def run(*arguments, tests="all passed"):
        result = pytester.runpytest(
            "-p", "no:randomly", "--bayesf1-report=out/report.json", "--bayesf1-rope=0.02", *arguments
        )
        assert result.ret == (pytest.ExitCode.OK if tests == "all passed" else pytest.ExitCode.TESTS_FAILED)
        listed = [entry["test"] for entry in entries()]
        by_first_appearance = {test: number for number, test in enumerate(reversed(listed))}
        assert [test for test, _ in rows(result)] == sorted(listed, key=by_first_appearance.get, reverse=True)
        return listed

    return run


def test_every_way_of_comparing(pytester, owners, entries):
    pytester.makepyfile(
        test_gates="""
        import pytest_bayesf1 as bf
        from classifiers import BASELINE, EQUIVALENT, MUCH_BETTER

        def test_1(bayes_compare):
            bayes_compare(BASELINE, EQUIVALENT)

        def test_2():
            bf.compare(BASELINE, EQUIVALENT)

        def test_3():
            bf.assert_not_worse(BASELINE, EQUIVALENT)

        def test_4():
            bf.assert_not_inferior(BASELINE, EQUIVALENT)

        def test_5():
            bf.assert_better(BASELINE, MUCH_BETTER)

        def test_6():
            bf.assert_equivalent(BASELINE, EQUIVALENT)

        def test_7():
            bf.assert_at_least(BASELINE, 0.8)

        def test_8():
            pass
        """
    )
    owners()
    assert sorted((entry["test"], entry["gate"], entry["verdict"]) for entry in entries()) == [
        ("test_gates.py::test_1", "compare", ""),
        ("test_gates.py::test_2", "compare", ""),
        ("test_gates.py::test_3", "assert_not_worse", "passed"),
        ("test_gates.py::test_4", "assert_not_inferior", "passed"),
        ("test_gates.py::test_5", "assert_better", "passed"),
        ("test_gates.py::test_6", "assert_equivalent", "passed"),
        ("test_gates.py::test_7", "assert_at_least", "passed"),
    ]


@pytest.mark.filterwarnings("ignore::pytest_bayesf1.BayesF1Warning")
def test_the_worst_come_first(pytester, owners, entries):
    pytester.makepyfile(
        test_gates="""
        import pytest
        import classifiers
        from pytest_bayesf1 import assert_not_worse, compare

        @pytest.mark.parametrize("name", ["BETTER", "WORSE", "EQUIVALENT", "MUCH_WORSE"])
        def test_gate(name):
            assert_not_worse(classifiers.BASELINE, getattr(classifiers, name))

        def test_look():
            compare(classifiers.BASELINE, classifiers.MUCH_WORSE)
        """
    )
    owners(tests="one failed")
    assert [(entry["verdict"], entry["decision"]) for entry in entries()] == [
        ("failed", "≪"),
        ("warned", "<"),
        ("", "≪"),
        ("passed", "≈"),
        ("passed", ">"),
    ]


def test_several_in_one_test_come_the_worst_first(pytester, owners, entries):
    pytester.makepyfile(
        test_gates="""
        from pytest_bayesf1 import compare
        from classifiers import BASELINE, BETTER, MUCH_WORSE, UNDECIDED

        def test_all(bayes_compare):
            compare(BASELINE, MUCH_WORSE)
            bayes_compare(BASELINE, BETTER)
            compare(BASELINE, UNDECIDED)
        """
    )
    assert owners() == ["test_gates.py::test_all"] * 3
    assert [entry["decision"] for entry in entries()] == ["≪", "?", ">"]


def test_setup_and_teardown_belong_to_their_test(pytester, owners, entries):
    pytester.makepyfile(
        test_gates="""
        import pytest
        from pytest_bayesf1 import compare
        from classifiers import BASELINE, BETTER, EQUIVALENT, MUCH_WORSE

        @pytest.fixture
        def surrounded(bayes_compare):
            compare(BASELINE, MUCH_WORSE)
            yield
            bayes_compare(BASELINE, BETTER)

        def test_before():
            pass

        def test_inside(surrounded):
            compare(BASELINE, EQUIVALENT)

        def test_after():
            pass
        """
    )
    assert owners() == ["test_gates.py::test_inside"] * 3
    assert [entry["decision"] for entry in entries()] == ["≪", "≈", ">"]


def test_parametrised_tests_and_classes(pytester, owners):
    pytester.makepyfile(
        test_gates="""
        import unittest
        import pytest
        from pytest_bayesf1 import assert_not_worse
        from classifiers import BASELINE, EQUIVALENT

        class TestGates:
            @pytest.mark.parametrize("measure", ["accuracy", "f1[1]"])
            def test_measure(self, measure):
                assert_not_worse(BASELINE, EQUIVALENT, measure=measure)

        class Gates(unittest.TestCase):
            def setUp(self):
                assert_not_worse(BASELINE, EQUIVALENT)

            def test_measure(self):
                assert_not_worse(BASELINE, EQUIVALENT)
        """
    )
    assert sorted(owners()) == [
        "test_gates.py::Gates::test_measure",
        "test_gates.py::Gates::test_measure",
        "test_gates.py::TestGates::test_measure[accuracy]",
        "test_gates.py::TestGates::test_measure[f1[1]]",
    ]


@pytest.mark.skipif(not hasattr(pytest, "Subtests"), reason="this pytest has no subtests")
def test_subtests_belong_to_their_test(pytester, owners):
    pytester.makepyfile(
        test_gates="""
        import classifiers
        from pytest_bayesf1 import assert_not_worse

        def test_all(subtests):
            for name in ("MUCH_WORSE", "EQUIVALENT"):
                with subtests.test(name):
                    assert_not_worse(classifiers.BASELINE, getattr(classifiers, name))
        """
    )
    assert owners(tests="one failed") == ["test_gates.py::test_all"] * 2


def test_workers_report_to_the_main_process(pytester, owners):
    pytester.makepyfile(
        test_gates="""
        import pytest
        from classifiers import BASELINE, EQUIVALENT

        @pytest.mark.parametrize("number", range(6))
        def test_gate(bayes_compare, number):
            bayes_compare(BASELINE, EQUIVALENT, seed=number)
        """
    )
    assert sorted(owners("-n2")) == [f"test_gates.py::test_gate[{number}]" for number in range(6)]


@pytest.mark.long
def test_gates_in_workers_report_to_the_main_process(pytester, owners):
    pytester.makepyfile(
        test_gates="""
        import pytest
        from pytest_bayesf1 import assert_not_worse
        from classifiers import BASELINE, EQUIVALENT

        @pytest.mark.parametrize("number", range(6))
        def test_gate(number):
            assert_not_worse(BASELINE, EQUIVALENT)
        """
    )
    assert owners("-n2") == [f"test_gates.py::test_gate[{number}]" for number in range(6)]


@pytest.mark.parametrize("workers", [[], ["-n2"]], ids=["here", "xdist"])
def test_comparisons_at_import_use_the_projects_settings_and_belong_to_no_test(pytester, section, workers):
    pytester.makepyfile(
        """
        from pytest_bayesf1 import compare
        from classifiers import BASELINE, BETTER

        COMPARISON = compare(BASELINE, BETTER)

        def test_settings():
            assert COMPARISON.rope == (-0.03, 0.03)
            assert COMPARISON.seed == 5
        """
    )
    pytester.makeini("[pytest]\nbayesf1_rope = 0.03")
    result = pytester.runpytest("--bayesf1-seed=5", *workers)
    result.assert_outcomes(passed=1)
    assert section(result) == []


def test_outside_pytest_everything_works(pytester):
    script = """
from pytest_bayesf1 import assert_not_worse, compare
from classifiers import BASELINE, BETTER, MUCH_WORSE
print(compare(BASELINE, BETTER, rope=0.02).decision.words)
try:
    assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)
except AssertionError as error:
    print(str(error).splitlines()[0])
"""
    result = pytester.run(sys.executable, "-c", script)
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        ["slightly better", "≪ macro-F1 −10.0 points (you tolerate 2): 0.900 → 0.800"], consecutive=True
    )


def test_gates_in_threads_belong_to_their_test(pytester, rows):
    pytester.makepyfile("""
        from concurrent.futures import ThreadPoolExecutor
        from pytest_bayesf1 import assert_not_worse
        from classifiers import BASELINE
        def test_spam_filter():
            with ThreadPoolExecutor() as pool:
                pool.submit(assert_not_worse, BASELINE, BASELINE).result()
    """)
    result = pytester.runpytest("--bayesf1-rope=0.02")
    result.assert_outcomes(passed=1)
    ((test, _),) = rows(result)
    assert test.endswith("::test_spam_filter")
