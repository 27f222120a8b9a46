"""The anchor in whole runs: a loss in steps fails, an update leaves the anchor, and no change can move it by itself."""

import json
import subprocess

import pytest

STEPS = {"first": 8_500, "second": 8_350, "third": 8_250, "fourth": 8_000, "best": 9_500}
FILE = "__bayesf1__/test_spam/test_gate.json"


def cells(n_right):
    half = n_right // 2
    return json.dumps([[half, 5_000 - half], [5_000 - half, half]])


@pytest.fixture
def drift(pytester, monkeypatch):
    """Run a test and a gate file with the candidate of a step."""
    monkeypatch.delenv("CI", raising=False)
    gate = {"baseline": "baseline.json", "anchor": "v1.json", "candidate": "candidate.json", "measure": "accuracy"}
    (pytester.path / "bayesf1.yaml").write_text(json.dumps({"gates": {"spam": gate | {"rope": 0.03, "budget": 0.035}}}))
    for name, step in {"v1": "first", "baseline": "third"}.items():
        (pytester.path / f"{name}.json").write_text(cells(STEPS[step]))

    def run(step, *arguments):
        pytester.makepyfile(
            test_spam=f"""
            def test_gate(bayes_regression):
                bayes_regression.check({cells(STEPS[step])}, measure="accuracy", rope=0.03)
            """
        )
        (pytester.path / "candidate.json").write_text(cells(STEPS[step]))
        return pytester.runpytest("-p", "no:randomly", "--bayesf1-budget=0.035", *arguments)

    return run


@pytest.fixture
def drifted(drift):
    drift("first", "--bayesf1-update=new", "test_spam.py").assert_outcomes(passed=1)
    for step in ("second", "third"):
        drift(step, "--bayesf1-update", "test_spam.py").assert_outcomes(passed=1)
    return drift


def test_a_loss_in_steps_fails_by_the_anchor(drifted, pytester, section):
    result = drifted("fourth", "--bayesf1-report=out")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["≪ since the anchor, accuracy −5.0 points*", "  Do: Find what was lost on the way: *"])
    said = " ".join(line.removeprefix("E ").strip() for line in result.outlines if line.startswith("E "))
    assert "tolerate, but since the anchor (2 baselines ago) accuracy has fallen by 5.0 points" in said
    entries = json.loads((pytester.path / "out" / "report.json").read_text())["entries"]
    found = {(entry["test"], entry["part"]): entry["verdict"] for entry in entries}
    assert [found[test, "since the anchor"] for test in ("bayesf1.yaml::spam", "test_spam.py::test_gate")] == (
        ["failed"] * 2
    )
    assert sum(line.endswith("  since the anchor") for line in section(result)) == 2


@pytest.mark.parametrize(("update", "outcomes"), [("", {"failed": 1}), ("=anchor", {"passed": 1, "warnings": 1})])
def test_only_on_demand_is_total_loss_counted_anew(drifted, pytester, update, outcomes):
    before = (pytester.path / FILE).read_text()
    drifted("fourth", f"--bayesf1-update{update}", "test_spam.py").assert_outcomes(**outcomes)
    after = (pytester.path / FILE).read_text()
    assert (before == after) == ("failed" in outcomes)
    assert ('"anchor"' in after) == ("failed" in outcomes)


def test_a_candidate_that_leaves_its_anchor_behind_is_told(drifted, baselines):
    ahead, advice = baselines(drifted("best", "test_spam.py"))[:2]
    assert ahead == f"ahead     {FILE}"
    assert advice.endswith("run its test with --bayesf1-update=anchor.")
    assert baselines(drifted("best", "--bayesf1-update=anchor", "test_spam.py"))[0] == f"replaced  {FILE}"


def test_a_change_moves_no_anchor_of_its_base_commit(drifted, pytester, section):
    def git(*arguments):
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments]
        subprocess.run(command, cwd=pytester.path, capture_output=True, check=True)

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "third")
    (pytester.path / "v1.json").write_text(cells(STEPS["fourth"]))
    drifted("fourth", "--bayesf1-update=anchor", "test_spam.py").assert_outcomes(passed=1, warnings=1)
    stored = json.loads((pytester.path / FILE).read_text())
    assert len(stored["anchor"]["commit"]) == 40
    drifted("fourth").assert_outcomes(passed=2)
    result = drifted("fourth", "--bayesf1-baseline-ref=HEAD")
    result.assert_outcomes(failed=2)
    assert f"2 baseline or gate files changed: {FILE}, v1.json." in " ".join(section(result))


def test_a_larger_budget_is_told(drifted, section):
    drifted("third", "--bayesf1-update=new").assert_outcomes(passed=2)
    result = drifted("third", "--bayesf1-budget=0.04", "test_spam.py::test_gate")
    told = "test_spam.py::test_gate: you tolerated 3.5 points lost since the anchor, this run tolerates 4 points"
    assert told in " ".join(line.strip() for line in section(result))


def test_the_option_wants_a_loss(drift):
    result = drift("first", "--bayesf1-budget=much")
    result.stderr.fnmatch_lines(["*--bayesf1-budget: budget: expected *got 'much'*"])
