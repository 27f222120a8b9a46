import json

import pytest

from pytest_bayesf1._util import json_text


def test_numbers_stand_on_one_line_and_all_else_on_its_own():
    document = {"rope": [-0.01, 1e-7, 3], "gates": ["a", "b"], "empty": []}
    text = json_text(document)
    assert json.loads(text) == document
    assert ' "rope": [ -0.01, 1e-07, 3 ],\n' in text
    assert '  "a",\n  "b"\n' in text
    assert text.endswith("}\n")


@pytest.mark.parametrize("text", ["[\n1,\n2\n]", "ä\u2028", '"'])
def test_texts_are_left_as_they_are(text):
    assert json.loads(json_text({"name": text, "numbers": [1, 2]})) == {"name": text, "numbers": [1, 2]}


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_no_json_has_such_numbers(number):
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text([number])


def test_what_json_does_not_hold_is_opened():
    text = json_text({"verdict": {1}, "tuples": (1.0, "a"), "on": True}, default=sorted)
    assert json.loads(text) == {"verdict": [1], "tuples": [1.0, "a"], "on": True}
    with pytest.raises(TypeError):
        json_text({1})
