"""A plain assert about a decision explains itself."""

import pytest

from pytest_bayesf1 import compare
from pytest_bayesf1.results.formatting import Amounts

from .classifiers import BASELINE, MUCH_WORSE, ROPE


@pytest.fixture
def run_assert(pytester):
    def run(statement, *arguments):
        pytester.makepyfile(
            f"""
            from pytest_bayesf1 import Decision, compare
            from classifiers import BASELINE, EQUIVALENT, MUCH_WORSE

            def test_spam_filter():
                comparison = compare(BASELINE, MUCH_WORSE, rope=0.02)
                other = compare(BASELINE, EQUIVALENT, rope=0.02)
                {statement}
            """
        )
        result = pytester.runpytest(*arguments)
        result.assert_outcomes(failed=1)
        return result

    return run


@pytest.mark.parametrize(
    "statement",
    [
        'assert comparison.decision != "<<"',
        'assert comparison.decision != "≪"',
        "assert comparison.decision != Decision.MUCH_WORSE",
        'assert "<<" != comparison.decision',
        'assert comparison.decision == "~"',
        'assert not comparison.decision == "<<"',
        'assert comparison.decision not in ("<<", "<")',
        'assert comparison.decision in ("~", ">")',
    ],
)
def test_explains_itself(run_assert, statement):
    result = run_assert(statement)
    comparison = compare(BASELINE, MUCH_WORSE, rope=ROPE)
    amounts = Amounts.of(comparison)
    result.stdout.fnmatch_lines(
        [
            f">*{statement.translate({ord('['): '[[]', ord(']'): '[]]'})}",
            "E *The candidate is worse: macro-F1 falls by *",
            f"E *change *{amounts.signed(comparison.mean)} points * 95% HDI {amounts.interval(comparison.hdi)}",
        ]
    )


def test_shows_every_line_without_more_verbosity(run_assert):
    run_assert('assert comparison.decision != "<<"').stdout.no_fnmatch_line("*truncated*")


def test_shows_only_the_comparison_that_is_meant(run_assert):
    run_assert('assert comparison.decision != "<<"').stdout.no_fnmatch_line("*practically equivalent*")


def test_works_in_a_worker(run_assert):
    result = run_assert('assert comparison.decision != "<<"', "-n1")
    result.stdout.fnmatch_lines(["E *The candidate is worse: *"])


def test_leaves_other_comparisons_of_strings_alone(run_assert):
    result = run_assert('assert "≪" == "<<"')
    result.stdout.fnmatch_lines(["E *assert '≪' == '<<'"])
    result.stdout.no_fnmatch_line("*significantly worse*")


@pytest.mark.parametrize("symbols", ['("<<", "<")', '{"<<", "<"}', '("≪", "<")'])
def test_several_decisions_at_once(pytester, symbols):
    pytester.makepyfile(f"""
        from pytest_bayesf1 import compare
        from classifiers import BASELINE, MUCH_WORSE
        def test_spam_filter():
            assert compare(BASELINE, MUCH_WORSE, rope=0.02).decision not in {symbols}
    """)
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *The candidate is worse: *"])


def test_a_comparison_from_a_shared_fixture_says_where_it_comes_from(pytester):
    pytester.makepyfile("""
        import pytest
        from pytest_bayesf1 import compare
        from classifiers import BASELINE, MUCH_WORSE
        @pytest.fixture(scope="module")
        def comparison():
            return compare(BASELINE, MUCH_WORSE, rope=0.02)
        def test_first(comparison):
            assert comparison.settled
        def test_second(comparison):
            assert comparison.decision != "<<"
    """)
    result = pytester.runpytest("-p", "no:randomly")
    result.stdout.fnmatch_lines(["E *significantly worse; the comparison was made before this test*"])
