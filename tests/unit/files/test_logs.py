"""Logs of each tool: what is read of them, and the columns that are compared."""

import re
import warnings
from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest

from pytest_bayesf1 import InputError
from pytest_bayesf1.choices import Better, Kind
from pytest_bayesf1.data.columns import Schema
from pytest_bayesf1.files.eval_logs import INSPECT, LM_EVAL, PROMPTFOO, Log, LogColumns
from pytest_bayesf1.files.side import require_same_questions, require_same_ruler


def scored(*of_match):
    return [{"match": dict(zip(("value", "answer", "metadata"), each, strict=False))} for each in of_match]


FIRST, SECOND, *OTHERS = scored(("I", "b", {"value": 9}), ("C", "a"), ("P", "b"), ("No",), ("TRUE",), ("0.25",), ("N",))
OF_INSPECT = {
    "status": "success",
    "eval": {
        "task": "teams",
        "task_version": 2,
        "model": "o/a",
        "created": "2026-01-02",
        "scorers": [{"name": "mine/match"}, {"name": "judge", "options": {"n": 1}}],
    },
    "samples": [
        {"id": 1.0, "epoch": 1, "target": ["a"], "scores": FIRST},
        {"id": "x", "epoch": 1, "target": ["a", "b"], "scores": OTHERS[0], "limit": {"n": 9}},
        {"id": "x", "epoch": 2, "target": ["a", "b"], "error": "503"},
        *({"id": n, "epoch": 1, "target": "b", "scores": each} for n, each in enumerate(OTHERS[1:], start=3)),
        {"id": 1.0, "epoch": 1, "target": ["a"], "scores": SECOND},  # tried again
    ],
}
READ_OF_INSPECT = Log(
    INSPECT,
    {
        "id": ["1", "x", "x", "3", "4", "5", "6"],
        "run": [1, 1, 2, 1, 1, 1, 1],
        "epoch": [1, 1, 2, 1, 1, 1, 1],
        "target": ["a", ["a", "b"], ["a", "b"], "b", "b", "b", "b"],
        "scores.match.value": [1, 0.5, None, 0, 1, 0.25, 0],
        "scores.match.answer": ["a", "b", None, None, None, None, None],
        "answer": ["a", "b", None, None, None, None, None],
        "limit.n": [None, 9, None, None, None, None, None],
        "error": [None, None, "503", None, None, None, None],
    },
    grades=["scores.match.value"],
    failed={2},
    cut={1},
    task="teams",
    version="2",
    model="o/a",
    created="2026-01-02",
    scorers={"match": "match", "judge": 'judge {"n": 1}'},
)
RESPONSES = [
    [["-1.5", "no"], ["-0.5", "yes"], ["-2", "no"]],
    ["text", "more"],
    [["-1"], ["x"], ["-2"]],
    [["-1"]],
    [["nan"], ["-1"]],
]
OF_LM_EVAL = [
    {"doc_id": 9 - n, "doc": {"q": f"{n}"}, "target": n or "b", "filtered_resps": each, "metrics": ["acc", "em"]}
    | {"acc": n % 2, "acc_norm": 1, "em": "1", "filter": "none"}
    for n, each in enumerate(RESPONSES)
]
READ_OF_LM_EVAL = Log(
    LM_EVAL,
    {
        "id": [9, 8, 7, 6, 5],
        "doc_id": [9, 8, 7, 6, 5],
        "doc.q": ["0", "1", "2", "3", "4"],
        "target": ["b", "1", "2", "3", "4"],
        "filtered_resps": RESPONSES,
        "metrics": [["acc", "em"]] * 5,
        "acc": [0, 1, 0, 1, 0],
        "acc_norm": [1] * 5,
        "em": ["1"] * 5,
        "filter": ["none"] * 5,
        "answer": ["1", "text", None, None, None],
    },
    grades=["acc"],
    failed=frozenset(),
    cut=frozenset(),
)


def run_of(number, asked, wanted, **others):
    checks = {"assert": [{"type": "equals", "value": wanted}], "options": {"provider": {"id": "o:judge"}}}
    known = {"testIdx": number, "vars": asked, "testCase": checks, "provider": {"id": "o:1"}}
    return known | {"response": {"output": wanted}, "prompt": {"label": "short"}} | others


OF_PROMPTFOO = {
    "config": {"description": "triage"},
    "results": {
        "timestamp": "2026-01-03",
        "results": [
            run_of(0, {"q": "p", "r": 1, "_own": 5}, "a", success=True),
            run_of(2, {"q": "s", "r": 1}, "b", success=False, prompt="long", failureReason=1, provider="o:2"),
            run_of(1, {"r": 1, "q": "p"}, "a", success=False, failureReason=2, response={"finishReason": "length"}),
        ],
    },
}
READ_OF_PROMPTFOO = Log(
    PROMPTFOO,
    {
        "id": [0, 1, 0],
        "run": [0, 0, 1],
        "testIdx": [0, 2, 1],
        "provider.id": ["o:1", "o:2", "o:1"],
        "prompt.label": ["short", "long", "short"],
        "prompt": [None, "long", None],
        "provider": [None, "o:2", None],
        "vars.q": ["p", "s", "p"],
        "vars.r": [1, 1, 1],
        "vars._own": [5, None, None],
        "success": [True, False, False],
        "response.output": ["a", "b", None],
        "answer": ["a", "b", None],
        "target": ["a", "b", "a"],
        "testCase.assert": [[{"type": "equals", "value": each}] for each in "aba"],
        "testCase.options.provider.id": ["o:judge"] * 3,
        "failureReason": [None, 1, 2],
        "response.finishReason": [None, None, "length"],
    },
    grades=["success"],
    failed={2},
    cut={2},
    task="triage",
    created="2026-01-03",
)
LOGS = {
    "inspect_ai": (OF_INSPECT, READ_OF_INSPECT),
    "lm-evaluation-harness": (OF_LM_EVAL, READ_OF_LM_EVAL),
    "promptfoo": (OF_PROMPTFOO, READ_OF_PROMPTFOO),
}
every_log = pytest.mark.parametrize(("document", "log"), LOGS.values(), ids=LOGS)


@every_log
def test_what_is_read_of_a_log(document, log):
    assert vars(Log.of(log.tool, document)) == vars(log)


def test_a_log_that_is_not_finished_has_no_answers_yet():
    unfinished = Log.of(INSPECT, OF_INSPECT | {"status": "started"})
    assert (unfinished.status, unfinished.task, unfinished.columns) == ("started", "teams", {})


BY_METRIC, BY_ASSERTION = {"filter": "none", "metric": "acc"}, {"assertion": '[{"type": "equals"}]'}
COMPARED = {
    "inspect_ai": (("target",), (), {"task_version": "2", "scorer": "match"}, {"task_version": "2", "scorer": "match"}),
    "lm-evaluation-harness": (("doc.q", "target"), ("filter",), BY_METRIC, {"filter": "none"}),
    "promptfoo": (("vars.q", "vars.r", "vars._own", "target"), ("provider.id", "prompt.label"), BY_ASSERTION, {}),
}
"""What was asked, what there is one of, and what grades and classes depend on."""


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize("names", [{}, {"y_true": "target", "y_pred": "answer"}, {"id": "target"}], ids=len)
def test_what_is_compared_of_a_log(name, names):
    _, log = LOGS[name]
    n, (grade,), are_classes = len(log.columns["id"]), log.grades, "y_pred" in names
    table = log.table(names, range(2, 2 + n))
    compared = "answer" if are_classes else grade
    answers = [None if row in log.failed else each for row, each in enumerate(log.columns[compared])]
    expected = {**log.columns, compared: answers} | ({} if are_classes else {"value": answers})
    if log.tool is PROMPTFOO and "id" in names:
        del expected["run"]
    assert (table.values, table.lines, table.compared) == (expected, range(2, 2 + n), compared)
    assert table.better is (None if are_classes else Better.HIGHER)
    asked, one_each, of_grades, of_classes = COMPARED[name]
    assert ({*table.asked}, table.one_each) == ({*asked}, one_each)
    assert table.rulers == [of_classes if are_classes else of_grades] * n
    counts = [] if are_classes else [f"{grade!r} of this log of {name} counts."]
    errors = f"1 error in this log of {name}, where there is no answer."
    cut = f"a limit cut off 1 of {n} answers in this log of {name}."
    assert table.notes == (*counts, *([errors, cut] if log.failed else []))


def columns(**others):
    values = {"id": list(range(60)), "value": [1] * 60, "q": [f"q{n}" for n in range(60)], "answer": ["a"] * 60}
    known = {"asked": ("q", "target"), "rulers": [{}] * 60, "kind": Kind.VALUES}
    return LogColumns(values | others.pop("values", {}), **{**known, **others})


class TestColumns:
    def test_of_a_grade_the_answer_is_shown_beside_what_is_declared(self):
        shown = Schema(show=("q",))
        assert [*columns(schema=shown)._shown()] == ["q", "answer"]
        assert [*columns(schema=shown, kind=Kind.CLASSES)._shown()] == ["q"]

    def test_a_model_graded_it_if_any_answer(self):
        judged = {"scorer": "model_graded_qa"}
        assert columns(rulers=[{"scorer": "match"}] * 59 + [judged]).is_judged
        assert not columns().is_judged


def changed(values, rows):
    return [f"{value}?" if row in rows else value for row, value in enumerate(values)]


TEXTS, TARGETS = columns().values["q"], ["a", "b"] * 30


class TestQuestions:
    """Ids of two logs are often positions: what was asked tells whether they name the same examples."""

    @pytest.mark.parametrize(
        ("texts", "targets", "refused", "warned"),
        [
            (range(60), (), "", ""),
            (range(10, 16), range(10, 16), "", "6 of 60 .* another target .* id '10'"),
            (range(10, 17), range(10, 17), "7 of 60 shared examples have another question .* id '10'", ""),
            (range(30), range(24, 60), "", "36 of 60 shared examples have another target .* id '24'"),
            (range(6), None, "", ""),
            (range(5, 12), None, "7 of 60 shared examples have another question .* id '5'", ""),
        ],
    )
    def test_more_than_a_tenth_of_other_questions_are_refused_and_other_targets_told(
        self, texts, targets, refused, warned
    ):
        own = {"q": changed(TEXTS, texts)} | ({} if targets is None else {"target": changed(TARGETS, targets)})
        sides = columns(values={} if targets is None else {"target": TARGETS}), columns(values=own)
        if targets is None:
            sides = replace(sides[0], asked=("q",)), replace(sides[1], asked=("q",))
        elif not targets:
            sides = columns(values={"target": [""] * 59 + ["b"]}), columns(values=own | {"target": [""] * 59 + ["b"]})
        sides = sides[0], sides[1].take(np.random.default_rng(0).permutation(60).tolist())
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with pytest.raises(InputError, match=refused) if refused else nullcontext():
                require_same_questions(*sides)
        assert [bool(re.search(warned, str(each.message))) for each in caught] == [True] * bool(warned)

    def test_five_are_few_enough_and_messages_tell_nothing(self):
        few, other = (
            columns(values={"q": changed(TEXTS, rows)}, asked=("q",)).take(range(9)) for rows in ((), range(5))
        )
        require_same_questions(few, other.take(range(1, 9)))
        with pytest.raises(InputError, match="5 of 9 shared examples"):
            require_same_questions(few, other)
        messages = [columns(values={"q": [[text]] * 60}, asked=("q",)) for text in "ab"]
        require_same_questions(*messages)


class TestRulers:
    @pytest.mark.parametrize("shift", [0, 60])
    def test_what_differs_is_told_of_the_same_examples_or_of_all(self, shift):
        own = [{"metric": "acc", "n": f"{n}", "was": "1"} for n in range(60)]
        other = [{"metric": "acc" if n < 50 else "f1", "n": f"{n}", "now": "2"} for n in range(60)]
        sides = columns(rulers=own), columns(rulers=other, where="here")
        moved = sides[1].with_values(id=[n + shift for n in range(60)])
        if not shift:
            moved = moved.take([*range(60)][::-1])
        with pytest.raises(InputError) as caught:
            require_same_ruler(sides[0], moved)
        assert (caught.value.where, caught.value.expected) == ("here, what graded it", "metric: acc as in the baseline")
        assert caught.value.found == "metric: f1 for 10 of 60 examples"
        require_same_ruler(sides[0], columns(rulers=[{"metric": "acc"}] * 60))
