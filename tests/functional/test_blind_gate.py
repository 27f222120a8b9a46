"""A run warns once of gates that hardly see anything, and where it is told to be silent of one, of the next."""

import pytest

pytestmark = pytest.mark.filterwarnings("default::pytest_bayesf1.BayesF1Warning")

TESTS = """
    import pytest
    from pytest_bayesf1 import assert_not_worse
    FEW = [[30, 10], [8, 32]]

    {silent}
    def test_first():
        assert_not_worse(FEW, FEW, rope=0.01)

    def test_second():
        assert_not_worse(FEW, FEW, rope=0.01)
"""
GATE = """
gates:
  mail:
    baseline: few.csv
    candidate: few.csv
    rope: 0.01
"""


def warnings_of(result):
    return [line for line in result.stdout.lines if "UnderpoweredGateWarning: " in line]


@pytest.mark.parametrize(
    ("silent", "warned"),
    [
        ("", "test_first"),
        ('@pytest.mark.filterwarnings("ignore::pytest_bayesf1.UnderpoweredGateWarning")', "test_second"),
    ],
)
def test_one_warning_a_run(pytester, silent, warned):
    pytester.makepyfile(TESTS.format(silent=silent))
    result = pytester.runpytest("-p", "no:randomly", "-n0")
    result.assert_outcomes(passed=2, warnings=1)
    result.stdout.fnmatch_lines(
        [f"test_one_warning_a_run.py::{warned}", "*With 80 examples this gate finds losses of *"]
    )


def test_a_gate_of_a_file_is_named_and_can_be_silenced_by_its_name(pytester):
    pytester.makefile(".csv", few=",a,b\na,30,10\nb,8,32\n")
    pytester.makefile(".yaml", bayesf1=GATE)
    result = pytester.runpytest("-n0")
    result.stdout.fnmatch_lines(["*bayesf1.yaml:2: UnderpoweredGateWarning: mail: With 80 examples this gate finds *"])
    silenced = pytester.runpytest("-n0", "-W", "ignore:mail:pytest_bayesf1.UnderpoweredGateWarning")
    assert not warnings_of(silenced)
