"""In CI nothing is skipped because it is not installed."""

import pytest

SKIPPED = {
    "test": """
        import pytest
        def test_a(): pytest.skip('needs Node')
    """,
    "fixture": """
        import pytest
        @pytest.fixture
        def browser(): pytest.skip('needs Chromium')
        def test_a(browser): pass
    """,
    "module": """
        import pytest
        pytest.importorskip('no_such_module')
    """,
}
EXCUSED = """
    import pytest
    @pytest.mark.skipif(True, reason="Windows only")
    def test_of_another_system(): pass

    @pytest.mark.xfail(strict=True)
    def test_known(): assert False
"""


@pytest.fixture
def outcomes(pytester, monkeypatch):
    """Run tests with the plugin, in CI or not; count what passed and what did not."""

    def outcomes(text, *, ci):
        monkeypatch.setenv("CI", ci)
        pytester.makepyfile(text)
        return pytester.runpytest("-p", "tests.skips", "-p", "no:randomly").parseoutcomes()

    return outcomes


@pytest.mark.slow
@pytest.mark.parametrize("what", SKIPPED)
def test_what_is_missing_fails_in_ci_only(outcomes, what):
    assert outcomes(SKIPPED[what], ci="") == {"skipped": 1}
    failed = outcomes(SKIPPED[what], ci="true")
    assert "skipped" not in failed
    assert sum(failed.get(kind, 0) for kind in ("failed", "errors")) == 1


@pytest.mark.slow
def test_what_cannot_run_at_all_may_be_skipped(outcomes):
    assert outcomes(EXCUSED, ci="true") == {"skipped": 1, "xfailed": 1}
