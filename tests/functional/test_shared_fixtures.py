"""What a shared fixture compares belongs to the fixture: no test made it, and it counts once in every distribution."""

import pytest

SHARED = """
    import pytest
    from pytest_bayesf1 import assert_not_worse, compare
    from classifiers import BASELINE, BETTER, EQUIVALENT, MUCH_BETTER, MUCH_WORSE

    def setup_module():
        compare(BASELINE, EQUIVALENT, rope=0.02, measure="precision")

    @pytest.fixture(scope="session")
    def session_wide():
        return compare(BASELINE, EQUIVALENT, rope=0.02)

    @pytest.fixture(scope="module", params=["BETTER", "MUCH_BETTER"])
    def candidate(request, session_wide):
        counts = globals()[request.param]
        compare(BASELINE, counts, rope=0.02)
        yield counts
        compare(BASELINE, counts, rope=0.02, measure="recall")

    @pytest.fixture(scope="class")
    def class_wide(request):
        compare(BASELINE, MUCH_WORSE, rope=0.02)
        request.getfixturevalue("session_wide")
        compare(BASELINE, BETTER, rope=0.02)

    class TestClass:
        @pytest.mark.parametrize("number", range(3))
        def test_class(self, class_wide, number):
            assert_not_worse(BASELINE, BETTER, rope=0.02)

    def test_module(candidate):
        assert_not_worse(BASELINE, candidate, rope=0.02, measure="accuracy")

    def test_late(request):
        request.getfixturevalue("session_wide")

    @pytest.mark.parametrize("number", range(3))
    def test_without(number, session_wide, conftest_wide):
        pass
"""

CONFTEST = """
    import pytest
    from pytest_bayesf1 import compare
    from classifiers import BASELINE, BETTER

    @pytest.fixture(scope="session", params=[("a", 1), None])
    def conftest_wide(request):
        return compare(BASELINE, BETTER, rope=0.02, seed=1 if request.param else 2)
"""

OWNERS = [
    "conftest_wide[0]",
    "conftest_wide[None]",
    "test_gates.py",
    *["test_gates.py::TestClass::class_wide"] * 2,
    *["test_gates.py::candidate[BETTER]"] * 2,
    *["test_gates.py::candidate[MUCH_BETTER]"] * 2,
    "test_gates.py::session_wide",
]


@pytest.fixture
def report(pytester):
    """Run pytest and return the bytes of report.json."""
    pytester.makepyfile(test_gates=SHARED)
    pytester.makeconftest(CONFTEST)

    def run(*arguments):
        assert pytester.runpytest("--bayesf1-report=out/report.json", *arguments).ret == pytest.ExitCode.OK
        return (pytester.path / "out" / "report.json").read_bytes()

    return run


def test_each_comparison_is_named_after_its_fixture(report, entries):
    report()
    found = [(entry["test"], entry["measure"], entry["decision"]) for entry in entries() if not entry["verdict"]]
    assert sorted(test for test, *_ in found) == sorted(OWNERS)
    assert sorted(each for each in found if "class_wide" in each[0] or "[BETTER]" in each[0]) == [
        ("test_gates.py::TestClass::class_wide", "f1_macro", ">"),
        ("test_gates.py::TestClass::class_wide", "f1_macro", "≪"),
        ("test_gates.py::candidate[BETTER]", "f1_macro", ">"),
        ("test_gates.py::candidate[BETTER]", "recall", ">"),
    ]


@pytest.mark.parametrize(
    "arguments",
    [["-n2", "--dist=worksteal", "-pno:randomly"], ["--randomly-seed=1"], ["--randomly-seed=2", "-n2"]],
    ids=" ".join,
)
@pytest.mark.long
def test_the_report_is_the_same_in_every_order_and_distribution(report, arguments):
    assert report(*arguments) == report("-pno:randomly")


@pytest.mark.parametrize("workers", ["-n0", pytest.param("-n1", marks=pytest.mark.long)])
def test_a_rerun_does_not_lose_what_it_need_not_compare_again(pytester, entries, workers):
    pytester.makepyfile(
        test_gates="""
        import pytest
        from pytest_bayesf1 import assert_not_worse, compare
        from classifiers import BASELINE, BETTER, EQUIVALENT, MUCH_WORSE
        candidates = [EQUIVALENT, MUCH_WORSE]
        attempts = []

        @pytest.fixture(scope="session")
        def kept():
            compare(BASELINE, BETTER, rope=0.02)

        @pytest.fixture(scope="session")
        def repeated(kept):
            assert_not_worse(BASELINE, candidates.pop(), rope=0.02)

        def test_gate(repeated):
            attempts.append(1)
            assert len(attempts) == 2
        """
    )
    assert pytester.runpytest("--reruns=2", "--bayesf1-report=out/report.json", workers).ret == pytest.ExitCode.OK
    assert [(entry["test"], entry["verdict"]) for entry in entries()] == [
        ("test_gates.py::kept", ""),
        ("test_gates.py::repeated", "passed"),
    ]


def test_a_shared_gate_that_fails_counts_once(pytester, entries):
    pytester.makepyfile(
        test_gates="""
        import pytest
        from pytest_bayesf1 import assert_not_worse
        from classifiers import BASELINE, MUCH_WORSE

        @pytest.fixture(scope="module")
        def gate():
            assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)

        @pytest.mark.parametrize("number", range(3))
        def test_gate(gate, number):
            pass
        """
    )
    pytester.runpytest("--bayesf1-report=out/report.json").assert_outcomes(errors=3)
    assert [(entry["test"], entry["verdict"]) for entry in entries()] == [("test_gates.py::gate", "failed")]


def test_what_follows_a_shared_fixture_belongs_to_its_test_again(pytester, entries):
    pytester.makepyfile(
        test_gates="""
        import pytest
        from pytest_bayesf1 import compare
        from classifiers import BASELINE, BETTER

        @pytest.fixture(scope="module")
        def broken():
            raise RuntimeError

        @pytest.fixture(scope="module")
        def breaks():
            yield
            raise RuntimeError

        @pytest.mark.parametrize("fixture", ["broken", "breaks"])
        def test_gate(request, fixture):
            try:
                request.getfixturevalue(fixture)
            except RuntimeError:
                pass
            compare(BASELINE, BETTER, rope=0.02)

        def test_last():
            compare(BASELINE, BETTER, rope=0.02)
        """,
        test_more="""
        from pytest_bayesf1 import compare
        from classifiers import BASELINE, BETTER

        def test_more():
            compare(BASELINE, BETTER, rope=0.02)
        """,
    )
    pytester.runpytest("--bayesf1-report=out/report.json", "-p", "no:randomly")
    assert [entry["test"] for entry in entries()] == [
        "test_gates.py::test_gate[breaks]",
        "test_gates.py::test_gate[broken]",
        "test_gates.py::test_last",
        "test_more.py::test_more",
    ]
