"""Whatever stands in a YAML file, it is read or refused with its place."""

import yaml
from hypothesis import given
from hypothesis import strategies as st

from pytest_bayesf1.files.formats import YamlError, load_document

PIECES = [*"abc:-?,[]{}#&*!|>'\"%@`\\ \n\t~=<0123.+", "\r\n", "\u2028", "\ufeff", "\x00", "&a ", "*a", "<<: ", "!!int "]
PIECES += ["!!bool ", "!!timestamp ", "!!float ", "!!set ", "!!merge ", "!!value ", "? ", "\\U", "2020-01-01", "---\n"]
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)


def places(value, path=()):
    """List the keys and positions that lead to everything inside."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, child in inner:
        yield (*path, str(step))
        yield from places(child, (*path, str(step)))


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join) | st.text())
def test_any_text_is_read_or_refused_at_a_place_inside_of_it(text):
    try:
        lines = list(load_document(text).lines.values())
    except YamlError as error:
        lines = [error.line]
    assert all(1 <= line <= len(text.splitlines()) + 1 for line in lines)


@given(VALUES)
def test_what_was_written_is_read_and_every_part_of_it_has_a_line(value):
    document = load_document(yaml.safe_dump(value))
    assert document.value == value
    assert set(document.lines) == set(places(value))
    assert document.repeated == ()
