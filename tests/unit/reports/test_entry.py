from pytest_bayesf1 import ConfusionMatrix
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.reports.entry import Place, entry_of
from pytest_bayesf1.settings import Record
from tests.unit.made_up import comparison, entry, error, estimate


def test_an_entry_moves_to_the_place_of_its_test():
    made = entry_of(Record(comparison(), "assert_not_worse", "passed", part="class ham"))
    assert (made.test, made.file, made.line, made.breakdown) == ("", "", 0, None)
    moved = made.at(Place(test="test_a.py::test_f1", file="test_a.py", line=7))
    assert (moved.test, moved.file, moved.line) == ("test_a.py::test_f1", "test_a.py", 7)
    assert moved.name == "test_a.py::test_f1 class ham"
    assert moved.mean == comparison().mean


def test_notes_of_the_gate_follow_those_of_the_result():
    record = Record(comparison(settled=False), "compare", notes=("One of 3 failed.",))
    assert entry_of(record).notes == (*comparison(settled=False).notes(), "One of 3 failed.")


def test_an_estimate_has_a_floor_and_no_decision():
    made = entry(estimate(floor=0.5))
    assert (made.kind, made.floor) == ("estimate", 0.5)
    assert not hasattr(made, "decision")


def test_an_error_has_its_text_for_a_headline():
    made = error("bayesf1.yaml:3: no baseline", test="g")
    assert (made.kind, made.verdict, made.headline, made.name) == ("error", "error", "bayesf1.yaml:3: no baseline", "g")
    assert made.needs_attention


def test_the_entries_of_a_large_run_share_the_room_for_examples():
    true, before = ["ham", "spam"] * 50, ["ham"] * 100
    result = run_comparison(
        *(ConfusionMatrix.from_predictions(true, side) for side in (before, true)), rope=0.05, n_draws=1_000
    )
    kept = [
        entry_of(Record(result, gate="compare"), in_full=True, n_entries=n).changes.examples for n in (1, 1_000, 10_000)
    ]
    assert [len(examples) for examples in kept] == [50, 20, 2]
    assert kept[0][:20] == kept[1]


def test_not_at_length_an_entry_lacks_what_takes_longest_to_compute():
    record = Record(comparison(), gate="compare")
    short, long = (entry_of(record, at_length=at_length) for at_length in (False, True))
    assert long.detectable_losses is not None
    assert short.detectable_losses is short.prior_density is short.bayes_factor is short.bayes_factor_sd_mcse is None
    assert (short.hdi, short.headline, short.baseline) == (long.hdi, long.headline, long.baseline)
    assert entry_of(record, in_full=True, at_length=False).detectable_losses == long.detectable_losses
