"""The fixture `bayes_compare` compares, and the result belongs to the test that asked for it."""

import pytest


def test_returns_a_comparison(pytester):
    pytester.makepyfile(
        """
        from pytest_bayesf1 import Comparison
        from classifiers import BASELINE, MUCH_WORSE

        def test_spam_filter(bayes_compare):
            comparison = bayes_compare(BASELINE, MUCH_WORSE, rope=0.02)
            assert isinstance(comparison, Comparison)
            assert comparison.decision == "<<"
        """
    )
    pytester.runpytest().assert_outcomes(passed=1)


def test_takes_paired_counts_alone(pytester, entries):
    pytester.makepyfile(
        """
        from pytest_bayesf1 import PairedCounts

        def test_spam_filter(bayes_compare):
            pairs = PairedCounts.from_predictions([0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 1, 0])
            assert bayes_compare(pairs, rope=0.02).model == "paired"
        """
    )
    pytester.runpytest("--bayesf1-report=out").assert_outcomes(passed=1)
    (entry,) = entries()
    assert entry["model"] == "paired"


def test_is_recorded_without_a_verdict(pytester, entries):
    pytester.makepyfile(
        test_gate="""
        from classifiers import BASELINE, MUCH_WORSE

        def test_spam_filter(bayes_compare):
            bayes_compare(BASELINE, MUCH_WORSE, rope=0.02)
        """
    )
    pytester.runpytest("--bayesf1-report=out/report.json")
    (entry,) = entries()
    assert (entry["test"], entry["verdict"], entry["decision"]) == ("test_gate.py::test_spam_filter", "", "≪")


@pytest.mark.parametrize("workers", [[], pytest.param(["-n1"], marks=pytest.mark.long)], ids=["here", "xdist"])
def test_knows_its_test_and_the_projects_settings_in_another_thread(pytester, entries, workers):
    pytester.makepyfile(
        test_gate="""
        from concurrent.futures import ThreadPoolExecutor
        import pytest
        from classifiers import BASELINE, BETTER, MUCH_WORSE

        @pytest.mark.parametrize("number", [1, 2])
        def test_spam_filter(bayes_compare, number):
            with ThreadPoolExecutor(2) as pool:
                better, worse = pool.map(lambda candidate: bayes_compare(BASELINE, candidate), [BETTER, MUCH_WORSE])
            assert (better.decision, worse.decision) == (">", "<<")
        """
    )
    result = pytester.runpytest("--bayesf1-rope=0.02", "--bayesf1-report=out/report.json", *workers)
    result.assert_outcomes(passed=2)
    owners = [f"test_gate.py::test_spam_filter[{number}]" for number in (1, 1, 2, 2)]
    assert sorted(entry["test"] for entry in entries()) == owners


@pytest.mark.parametrize("call", ["bayes_compare", "compare"])
def test_unknown_arguments_are_refused_by_name(pytester, call):
    pytester.makepyfile(
        f"""
        from pytest_bayesf1 import assert_better, assert_not_worse, compare
        from classifiers import BASELINE, BETTER

        def test_spam_filter(bayes_compare):
            {call}(BASELINE, BETTER, rope=0.02, hdi_probability=0.9)
        """
    )
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *TypeError: *unexpected keyword argument 'hdi_probability'*"])


def test_is_listed_among_the_fixtures(pytester):
    result = pytester.runpytest("--fixtures")
    result.stdout.fnmatch_lines(["bayes_compare*", "*Compare two classifiers*"])


@pytest.mark.parametrize("call", ["assert_not_worse(BASELINE, BETTER, rope=0.02,", "assert_at_least(BASELINE, 0.5,"])
def test_an_unknown_argument_of_an_assertion_is_named_beside_the_known(pytester, has_no_package_frames, call):
    pytester.makepyfile(f"""
        from pytest_bayesf1 import assert_at_least, assert_not_worse
        from classifiers import BASELINE, BETTER
        def test_spam_filter():
            {call} hdi_probe=1)
    """)
    result = pytester.runpytest()
    result.stdout.fnmatch_lines(["E *InputError: arguments: expected one of *hdi_prob,*'hdi_probe'*mean 'hdi_prob'?"])
    assert has_no_package_frames(result)
