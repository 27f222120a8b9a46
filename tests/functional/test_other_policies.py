"""What each assertion lets pass, by the candidate's decision."""

import pytest

CANDIDATES = ("MUCH_WORSE", "WORSE", "UNDECIDED", "EQUIVALENT", "BETTER", "MUCH_BETTER")


@pytest.fixture
def passing(pytester):
    """Return which candidates an assertion lets pass, and make sure that all others fail."""

    def run(assertion):
        pytester.makepyfile(
            f"""
            import pytest
            import classifiers
            from pytest_bayesf1 import {assertion}

            @pytest.mark.parametrize("name", {CANDIDATES!r})
            def test_gate(name):
                {assertion}(classifiers.BASELINE, getattr(classifiers, name), rope=classifiers.ROPE)
            """
        )
        passed, _, failed = pytester.inline_run("-p", "no:randomly").listoutcomes()
        assert len(passed) + len(failed) == len(CANDIDATES)
        return [report.nodeid.partition("[")[2].rstrip("]") for report in passed]

    return run


@pytest.mark.filterwarnings("ignore::pytest_bayesf1.BayesF1Warning")
def test_not_worse(passing):
    assert passing("assert_not_worse") == ["WORSE", "UNDECIDED", "EQUIVALENT", "BETTER", "MUCH_BETTER"]


def test_not_inferior(passing):
    assert passing("assert_not_inferior") == ["EQUIVALENT", "BETTER", "MUCH_BETTER"]


def test_better(passing):
    assert passing("assert_better") == ["MUCH_BETTER"]


def test_equivalent(passing):
    assert passing("assert_equivalent") == ["EQUIVALENT"]


@pytest.mark.parametrize(
    ("assertion", "candidate", "demand", "advice"),
    [
        (
            "assert_not_inferior",
            "UNDECIDED",
            "the whole HDI must lie above the ROPE's lower end",
            "Test on more examples",
        ),
        ("assert_not_inferior", "MUCH_WORSE", "the whole HDI must lie above the ROPE's lower end", "Find what changed"),
        ("assert_better", "EQUIVALENT", "the candidate must be significantly better", "is as good but no better"),
        ("assert_equivalent", "MUCH_BETTER", "the two must be practically equivalent", "Gate on assert_not_worse"),
    ],
)
def test_message_names_the_assertion_its_demand_and_what_to_do(
    pytester, has_no_package_frames, assertion, candidate, demand, advice
):
    pytester.makepyfile(
        f"""
        from pytest_bayesf1 import {assertion}
        from classifiers import BASELINE, {candidate}

        def test_gate():
            {assertion}(BASELINE, {candidate}, rope=0.02)
        """
    )
    result = pytester.runpytest()
    message = " ".join(line.removeprefix("E ").strip() for line in result.outlines if line.startswith("E "))
    assert f"demanded {demand} ({assertion})" in " ".join(message.split())
    assert advice in message
    assert has_no_package_frames(result)


@pytest.fixture
def run_floor(pytester):
    def run(floor):
        pytester.makepyfile(
            f"""
            from pytest_bayesf1 import Estimate, assert_at_least
            from classifiers import BASELINE

            def test_gate():
                estimate = assert_at_least(BASELINE, {floor}, measure="accuracy")
                assert isinstance(estimate, Estimate)
                assert estimate.score.observed == 0.9
            """
        )
        return pytester.runpytest()

    return run


@pytest.mark.parametrize("floor", [0.8, 0.9, 0.903])
def test_at_least_passes_unless_the_whole_hdi_lies_below_the_floor(run_floor, floor):
    run_floor(floor).assert_outcomes(passed=1)


def test_at_least_fails_when_the_whole_hdi_lies_below_the_floor(run_floor, rows, has_no_package_frames):
    result = run_floor(0.95)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            ">*assert_at_least(BASELINE, 0.95, *",
            "E *accuracy 0.900 is below the floor of 0.95",
            "E *Do: Find what changed, or lower the floor *",
            "E *95% HDI *0.894 to 0.906, P(below the floor) 100%",
            "E *observed *0.900 on 10,000 examples",
        ]
    )
    ((_, row),) = rows(result)
    assert row.startswith("failed")
    assert row.endswith("floor 0.95")
    assert has_no_package_frames(result)
