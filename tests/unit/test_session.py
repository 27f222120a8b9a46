import threading
from types import MappingProxyType

import pytest

from pytest_bayesf1.settings import Record, Session, active, current_session


class Result:
    def to_dict(self):
        return {}


def test_outside_a_run_there_are_no_settings_and_nobody_listens():
    session = Session()
    assert dict(session.settings) == {}
    assert session.listener(Record(Result(), "compare")) is None


def test_a_session_is_in_effect_inside_its_block():
    before, session = current_session(), Session()
    with active(session):
        assert current_session() is session
    assert current_session() is before


def test_the_inner_of_two_sessions_is_in_effect():
    outer, inner = Session(), Session(MappingProxyType({"seed": 1}))
    with active(outer):
        with active(inner):
            assert current_session() is inner
        assert current_session() is outer


def test_an_error_ends_a_session_too():
    before = current_session()
    with pytest.raises(ZeroDivisionError), active(Session()):
        raise ZeroDivisionError
    assert current_session() is before


def test_a_thread_of_the_test_sees_the_same_surroundings():
    seen = []
    with active(Session(MappingProxyType({"seed": 1}))):
        thread = threading.Thread(target=lambda: seen.append(dict(current_session().settings)))
        thread.start()
        thread.join()
    assert seen == [{"seed": 1}]


def test_a_record_without_a_judgement_has_no_verdict():
    record = Record(Result(), "compare")
    assert (record.verdict, record.advice) == ("", "")
