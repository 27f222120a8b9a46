"""The candidate of gates becomes their baseline."""

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_bayesf1 import ConfusionMatrix
from pytest_bayesf1.baselines import regression as module
from pytest_bayesf1.baselines.regression import Promotion, promote
from pytest_bayesf1.errors import BaselineError, InputError
from pytest_bayesf1.files.tables import AS_IT_IS, Reading
from pytest_bayesf1.gates.gate_file import Gate
from pytest_bayesf1.settings import Session, Update, active
from tests.unit.baselines.runs import BASELINE, BETTER, MUCH_WORSE, OTHER_SET


def written(path, counts):
    path.write_text("".join(f"{a},{b}\n" for a, b in ConfusionMatrix(counts).counts.tolist()))
    return path


def predictions(path, *, wrong, n=400, ids=True, flipped=0):
    rows = [f"{f'e{n - i},' if ids else ''}{(i < flipped) ^ i % 2},{i % 2 ^ (i < wrong)}" for i in range(n)]
    path.write_text("\n".join([("id," if ids else "") + "y_true,y_pred", *rows]) + "\n")
    return path


@pytest.fixture
def gate(tmp_path):
    return Gate(
        name="spam",
        file=tmp_path / "bayesf1.yaml",
        line=2,
        baseline=tmp_path / "baselines" / "spam.csv",
        candidate=written(tmp_path / "spam.csv", BETTER),
        arguments={"measure": "accuracy", "rope": 0.0125, "model": "auto", "n_draws": 2_000},
        fail_on="<<",
        per_class=False,
        slices=(),
    )


@pytest.fixture
def kept(gate):
    gate.baseline.parent.mkdir()
    return written(gate.baseline, BASELINE)


def assert_untouched(gate, outcome_of):
    before = gate.baseline.read_bytes()
    found = outcome_of()
    assert gate.baseline.read_bytes() == before
    return found


def refusal(*gates, **options):
    with pytest.raises(InputError) as caught:
        promote(gates, **options)
    return str(caught.value)


def test_the_first_baseline_is_a_copy_of_the_candidate(gate):
    assert promote([gate]) is Promotion.CREATED
    assert gate.baseline.read_bytes() == gate.candidate.read_bytes()


@pytest.mark.usefixtures("kept")
def test_a_candidate_that_is_no_worse_replaces_it(gate):
    assert promote([gate]) is Promotion.REPLACED
    assert gate.baseline.read_bytes() == gate.candidate.read_bytes()
    assert assert_untouched(gate, lambda: promote([gate])) is Promotion.KEPT


@pytest.mark.usefixtures("kept")
def test_a_baseline_that_is_there_is_not_missing(gate):
    assert assert_untouched(gate, lambda: promote([gate], update=Update.NEW)) is Promotion.KEPT
    gate.candidate.unlink()
    assert promote([gate], update=Update.NEW) is Promotion.KEPT


@pytest.mark.usefixtures("kept")
def test_a_significantly_worse_candidate_needs_force(gate):
    written(gate.candidate, MUCH_WORSE)
    assert assert_untouched(gate, lambda: promote([gate])) is Promotion.REFUSED
    assert promote([gate], update=Update.FORCE) is Promotion.REPLACED
    assert gate.baseline.read_bytes() == gate.candidate.read_bytes()


@pytest.mark.usefixtures("kept")
def test_it_is_the_gates_own_rope_and_measure_that_count(gate):
    written(gate.candidate, MUCH_WORSE)
    with active(Session({"rope": 0.001, "measure": "f1_macro"})):
        tolerant = replace(gate, arguments={**gate.arguments, "rope": (0.5, "wide")})
        assert promote([tolerant]) is Promotion.REPLACED


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("model", ["auto", "same-set"])
def test_another_test_set_is_compared_as_such(gate, model):
    gate = replace(gate, arguments={**gate.arguments, "model": model})
    written(gate.candidate, ConfusionMatrix([[3_000, 2_000], [1_000, 3_500]]))
    assert promote([gate]) is Promotion.REFUSED
    written(gate.candidate, OTHER_SET)
    assert promote([gate]) is Promotion.REPLACED


@pytest.mark.parametrize("change", [{"ids": False}, {"n": 300}, {"flipped": 3}], ids=["no ids", "fewer", "truth"])
def test_predictions_of_another_test_set_are_compared_as_such(gate, change):
    gate.baseline.parent.mkdir()
    predictions(gate.baseline, wrong=10)
    predictions(gate.candidate, wrong=150, **change)
    assert promote([gate]) is Promotion.REFUSED
    predictions(gate.candidate, wrong=10, **change)
    assert promote([gate]) is Promotion.REPLACED


@pytest.mark.usefixtures("kept")
def test_every_gate_of_a_baseline_is_asked(gate):
    written(gate.candidate, [[4_400, 600], [0, 5_000]])
    wide = {**gate.arguments, "rope": (0.3, "wide")}
    recall = replace(gate, name="ham", arguments={**wide, "measure": "recall[0]"})
    precision = replace(gate, name="spam", arguments={**wide, "measure": "precision[1]"})
    assert promote([recall, precision]) is Promotion.REPLACED
    written(gate.candidate, [[2_000, 3_000], [0, 5_000]])
    assert promote([precision, recall]) is Promotion.REFUSED


@pytest.mark.usefixtures("kept")
def test_several_candidates_are_refused(gate, tmp_path):
    other = replace(gate, name="other", candidate=written(tmp_path / "other.csv", BETTER))
    told = refusal(gate, other, update=Update.FORCE)
    found = f"{gate.candidate} of spam and {other.candidate} of other"
    assert told == f"other: candidate: expected one candidate for {gate.baseline}, got {found}. Choose with --gate."
    linked = replace(other, candidate=tmp_path / "baselines" / ".." / "spam.csv")
    assert promote([gate, linked]) is Promotion.REPLACED


@pytest.mark.parametrize(
    ("candidate", "baseline"), [("spam.csv", "spam.json"), ("spam.csv.gz", "spam.csv"), ("spam.csv", "spam.csv.gz")]
)
def test_the_names_must_tell_the_same_format(gate, tmp_path, candidate, baseline):
    gate = replace(gate, candidate=tmp_path / candidate, baseline=tmp_path / "baselines" / baseline)
    suffix = candidate.removeprefix("spam")
    expected = f"a name that ends with '{suffix}', as candidate's"
    assert refusal(gate) == f"spam: baseline: expected {expected}, got '{baseline}'. Rename it in the gate file."


@pytest.mark.parametrize(
    ("candidate", "baseline"), [("model-1.2.csv", "spam.csv"), ("a.b.csv", "a.csv"), ("A.CSV", "a.csv")]
)
def test_other_dots_in_a_name_do_not_matter(gate, tmp_path, candidate, baseline):
    path = written(tmp_path / candidate, BETTER)
    gate = replace(gate, candidate=path, baseline=tmp_path / "baselines" / baseline)
    assert promote([gate]) is Promotion.CREATED


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("options", [{}, {"update": Update.FORCE}])
@pytest.mark.parametrize("damaged", ["baseline", "candidate"])
@pytest.mark.parametrize("content", ["1,2\n3\n", "", "y_true\na\n"])
def test_nothing_is_written_over_what_cannot_be_read(gate, options, damaged, content):
    getattr(gate, damaged).write_text(content)
    told = assert_untouched(gate, lambda: refusal(gate, **options))
    assert told.startswith(f"{damaged} ({getattr(gate, damaged)})")


def test_a_candidate_that_is_missing_or_damaged_is_no_first_baseline(gate):
    gate.candidate.write_text("1,2\n3\n")
    assert refusal(gate).startswith("candidate (")
    gate.candidate.unlink()
    assert refusal(gate) == f"candidate ({gate.candidate}): expected a file, got no such file"
    assert not gate.baseline.exists()


@pytest.mark.usefixtures("kept")
def test_a_missing_candidate_beside_a_baseline(gate):
    gate.candidate.unlink()
    assert refusal(gate) == f"candidate ({gate.candidate}): expected a file, got no such file"


def test_a_folder_in_the_place_of_a_baseline(gate):
    gate.baseline.mkdir(parents=True)
    assert refusal(gate) == f"baseline ({gate.baseline}): expected a file, got a directory"


def test_a_baseline_that_cannot_be_written(gate):
    gate.baseline.parent.write_text("a file")
    with pytest.raises(BaselineError, match=r"spam\.csv: expected a file that can be written, got "):
        promote([gate])


@pytest.mark.usefixtures("kept")
def test_a_write_that_fails_leaves_the_baseline_as_it_was(gate, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)

    def attempt():
        with pytest.raises(BaselineError, match="No space left on device"):
            module.promote([gate])

    assert_untouched(gate, attempt)
    assert [path.name for path in gate.baseline.parent.iterdir()] == ["spam.csv"]


@pytest.fixture
def anchored(gate):
    """A gate whose baseline has lost two points since the anchor."""
    for path, wrong in {"v1": 500, "baselines/spam": 600, "spam": 630}.items():
        (gate.file.parent / "baselines").mkdir(exist_ok=True)
        predictions(gate.file.parent / f"{path}.csv", wrong=wrong, n=10_000)
    return replace(gate, anchor=gate.file.parent / "v1.csv", budget=0.01, arguments={**gate.arguments, "rope": 0.03})


def moved(gate, update=Update.ALL):
    """Which files became the candidate's, and what was said."""
    told = promote([gate], update)
    return told, [path.read_bytes() == gate.candidate.read_bytes() for path in (gate.baseline, gate.anchor)]


@pytest.mark.parametrize("update", [Update.ANCHOR, Update.FORCE])
def test_a_loss_beyond_the_budget_is_refused_unless_total_loss_is_counted_anew(anchored, update):
    assert moved(anchored) == (Promotion.REFUSED, [False, False])
    assert moved(anchored, update) == (Promotion.REPLACED, [True, True])
    assert moved(anchored, update) == (Promotion.KEPT, [True, True])


@pytest.mark.parametrize("update", [Update.ALL, Update.FORCE])
def test_within_the_budget_the_baseline_moves_alone(anchored, update):
    assert moved(replace(anchored, budget=None), update) == (Promotion.REPLACED, [True, False])
    assert moved(anchored) == (Promotion.KEPT, [True, False])


@pytest.mark.usefixtures("kept")
def test_other_labels_begin_anew_by_force(gate):
    gate = replace(gate, anchor=gate.file.parent / "v1.csv")
    for path in (gate.baseline, gate.anchor):
        path.write_text(",eggs,bacon\neggs,5,1\nbacon,1,5\n")
    gate.candidate.write_text(",ham,spam\nham,5,1\nspam,1,5\n")
    refusal(gate)
    assert moved(gate, Update.FORCE) == (Promotion.REPLACED, [True, True])


def test_no_step_that_is_too_long_moves_the_anchor(anchored):
    predictions(anchored.candidate, wrong=2_000, n=10_000)
    assert moved(anchored, Update.ANCHOR) == (Promotion.REFUSED, [False, False])


@pytest.mark.parametrize("update", [Update.NEW, Update.ALL])
def test_a_missing_anchor_begins_as_the_baseline(anchored, update):
    anchored.anchor.unlink()
    before = anchored.baseline.read_bytes()
    promote([anchored], update)
    assert anchored.anchor.read_bytes() == before
    assert promote([anchored], Update.NEW) is Promotion.KEPT


def test_the_first_baseline_is_the_anchor(anchored):
    anchored.anchor.unlink()
    anchored.baseline.unlink()
    assert moved(anchored, Update.NEW) == (Promotion.CREATED, [True, True])


def test_another_test_set_begins_anew_but_not_with_a_loss(anchored):
    predictions(anchored.candidate, wrong=800, n=9_000)
    lenient = replace(anchored, arguments={**anchored.arguments, "rope": (0.3, "wide")})
    assert moved(lenient) == (Promotion.REFUSED, [False, False])
    assert moved(replace(lenient, budget=0.3)) == (Promotion.REPLACED, [True, True])


def test_the_anchor_has_the_candidates_format(anchored):
    told = refusal(replace(anchored, anchor=anchored.anchor.with_suffix(".json")))
    assert told.startswith("spam: anchor: expected a name that ends with '.csv', as candidate's")


def test_an_anchor_that_cannot_be_read_is_not_overwritten(anchored):
    anchored.anchor.write_text("1,2\n3\n")
    assert assert_untouched(anchored, lambda: refusal(anchored, update=Update.FORCE)).startswith("anchor (")


@pytest.mark.parametrize("side", ["baseline", "anchor"])
def test_a_copy_that_would_be_read_otherwise_is_refused(gate, kept, side):
    of_candidate = Reading(columns=(("y_pred", "new"),))
    readings = dict.fromkeys(("baseline", "anchor", "candidate"), of_candidate) | {side: AS_IT_IS}
    other = replace(gate, anchor=gate.baseline, readings=readings)
    assert assert_untouched(gate, lambda: refusal(other)) == (
        f"spam: {side}: expected the columns and rows of the candidate, whose file is copied, got other ones. "
        "Say columns and rows once, for the whole gate."
    )


def test_one_file_that_holds_both_sides_is_no_copy_of_its_own(gate):
    readings = {side: Reading(columns=(("y_pred", side),)) for side in ("baseline", "candidate")}
    both = replace(gate, baseline=gate.candidate, readings=readings)
    told = refusal(both)
    assert "whose file is copied, got other ones of the same file. Name the columns anew in the gate file" in told


def test_a_candidate_whose_columns_have_other_names_becomes_the_baseline(gate, tmp_path):
    columns = Reading(columns=(("y_true", "gold"), ("y_pred", "new")))
    gate.candidate.write_text("gold,new\n" + "a,a\nb,b\n" * 20)
    named = replace(gate, readings={"baseline": columns, "candidate": columns})
    assert promote([named]) is Promotion.CREATED
    assert gate.baseline.read_bytes() == gate.candidate.read_bytes()
