import pytest

from pytest_bayesf1.session import Session, active
from tests.unit.transcript import Transcript, reviewed


@pytest.fixture(autouse=True)
def _no_surroundings():
    """Keep the settings of the run out of the tests, and the comparisons of the tests out of its summary."""
    with active(Session()):
        yield


@pytest.fixture
def transcript(tmp_path, monkeypatch, request, generated):
    """Type commands in a folder of their own; all that they print is compared with a reviewed file at the end."""
    monkeypatch.chdir(tmp_path)
    yield from reviewed(Transcript(tmp_path), request, generated)
