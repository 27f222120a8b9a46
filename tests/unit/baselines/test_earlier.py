"""The versions of a baseline in real repositories, each compared with the one before it."""

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, compare
from pytest_bayesf1.baselines import versions
from pytest_bayesf1.baselines.store import Baseline, BaselineStore
from pytest_bayesf1.baselines.versions import with_history
from pytest_bayesf1.data.columns import AS_IT_IS
from pytest_bayesf1.gates.evaluate import evaluate
from pytest_bayesf1.gates.gate_file import load_gates
from pytest_bayesf1.gates.source import Pair, kept_in
from pytest_bayesf1.git import CHECKED_OUT, Repository, Revision
from pytest_bayesf1.stats.posterior import FEWEST_CHANGES
from tests.unit.committed import Committed

N = 400
TRUTH = np.arange(N) % 2
N_VERSIONS = 13


def predicted(version):
    """Err on every tenth example, and on two to eight others, so that each version differs from the one before."""
    said = np.where(np.arange(N) % 10 == 3, 1 - TRUTH, TRUTH)
    others = 4 + 10 * (3 * version + np.arange(2 + 5 * version % 7))
    said[others % N] = 1 - TRUTH[others % N]
    return said


def csv(said, truth=TRUTH):
    return "\n".join(["id,y_true,y_pred", *(f"{row},{truth[row]},{said[row]}" for row in range(len(said)))]) + "\n"


GATES = "gates:\n  spam: {baseline: old.csv, candidate: new.csv, measure: accuracy, rope: 0.01}\n"


@pytest.fixture
def repository(tmp_path):
    made = Committed.new(tmp_path / "repository")
    made.write("bayesf1.yaml", GATES)
    return made


@pytest.fixture
def commits(repository):
    return [repository.commit(**{"old.csv": csv(predicted(version))}) for version in range(N_VERSIONS)]


def judged(repository, *commit, truth=TRUTH):
    repository.write("new.csv", csv(predicted(N_VERSIONS), truth))
    (gate,) = load_gates(repository.path / "bayesf1.yaml", repository.path)
    return evaluate(gate, *commit).overall.comparison


def alone(before, now):
    sides = (ConfusionMatrix.from_predictions(TRUTH, predicted(version), ids=range(N)) for version in (before, now))
    return compare(*sides, measure="accuracy", rope=0.01)


class TestGateFiles:
    def test_each_version_is_compared_with_the_one_before(self, repository, commits):
        result = judged(repository)
        found, known = result.earlier_changes, alone(N_VERSIONS - 1, N_VERSIONS)
        wanted = [alone(*each) for each in pairwise(range(N_VERSIONS))]
        assert len(found) == len(commits) - 1
        for change, full in zip(found, wanted, strict=True):
            assert change.mean == pytest.approx(full.mean, abs=4 * full.std * np.sqrt(1 / 5_000 + 1 / 10_000))
            assert change.std == pytest.approx(full.std, rel=4 * np.sqrt(1 / 10_000 + 1 / 40_000))
        assert result.p_lost_more == known.with_history(found).p_lost_more != known.p_lost_more

    def test_a_change_s_own_commits_are_no_history(self, repository, commits, tmp_path):
        repository.commit(**{"old.csv": csv(1 - TRUTH)})
        (tmp_path / "copies").mkdir()
        found = judged(repository, Revision.of(commits[-1], repository.path, tmp_path / "copies"))
        assert len(found.earlier_changes) == N_VERSIONS - 1
        assert max(abs(each.mean) for each in found.earlier_changes) < 0.05

    def test_the_same_predictions_and_what_cannot_be_read_or_paired_say_nothing(self, repository, commits):
        last = csv(predicted(N_VERSIONS - 1))
        repository.commit(**{"old.csv": last.replace("\n", "\r\n")})
        repository.commit(**{"old.csv": "nothing\n"})
        repository.commit(**{"old.csv": "id,y_true,y_pred\n" + "\n".join(f"x{row},1,{row % 2}" for row in range(N))})
        repository.commit(**{"old.csv": last})
        assert len(judged(repository).earlier_changes) == N_VERSIONS - 1

    def test_fewer_than_ten_changes_are_no_history(self, repository):
        for version in range(FEWEST_CHANGES):
            repository.commit(**{"old.csv": csv(predicted(version))})
        assert judged(repository).earlier_changes == ()

    @pytest.mark.parametrize(
        ("limit", "n", "kept"),
        [("MOST_EARLIER", 11, 11), ("_MOST_BYTES", 12, 11), ("_MOST_BYTES", 9, 0), ("_MOST_BYTES", 0, 0)],
    )
    def test_the_last_versions_count_as_many_as_may_be_read(self, repository, commits, monkeypatch, limit, n, kept):
        repository.git("rm", "-q", "old.csv")
        repository.commit("gone")
        repository.commit(**{"old.csv": csv(predicted(99))})
        size = (repository.path / "old.csv").stat().st_size + 1
        monkeypatch.setattr(versions, limit, n * (size if limit == "_MOST_BYTES" else 1))
        found = judged(repository).earlier_changes
        assert len(found) == kept
        assert not found or found[-1].mean == pytest.approx(alone(N_VERSIONS - 1, 99).mean, abs=5e-4)

    def test_without_a_repository_there_is_none(self, repository, commits):
        (repository.path / ".git").rename(repository.path / "git")
        assert judged(repository).earlier_changes == ()

    def test_changes_are_kept_by_what_they_were_computed_from(self, repository, commits, monkeypatch, tmp_path):
        monkeypatch.setenv("BAYESF1_CACHE", str(tmp_path / "cache"))
        first = judged(repository)
        with monkeypatch.context() as patched:
            patched.setattr(Repository, "content", None)
            assert judged(repository).earlier_changes == first.earlier_changes
        repository.write("bayesf1.yaml", GATES.replace("accuracy", "f1_macro"))
        assert judged(repository).earlier_changes != first.earlier_changes


@pytest.mark.parametrize("known", [{"is_clear": True}, {"judge": "a model"}, {"measure": len}, {"earlier": "a prior"}])
def test_what_is_clear_or_judged_otherwise_asks_for_no_history(known):
    asked: Any = SimpleNamespace(**{"is_clear": False, "judge": None, "measure": "mean", "earlier": None, **known})
    assert with_history(asked, None, None, AS_IT_IS, asked) is asked


def test_a_stored_baseline_s_versions(repository):
    store = BaselineStore(repository.path / "__bayesf1__" / "test_spam")
    sides = [ConfusionMatrix.from_predictions(TRUTH, predicted(each), ids=range(N)) for each in range(N_VERSIONS + 1)]
    stored = None
    for side in sides[:-1]:
        store.write(Baseline("test_f1", side), stored)
        stored = store.find("test_f1")
        repository.commit()
    asked = {"measure": "accuracy", "rope": 0.01}
    task = Pair(*sides[-2:]).task(asked)
    history = kept_in(stored.path, CHECKED_OUT, AS_IT_IS, ConfusionMatrix)["history"]
    found = history(task.answer(), options=task.options).earlier_changes
    assert len(found) == N_VERSIONS - 1
    assert found[0].mean == pytest.approx(alone(0, 1).mean, abs=5e-4)
