"""Versions of a file, in real repositories."""

import gzip

import pytest

from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.git import Blobs, Repository
from tests.unit.committed import Committed
from tests.unit.test_git import NAMES

LINES = "".join(f"line {number}\n" for number in range(50))


@pytest.fixture
def repository(tmp_path):
    return Committed.new(tmp_path / "repository")


def versions(repository, name="a.json"):
    return Repository.around(repository.path / name).versions(repository.path / name)


def contents(repository, name="a.json"):
    """The contents of all versions, the oldest first; None of those that were deleted."""
    around = Repository.around(repository.path / name)
    with Blobs(around) as blobs:
        found = [each.blob and blobs.read(each.blob) for each in around.versions(repository.path / name)]
    return [content.decode() if content else None for content in found]


def test_versions_come_with_commit_date_and_subject_the_oldest_first(repository):
    first = repository.commit("one\n\nand a body", **{"a.json": "1"})
    repository.commit("about another file", b="1")
    last = repository.commit("two \x1f three | =1+1 ä", **{"a.json": "2"})
    found = versions(repository)
    assert [(each.commit, each.date, each.subject) for each in found] == [
        (first, "2026-05-01", "one"),
        (last, "2026-05-03", "two \x1f three | =1+1 ä"),
    ]
    assert contents(repository) == ["1", "2"]


@pytest.mark.parametrize("name", [*NAMES, ":a.json", "\x01a.json"])
def test_any_name(repository, name):
    for content in "12":
        repository.commit(**{name: content})
    assert contents(repository, name) == ["1", "2"]
    assert {each.name for each in versions(repository, name)} == {name}


def test_renames_are_followed_also_to_another_folder_and_more_than_once(repository):
    repository.commit(**{"first.json": LINES})
    for old, new in [("first.json", "b/second.json"), ("b/second.json", "a.json")]:
        (repository.path / new).parent.mkdir(exist_ok=True)
        repository.git("mv", old, new)
        repository.commit(**{new: f"{LINES}{new}\n"})
    assert [each.name for each in versions(repository)] == ["first.json", "b/second.json", "a.json"]
    assert contents(repository)[0] == LINES


def test_a_file_that_is_much_like_another_is_no_rename_of_it(repository):
    repository.commit(**{"first.json": LINES})
    repository.commit(**{"a.json": f"{LINES}more\n"})
    assert len(versions(repository)) == 1


def test_a_file_that_is_compressed_from_now_on_stays_the_same(repository):
    repository.commit(**{"a.json": LINES})
    repository.git("rm", "-q", "a.json")
    repository.commit(**{"a.json.gz": gzip.compress(b"something else", mtime=0)})
    assert [each.name for each in versions(repository, "a.json.gz")] == ["a.json", "a.json.gz"]


def test_a_file_that_was_deleted_and_made_anew(repository):
    repository.commit(**{"a.json": "1"})
    repository.git("rm", "-q", "a.json")
    repository.commit("gone")
    assert contents(repository) == ["1", None]
    repository.commit(**{"a.json": "2"})
    assert contents(repository) == ["1", None, "2"]


def test_of_a_merge_what_it_changed_on_the_branch(repository):
    repository.commit(**{"a.json": "1"})
    repository.git("checkout", "-qb", "feature")
    for content in "23":
        repository.commit(**{"a.json": content})
    repository.git("checkout", "-q", "main")
    repository.commit(b="another file")
    repository.git("merge", "-q", "--no-ff", "-m", "merged", "feature")
    assert contents(repository) == ["1", "3"]
    assert versions(repository)[-1].subject == "merged"
    repository.git("checkout", "-q", "feature")
    assert contents(repository) == ["1", "2", "3"]


def test_a_shallow_clone_knows_its_last_commits(repository, tmp_path):
    for content in "123":
        repository.commit(**{"a.json": content})
    for depth in (1, 2):
        path = repository.shallow_clone(tmp_path / f"clone-{depth}", depth)
        clone = Repository.around(path / "a.json")
        assert clone.is_shallow
        assert clone.has_parents is (depth > 1)
        assert len(clone.versions(path / "a.json")) == depth
    assert not Repository.around(repository.path / "a.json").is_shallow


def test_an_earlier_commit(repository):
    first = repository.commit(**{"a.json": "1"})
    repository.commit(**{"a.json": "2"})
    path = repository.path / "a.json"
    assert len(Repository.around(path, first).versions(path)) == 1


def test_a_link_is_no_version_and_linked_folders_are_followed(repository):
    repository.commit(**{"kept/a.json": "1"})
    (repository.path / "linked").symlink_to("kept")
    (repository.path / "kept" / "b.json").symlink_to("a.json")
    repository.commit()
    assert contents(repository, "linked/a.json") == ["1"]
    assert [each.blob for each in versions(repository, "kept/a.json")] != [""]
    (repository.path / "kept" / "a.json").unlink()
    (repository.path / "kept" / "a.json").symlink_to("/etc/passwd")
    before = repository.git("rev-parse", "HEAD")
    repository.commit()
    path = repository.path / "kept" / "a.json"
    with pytest.raises(BaselineError, match="a link that leads to none"):
        Repository.around(path).versions(path)
    assert len(Repository.around(path, before).versions(path)) == 1


def test_what_once_was_a_link_has_no_content(repository):
    (repository.path / "a.json").symlink_to("b.json")
    repository.commit()
    (repository.path / "a.json").unlink()
    repository.commit(**{"a.json": "1"})
    assert [bool(each.blob) for each in versions(repository)] == [False, True]


def test_a_file_without_a_version(repository):
    repository.commit(b="1")
    assert versions(repository) == []
    assert versions(repository, "no/such/folder/a.json") == []


def test_no_commit_and_no_repository(repository, tmp_path):
    for path in (repository.path / "a.json", tmp_path / "a.json"):
        with pytest.raises(BaselineError, match="expected a file in a git repository"):
            Repository.around(path)


def test_a_file_outside_of_the_repository(repository, tmp_path):
    repository.commit(b="1")
    with pytest.raises(BaselineError, match="expected a file inside the repository"):
        Repository.around(repository.path / "b").versions(tmp_path / "a.json")


def test_many_contents_and_one_that_is_missing(repository):
    repository.commit(**{"a.json": "", "b": b"\x00\n\n" * 100_000})
    found = versions(repository, "b")[0].blob
    with Blobs(Repository.around(repository.path / "b")) as blobs:
        assert blobs.read(found) == b"\x00\n\n" * 100_000
        assert blobs.read("0" * 40) is None
        assert blobs.read(versions(repository)[0].blob) == b""


def test_a_partial_clone_fetches_nothing(repository, tmp_path):
    for content in "12":
        repository.commit(**{"a.json": content})
    repository.git("config", "uploadpack.allowFilter", "true")
    path = tmp_path / "partial"
    repository.git("clone", "-q", "--filter=blob:none", repository.path.as_uri(), path)
    clone = Repository.around(path / "a.json")
    old, new = (each.blob for each in clone.versions(path / "a.json"))
    with Blobs(clone) as blobs:
        assert [blobs.read(blob) for blob in (new, old, new, old)] == [b"2", None, b"2", None]
