import json

import pytest

from pytest_bayesf1.files.eval_logs import read_log
from tests.unit.files.logs.logged import FOLDER

KEPT = sorted(path for path in FOLDER.iterdir() if path.suffix in (".json", ".jsonl"))


@pytest.mark.parametrize("path", KEPT, ids=[path.name for path in KEPT])
def test_a_log_is_recognised_by_what_it_holds(path):
    text = path.read_text("utf-8")
    document = json.loads(text) if path.suffix == ".json" else [json.loads(line) for line in text.splitlines()]
    assert read_log(document, {"value": "acc" if "teams" in path.name else "id"}) is not None


@pytest.mark.parametrize("document", [None, 1, [], {}, [{}], [[1]], {"results": []}, {"results": {"results": []}}])
def test_nothing_else_is_one(document):
    assert read_log(document, {}) is None


@pytest.mark.parametrize("path", KEPT, ids=[path.name for path in KEPT])
def test_logs_tell_nothing_of_the_machine(path):
    text = path.read_text("utf-8")
    assert not [word for word in ("/home", "/root", "/work", "site-packages", "Traceback", "http") if word in text]
