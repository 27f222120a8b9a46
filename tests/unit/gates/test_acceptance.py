import re
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError
from pytest_bayesf1.data.paired import digests_of
from pytest_bayesf1.gates.acceptance import Acceptance, AcceptedChange, Terms, failures_of, keep_failures
from pytest_bayesf1.gates.demand import Demand, Verdict
from pytest_bayesf1.gates.evaluate import judge
from pytest_bayesf1.gates.source import Pair
from pytest_bayesf1.project import Wanted
from pytest_bayesf1.results.comparison import GapEstimate, ScoreGap
from pytest_bayesf1.results.policy import BETTER, NOT_WORSE, Outcome
from pytest_bayesf1.session import Session, active

LOSS = Acceptance(measure="f1_macro", baseline="old", candidate="new", loss=0.05, reason="a smaller model")
OF_LOSS = "If you want the loss, accept it and commit gates.json"


def test_digests_of_counts_are_the_same_in_any_order_of_the_classes():
    sides = [ConfusionMatrix([[5, 1], [2, 7]], ["a", "b"]), ConfusionMatrix([[7, 2], [1, 5]], ["b", "a"])]
    first, second = digests_of(*sides)
    assert first == second == digests_of(sides[0], [[5, 1], [2, 6]])[0]


class TestCovers:
    @pytest.mark.parametrize(
        ("accepted", "failure", "has_gap", "covers"),
        [
            ({}, {}, False, True),
            ({}, {"loss": 0.9}, True, True),
            ({}, {"candidate": "another"}, False, False),
            ({}, {"baseline": "another"}, False, False),
            ({}, {"measure": "accuracy"}, False, False),
            ({"up_to": 0.06}, {"candidate": "another", "loss": 0.06}, False, True),
            ({"up_to": 0.06}, {"candidate": "another", "loss": 0.061}, False, False),
            ({"up_to": 0.06}, {"candidate": "another", "baseline": "another"}, False, False),
            ({"up_to": 0.06}, {"candidate": "another"}, True, False),
            ({"up_to": 0.06}, {"loss": 0.9}, True, True),
        ],
    )
    def test_what_an_acceptance_covers(self, accepted, failure, has_gap, covers):
        assert replace(LOSS, **accepted).covers(replace(LOSS, **failure), has_gap=has_gap) is covers

    def test_the_limit_of_a_function_of_the_users_own_has_no_unit(self):
        assert replace(LOSS, up_to=0.06).words == "Accepted up to a loss of 6 points: a smaller model"
        assert replace(LOSS, measure="cost", up_to=12.5).words == "Accepted up to a loss of 12.5: a smaller model"


def gate(counts=((400, 100), (100, 400)), policy=NOT_WORSE, rope=0.02):
    sides = [[450, 50], [50, 450]], list(map(list, counts))
    return judge(Pair(*sides), Demand(policy=policy, arguments={"rope": rope}))


def terms(*listed, **others):
    return Terms("t.py::t", Path(), Path(), "pytest t.py::t", listed, **others)


def under(terms, run):
    with active(Session(terms=lambda: terms)):
        return run.under_terms()


def with_gap(run):
    """Return a gate that fails by a gap between slices, too."""
    gap = ScoreGap("language", "a", "b", *2 * [GapEstimate(0.1, (0.05, 0.2))])
    too_wide = Verdict(gap, NOT_WORSE, "max_gap", Outcome.FAILED, "")
    return replace(run, verdicts=(*run.verdicts, too_wide))


class TestTerms:
    @pytest.fixture(autouse=True)
    def _nothing_is_kept(self, monkeypatch):
        monkeypatch.setenv("BAYESF1_CACHE", "")

    def test_what_is_listed_accepts_a_loss(self):
        failed = gate()
        assert failed.under_terms() is failed  # outside of a run nobody does
        run = under(terms(replace(failed.loss, reason="smaller")), failed)
        assert (run.overall.outcome, run.overall.advice) == (Outcome.ACCEPTED, "Accepted: smaller")
        assert run.lost == failed.loss
        assert "Do:" not in run.text(in_full=False)

    def test_the_loss_is_that_of_the_posterior_and_what_failed_has_the_reports_figures(self):
        failed = with_gap(gate())
        assert failed.loss.loss == pytest.approx(-failed.overall.comparison.mean, abs=1e-6)
        whole, gap = failed.loss.failed
        assert re.fullmatch(r"macro-F1 −10\.0 points \(95% likely −1\d\.\d to −\d\.\d\)", whole)
        assert "by language, a and b, are 10.0 points" in gap

    def test_no_digests_are_computed_of_what_passes_where_no_loss_is_listed(self):
        passed = replace(gate(((450, 50), (50, 450))), source=Pair(None, None))
        assert terms().applied(passed) is passed

    def test_a_listed_gate_that_passes_has_its_loss_known(self):
        passed = gate(((450, 50), (50, 450)))
        found = terms(replace(passed.loss, reason="smaller")).applied(passed)
        assert (found.verdicts, found.lost) == (passed.verdicts, passed.loss)

    @pytest.mark.parametrize(
        ("other", "said"),
        [({"measure": "accuracy"}, ""), ({"candidate": "another"}, "gates.json accepts another loss of this gate. ")],
    )
    def test_what_does_not_cover_a_failure(self, other, said):
        failed = gate()
        found = terms(replace(failed.loss, reason="smaller", **other)).applied(failed)
        assert found.whole.way_out == f"{said}{OF_LOSS}"
        assert found.whole.command == 'pytest t.py::t\nbayesf1 accept t.py::t --reason "..."'
        assert found.lost == failed.loss

    def test_a_gap_of_another_candidate_is_not_accepted_below_a_limit(self):
        failed = gate()
        limit = replace(failed.loss, candidate="another", up_to=0.9)
        outcomes = [terms(limit).applied(each).outcome for each in (failed, with_gap(failed))]
        assert outcomes == [Outcome.ACCEPTED, Outcome.FAILED]

    def test_a_limit_may_be_the_loss_itself_but_not_less(self):
        loss = gate().loss
        exact = Wanted.of(" half  the\nsize ", loss.loss)
        assert loss.wanted(exact) == replace(loss, reason="half the size", up_to=loss.loss)
        with pytest.raises(InputError, match="--up-to: expected at least the loss of this candidate"):
            loss.wanted(replace(exact, up_to=0.05))

    def test_a_gap_is_a_loss_whatever_the_score_gained(self):
        gained = with_gap(gate(((455, 45), (45, 455)), BETTER))
        assert terms().applied(gained).whole.way_out.startswith("If you want the loss")

    def test_what_was_replaced_is_told_with_the_commit(self):
        failed = gate()
        failed = replace(failed, source=replace(failed.source, is_replaced=True))
        found = under(terms(baseline_ref="main"), failed).overall
        assert found.way_out == f"This change replaced the baseline of main. {OF_LOSS}"
        assert "--bayesf1-baseline-ref=main" in found.command

    @pytest.mark.parametrize("is_replaced", [False, True])
    def test_what_was_listed_before_counts_where_the_baseline_is_replaced(self, is_replaced):
        failed = gate()
        failed = replace(failed, source=replace(failed.source, is_replaced=is_replaced))
        covers, other = replace(failed.loss, reason="smaller"), replace(failed.loss, measure="accuracy", reason="other")
        found = terms(other, listed_before=[covers]).applied(failed)
        assert (found.outcome is Outcome.ACCEPTED) is is_replaced
        assert terms(covers, listed_before=[other]).applied(failed).outcome is Outcome.ACCEPTED

    def test_a_candidate_that_lost_nothing_is_wanted_all_the_same(self):
        found = under(terms(), gate(((455, 45), (45, 455)), BETTER)).overall
        assert found.way_out == "If you want this candidate, accept it and commit gates.json"
        assert f"\n{found.command}\n" in found.text(in_full=False)

    @pytest.mark.parametrize(
        ("place", "is_replaced", "is_kept", "command"),
        [
            (".", False, True, 'bayesf1 accept t.py::t --reason "..."'),
            ("a/b", True, True, 'bayesf1 accept t.py::t --root ../.. --reason "..."'),
            (".", False, False, 'pytest t.py\nbayesf1 accept t.py::t --reason "..."'),
            (".", True, False, "pytest t.py --bayesf1-baseline-ref='v 1'\nbayesf1 accept t.py::t --reason \"...\""),
        ],
    )
    def test_the_command_is_below_that_which_fails_again(
        self, tmp_path, monkeypatch, place, is_replaced, is_kept, command
    ):
        monkeypatch.setenv("BAYESF1_CACHE", str(tmp_path / "cache") if is_kept else "")
        monkeypatch.delenv("CI", raising=False)
        known = Terms("t.py::t", tmp_path, tmp_path / place, "pytest t.py", baseline_ref="v 1")
        assert known.command(is_replaced=is_replaced) == command


class TestExceptions:
    @pytest.mark.parametrize(
        ("change", "is_new"),
        [
            ({}, False),
            ({"up_to": None}, False),
            ({"up_to": 0.05}, False),
            ({"up_to": 0.061}, True),
            ({"measure": "accuracy"}, True),
            ({"baseline": "another"}, True),
        ],
    )
    def test_a_limit_is_new_that_no_known_one_covers(self, change, is_new):
        known = replace(LOSS, up_to=0.06)
        assert replace(known, **change).is_new_limit([AcceptedChange(change="a", reason="b"), known]) is is_new

    @pytest.mark.parametrize(
        ("change", "is_needed"),
        [({}, True), ({"candidate": "another"}, False), ({"candidate": "another", "up_to": 0.01}, True),
         ({"baseline": "another", "up_to": 0.9}, False), ({"measure": "accuracy"}, False)],
    )  # fmt: skip
    def test_it_is_needed_by_a_loss_of_its_candidate_or_below_its_limit(self, change, is_needed):
        """Once it is known, it stays for other candidates too, as long as the baseline does."""
        losses, accepted = [replace(LOSS, measure="other"), LOSS], replace(LOSS, **change)
        assert accepted.is_needed(losses, is_known=False) is is_needed
        assert accepted.is_needed(losses, is_known=True) is (is_needed or change == {"candidate": "another"})


class TestFailures:
    @pytest.fixture(autouse=True)
    def _here(self, monkeypatch, tmp_path):
        monkeypatch.setenv("BAYESF1_CACHE", str(tmp_path / "cache"))
        monkeypatch.delenv("CI", raising=False)

    def test_of_tests_that_did_not_run_what_failed_before_is_known(self, tmp_path):
        (tmp_path / "t.py").touch()
        a, b, in_renamed_file = "t.py::a", "t.py::b", "renamed.py::b"
        keep_failures(tmp_path, [a, b], {test: [LOSS] for test in (a, b, in_renamed_file)})
        keep_failures(tmp_path, [a], {})
        assert list(failures_of(tmp_path)) == [b]
        assert failures_of(tmp_path / "elsewhere") == {}
        (kept,) = failures_of(tmp_path)[b]
        assert replace(kept, failed=tuple(kept.failed)) == LOSS

    def test_in_ci_nothing_is_kept(self, tmp_path, monkeypatch):
        monkeypatch.setenv("CI", "true")
        keep_failures(tmp_path, ["a"], {"a": [LOSS]})
        assert failures_of(tmp_path) == {}
