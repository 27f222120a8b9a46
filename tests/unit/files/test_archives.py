import io

import pytest

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files import tables as archives
from pytest_bayesf1.files.tables import Bounded, require_room


@pytest.fixture
def _at_most_ten(monkeypatch):
    monkeypatch.setattr(archives, "LARGEST", 10)


@pytest.mark.usefixtures("_at_most_ten")
def test_ten_bytes_are_read_and_no_more():
    assert Bounded(io.BytesIO(b"0123456789")).read() == b"0123456789"
    with pytest.raises(InputError, match="expected at most 10 bytes once unpacked, got more"):
        Bounded(io.BytesIO(b"0123456789a")).read()


@pytest.mark.usefixtures("_at_most_ten")
def test_an_endless_file_is_left_soon():
    class Endless(io.RawIOBase):
        asked = 0

        def read(self, size=-1):
            self.asked += size
            return b"0" * size

    endless = Endless()
    with pytest.raises(InputError):
        Bounded(endless).read(1_000)
    assert endless.asked <= 1_000


def test_room():
    require_room(archives.LARGEST)
    with pytest.raises(InputError, match=r"a\.npz"):
        require_room(archives.LARGEST + 1, "a.npz")
