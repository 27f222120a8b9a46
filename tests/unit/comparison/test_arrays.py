"""Three arrays instead of two sides: the same result, or an error that says the right call."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pytest_bayesf1 as bf
from pytest_bayesf1 import ConfusionMatrix, InputError, MultilabelCounts, Regression, Scores, SpanCounts
from pytest_bayesf1.baselines.store import BaselineStore
from pytest_bayesf1.project import Update
from tests.unit.made_up import recording
from tests.unit.refused import assert_refused, case

N = 168
RANDOM = np.random.default_rng(3)
TRUE = RANDOM.choice(["ham", "news", "spam"], N)
OLD, NEW = (np.where(RANDOM.random(N) < share, TRUE, RANDOM.choice(TRUE, N)) for share in (0.9, 0.85))
WIDE = {"rope": (0.3, "wide"), "n_draws": 1_000}


def sets(labels):
    return [{label, "any"} if number % 3 else {label} for number, label in enumerate(labels)]


def tags(labels):
    return [[f"B-{label}", f"I-{label}", "O"] for label in labels]


FORMS = {
    "series of sets": (lambda labels: pd.Series(sets(labels)), MultilabelCounts.from_predictions, "labels"),
    "tags": (tags, SpanCounts.from_bio, "spans"),
}
ASSERTIONS = [bf.assert_not_worse, bf.assert_not_inferior, bf.assert_better, bf.assert_equivalent]
TWO_SIDED = [bf.compare, *ASSERTIONS]
by_name = pytest.mark.parametrize("function", TWO_SIDED, ids=lambda function: function.__name__)


def outcome(function, *sides, **given):
    try:
        return function(*sides, **WIDE, **given).to_dict()
    except AssertionError as failure:
        return str(failure)


def both_sides(make=ConfusionMatrix.from_predictions, form=np.array, **known):
    return [make(form(TRUE), form(side), **known) for side in (OLD, NEW)]


@pytest.mark.parametrize(("form", "make", "kind"), FORMS.values(), ids=FORMS)
def test_arrays_say_what_both_sides_say(form, make, kind):
    arrays = map(form, (TRUE, OLD, NEW))
    assert outcome(bf.compare, *arrays, kind=kind) == outcome(bf.compare, *both_sides(make, form))


@by_name
def test_every_door_takes_arrays(function):
    assert outcome(function, TRUE, OLD, NEW) == outcome(function, *both_sides())
    by_their_names = {"candidate": NEW, "baseline": OLD, "y_true": TRUE}
    assert outcome(function, **by_their_names) == outcome(function, *both_sides())


@pytest.mark.parametrize("function", ASSERTIONS, ids=lambda function: function.__name__)
def test_arrays_have_classes_and_slices(function):
    parts = {"per_class": True, "slices": {"language": ["en", "fi"] * (N // 2)}}
    assert outcome(function, TRUE, OLD, NEW, **parts) == outcome(function, *both_sides(), **parts)


@pytest.mark.parametrize(
    "known",
    [
        {"labels": ["ham", "news", "spam", "other"]},
        {"ids": [f"m{number}" for number in range(N)], "show": {"text": list(TRUE)}},
        {"clusters": np.arange(N) // 4},
        {"ids": np.arange(N) // 2, "runs": "samples"},
    ],
    ids=" ".join,
)
def test_what_from_predictions_takes_goes_with_arrays(known):
    true = np.repeat(TRUE[::2], 2) if "runs" in known else TRUE
    sides = [ConfusionMatrix.from_predictions(true, side, **known) for side in (OLD, NEW)]
    assert outcome(bf.compare, true, OLD, NEW, **known) == outcome(bf.compare, *sides)


def test_ids_of_spans_name_their_documents():
    documents = [f"d{number // 2}" for number in range(N)]
    sides = both_sides(SpanCounts.from_bio, tags, documents=documents)
    arrays = map(tags, (TRUE, OLD, NEW))
    assert outcome(bf.compare, *arrays, ids=documents, kind="spans") == outcome(bf.compare, *sides)


def test_arrays_pass_once_only():
    assert outcome(bf.compare, iter(TRUE), (each for each in OLD), map(str, NEW)) == outcome(bf.compare, TRUE, OLD, NEW)


def test_one_side_is_two_arrays(tmp_path):
    side, arguments = ConfusionMatrix.from_predictions(TRUE, OLD), {"n_draws": 1_000}
    estimate = bf.assert_at_least(side, 0.5, **arguments).to_dict()
    assert bf.assert_at_least(TRUE, OLD, 0.5, **arguments).to_dict() == estimate
    assert bf.assert_at_least(TRUE, OLD, floor=0.5, **arguments).to_dict() == estimate
    assert bf.assert_at_least(y_pred=OLD, y_true=TRUE, floor=0.5, **arguments).to_dict() == estimate
    store = BaselineStore(tmp_path)
    Regression(store, "test", Update.NEW, "pytest").check(TRUE, OLD, rope=0.1, ids=range(N))


def test_a_plan_takes_a_pilot_of_arrays():
    arguments = {"rope": 0.05}
    assert bf.plan(TRUE, OLD, NEW, **arguments).to_dict() == bf.plan(*both_sides(), **arguments).to_dict()


def compared(*arrays, **given):
    return lambda: bf.compare(*arrays, **{"rope": 0.1, **given})


IN_ORDER = "y_true, baseline, candidate"
SERIES = pd.Series(NEW)
A_KIND, A_VALUE, A_MATRIX = "Declare: kind", "a value for every example", "a square matrix"
REFUSED = [
    case("two arrays", compared(TRUE, OLD), "baseline", A_MATRIX, "shape (168,)", "from_predictions"),
    case("the truth alone", lambda: bf.compare(TRUE, rope=0.1), "candidate", "", "There is none", IN_ORDER),
    case("runs without a word", compared(TRUE, np.stack([OLD] * 2, 1), NEW), "baseline", "", "(168, 2)", A_KIND),
    case("lengths", compared(TRUE, OLD, NEW[1:]), "candidate", "168 labels, as in y_true", "167"),
    case("shuffled", compared(TRUE, SERIES, SERIES[::-1]), "candidate", "", "not that of baseline", ".to_numpy()"),
    case("scores", compared(TRUE, Scores.from_values([1, 2]), NEW), "baseline", A_VALUE, "Scores", "both sides alone"),
    case("nothing", compared(TRUE, OLD, None), "candidate", A_VALUE, "None"),
    case("a path", compared(TRUE, "old.csv", NEW), "baseline", A_VALUE, "'old.csv'"),
    case("the ROPE behind arrays", lambda: bf.compare(TRUE, OLD, NEW, 0.01), "arguments", "", IN_ORDER, "rope=0.01"),
    case("one missing", lambda: bf.compare(y_true=TRUE, baseline=OLD, rope=0.1), "candidate", "", "missing", IN_ORDER),
    case("one twice", lambda: bf.compare(TRUE, OLD, NEW, baseline=OLD), "baseline", "", "twice", IN_ORDER),
    case("labels of sides", compared(*both_sides(), labels=[""]), "labels", "", "there are none", "from_predictions"),
    case("no floor", lambda: bf.assert_at_least(TRUE, OLD), "floor", "a finite number", ""),
    case("one array alone", lambda: bf.estimate(TRUE), "cm", "", "shape (168,)", "y_true, y_pred"),
    case("a score behind the truth", lambda: bf.estimate(TRUE, 0.9), "y_pred", "a value", "0.9"),
    case("both sides", lambda: bf.estimate(TRUE, OLD, NEW), "arguments", "", "y_true, y_pred", "by name"),
    case("no kind of that name", compared(TRUE, OLD, NEW, kind="sets"), "kind", "classes, labels, spans", "'sets'"),
    case("values", compared(TRUE, OLD, NEW, kind="values"), "kind", "no values", "", "Scores.from_values"),
    case("counts", compared(TRUE, OLD, NEW, kind="counts"), "kind", "no counts", "", "both matrices"),
    case("a slip", compared(TRUE, OLD, NEW, mesure="f1"), "arguments", "", "'mesure'", "Did you mean 'measure'?"),
    case("a weight", lambda: bf.assert_not_worse(TRUE, OLD, NEW, weight=OLD), "arguments", "", "'weight'"),
]


@pytest.mark.parametrize(("call", "where", "expected", "found", "advice"), REFUSED)
def test_what_is_refused(call, where, expected, found, advice):
    assert_refused(call, where, expected, found, advice)


@pytest.mark.parametrize(
    "call",
    [
        compared(TRUE, OLD, NEW[1:]),
        compared(TRUE, OLD),
        lambda: bf.assert_not_worse(TRUE, OLD, NEW),
        lambda: bf.estimate(TRUE, NEW[1:]),
        lambda: bf.rank({"old": OLD}, rope=0.1),
        lambda: ConfusionMatrix.from_predictions(TRUE, NEW[1:]),
    ],
)
def test_an_error_ends_in_one_frame_of_ours(call):
    with pytest.raises(InputError) as caught:
        call()
    frames = [Path(entry.frame.code.path).parent.name for entry in caught.traceback]
    assert frames.count("pytest_bayesf1") == 1
    assert frames[-1] == "pytest_bayesf1"
    assert not {*frames} & {"comparison", "data", "gates"} - {Path(__file__).parent.name}


def test_the_truth_by_name_leaves_both_sides_in_their_order():
    assert outcome(bf.compare, OLD, NEW, y_true=TRUE) == outcome(bf.compare, TRUE, OLD, NEW)
    assert bf.assert_at_least(OLD, 0.5, y_true=TRUE).floor == 0.5


class TestEstimate:
    def test_it_says_what_a_floor_s_estimate_says_of_the_score(self):
        found, with_floor = bf.estimate(TRUE, OLD), bf.assert_at_least(TRUE, OLD, 0.5)
        assert found.score.figures == with_floor.score.figures
        assert found.score.figures == bf.estimate(ConfusionMatrix.from_predictions(TRUE, OLD)).score.figures
        assert (found.floor, found.p_below_floor, found.below_floor, found.above_floor) == (None, None, False, False)

    def test_no_report_lists_it(self):
        with recording() as recorded:
            bf.estimate(TRUE, OLD)
        assert recorded == []
