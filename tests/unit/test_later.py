import pydoc
from dataclasses import dataclass, replace

from pytest_bayesf1._util import late_field, later


@dataclass(frozen=True)
class Declared:
    value: int
    other: str = ""


@dataclass(frozen=True)
class Late(Declared):
    value = late_field()


def test_a_value_is_found_once_when_it_is_first_read():
    found = []
    made = Late(later(lambda: found.append(1) or 42))
    assert not found
    assert (made.value, made.value) == (42, 42)
    assert found == [1]


def test_a_value_that_is_known_is_taken_as_it_is():
    assert Late(7).value == 7


def test_two_of_them_have_values_of_their_own():
    one, other = Late(later(lambda: 1)), Late(later(lambda: 2))
    assert (one.value, other.value) == (1, 2)


def test_a_copy_has_the_value_itself():
    values = iter([1, 2])
    made = Late(later(lambda: next(values)))
    assert replace(made, other="copy").value == made.value == 1


def test_the_class_can_be_looked_at():
    assert "value" in pydoc.render_doc(Late)
