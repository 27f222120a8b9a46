"""Baselines that no test used are listed after a full run, and only then."""

import pytest

MODULE = """
import pytest
from classifiers import BASELINE

@pytest.mark.parametrize("number", [1, 2])
def test_gate(bayes_regression, number):
    bayes_regression.check(BASELINE, rope=0.02)

def test_plain():
    pass
"""
UNUSED = "unused    __bayesf1__/test_spam/test_old.json"
ADVICE = "No test uses the unused ones: delete them, or rename them with the test that they belong to."
WORKERS = pytest.mark.parametrize("workers", [[], pytest.param(["-n1"], marks=pytest.mark.long)], ids=["here", "xdist"])


@pytest.fixture
def run(pytester):
    """Run tests of which the module has a baseline too many."""
    pytester.makepyfile(test_spam=MODULE, test_ham=MODULE)
    pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=6)
    folder = pytester.path / "__bayesf1__" / "test_spam"
    (folder / "test_old.json").write_bytes((folder / "test_gate[1].json").read_bytes())
    (folder / "notes.md").write_text("mine")

    def start(*arguments):
        return pytester.runpytest("-p", "no:randomly", *arguments)

    return start


@pytest.mark.parametrize(
    "arguments",
    [[], ["test_spam.py"], ["-v", "."], ["--ff"], ["--bayesf1-update"], ["-n1"], ["-n1", "--bayesf1-update"]],
    ids=str,
)
@pytest.mark.one_of_many
def test_they_are_listed_after_a_full_run(run, baselines, arguments):
    assert baselines(run(*arguments)) == [UNUSED, ADVICE]


@pytest.mark.parametrize(
    "arguments",
    [
        ["-n1", "-k", "gate"],
        ["-n1", "test_spam.py::test_gate"],
        ["-n1", "--setup-plan"],
        ["-k", "gate"],
        ["-m", "not slow", "-k", "not plain"],
        ["--deselect", "test_spam.py::test_plain"],
        ["test_spam.py::test_gate"],
        ["test_ham.py", "test_spam.py::test_gate[1]"],
        ["test_ham.py"],
        ["--collect-only"],
        ["--setup-only"],
        ["--setup-plan"],
    ],
    ids=str,
)
@pytest.mark.one_of_many
def test_they_are_not_listed_when_tests_were_left_out(run, baselines, arguments):
    assert baselines(run(*arguments)) == []


LEFT_OUT = {
    "failed": "def test_more(): assert False",
    "skipped": "def test_more(): pytest.skip('later')",
    "skipped by a mark": "@pytest.mark.skip\ndef test_more(): pass",
    "xfailed": "@pytest.mark.xfail\ndef test_more(): assert False",
    "error": "@pytest.fixture\ndef broken(): raise ValueError\ndef test_more(broken): pass",
    "error at the end": "@pytest.fixture\ndef broken():\n    yield\n    1 / 0\ndef test_more(broken): pass",
}


@pytest.mark.parametrize(
    ("more", "workers"), [*((kind, "-n0") for kind in LEFT_OUT), ("failed", "-n1"), ("error at the end", "-n1")]
)
@pytest.mark.one_of_many
def test_they_are_not_listed_when_a_test_of_the_module_did_not_pass(run, pytester, baselines, workers, more):
    pytester.makepyfile(test_spam=f"{MODULE}\n{LEFT_OUT[more]}")
    assert baselines(run(workers)) == []


@WORKERS
def test_failures_of_other_modules_do_not_matter(run, pytester, baselines, workers):
    pytester.makepyfile(test_ham=f"{MODULE}\n{LEFT_OUT['failed']}")
    assert baselines(run(*workers)) == [UNUSED, ADVICE]


def test_a_test_that_passes_at_last_is_no_failure(run, pytester, baselines):
    pytester.makepyfile(test_spam=f"{MODULE}\nruns = []\ndef test_more(): runs.append(1); assert len(runs) > 1")
    assert baselines(run("--reruns=1")) == [UNUSED, ADVICE]


@WORKERS
def test_they_are_not_listed_when_the_run_ended_early(run, pytester, baselines, workers):
    pytester.makepyfile(test_ham="def test_first(): assert False")
    pytester.makeconftest("""
        def pytest_collection_modifyitems(items):
            items.sort(key=lambda item: ("plain" not in item.name, "first" not in item.name))
    """)
    result = run("-x", *workers)
    assert result.parseoutcomes()["failed"] == 1
    assert baselines(result) == []


def test_they_are_not_listed_when_only_the_last_failures_ran(run, pytester, baselines):
    pytester.makepyfile(test_spam=f"{MODULE}\n{LEFT_OUT['failed']}")
    run()
    pytester.makepyfile(test_spam=f"{MODULE}\ndef test_more(): pass  # mended")
    result = run("--lf")
    result.assert_outcomes(passed=1)
    assert baselines(result) == []


@WORKERS
def test_they_are_not_listed_when_a_plugin_drops_tests_silently(run, pytester, baselines, workers):
    pytester.makeconftest("def pytest_collection_modifyitems(items): items[:] = items[:-3] + items[-1:]")
    assert baselines(run(*workers)) == []


@WORKERS
def test_baselines_of_a_module_that_is_gone_are_listed(run, pytester, baselines, workers):
    (pytester.path / "test_ham.py").unlink()
    assert baselines(run(*workers)) == [
        "unused    __bayesf1__/test_ham/test_gate[1].json",
        "unused    __bayesf1__/test_ham/test_gate[2].json",
        UNUSED,
        ADVICE,
    ]


def test_a_run_without_baselines_says_nothing(pytester, baselines):
    pytester.makepyfile("def test_nothing(): pass")
    assert baselines(pytester.runpytest()) == []


def test_in_a_folder_of_the_project_they_are_listed_too(pytester, baselines):
    pytester.makeini("[pytest]\nbayesf1_baselines = stored")
    module = (
        "from classifiers import BASELINE\ndef test_gate(bayes_regression): bayes_regression.check(BASELINE, rope=1e-2)"
    )
    for folder in ("checks", "checks/spam"):
        pytester.mkpydir(folder)
        (pytester.path / folder / "test_it.py").write_text(module)
    pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=2)
    for folder in ("checks/test_it", "checks/test_gone", "checks/spam/test_it"):
        (pytester.path / "stored" / folder).mkdir(exist_ok=True)
        (pytester.path / "stored" / folder / "old.json").write_text("{}")
    assert baselines(pytester.runpytest()) == [
        "unused    stored/checks/spam/test_it/old.json",
        "unused    stored/checks/test_gone/old.json",
        "unused    stored/checks/test_it/old.json",
        ADVICE,
    ]
