"""Files of a commit, in real repositories."""

import subprocess

import pytest

from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.git import CheckedOut, Revision

NAMES = ["baseline.json", "a b/[1].json", "ä/x*.json", "-rf.json"]


@pytest.fixture
def revision_of(tmp_path, tmp_path_factory):
    return lambda ref, folder=tmp_path: Revision.of(ref, folder, tmp_path_factory.mktemp("copies"))


@pytest.fixture
def git(tmp_path):
    def git(*arguments):
        command = ["git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    git("init", "-q")
    for name in NAMES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"old {name}")
    git("add", ".")
    git("commit", "-qm", "old")
    return git


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_was_changed(git, tmp_path, name, revision_of):
    path = tmp_path / name
    path.write_text("new")
    revision = revision_of("HEAD")
    assert revision.commit == git("rev-parse", "HEAD")
    assert revision.read(path) == f"old {name}".encode()
    assert revision.changed(path)
    copy = revision.copy(path)
    assert copy.read_text() == f"old {name}"
    assert copy.name == path.name
    assert path.read_text() == "new"


def test_a_file_that_was_not_changed(git, tmp_path, revision_of):
    revision = revision_of("HEAD")
    assert not revision.changed(tmp_path / "baseline.json")


def test_a_file_that_was_deleted_is_still_read(git, tmp_path, revision_of):
    path = tmp_path / "baseline.json"
    path.unlink()
    revision = revision_of("HEAD")
    assert revision.read(path) == b"old baseline.json"
    assert revision.changed(path)


def test_a_file_that_is_new_is_read_as_it_is_there(git, tmp_path, revision_of):
    path = tmp_path / "new.json"
    path.write_text("new")
    revision = revision_of("HEAD")
    assert revision.read(path) == b"new"
    assert revision.changed(path)
    assert revision.copy(path) == path


def test_a_file_that_never_was(git, tmp_path, revision_of):
    revision = revision_of("HEAD", tmp_path / "a b")
    path = tmp_path / "a b" / "none.json"
    assert revision.read(path) is None
    assert not revision.changed(path)
    assert revision.copy(path) == path


@pytest.mark.parametrize("ref", ["nope", "--help", "HEAD:baseline.json", ""])
def test_a_commit_that_is_none(git, tmp_path, ref, revision_of):
    with pytest.raises(BaselineError) as caught:
        revision_of(ref)
    assert str(caught.value) == (
        f"baseline-ref: expected a commit that git knows here, got {ref!r}. "
        f"Fetch it first: git fetch --depth=1 origin {ref}"
    )


def test_no_repository(revision_of):
    with pytest.raises(BaselineError, match="expected a commit that git knows here"):
        revision_of("HEAD")


def test_no_git(revision_of, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(BaselineError, match="expected git, got no such command"):
        revision_of("HEAD")


def test_filters_give_what_a_checkout_would(git, tmp_path, revision_of):
    (tmp_path / ".gitattributes").write_text("*.txt text eol=crlf\n")
    (tmp_path / "a.txt").write_bytes(b"one\r\ntwo\r\n")
    git("add", ".")
    git("commit", "-qm", "text")
    revision = revision_of("HEAD")
    assert revision.read(tmp_path / "a.txt") == b"one\r\ntwo\r\n"
    assert not revision.changed(tmp_path / "a.txt")


def test_files_as_they_are_checked_out(tmp_path):
    path = tmp_path / "a.json"
    assert CheckedOut().read(path) is None
    path.write_text("here")
    assert CheckedOut().read(path) == b"here"
    assert not CheckedOut().changed(path)
    assert CheckedOut().copy(path) == path


def linked(folder, name, target):
    """Put a link in the place of a file or folder."""
    if (folder / name).is_dir():
        (folder / name).rename(folder / "away")
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(target)


@pytest.mark.parametrize("target", ["loose.json", "a b/[1].json", "nowhere.json"])
def test_a_link_in_the_place_of_a_file_is_not_followed(git, tmp_path, target, revision_of):
    (tmp_path / "loose.json").write_text("loose")
    linked(tmp_path, "baseline.json", target)
    revision, path = revision_of("HEAD"), tmp_path / "baseline.json"
    assert revision.read(path) == b"old baseline.json"
    assert revision.changed(path)
    copy = revision.copy(path)
    assert (copy.name, copy.read_text()) == ("baseline.json", "old baseline.json")


def test_a_link_in_the_place_of_a_folder_is_not_followed(git, tmp_path, revision_of):
    (tmp_path / "loose").mkdir()
    (tmp_path / "loose" / "[1].json").write_text("loose")
    linked(tmp_path, "a b", "loose")
    assert revision_of("HEAD").read(tmp_path / "a b" / "[1].json") == b"old a b/[1].json"


def test_a_link_to_the_repository_inside_of_it_is_no_other_way_to_its_files(git, tmp_path, revision_of):
    linked(tmp_path, "a b", ".")
    path = tmp_path / "a b" / "baseline.json"  # the commit has none
    (tmp_path / "baseline.json").write_text("new")
    assert revision_of("HEAD").read(path) == b"new"
    assert revision_of("HEAD").changed(path)


def test_a_link_of_the_commit_is_followed_as_it_was(git, tmp_path, revision_of):
    linked(tmp_path, "current.json", "a b/[1].json")
    linked(tmp_path, "ä/link", "../a b")
    git("add", ".")
    git("commit", "-qm", "links")
    linked(tmp_path, "current.json", "baseline.json")
    linked(tmp_path, "ä/link", "..")
    revision = revision_of("HEAD")
    assert revision.read(tmp_path / "current.json") == b"old a b/[1].json"
    assert revision.read(tmp_path / "ä" / "link" / "[1].json") == b"old a b/[1].json"


@pytest.mark.parametrize("target", ["../outside.json", "/outside.json", "link.json"])
def test_a_link_of_the_commit_that_leads_to_no_file_of_it(git, tmp_path, target, revision_of):
    linked(tmp_path, "link.json", target)
    git("add", ".")
    git("commit", "-qm", "link")
    with pytest.raises(BaselineError, match=r"expected a file of the commit .*, got a link that leads to none"):
        revision_of("HEAD").read(tmp_path / "link.json")


def test_a_repository_that_is_reached_by_a_link(git, tmp_path, tmp_path_factory, revision_of):
    there = tmp_path_factory.mktemp("elsewhere") / "link"
    there.symlink_to(tmp_path)
    (tmp_path / "baseline.json").write_text("new")
    assert revision_of("HEAD", there).read(there / "baseline.json") == b"old baseline.json"


def test_a_file_outside_of_the_repository(git, tmp_path, revision_of):
    with pytest.raises(BaselineError, match=r"expected a file inside the repository .*, got one outside of it"):
        revision_of("HEAD").read(tmp_path.parent / "baseline.json")
