"""The history of a baseline, in real repositories."""

import json
from dataclasses import replace

import numpy as np
import pytest

from pytest_bayesf1 import BaselineError, ConfusionMatrix
from pytest_bayesf1.baselines.history import Demands, brief_score, history_of
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.stats.decision import Rope
from tests.unit.baselines.versioned import FILE, TRUTH, N, predicted, store
from tests.unit.committed import Committed

DEMANDS = Demands("accuracy", Rope(-0.01, 0.01), 0.02, 0.95, "auto")


@pytest.fixture
def repository(tmp_path):
    return Committed.new(tmp_path / "repository")


def told(repository, demands=DEMANDS, name=FILE, kept=None):
    return history_of(repository.path / name, demands, kept).versions


@pytest.fixture
def computed(monkeypatch):
    """Count the versions whose score is computed."""
    calls = []

    def counting(side, **given):
        calls.append(side)
        return brief_score(side, **given)

    monkeypatch.setattr("pytest_bayesf1.baselines.history.brief_score", counting)
    return calls


def test_each_version_beside_the_one_before_it_and_beside_the_anchor(repository):
    sides = [predicted(100), predicted(108), predicted(150)]
    commits = [store(repository, side) for side in sides]
    first, second, third = told(repository)
    assert [each.commit for each in (first, second, third)] == commits
    assert [each.date for each in (first, second, third)] == ["2026-05-01", "2026-05-02", "2026-05-03"]
    assert (first.change, first.why_no_change, first.total, first.why_no_total) == (
        None,
        "the first",
        None,
        "the anchor",
    )
    assert first.is_anchor
    assert first.verdict == ""
    for version, change, rope, before in [
        (second, second.change, 0.01, sides[0]),
        (third, third.change, 0.01, sides[1]),
        (third, third.total, 0.02, sides[0]),
    ]:
        expected = run_comparison(before, sides[[first, second, third].index(version)], measure="accuracy", rope=rope)
        assert change.decision == expected.decision
        assert change.mean == pytest.approx(expected.mean, abs=0.1 * expected.std)
        assert change.hdi == pytest.approx(expected.hdi, abs=0.25 * expected.std)
    assert third.score.observed == 0.85
    assert third.anchor == "1 May 2026, 0123456, 2 baselines ago"
    assert (second.verdict, third.verdict) == ("undecided", "failed")


@pytest.mark.long
def test_steps_that_are_tolerated_fail_by_the_budget(repository):
    for n_wrong in (100, 107, 114, 121, 128, 135, 142):
        store(repository, predicted(n_wrong))
    versions = told(repository)
    assert {version.change.decision.value for version in versions[1:]} <= {"≈", "?"}
    assert versions[-1].verdict == "failed"
    assert versions[-1].total.decision == "<<"


def test_the_same_predictions_are_told_once(repository):
    store(repository, predicted(100))
    again = json.loads((repository.path / FILE).read_text())
    assert again
    text = (repository.path / FILE).read_bytes().replace(b"\n", b"\r\n")
    repository.commit("other line ends", **{FILE: text})
    store(repository, predicted(110))
    versions = told(repository)
    assert [version.subject for version in versions] == ["version 0", "version 2"]
    assert versions[1].change.mean == pytest.approx(-0.01, abs=1e-3)


def test_an_anchor_that_was_moved(repository):
    for n_wrong in (100, 150):
        store(repository, predicted(n_wrong))
    store(repository, predicted(140), anchor_moves=True)
    store(repository, predicted(145))
    versions = told(repository)
    assert [version.is_anchor for version in versions] == [True, False, True, False]
    assert versions[1].total.mean == pytest.approx(-0.05, abs=2e-3)
    assert versions[3].total.mean == pytest.approx(-0.005, abs=2e-3)
    assert versions[3].anchor == "3 May 2026, 0123456, 1 baseline ago"


def test_another_test_set_is_not_compared(repository):
    store(repository, predicted(100))
    store(repository, predicted(110, ids=np.arange(N) + 7))
    store(repository, predicted(120, ids=np.arange(N) + 7))
    versions = told(repository)
    assert [version.why_no_change for version in versions] == ["the first", "another test set", ""]
    assert versions[1].is_anchor
    assert versions[2].total is not None
    assert versions[1].verdict == ""


def test_other_labels_cannot_be_compared_and_are_told(repository):
    store(repository, predicted(100))
    store(repository, ConfusionMatrix.from_predictions(["a", "b"] * 20, ["a", "b"] * 18 + ["b", "b"] * 2))
    version = told(repository)[1]
    assert version.change is None
    assert "expected" in version.why_no_change
    assert version.score.observed == 0.95


def test_predictions_in_the_place_of_counts_are_compared_as_far_as_that_goes(repository):
    store(repository, ConfusionMatrix([[450, 50], [50, 450]]))
    store(repository, predicted(110))
    version = told(repository)[1]
    expected = run_comparison([[450, 50], [50, 450]], predicted(110), measure="accuracy", rope=0.01)
    assert version.change.mean == pytest.approx(expected.mean, abs=0.1 * expected.std)
    assert version.change.hdi == pytest.approx(expected.hdi, abs=0.25 * expected.std)


def test_a_damaged_version_is_told_and_passed_by(repository):
    store(repository, predicted(100))
    good = (repository.path / FILE).read_bytes()
    repository.commit("merged by hand", **{FILE: good.replace(b'"accuracy": 0.9', b'"accuracy": 0.8')})
    repository.write(FILE, good)
    store(repository, predicted(110))
    versions = told(repository)
    assert versions[1].problem.startswith("test_f1.json: expected the content that was written, got another")
    assert (versions[1].score, versions[1].change, versions[1].verdict) == (None, None, "")
    assert versions[2].change.mean == pytest.approx(-0.01, abs=1e-3)


def test_a_baseline_that_was_deleted_and_made_anew(repository):
    store(repository, predicted(100))
    repository.git("rm", "-q", FILE)
    repository.commit("gone")
    store(repository, predicted(110))
    versions = told(repository)
    assert [version.is_deleted for version in versions] == [False, True, False]
    assert versions[2].change.mean == pytest.approx(-0.01, abs=1e-3)


def test_a_renamed_test(repository):
    store(repository, predicted(100))
    repository.git("mv", "tests/__bayesf1__/test_spam", "tests/__bayesf1__/test_mail")
    repository.commit("renamed")
    versions = told(repository, name="tests/__bayesf1__/test_mail/test_f1.json")
    assert [version.file for version in versions] == [FILE]


def test_a_shallow_clone_says_so(repository, tmp_path):
    for n_wrong in (100, 110):
        store(repository, predicted(n_wrong))
    clone = repository.shallow_clone(tmp_path / "clone")
    history = history_of(clone / FILE, DEMANDS)
    assert history.shallow
    assert len(history.versions) == 1


def test_only_new_versions_are_computed(repository, tmp_path, computed):
    kept = tmp_path / "kept"
    for n_wrong in (100, 110, 120):
        store(repository, predicted(n_wrong))
    first = told(repository, kept=kept)
    assert len(computed) == 3
    assert told(repository, kept=kept) == first
    assert len(computed) == 3
    store(repository, predicted(130))
    assert told(repository, kept=kept)[:3] == first
    assert len(computed) == 4
    told(repository, replace(DEMANDS, measure="f1_macro"), kept=kept)
    assert len(computed) == 8
    assert repository.git("status", "--porcelain") == ""


def test_a_cache_that_is_deleted_or_damaged_is_no_loss(repository, tmp_path, computed):
    kept = tmp_path / "kept"
    for n_wrong in (100, 110, 120):
        store(repository, predicted(n_wrong))
    first = told(repository, kept=kept)
    files = sorted(path for path in kept.rglob("*") if path.is_file())
    assert len(files) == 3
    files[0].unlink()
    files[1].write_text('{"score": {"mean": "high"}}')
    files[2].write_text('{"unknown": 1}')
    assert told(repository, kept=kept) == first
    assert len(computed) == 6
    assert told(repository, kept=kept) == first
    assert len(computed) == 6


def test_what_could_not_be_read_is_read_again_the_next_time(repository, tmp_path):
    store(repository, predicted(100))
    repository.commit("damaged", **{FILE: "{"})
    for _ in range(2):
        assert [bool(version.problem) for version in told(repository, kept=tmp_path / "kept")] == [False, True]
    assert len([path for path in (tmp_path / "kept").rglob("*") if path.is_file()]) == 1


@pytest.mark.long
def test_where_it_takes_long_all_processors_find_the_same(repository, tmp_path, monkeypatch, computed):
    for number in range(12):
        store(repository, predicted(100 + number))
    repository.commit("damaged", **{FILE: "{"})
    (repository.path / FILE).unlink()
    for number in range(4):
        store(repository, predicted(120 + number))
    alone = told(repository)
    n_alone = len(computed)
    monkeypatch.setattr("pytest_bayesf1.baselines.history._LONG", 0.0)
    monkeypatch.setattr("pytest_bayesf1.baselines.history.available_threads", lambda: 2)
    assert told(repository, kept=tmp_path / "kept") == alone
    assert len(computed) - n_alone < 8  # here the first four and what follows the damaged one
    n_computed = len(computed)
    assert told(repository, kept=tmp_path / "kept") == alone
    assert len(computed) == n_computed


def csv(n_wrong):
    said = predicted(n_wrong).predictions.columns((0, 1))["y_pred"]
    return "id,y_true,y_pred\n" + "".join(f"{n},{TRUTH[n]},{said[n]}\n" for n in range(N))


def test_a_file_of_predictions_and_its_anchor(repository):
    versions = [50, 100, 110, 150]
    for n_wrong in versions:
        repository.commit(f"{n_wrong} wrong", **{"spam.csv": csv(n_wrong)})
    found = told(repository, name="spam.csv")
    assert [version.why_no_total for version in found] == ["no anchor"] * 4
    assert found[2].change.mean == pytest.approx(-0.01, abs=1e-3)
    anchor = repository.write("v1.csv", csv(100))
    found = told(repository, replace(DEMANDS, anchor=anchor), name="spam.csv")
    assert [version.why_no_total for version in found] == ["before the anchor", "the anchor", "", ""]
    assert found[3].total.mean == pytest.approx(-0.05, abs=2e-3)
    assert found[3].anchor == f"2 May 2026, {found[1].commit[:7]}"


def test_an_anchor_that_was_never_the_baseline(repository, monkeypatch):
    monkeypatch.chdir(repository.path)
    repository.commit(**{"spam.csv": csv(110)})
    anchor = repository.write("v1.csv", csv(100))
    (version,) = told(repository, replace(DEMANDS, anchor=anchor), name="spam.csv")
    assert version.total.mean == pytest.approx(-0.01, abs=1e-3)
    assert version.anchor == "v1.csv"
    assert version.verdict == "passed"


def test_a_file_without_history(repository):
    repository.commit()
    store_less = repository.path / "new.csv"
    with pytest.raises(BaselineError, match=r"expected a file that git has versions of, got none\. Commit it"):
        history_of(store_less, DEMANDS)
    repository.commit(**{"new.csv": csv(1)})
    with pytest.raises(BaselineError, match="expected an anchor, got no file"):
        told(repository, replace(DEMANDS, anchor=repository.path / "none.csv"), name="new.csv")
