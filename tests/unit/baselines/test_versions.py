"""Versions are read as the gate reads them; few draws give the same answers as the calls for one comparison."""

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, SpanCounts
from pytest_bayesf1.baselines.store import Baseline, to_text
from pytest_bayesf1.baselines.versions import N_DRAWS, Anchor, Versions, brief_change, brief_score
from pytest_bayesf1.comparison.compare import run_comparison, run_estimate
from pytest_bayesf1.data.columns import AS_IT_IS, Schema
from pytest_bayesf1.data.sides import Sides
from pytest_bayesf1.git import Repository
from pytest_bayesf1.results.timeline import NewTestSet
from pytest_bayesf1.words.notes import data_warnings
from tests.property.kinds import KINDS
from tests.unit.baselines.versioned import FILE, predicted, store
from tests.unit.baselines.versioned import N as VERSIONED
from tests.unit.committed import Committed

N = 2_000
RNG = np.random.default_rng(0)
TRUTH = np.arange(N) % 3


def classifier(accuracy):
    said = np.where(RNG.random(N) < accuracy, TRUTH, RNG.integers(0, 3, N))
    return ConfusionMatrix.from_predictions(TRUTH, said, ids=np.arange(N))


OLD, NEW = classifier(0.9), classifier(0.85)


def monte_carlo(std):
    """Four standard errors of a mean of so many draws and of one of twenty thousand; HDI bounds have thrice that."""
    return 4 * std * np.sqrt(1 / N_DRAWS + 1 / 10_000)


@pytest.mark.one_of_many
@pytest.mark.parametrize("kind", ["classes", "scores"])
def test_a_score_is_that_of_an_estimate(kind):
    side, measure = KINDS[kind].side(KINDS[kind].draw(RNG), 0), KINDS[kind].measures[0]
    brief, full = brief_score(side, measure=measure), run_estimate(side, 0.5, measure=measure).score
    assert brief.observed == pytest.approx(full.observed)
    assert brief.mean == pytest.approx(full.mean, abs=monte_carlo(full.std))
    assert brief.hdi == pytest.approx(full.hdi, abs=3 * monte_carlo(full.std))


def test_a_decision_that_few_draws_leave_open_gets_more():
    full = run_comparison(Sides.aligned(OLD, NEW), measure="accuracy", rope=0.01)
    edge = -full.hdi[1]  # where the decision turns
    sides, rope = Sides.aligned(OLD, NEW), (-(edge - 0.1 * full.std), 0.01)
    settled = run_comparison(sides, measure="accuracy", rope=rope)
    assert settled.settled
    assert settled.decision == "<<"
    assert not run_comparison(sides, measure="accuracy", rope=rope, n_draws=N_DRAWS).settled
    assert brief_change(sides, measure="accuracy", rope=rope).decision == "<<"


def test_what_a_gate_leaves_open_a_history_leaves_open():
    """The later version is right more often, but lacks examples."""
    often, more_often = (np.where(np.arange(N) % n < n - 1, TRUTH, (TRUTH + 1) % 3) for n in (10, 20))
    baseline = ConfusionMatrix.from_predictions(TRUTH, often, ids=range(N))
    candidate = ConfusionMatrix.from_predictions(TRUTH[300:], more_often[300:], ids=range(300, N))
    sides = Sides.aligned(baseline, candidate)
    brief, full = (call(sides, measure="accuracy", rope=0.01) for call in (brief_change, run_comparison))
    assert full.shared_examples.doubt
    assert brief.new_test_set == NewTestSet(N, N - 300, N - 300)
    assert (brief.decision, brief.is_not_inferior) == (full.decision, full.is_not_inferior)
    assert any(str(each) in brief.warnings for each in data_warnings(full))


@pytest.mark.parametrize(
    ("kind", "measure", "equal_shares"),
    [
        ("scores", "average_precision", True),
        ("scores", "f1@0.5", True),
        ("values", "mean", False),
        ("clusters", "f1_macro", True),
        ("spans", "f1_micro", False),
    ],
)
def test_two_test_sets_of_any_kind_have_a_figure(kind, measure, equal_shares):
    first, second = (KINDS[kind].draw(np.random.default_rng(seed)) for seed in (1, 2))
    n = len(first.true)
    before = KINDS[kind].side(first, 0, **{KINDS[kind].ids: range(n)})
    now = KINDS[kind].side(second.reordered(np.arange(n - 9)), 1, **{KINDS[kind].ids: range(n, 2 * n - 9)})
    sides = Sides.aligned(before, now)
    found = brief_change(sides, measure=measure, rope=0.01)
    assert found.new_test_set == NewTestSet(before.n_samples, now.n_samples, equal_shares=equal_shares)
    shares = {"prevalence": "baseline"} if equal_shares else {}
    full = run_comparison(sides, measure=measure, rope=0.01, on_new_test_set="independent", **shares)
    assert found.mean == pytest.approx(full.mean, abs=monte_carlo(full.std))


def test_a_large_change_on_a_larger_test_set_is_a_leakage_perhaps():
    gold = [(0, 1, "PER"), (2, 3, "ORG")]
    before, now = (
        SpanCounts.from_spans(n * [gold], right * [gold] + (n - right) * [[]], documents=range(n, 2 * n))
        for n, right in ((40, 20), (90, 88))
    )
    (warning,) = brief_change(Sides.aligned(before, now), measure="f1_micro", rope=0.01).warnings
    assert warning.endswith("while the test set grew by 100 spans: check for leakage before you trust it.")


def test_figures_are_kept_by_the_true_tags_that_versions_are_scored_by(tmp_path):
    repository = Committed.new(tmp_path / "repository")
    repository.commit(**{"found.conll": "a B-PER\nb O\n\n" * 20})
    path, gold = repository.path / "found.conll", tmp_path / "gold.conll"
    around = Repository.around(path)
    scores = []
    for truth in ("a B-PER\nb O\n\n", "a O\nb B-PER\n\n"):
        gold.write_text(20 * truth)
        found = Versions(around, {"measure": "f1_micro"}, Schema(gold=str(gold)), tmp_path / "kept")
        (version,) = found.walk(around.versions(path), score=True)
        scores.append(version.score.observed)
    assert scores == [1, 0]


def test_a_change_is_kept_by_both_versions_that_it_is_between(tmp_path):
    """The same version comes after another one where a branch is rebased: kept figures are of both."""
    changes = []
    for number, n_wrong in enumerate((100, 300)):
        repository = Committed.new(tmp_path / str(number))
        store(repository, predicted(n_wrong))
        store(repository, predicted(200))
        around = Repository.around(repository.path / FILE)
        found = Versions(around, {"measure": "accuracy"}, kept=tmp_path / "kept")
        _, last = found.walk(around.versions(repository.path / FILE), change={"rope": 0.01})
        changes.append(last.change.mean > 0)
    assert changes == [False, True]


def test_a_total_loss_is_kept_by_the_anchor_that_it_is_since(tmp_path):
    repository = Committed.new(tmp_path / "repository")
    for n_wrong in (150, 200):
        store(repository, predicted(n_wrong))
    around = Repository.around(repository.path / FILE)
    totals = []
    for n_wrong in (100, 300):
        file = tmp_path / f"{n_wrong}.json"
        file.write_text(to_text(Baseline("test_f1", predicted(n_wrong))))
        found = Versions(around, {"measure": "accuracy"}, kept=tmp_path / "kept")
        asked = {"total": {"rope": 0.01}, "anchor": Anchor.read(file, AS_IT_IS)}
        *_, last = found.walk(around.versions(repository.path / FILE), **asked)
        totals.append(last.total.mean > 0)
    assert totals == [False, True]


@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
def test_an_anchor_is_found_among_the_versions_whatever_its_line_ends(tmp_path, ends):
    repository, file = Committed.new(tmp_path / "repository"), tmp_path / "anchor.json"
    for n_wrong in (100, 150, 200):
        store(repository, predicted(n_wrong))
        if n_wrong == 150:
            file.write_bytes((repository.path / FILE).read_bytes().replace(b"\n", ends))
    around = Repository.around(repository.path / FILE)
    found = Anchor.read(file, AS_IT_IS).among(around.versions(repository.path / FILE), around)
    assert (found.position, found.words.partition(",")[0]) == (1, "2 May 2026")


def test_a_version_that_knew_nothing_has_its_change(tmp_path):
    """Its gate has judged it; the history tells what became of it."""
    repository = Committed.new(tmp_path)
    store(repository, predicted(VERSIONED // 2))
    store(repository, predicted(200))
    around = Repository.around(repository.path / FILE)
    listed = around.versions(repository.path / FILE)
    _, last = Versions(around, {"measure": "accuracy"}).walk(listed, change={"rope": 0.01})
    assert last.change.decision == ">>"


@pytest.mark.parametrize(
    ("before", "now", "points", "why"),
    [
        ([[17220, 16], [512, 69]], [[18856, 9], [351, 636]], 57, "grew by 2,035 examples and 1 rose from 3.3% to 5%"),
        ([[900, 20], [20, 60]], [[880, 20], [60, 20]], -41, "shrank by 20 examples: check both test sets"),
        ([[900, 20], [60, 20]], [[900, 20], [20, 60]], None, "the same test set"),
        ([[900, 20], [30, 50]], [[980, 20], [20, 60]], None, "a small change"),
        ([[3, 2], [2, 1]], [[4, 1], [1, 4]], None, "it may be chance"),
    ],
)
def test_a_large_change_with_another_test_set_is_a_reason_to_look(before, now, points, why):
    sides = Sides.aligned(ConfusionMatrix(before), ConfusionMatrix(now))
    warnings = brief_change(sides, measure="f1", rope=0.01).warnings
    if points is None:
        assert warnings == ()
        return
    amount, _, rest = warnings[0].partition(" points while the test set ")
    assert float(amount.replace("−", "-")) == pytest.approx(points, abs=1)
    assert rest.startswith(why)
