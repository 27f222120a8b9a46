"""The stored baseline of a test and the one that a gate file names are judged and replaced alike, for every kind."""

import json
import warnings
from dataclasses import dataclass, replace

import numpy as np
import pytest

from pytest_bayesf1 import BaselineError, InputError, estimate
from pytest_bayesf1.baselines.store import Baseline, BaselineStore
from pytest_bayesf1.files.side import read_side
from pytest_bayesf1.gates.anchor import PART
from pytest_bayesf1.gates.evaluate import evaluate
from pytest_bayesf1.gates.gate_file import load_gates
from pytest_bayesf1.gates.regression import Regression, promote
from pytest_bayesf1.git import CHECKED_OUT, Revision
from pytest_bayesf1.project import Update
from pytest_bayesf1.results.run import Use
from tests.property.kinds import KINDS, Made, measure_of
from tests.property.test_doors import READING, declared, rows
from tests.unit.committed import Committed
from tests.unit.made_up import recording

pytestmark = pytest.mark.filterwarnings("ignore::pytest_bayesf1.BayesF1Warning")
ASKED = {"rope": [0.1, "wide"], "budget": 0.2, "weak_baseline": True}


@dataclass
class Candidate:
    """What one system answers about examples that have ids."""

    kind: str
    made: Made
    system: int = 0
    first: int = 0

    @property
    def ids(self):
        return list(range(1_000 + self.first, 1_000 + self.first + len(self.made.true)))

    def side(self):
        return KINDS[self.kind].side(self.made, self.system, **{KINDS[self.kind].ids: self.ids})

    def write(self, path):
        found = ({**row, "id": self.ids[row["id"]]} for row in rows(self.kind, self.made, self.system))
        path.write_text("".join(f"{json.dumps(row)}\n" for row in found))


class OfTest:
    """A test and what it stores."""

    def __init__(self, kind, folder):
        self.measure, self.folder = measure_of(kind), folder / "store"

    def advance(self, candidate, mode, files=CHECKED_OUT):
        regression = Regression(BaselineStore(self.folder, files), "test", mode, "pytest t.py::test")
        asked = {**ASKED, "rope": tuple(ASKED["rope"]), "measure": self.measure}
        with recording() as recorded, warnings.catch_warnings(record=True):  # of what is forced
            is_refused = False
            try:
                regression.check(candidate.side(), **asked)
            except AssertionError:
                is_refused = True
            else:
                regression.keep()
        self.run = recorded.runs[0]
        return (
            "refused"
            if is_refused
            else str([use for use, _ in recorded.uses if use is not Use.DIFFERS][-1]).replace("used", "kept")
        )

    def put(self, baseline, anchor):
        store = BaselineStore(self.folder)
        store.write(Baseline("test", anchor.side()), None)
        first = store.find("test")
        store.write(Baseline("test", baseline.side()), first, first)

    def kept(self):
        store = BaselineStore(self.folder)
        found = store.find("test")
        anchor = store.anchor_of(found)
        return [each.baseline.counts for each in (found, anchor or found)]


class OfGateFile:
    """A gate and the files that it names."""

    def __init__(self, kind, folder):
        self.kind, self.folder, self.reading = kind, folder, dict(READING.get(kind, {}))

    def advance(self, candidate, mode, files=CHECKED_OUT):
        candidate.write(self.folder / "new.jsonl")
        if "labels" in self.reading:
            self.reading["labels"] = list(candidate.made.labels)
        names = {"baseline": "old.jsonl", "anchor": "v1.jsonl", "candidate": "new.jsonl"}
        settings = {**names, "measure": measure_of(self.kind), **self.reading, **ASKED}
        (self.folder / "bayesf1.yaml").write_text(json.dumps({"gates": {"g": settings}}))
        gates = load_gates(self.folder / "bayesf1.yaml", self.folder)
        if mode is not Update.NONE:
            return str(promote(gates, mode).outcome)
        self.run = evaluate(gates[0], files)
        return {"failed": "refused"}.get(str(self.run.outcome), "kept")

    def put(self, baseline, anchor):
        baseline.write(self.folder / "old.jsonl")
        anchor.write(self.folder / "v1.jsonl")

    def kept(self):
        schema, files = declared(self.kind), (self.folder / name for name in ("old.jsonl", "v1.jsonl"))
        return [read_side(file, "", schema).with_own_classes().counts() for file in files]


DOORS = [OfTest, OfGateFile]
LIFE = [
    ("first", Update.NEW, "created", "first", "first"),
    ("other", Update.NONE, "kept", "first", "first"),
    ("other", Update.NEW, "kept", "first", "first"),
    ("other", Update.ALL, "replaced", "other", "first"),
    ("third", Update.ALL, "replaced", "third", "first"),
    ("worse", Update.NONE, "refused", "third", "first"),
    ("worse", Update.NEW, None, "third", "first"),
    ("worse", Update.ALL, "refused", "third", "first"),
    ("worse", Update.ANCHOR, "refused", "third", "first"),
    ("first", Update.ANCHOR, "replaced", "first", "first"),
    ("other", Update.FORCE, "replaced", "other", "first"),
    ("worse", Update.FORCE, "replaced", "worse", "worse"),
    ("first", Update.ALL, "replaced", "first", "worse"),
]
"""A candidate, what is asked for, what becomes of it, and whose predictions baseline and anchor then are."""


def systems_of(kind):
    """Return systems that differ little, and one that is far worse."""
    made = KINDS[kind].draw(np.random.default_rng(12))
    worst = made.answers[0] - 3 if kind == "values" else made.answers[0][::-1]
    mixed = made.answers[2].copy()
    mixed[:10] = made.answers[2][9::-1]
    made = replace(made, answers=(made.answers[0], worst, made.answers[2], mixed))
    return {name: Candidate(kind, made, system) for system, name in enumerate(("first", "worse", "other", "third"))}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_change_is_judged_by_the_baseline_and_the_anchor_of_its_base_commit(tmp_path, monkeypatch, kind, door):
    monkeypatch.chdir(tmp_path)
    systems, life = systems_of(kind), door(kind, tmp_path)
    life.put(systems["other"], systems["first"])
    Committed.new(tmp_path).commit()
    files = Revision.of("HEAD", tmp_path, tmp_path.parent / "copies")
    assert life.advance(systems["worse"], Update.FORCE) == "replaced"
    assert life.advance(systems["worse"], Update.NONE) == "kept"
    assert life.advance(systems["worse"], Update.NONE, files) == "refused"
    scores = {each.part: each.result.baseline.observed for each in life.run.verdicts}
    usual = {
        name: estimate(systems[name].side(), measure=measure_of(kind)).score.observed for name in ("other", "first")
    }
    assert scores == pytest.approx({"": usual["other"], PART: usual["first"]})


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_life_of_a_baseline(tmp_path, kind, door):
    systems, life = systems_of(kind), door(kind, tmp_path)
    for name, mode, outcome, baseline, anchor in LIFE:
        found = life.advance(systems[name], mode)
        assert outcome in (None, found), (name, mode)
        if door is OfTest and found != "refused":
            assert life.run.becomes_baseline is (found == "replaced"), (name, mode)
        assert life.kept() == [systems[each].side() for each in (baseline, anchor)], (name, mode)


KINDS_WITH_CLASSES = [kind for kind in KINDS if kind != "values"]
RENAMED = ("a", "bb", "c")


@pytest.mark.parametrize("is_at_base", [False, True], ids=["checked out", "base commit"])
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("kind", KINDS_WITH_CLASSES)
def test_classes_that_change_are_refused_until_an_update_redefines_them(tmp_path, monkeypatch, kind, door, is_at_base):
    monkeypatch.chdir(tmp_path)
    made = KINDS[kind].draw(np.random.default_rng(13))
    names = RENAMED[: len(made.labels)]
    before, after = Candidate(kind, made), Candidate(kind, made.renamed(names))
    life = door(kind, tmp_path)
    assert life.advance(before, Update.NEW) == "created"
    repository = Committed.new(tmp_path)
    repository.commit()
    files = Revision.of("HEAD", tmp_path, tmp_path.parent / "copies") if is_at_base else CHECKED_OUT
    with pytest.raises(BaselineError, match=r"'b'.*'bb'"):
        life.advance(after, Update.NONE, files)
    assert life.kept() == [before.side()] * 2
    assert life.advance(after, Update.ALL) == "replaced"
    assert life.kept() == [after.side()] * 2
    assert life.advance(after, Update.NONE, files) == "kept"
    was, _, now = life.run.source.redefined.partition(", is ")
    assert ["'b'" in was, now.startswith("'a', 'bb'")] == [is_at_base] * 2
    assert not life.run.source.is_replaced


@pytest.mark.parametrize("mode", [Update.ALL, Update.ANCHOR])
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("kind", KINDS)
def test_another_test_set_is_refused_until_an_update_takes_it(tmp_path, kind, door, mode):
    before, after = (Candidate(kind, KINDS[kind].draw(np.random.default_rng(14 + n)), first=n) for n in (0, 2_000))
    life = door(kind, tmp_path)
    life.advance(before, Update.NEW)
    with pytest.raises((BaselineError, InputError), match=f"of {len(before.ids)} examples|documents"):
        life.advance(after, Update.NONE)
    assert life.kept() == [before.side()] * 2
    assert life.advance(after, mode) == "replaced"
    assert life.kept() == [after.side()] * 2


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("kind", KINDS_WITH_CLASSES)
def test_an_anchor_of_other_classes_is_told_until_an_update_moves_it(tmp_path, kind, door):
    made = KINDS[kind].draw(np.random.default_rng(15))
    before, after = Candidate(kind, made), Candidate(kind, made.renamed(RENAMED[: len(made.labels)]))
    life = door(kind, tmp_path)
    life.put(after, before)
    with pytest.raises(BaselineError, match=r"anchor.*'b'.*'bb'"):
        life.advance(after, Update.NONE)
    assert life.advance(after, Update.ANCHOR) == "replaced"
    assert life.kept() == [after.side()] * 2
