"""A much worse candidate whose data are misread: no door lets it pass, and read rightly it fails.

Logs that other rulers graded, or that repeat their questions, are in `tests.unit.files.test_eval_logs`.
"""

import json
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from pytest_bayesf1 import InputError, Scores, WeakBaselineWarning, compare
from tests.functional.gates import write_gate
from tests.unit.called import call

REFUSED, WORSE, UNDECIDED = "refused", "worse", "undecided"
RNG = np.random.default_rng(11)
N = 400


@dataclass(frozen=True)
class Data:
    """The truth, and what both sides say."""

    true: object
    old: object
    new: object
    kind: str = "classes"
    measure: str = "accuracy"
    declared: dict[str, object] = field(default_factory=dict)

    def said(self, change, **declared):
        """Change what both sides say."""
        return replace(self, old=change(self.old), new=change(self.new), declared=declared)

    def meant(self, change, **declared):
        """Change the truth."""
        return replace(self, true=change(self.true), declared=declared)


def classes(n_classes):
    true = RNG.integers(0, n_classes, N)
    wrong = (true + RNG.integers(1, n_classes, (2, N))) % n_classes
    return Data(true, *np.where(RNG.random((2, N)) < [[0.9], [0.7]], true, wrong))


def scores(n_classes, measure):
    true = RNG.integers(0, n_classes, N)
    said = np.eye(n_classes)[true] + RNG.normal(0, 1, (2, N, n_classes)) * [[[0.4]], [[1.5]]]
    return Data(true, *(said if n_classes > 2 else said[:, :, 1]), "scores", measure)


def labels():
    true = RNG.random((N, 5)) < 0.3
    return Data(true, *(true ^ (RNG.random((2, N, 5)) < [[[0.05]], [[0.2]]])), "labels", "f1_micro")


def spans():
    gold = [
        [(8 * at, 8 * at + width, "PER" if width > 2 else "ORG") for at in range(3)]
        for width in RNG.integers(1, 6, N).tolist()
    ]
    found = [[[(a, b + (RNG.random() < wrong), kind) for a, b, kind in each] for each in gold] for wrong in (0.1, 0.3)]
    return Data(gold, *found, "spans", "f1_micro")


def values():
    return Data(None, *(RNG.random((2, N)) < [[0.9], [0.7]]).astype(float), "values", "mean")


TWO, THREE, TWELVE = classes(2), classes(3), classes(12)
SCORES, OVR, LABELS, SPANS = scores(2, "roc_auc"), scores(4, "roc_auc_ovr"), labels(), spans()
VALUES = values()
CLIPPED = replace(SCORES, measure="accuracy@0.5").said(lambda said: np.clip(said, 0, 1))
NAMES, SHUFFLED = np.array(["cat", "dog", "emu"]), RNG.permutation(N)
NAMED = THREE.meant(lambda true: NAMES[true]).said(lambda said: NAMES[said])
SORTED = replace(THREE, true=np.sort(THREE.true))
THREE_ROWS = [*zip(THREE.true.tolist(), THREE.new.tolist(), strict=True)]
PADDING = RNG.random(N) < 0.8


def moved(start, end, per=1):
    return lambda side: [[(a // per + start, b // per + end, kind) for a, b, kind in spans] for spans in side]


def called(names):
    return lambda side: [[(a, b, names.get(kind, kind)) for a, b, kind in spans] for spans in side]


def inverted(label):
    return lambda side: side ^ (np.arange(5) == label)


def batches(side):
    return [[*map(str, each)] for each in np.split(side, N // 20)]


RIGHT = {
    "two classes": TWO,
    "three classes": NAMED,
    "twelve classes": TWELVE,
    "-1 and 1": TWO.meant(lambda true: 2 * true - 1).said(lambda said: 2 * said - 1),
    "scores": SCORES,
    "scores by a threshold": CLIPPED,
    "scores of four classes": OVR,
    "labels": LABELS,
    "spans": SPANS,
    "values": VALUES,
}

MISREAD = {
    "S1 inclusive ends": SPANS.said(moved(0, -1)),
    "S1 tokens": SPANS.said(moved(0, 0, per=4)),
    "S1 one late": SPANS.said(moved(1, 1)),
    "S1 other types": SPANS.said(called({"PER": "PERSON", "ORG": "ORGANISATION"})),
    "S1 baseline alone": replace(SPANS, old=moved(1, 1)(SPANS.old)),
    "S1 no spans": replace(SPANS, old=[[]] * N),
    "S2 inverted": TWO.said(lambda said: 1 - said),
    "S2 rotated": THREE.said(lambda said: (said + 1) % 3),
    "S2 from 1": THREE.said(lambda said: said + 1),
    "S2 truth from 1": THREE.meant(lambda true: true + 1),
    "S2 sorted as text": TWELVE.said(np.array(sorted(range(12), key=str)).take),
    "S2 two of twelve": TWELVE.said(np.array([*range(10), 11, 10]).take),
    "S2 baseline alone": replace(NAMED, old=np.roll(NAMES, 1)[THREE.old]),
    "S3 other class": SCORES.said(lambda said: 1 - said),
    "S3 other class by a threshold": CLIPPED.said(lambda said: 1 - said),
    "scores in percent by a threshold": CLIPPED.said(lambda said: 100 * said),
    "one side's scores in percent": replace(CLIPPED, new=100 * CLIPPED.new),
    "S3 distances": SCORES.said(lambda said: np.exp(-said)),
    "S3 rotated": OVR.said(lambda said: np.roll(said, 1, axis=1)),
    "S3 two columns": OVR.said(lambda said: said[:, [0, 1, 3, 2]]),
    "S3 labels inverted": LABELS.said(lambda said: ~said),
    "S3 one label inverted": LABELS.said(inverted(2)),
    "S3 labels rotated": LABELS.said(lambda said: np.roll(said, 1, axis=1)),
    "S4 both shuffled": SORTED.said(lambda _: THREE.old[SHUFFLED]),
    "S4 baseline shuffled": replace(THREE, old=THREE.old[SHUFFLED]),
    "S4 next row": THREE.said(lambda said: np.roll(said, 1)),
    "S4 scores shuffled": SCORES.said(lambda said: said[SHUFFLED]),
    "S4 labels shuffled": LABELS.said(lambda said: said[SHUFFLED]),
    "S5 scores for classes": replace(SCORES, kind="classes", measure="accuracy"),
    "S5 lists of one for classes": TWO.said(lambda said: said[:, None]),
    "S5 largest of one": TWO.said(np.zeros_like),
    "S6 truth of -1 and 1": TWO.meant(lambda true: 2 * true - 1),
    "S6 answers of -1 and 1": TWO.said(lambda said: 2 * said - 1),
    "S6 answers of -1 and 1, labels": TWO.said(lambda said: 2 * said - 1, labels=[-1, 0, 1]),
    "S6 yes and no": TWO.meant(lambda true: np.array(["no", "yes"])[true]),
    "S6 padding": THREE.meant(lambda true: np.where(PADDING, -100, true)),
    "S6 padding of -1": THREE.meant(lambda true: np.where(PADDING, -1, true)),
    "S6 padding on all sides": THREE.meant(lambda true: np.where(PADDING, -100, true)).said(
        lambda said: np.where(PADDING, -100, said)
    ),
    "S6 padding, labels": THREE.meant(lambda true: np.where(PADDING, -100, true), labels=[0, 1, 2]),
    "S7 LABEL_": THREE.said(lambda said: [f"LABEL_{each}" for each in said]),
    "S7 LABEL_, wrong": THREE.said(lambda said: [f"LABEL_{each}" for each in said], invalid="wrong"),
    "S7 LABEL_, labels": NAMED.said(
        lambda said: [f"__label__{each}" for each in said], labels=[*NAMES, *(f"__label__{each}" for each in NAMES)]
    ),
    "S7 one class": NAMED.said(lambda said: np.where(said == "emu", "Emu", said)),
    "S7 one class, labels": NAMED.said(lambda said: np.where(said == "emu", "Emu", said), labels=[*NAMES, "Emu"]),
    "S7 floats": THREE.said(lambda said: [f"{each}.0" for each in said]),
    "S11 batches": TWO.meant(batches).said(batches),
    "S11 batches for labels": replace(TWO.meant(batches).said(batches), kind="labels", measure="f1_micro"),
    "values in percent": replace(VALUES, new=100 * VALUES.new),
    "values of 1 to 5": replace(VALUES, new=1 + 4 * VALUES.new),
    "values of losses, negated": Data(None, VALUES.old - 1, 1 - VALUES.new, "values", "mean"),
    "values of -1 for errors": replace(VALUES, old=np.where(PADDING, VALUES.old, -1)),
    "runs one after the other": replace(THREE, true=np.tile(THREE.true[:80], 5)),
}


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write(folder, name, rows):
    (folder / name).write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def plain(values):
    return values.tolist() if isinstance(values, np.ndarray) else values


def rows_of(data, side):
    if data.kind == "values":
        yield from ({"value": value} for value in side.tolist())
        return
    for true, said in zip(plain(data.true), plain(side), strict=True):
        if data.kind == "spans":
            yield {"gold": true, "predicted": said}
        elif data.kind == "scores":
            columns = {f"y_score_{code}": score for code, score in enumerate(said)} if isinstance(said, list) else said
            yield {"y_true": true, **(columns if isinstance(columns, dict) else {"y_score": said})}
        elif data.kind == "labels" and isinstance(true[0], bool):
            yield {"y_true": [*map(int, true)], "y_pred": [*map(int, said)]}
        else:
            yield {"y_true": true, "y_pred": said}


def in_python(data):
    sides = [data.true, data.old, data.new]
    known = {} if data.kind in ("classes", "values") else {"kind": data.kind}
    asked = {"rope": 0.01, "measure": data.measure, "n_draws": 2_000, **known, **data.declared}
    try:
        if data.kind == "values":
            sides = [*map(Scores.from_values, sides[1:])]
        return compare(*sides, **asked).decision
    except InputError as error:
        assert "\n" not in str(error)  # noqa: PT017
        return REFUSED


OUTCOMES = {0: "passed", 1: WORSE, 2: REFUSED, 3: UNDECIDED, 4: REFUSED}


def by_commands(folder, **asked):
    """Compare old.jsonl with new.jsonl by the command and by a gate; both come to the same."""
    asked = {"rope": 0.01, **asked}
    write_gate(folder, baseline="old.jsonl", candidate="new.jsonl", **asked)
    words = []
    for name, value in asked.items():
        option = {"labels": "label", "columns": "column"}.get(name, name.replace("_", "-"))
        listed = [f"{a}={b}" for a, b in value.items()] if isinstance(value, dict) else value
        for each in listed if isinstance(listed, list) else [listed]:
            words += [f"--{option}", str(each)]
    commands = ["compare", "old.jsonl", "new.jsonl", *words], ["gate"]
    codes = [call(*each, env={"CI": ""}).exit_code for each in commands]
    outcome, of_gate = (OUTCOMES[code] for code in codes)
    assert outcome == of_gate
    return outcome


def in_files(folder, data):
    for name, side in (("old.jsonl", data.old), ("new.jsonl", data.new)):
        write(folder, name, rows_of(data, side))
    return by_commands(folder, kind=data.kind, measure=data.measure, **data.declared)


@pytest.mark.parametrize("name", RIGHT)
def test_read_rightly_it_is_worse(tmp_path, name):
    data = RIGHT[name]
    assert in_python(data) == "≪"
    assert in_files(tmp_path, data) == WORSE
    assert in_files(tmp_path, replace(data, new=data.old)) == "passed"


@pytest.mark.parametrize("name", MISREAD)
def test_misread_it_is_refused(tmp_path, name):
    assert in_python(MISREAD[name]) == REFUSED
    assert in_files(tmp_path, MISREAD[name]) == REFUSED


def spelt(codes):
    return np.where(np.arange(N) % 2, NAMES[codes], np.char.upper(NAMES[codes]))


LOUD = {
    "classes spelt in two ways": (
        Data(spelt(THREE.true), NAMES[THREE.old], spelt(THREE.new), measure="accuracy"),
        "CAT",
    ),
    "one class read as another": (replace(NAMED, old=np.where(NAMED.old == "cat", "dog", NAMED.old)), "cat"),
    "two labels changed places": (replace(LABELS, old=LABELS.old[:, [1, 0, 2, 3, 4]]), "0, 1"),
    "inclusive ends of one type": (
        replace(SPANS, old=[[(a, b - (k == "PER"), k) for a, b, k in each] for each in SPANS.old]),
        "PER",
    ),
    "a quarter cannot be read": (
        replace(NAMED, old=np.where(np.arange(N) % 4, NAMED.old, "ERROR"), declared={"invalid": "wrong"}),
        "25%",
    ),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", LOUD)
def test_a_part_that_the_baseline_does_not_know_is_told(tmp_path, name):
    data, told = LOUD[name]
    with pytest.warns(WeakBaselineWarning, match=told):
        in_python(data)
    in_files(tmp_path, data)
    printed = call("gate", env={"CI": ""}).output
    assert "The baseline may be misread" in " ".join(printed.split())


REJECTED = RNG.random(N) < 0.4
OF_PRODIGY = {"columns": {"y_true": "label", "y_pred": "model"}}


def of_prodigy(number, true, said):
    """Reject the label that the model proposed, where it is wrong for certain."""
    known = {"_task_hash": number, "answer": "reject" if REJECTED[number] else "accept"}
    return {**known, "label": said if REJECTED[number] else true, "model": said}


def with_flags(_, true, said):
    flags = {"tp": true == said == 1, "fp": true < said, "fn": true > said}
    return {"y_true": true, "y_pred": said, **{name: int(flag) for name, flag in flags.items()}}


def with_gold_flags(number, true, said):
    row = with_flags(number, true, said)
    return {"gold": row.pop("y_true"), "guess": row.pop("y_pred"), **row}


def called_value(name, **asked):
    columns = {} if name == "value" else {"columns": {"value": name}}
    return lambda _, true, said: {name: int(true != said)}, {"measure": "mean", **columns, **asked}


ROWS = {
    "S8 rejected": (of_prodigy, OF_PRODIGY, WORSE),
    "S8 ids": (of_prodigy, {"columns": {**OF_PRODIGY["columns"], "id": "_task_hash"}}, WORSE),
    "S8 ignored": (lambda *row: {**of_prodigy(*row), "answer": "ignore"}, OF_PRODIGY, REFUSED),
    "S9 flags beside answers": (with_flags, {}, WORSE),
    "S9 flags beside declared columns": (with_gold_flags, {"columns": {"y_true": "gold", "y_pred": "guess"}}, WORSE),
    "S9 counts beside answers": (lambda *row: {**with_flags(*row), "n": 1}, {}, REFUSED),
    "S9 flags alone": (lambda *row: {name: with_flags(*row)[name] for name in ("tp", "fp", "fn")}, {}, REFUSED),
    "S9 a value beside answers": (lambda *row: {**with_flags(*row), "value": 1, "y_score": 1}, {}, WORSE),
    **{f"S10 {name}": (*called_value(name), REFUSED) for name in ("incorrect", "asr", "penalty", "zorp")},
    "S10 declared": (*called_value("incorrect", better="lower"), WORSE),
    "S10 declared of a usual name": (*called_value("value", better="lower"), WORSE),
    "S10 a kind alone": (called_value("incorrect")[0], {"kind": "values", "measure": "mean"}, REFUSED),
}


@pytest.mark.parametrize("name", ROWS)
def test_other_columns_of_files(tmp_path, name):
    row, asked, outcome = ROWS[name]
    for file, side in (("old.jsonl", TWO.old), ("new.jsonl", TWO.new)):
        write(tmp_path, file, map(row, range(N), TWO.true.tolist(), side.tolist()))
    assert by_commands(tmp_path, **asked) == outcome


ANOTHER_SET = {
    "without what it got wrong": lambda: [
        (number, true, said) for number, (true, said) in enumerate(THREE_ROWS) if true == said or number % 8 == 0
    ],
    "its own answers for truths": lambda: [
        (number, said if number % 8 else true, said) for number, (true, said) in enumerate(THREE_ROWS)
    ],
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ANOTHER_SET)
def test_advice_for_two_test_sets_lets_no_worse_candidate_pass(tmp_path, name):
    old = zip(THREE.true.tolist(), THREE.old.tolist(), strict=True)
    write(tmp_path, "old.jsonl", [{"id": number, "y_true": t, "y_pred": p} for number, (t, p) in enumerate(old)])
    write(tmp_path, "new.jsonl", [{"id": number, "y_true": t, "y_pred": p} for number, t, p in ANOTHER_SET[name]()])
    assert by_commands(tmp_path, fail_on="unproven") == REFUSED
    assert by_commands(tmp_path, fail_on="unproven", on_new_test_set="independent") == UNDECIDED
