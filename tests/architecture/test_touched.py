"""`nox -s touched` runs the tests that a change can break."""

import pytest

touched = pytest.importorskip("tests.touched", reason="needs the extra `dev-core`", exc_type=ImportError).touched

pytestmark = pytest.mark.slow
BROKEN = {
    "pytest_bayesf1/stats/posterior.py": "tests/property/test_statistics.py",
    "pytest_bayesf1/planning/plan.py": "tests/unit/cli/test_commands.py",
    "pytest_bayesf1/plugin/config.py": "tests/functional/test_reports.py",
    "pytest_bayesf1/reports/templates/report.css": "tests/unit/reports/test_golden.py",
    "pytest_bayesf1/stats/was_deleted.py": "tests/property/test_statistics.py",
    "tests/golden/blocks.md": "tests/unit/reports/test_golden.py",
    "tests/unit/made_up.py": "tests/unit/reports/test_golden.py",
    "tests/unit/cli/conftest.py": "tests/unit/cli/test_commands.py",
    "docs/generated.py": "tests/architecture/test_pages.py",
    "docs/index.md": "tests/architecture/test_pages.py",
}


@pytest.mark.parametrize("changed", BROKEN)
def test_what_a_change_can_break_is_found(changed):
    assert BROKEN[changed] in touched([changed])


def test_what_it_cannot_break_is_left_out():
    assert touched([]) == []
    planning = touched(["pytest_bayesf1/planning/plan.py"])
    assert "pytest_bayesf1/planning/plan.py" in planning  # its examples
    assert len(planning) < 40
    assert touched(["tests/unit/cli/test_commands.py"]) == ["tests/unit/cli/test_commands.py"]


def test_a_change_of_the_first_conftest_can_break_all():
    assert touched(["tests/conftest.py"]) == ["tests"]
