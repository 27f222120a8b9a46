"""Versions of a baseline, whatever kind of file it is."""

import gzip

import pytest

from pytest_bayesf1 import BaselineError, InputError
from pytest_bayesf1.baselines.history import VersionReader
from pytest_bayesf1.baselines.store import Baseline, to_text
from pytest_bayesf1.files.tables import AS_IT_IS, Reading
from pytest_bayesf1.git import Repository
from tests.unit.baselines.versioned import predicted
from tests.unit.committed import Committed

TEXT = to_text(Baseline("test_f1", predicted(10), anchor=predicted(5)))


@pytest.fixture
def read(tmp_path):
    """Commit a file and read it."""
    repository = Committed.new(tmp_path / "repository")

    def read(name, content, reading=AS_IT_IS):
        repository.commit(**{name: content})
        path = repository.path / name
        around = Repository.around(path)
        with VersionReader(around, reading) as reader:
            found = reader.read(around.versions(path)[-1])
            assert reader.read_file(path, reading).says_the_same(found.counts)
            return found

    return read


@pytest.mark.parametrize(
    ("name", "content"), [("a.json", TEXT.encode()), ("a.json.gz", gzip.compress(TEXT.encode(), mtime=0))]
)
def test_a_stored_baseline(read, name, content):
    found = read(name, content)
    assert (found.name, found.counts.n_samples) == ("test_f1", 1_000)
    assert found.anchor is not None


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.csv", "y_true,y_pred\na,a\nb,a\n"), ("a.json", '{"labels": ["a", "b"], "counts": [[1, 0], [1, 0]]}')],
)
def test_predictions_or_counts_in_a_file(read, name, content):
    found = read(name, content)
    assert found.name == ""
    assert found.counts.counts.tolist() == [[1, 0], [1, 0]]


def test_columns_are_read_as_the_gate_reads_them(read):
    rows = "".join(f"{n},{n // 2},a,{'ab'[n % 2]}\n{n}b,{n // 2},b,b\n" for n in range(20))
    found = read("a.csv", f"id,user,y_true,y_pred\n{rows}", Reading(clusters="user"))
    assert found.counts.table.clusters is not None


def test_what_is_no_baseline(read):
    with pytest.raises(BaselineError, match="Git LFS"):
        read("a.csv", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    with pytest.raises(BaselineError, match="expected the content that was written"):
        read("a.json", TEXT.replace('"examples": 1000', '"examples": 1001'))
    with pytest.raises(InputError, match="expected a file that ends in"):
        read("a.txt", "hello")


def test_a_file_that_cannot_be_read(tmp_path):
    repository = Committed.new(tmp_path / "repository")
    repository.commit()
    with (
        VersionReader(Repository.around(repository.path / "a.csv"), AS_IT_IS) as reader,
        pytest.raises(BaselineError, match="expected a file that can be read, got No such file"),
    ):
        reader.read_file(repository.path / "a.csv", AS_IT_IS)
