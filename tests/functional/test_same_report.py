"""A report is the same, byte for byte, however the tests are distributed and in whatever order they run."""

import pytest

GATES = """
    import pytest
    from pytest_bayesf1 import assert_not_worse, compare
    import classifiers
    from classifiers import BASELINE, BETTER, EQUIVALENT, MUCH_WORSE

    @pytest.fixture
    def surrounded():
        compare(BASELINE, MUCH_WORSE, rope=0.02)
        yield
        compare(BASELINE, BETTER, rope=0.02)

    @pytest.mark.parametrize("measure", ["f1_macro", "accuracy"])
    @pytest.mark.parametrize("name", ["BETTER", "MUCH_WORSE", "EQUIVALENT"])
    def test_parametrised(name, measure):
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


@pytest.fixture
def report(pytester):
    """Run pytest and return the bytes of report.json."""

    def run(*arguments):
        pytester.runpytest("--bayesf1-report=out/report.json", *arguments).assert_outcomes(passed=8, failed=2)
        return (pytester.path / "out" / "report.json").read_bytes()

    return run


@pytest.fixture
def expected(pytester, report, entries):
    pytester.makepyfile(test_gates=GATES)
    made = report("-p", "no:randomly", "-p", "no:xdist")
    assert len(entries()) == EXPECTED
    return made


@pytest.mark.parametrize("workers", ["-n0", "-n2", pytest.param("-n5", marks=pytest.mark.long)])
@pytest.mark.one_of_many
def test_in_any_number_of_workers(report, expected, workers):
    assert report("-p", "no:randomly", workers) == expected


@pytest.mark.long
def test_in_any_order(report, expected):
    assert report("--randomly-seed=1") == expected


@pytest.mark.parametrize("distribution", ["worksteal", pytest.param("loadscope", marks=pytest.mark.long)])
@pytest.mark.long
def test_in_any_order_and_distribution(report, expected, distribution):
    assert report("--randomly-seed=4", "-n2", f"--dist={distribution}") == expected
