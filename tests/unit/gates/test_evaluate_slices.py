import pytest

from pytest_bayesf1 import InputError, compare
from tests.unit.gates.written_gates import BASELINE, CANDIDATE, N, counts, figures, parts, result_of, side

LANGUAGES = ["de", "en", "fr"] * (N // 3) + ["de"] * (N % 3)


def examples(truth, predictions, **columns):
    return {"id": list(range(len(truth))), "y_true": truth, "y_pred": predictions, **columns}


def only(columns, value, of="language"):
    """Return the examples that have this value."""
    kept = [row for row, found in enumerate(columns[of]) if found == value]
    return {name: [values[row] for row in kept] for name, values in columns.items()}


@pytest.mark.slow
@pytest.mark.parametrize("model", ["auto", "paired", "same-set", "independent"])
@pytest.mark.one_of_many
def test_every_value_of_a_column_is_compared_by_the_measure_of_the_gate(tmp_path, model):
    sides = [{**each, "language": LANGUAGES} for each in (BASELINE, CANDIDATE)]
    result = result_of(tmp_path, *sides, slices=["language"], measure="accuracy", model=model)
    found = parts(result)
    assert list(found) == ["", "language=de", "language=en", "language=fr"]
    assert [judgement.gate for judgement in result.judgements] == ['fail_on "<<"', *["slices"] * 3]
    for value in ("de", "en", "fr"):
        direct = compare(*(counts(only(each, value)) for each in sides), measure="accuracy", rope=0.02, model=model)
        assert figures(found[f"language={value}"]) == figures(direct)


@pytest.mark.slow
def test_several_columns_beside_the_classes(tmp_path):
    columns = {"language": LANGUAGES, "long": [number % 2 == 0 for number in range(N)]}
    sides = [{**each, **columns} for each in (BASELINE, CANDIDATE)]
    result = result_of(tmp_path, *sides, slices=["long", "language"], per_class=True, measure="accuracy")
    assert list(parts(result)) == [
        "",
        *("class a", "class b", "class c"),
        *("long=False", "long=True"),
        *("language=de", "language=en", "language=fr"),
    ]
    assert " of 8 comparisons of single classes or slices failed; " in result.notes()[0]
    assert "up to 0.2 would be expected to fail by chance." in result.notes()[0]


def test_a_slice_that_falls_makes_the_gate_fail_though_all_the_data_do_not(tmp_path):
    truth = ["ham", "spam"] * 2_000
    where = ["en"] * 3_800 + ["xx"] * 200
    wrong = [{"ham": "spam", "spam": "ham"}[label] for label in truth]
    result = result_of(
        tmp_path,
        examples(truth, truth, language=where),
        examples(truth, truth[:3_900] + wrong[3_900:], language=where),
        slices=["language"],
        rope=0.1,
    )
    assert [(judgement.part, judgement.verdict) for judgement in result.judgements] == [
        ("", "passed"),
        ("language=en", "passed"),
        ("language=xx", "failed"),
    ]
    assert result.message.startswith("≪ language=xx, macro-F1 −")


def test_a_slice_has_the_classes_that_either_side_has_in_it(tmp_path):
    truth = ["ham", "spam"] * 500 + ["ham"] * 200
    where = ["en"] * 1_000 + ["xx"] * 200
    missed = [*truth[:1_000], *["spam"] * 150, *["ham"] * 50]
    sides = examples(truth, truth, language=where), examples(truth, missed, language=where)
    for baseline, candidate, verdict in ((*sides, "failed"), (*reversed(sides), "passed")):
        result = result_of(tmp_path, baseline, candidate, slices=["language"], measure="accuracy", rope=[0.2, "wide"])
        assert result.left_out == ()
        assert [(judgement.part, judgement.verdict) for judgement in result.judgements][-1] == ("language=xx", verdict)


def test_a_slice_of_one_class_is_left_out_and_told(tmp_path):
    truth = ["ham", "spam"] * 100
    columns = examples(truth, truth, language=["en"] * 198 + ["x", "y"])
    result = result_of(tmp_path, columns, columns, slices=["language"])
    assert list(parts(result)) == ["", "language=en"]
    assert result.verdict == "passed"
    assert [note.partition(" could not be compared: ")[0] for note in result.left_out] == ["language=x", "language=y"]
    assert "expected at least two classes, got one class only ('ham')" in result.left_out[0]
    assert result.notes()[1:] == result.left_out


def test_a_value_on_one_side_only_is_left_out_and_told(tmp_path):
    renamed = [{"en": "EN"}.get(value, value) for value in LANGUAGES]
    sides = {**BASELINE, "language": LANGUAGES}, {**CANDIDATE, "language": renamed}
    result = result_of(tmp_path, *sides, slices=["language"], measure="accuracy")
    assert list(parts(result)) == ["", "language=de", "language=fr"]
    assert result.left_out == (
        "language=EN could not be compared: baseline: expected examples of it, got none",
        "language=en could not be compared: candidate: expected examples of it, got none",
    )


@pytest.mark.slow
def test_two_test_sets_are_sliced_each_by_its_own_column(tmp_path):
    other = {**side(0.8, 3), "id": [number + N for number in range(N)], "language": LANGUAGES[::-1]}
    sides = {**BASELINE, "language": LANGUAGES}, other
    found = parts(result_of(tmp_path, *sides, slices=["language"], measure="accuracy", model="independent"))
    direct = compare(*(counts(only(each, "en")) for each in sides), measure="accuracy", rope=0.02, model="independent")
    assert figures(found["language=en"]) == figures(direct)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("baseline", "candidate", "told"),
    [
        (True, False, "candidate.*: expected a column 'language' to slice by, got columns 'id', 'y_true', 'y_pred'$"),
        (False, True, "baseline.*: expected a column 'language' to slice by, got columns 'id', 'y_true', 'y_pred'$"),
    ],
)
def test_a_column_that_is_not_there(tmp_path, baseline, candidate, told):
    sides = [
        {**each, **({"language": LANGUAGES} if has_column else {})}
        for each, has_column in ((BASELINE, baseline), (CANDIDATE, candidate))
    ]
    with pytest.raises(InputError, match=told):
        result_of(tmp_path, *sides, slices=["language"])


def test_matrices_have_no_slices(tmp_path):
    matrix = [[50, 3], [4, 60]]
    with pytest.raises(
        InputError, match=r"^baseline \(.*\): expected predictions, which alone have slices, got a matrix of counts$"
    ):
        result_of(tmp_path, matrix, matrix, slices=["language"])


@pytest.mark.slow
@pytest.mark.parametrize("value", ["two\nlines", "", "a=b", "[x]", "a|b", "\u202e", 1.5, True, None])
@pytest.mark.one_of_many
def test_hostile_values(tmp_path, value):
    columns = [value if number % 2 else "plain" for number in range(N)]
    sides = {**BASELINE, "language": columns}, {**CANDIDATE, "language": columns}
    found = parts(result_of(tmp_path, *sides, slices=["language"], measure="accuracy"))
    text = "" if value is None else " ".join(str(value).split())
    assert set(found) == {"", "language=plain", f"language={text}"}


def test_slices_of_which_none_can_be_compared_are_an_error(tmp_path):
    sides = [{**each, "region": [region] * N} for each, region in ((BASELINE, "eu"), (CANDIDATE, "EU"))]
    with pytest.raises(InputError, match="slices: region: expected a value that both files have, got none"):
        result_of(tmp_path, *sides, slices=["region"])


def test_a_slice_without_examples_of_the_class_asked_for_is_listed_with_the_reason(tmp_path):
    truth = ["hateful", "fine"] * 200 + ["fine"] * 50
    baseline = ["hateful", "fine"] * 200 + ["hateful"] * 3 + ["fine"] * 47
    where = ["chat"] * 400 + ["mail"] * 50
    candidate = ["hateful", "fine"] * 200 + ["fine"] * 50
    sides = [examples(truth, each, place=where) for each in (baseline, candidate)]
    result = result_of(tmp_path, *sides, slices=["place"], measure="f1[hateful]", rope=0.05)
    assert list(parts(result)) == ["", "place=chat"]
    (told,) = result.left_out
    assert told.startswith("place=mail could not be compared: measure f1[hateful]: expected an example of the class")
    assert "none of class 'hateful' in the test set of the baseline" in told
