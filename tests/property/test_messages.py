"""Messages write data as it is, even where it looks like an argument."""

import json
import warnings
from pathlib import Path

import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, Scores, compare, rank
from pytest_bayesf1.data.columns import Schema
from pytest_bayesf1.files.side import read_side

NAMES = (
    "size=30",
    "labels=5",
    "--rope 3",
    "rope: 1",
    "ids=...",
    'invalid="wrong"',
    "from_predictions(x)",
    "columns: {id: x} in a gate file, --column id=x",
)
TRUTH = ["ham", "spam"] * 40
SAID = [*TRUTH[1:21], *TRUTH[20:]]


def predicted(true=TRUTH, said=SAID, **more):
    return ConfusionMatrix.from_predictions(true, said, **more)


def named(name, n=80):
    """Return labels of which one has the name."""
    return ["ham", name] * (n // 2)


def file(folder, name, column="y_true"):
    path = Path(folder) / "file.json"
    path.write_text(json.dumps({column: named(name), "y_pred": ["ham"] * 80}))
    return path


MESSAGES = {
    "a label of one side": lambda name, _: compare(
        predicted(labels=["ham", "spam", name]), predicted(labels=["ham", "spam"]), measure="accuracy", rope=0.1
    ),
    "labels of two kinds": lambda name, _: compare(
        predicted([name, "~"] * 40, [name, "~"] * 40), predicted([0, 1] * 40, [0, 1] * 40), measure="accuracy", rope=0.1
    ),
    "another vocabulary": lambda name, _: compare(
        predicted(named(name), ["yes", "no"] * 40), predicted(named(name)), measure="accuracy", rope=0.1
    ),
    "a class without examples": lambda name, _: compare(
        predicted(labels=["ham", "spam", name]),
        predicted(labels=["ham", "spam", name]),
        measure=f"f1[{name}]",
        rope=0.1,
    ),
    "no such class": lambda name, _: compare(predicted(), predicted(), measure=f"f1[{name}]", rope=0.1),
    "shares of no class": lambda name, _: compare(
        predicted(), predicted(), measure="accuracy", rope=0.1, prevalence={name: 0.1}
    ),
    "an id twice": lambda name, _: predicted(ids=[name, name, *map(str, range(78))]),
    "an id of one side": lambda name, _: compare(
        predicted(ids=[name, *map(str, range(79))]),
        predicted(ids=list(map(str, range(80)))),
        measure="accuracy",
        rope=0.1,
        on_new_test_set="error",
    ),
    "another truth": lambda name, _: compare(
        predicted(named(name), named(name)),
        predicted([*reversed(named(name))], named(name)),
        measure="accuracy",
        rope=0.1,
    ),
    "scores without a positive class": lambda name, _: Scores.from_predictions(named(name), [0.1, 0.9] * 40),
    "one class": lambda name, _: predicted([name] * 80, [name] * 80),
    "a system": lambda name, _: rank(
        {name: predicted(), "second": predicted(ids=range(80)), "third": predicted()}, measure="accuracy", rope=0.1
    ),
    "a class of a system": lambda name, _: rank(
        {name: predicted(said=["ham"] * 80), "second": predicted(), "third": predicted()},
        measure="precision_macro",
        rope=0.1,
    ),
    "columns of a file": lambda name, folder: read_side(file(folder, "ham", column=name), "baseline").counts(),
    "a column that is not there": lambda name, folder: read_side(
        file(folder, "ham"), "baseline", Schema(columns=(("y_pred", name),))
    ).counts(),
    "rows that are not there": lambda name, folder: read_side(
        file(folder, "ham"), "baseline", Schema(rows=(("y_true", name),))
    ).counts(),
    "unexpected predictions": lambda name, _: compare(
        predicted(said=[name, *SAID[1:]]), predicted(said=[name, *SAID[1:]]), measure="accuracy", rope=0.1
    ),
}


def said(make, name, folder):
    """Return the error, or the text of the result and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            text = str(make(name, folder))
        except InputError as error:
            text = str(error)
    return "\n".join([text, *(str(each.message) for each in caught)])


@pytest.mark.parametrize("message", MESSAGES)
def test_data_that_looks_like_an_argument_stays_as_it_is(tmp_path, message):
    for name in NAMES:
        text = said(MESSAGES[message], name, tmp_path)
        assert name in text or repr(name)[1:-1] in text


def test_systems_keep_their_names():
    systems = {"the candidate": predicted(), "baseline": predicted(ids=range(80))}
    named = r"^the candidate \(baseline\), baseline \(candidate\), baseline\.ids: There are none"
    with pytest.raises(InputError, match=named):
        rank(systems, measure="accuracy", rope=0.1)
