import json
import os
import shutil
import subprocess
from hashlib import sha256
from shlex import quote

import pytest

from pytest_bayesf1 import BaselineError
from pytest_bayesf1.git import CheckedOut, Checkout, Repository, Revision
from tests.unit.committed import Committed

MERGE, HEAD = "a" * 40, "b" * 40


@pytest.fixture
def repository(tmp_path):
    return Committed.new(tmp_path / "repository")


class TestCheckout:
    @pytest.fixture
    def nowhere(self, tmp_path, monkeypatch):
        monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
        return tmp_path

    def test_git_tells_commit_branch_and_day(self, repository):
        commit, path = repository.commit(), repository.path
        assert Checkout.of(path / "not" / "yet", {}) == Checkout(commit, "main", "2026-05-01")
        repository.git("checkout", "-q", "--detach")
        assert Checkout.of(path, {}) == Checkout(commit, "", "2026-05-01")

    def test_without_a_repository_and_without_git_nothing_is_known(self, nowhere, monkeypatch):
        assert Checkout.of(nowhere, {}) == Checkout()
        monkeypatch.setenv("PATH", "")
        assert Checkout.of(nowhere, {}) == Checkout()

    @pytest.mark.parametrize(
        "environment",
        [
            {"GITHUB_ACTIONS": "true", "GITHUB_SHA": HEAD, "GITHUB_REF_NAME": "faster"},
            {"GITHUB_ACTIONS": "true", "GITHUB_SHA": HEAD, "GITHUB_REF_NAME": "7/merge", "GITHUB_HEAD_REF": "faster"},
        ],
    )
    def test_github_tells_commit_and_branch(self, nowhere, environment):
        assert Checkout.of(nowhere, environment) == Checkout(HEAD, "faster")

    def test_of_a_pull_request_on_github_the_last_commit_counts_not_the_merge(self, nowhere):
        event = nowhere / "event.json"
        environment = {"GITHUB_ACTIONS": "true", "GITHUB_SHA": MERGE, "GITHUB_EVENT_PATH": str(event)}
        event.write_text(json.dumps({"pull_request": {"head": {"sha": HEAD}}}))
        assert Checkout.of(nowhere, environment).commit == HEAD
        for other in ('{"pull_request": null}', "{}", "[]", "", "[" * 100_000):
            event.write_text(other)
            assert Checkout.of(nowhere, environment).commit == MERGE
        event.unlink()
        assert Checkout.of(nowhere, environment).commit == MERGE

    def test_the_day_is_that_of_the_commit_that_github_names(self, repository):
        first, _ = repository.commit("first"), repository.commit("second")
        environment = {"GITHUB_ACTIONS": "true", "GITHUB_SHA": first}
        assert Checkout.of(repository.path, environment) == Checkout(first, "main", "2026-05-01")
        unknown = {"GITHUB_ACTIONS": "true", "GITHUB_SHA": HEAD}  # as in a shallow clone
        assert Checkout.of(repository.path, unknown) == Checkout(HEAD, "main", "2026-05-02")


NAMES = ["baseline.json", "a b/[1].json", "ä/x*.json", "-rf.json", 'a\n"b".json']


def linked(folder, name, target):
    """Put a link in the place of a file or folder."""
    if (folder / name).is_dir():
        (folder / name).rename(folder / "away")
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(target)


class TestFilesOfACommit:
    @pytest.fixture
    def revision_of(self, tmp_path, tmp_path_factory):
        return lambda ref, folder=tmp_path: Revision.of(ref, folder, tmp_path_factory.mktemp("copies"))

    @pytest.fixture
    def git(self, tmp_path):
        repository = Committed.new(tmp_path)
        repository.commit(**{name: f"old {name}" for name in NAMES})
        return repository.git

    @pytest.mark.parametrize("name", NAMES)
    def test_a_file_that_was_changed(self, git, tmp_path, name, revision_of):
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
        path.unlink()
        assert revision.read(path) == f"old {name}".encode()
        assert revision.changed(path)

    def test_a_new_gate_reads_its_files_as_they_are_there(self, git, tmp_path, revision_of):
        path = tmp_path / "new.json"
        path.write_text("new")
        revision = revision_of("HEAD").of_gate(is_new=True)
        assert revision.read(path) == b"new"
        assert revision.changed(path)
        assert revision.copy(path) == path

    @pytest.mark.parametrize("how", [Revision.read, Revision.copy, Revision.require])
    def test_any_other_gate_does_not(self, git, tmp_path, revision_of, how):
        path = tmp_path / "a new.json"
        path.write_text("new")
        with pytest.raises(BaselineError, match=r"that adds it to git, or to Git LFS: git add --force 'a new.json'"):
            how(revision_of("HEAD"), path)

    @pytest.mark.parametrize("is_new", [False, True])
    @pytest.mark.parametrize("keep", [{".gitignore": "*.bin"}, {"data/a.bin.dvc": "outs:", ".gitignore": "/data"}])
    def test_a_file_that_git_does_not_hold(self, git, tmp_path, revision_of, is_new, keep):
        Committed(tmp_path).commit(**keep, a="")
        Committed(tmp_path).write("data/a.bin", "pulled")
        revision = revision_of("HEAD").of_gate(is_new=is_new)
        with pytest.raises(BaselineError, match=r"a.bin: git does not hold this file .* --force data/a.bin"):
            revision.read(tmp_path / "data" / "a.bin")
        Committed(tmp_path).git("add", "-f", "data/a.bin")  # as a change may do that replaces it
        with pytest.raises(BaselineError, match="git does not hold this file"):
            revision.of_gate(is_new=False).read(tmp_path / "data" / "a.bin")

    @pytest.mark.parametrize("is_new", [False, True])
    @pytest.mark.parametrize("is_committed", [False, True])
    def test_a_file_of_a_submodule(self, git, tmp_path, tmp_path_factory, revision_of, is_new, is_committed):
        other = Committed.new(tmp_path_factory.mktemp("other"))
        other.commit(**{"baseline.json": "theirs"})
        git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other.path), "model")
        if is_committed:
            git("commit", "-qm", "submodule")
        with pytest.raises(BaselineError, match="git does not hold this file"):
            revision_of("HEAD").of_gate(is_new=is_new).read(tmp_path / "model" / "baseline.json")

    @pytest.mark.parametrize("below", ["", "tests"])
    def test_a_submodule_is_not_asked_for_the_commit(self, git, tmp_path, tmp_path_factory, revision_of, below):
        fork = tmp_path_factory.mktemp("fork")
        git("clone", "-q", ".", str(fork))
        Committed(fork).commit(**{"tests/a": ""})
        base = git("rev-parse", "HEAD")
        git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(fork), "model")
        with pytest.raises(BaselineError, match="The folder is a submodule of another repository"):
            revision_of(base, tmp_path / "model" / below)

    @pytest.mark.parametrize("is_link_there", [False, True], ids=["a folder of the commit", "a link of the commit"])
    def test_a_link_that_a_change_puts_in_the_place_of_a_folder_leads_to_no_root_folder(
        self, git, tmp_path, revision_of, is_link_there
    ):
        Committed(tmp_path).commit(**{"other/tests/a": "", "model/tests/a": ""})
        if is_link_there:
            linked(tmp_path, "model", "away")
            Committed(tmp_path).commit("a link")
            (tmp_path / "model").unlink()
            (tmp_path / "away").rename(tmp_path / "model")
        linked(tmp_path, "model", "other")
        git("add", "--all")
        for folder in (tmp_path / "model" / "tests", tmp_path / "other"):
            with pytest.raises(BaselineError, match="model: A symbolic link leads here in the place of what"):
                revision_of("HEAD", folder)
        git("commit", "-qm", "moved")
        assert revision_of("HEAD", tmp_path / "model").top == tmp_path
        linked(tmp_path, "new", "other")
        git("add", "--all")
        assert revision_of("HEAD", tmp_path / "new").top == tmp_path

    def test_nothing_but_the_repository_around_the_folder_is_asked(self, git, tmp_path, revision_of, monkeypatch):
        """Neither one that a variable of git names, nor an object that a replace ref puts in the place of another."""
        other = Committed.new(tmp_path / "other")
        other.commit(**{"a.json": "theirs"})
        git("commit", "--allow-empty", "-qm", "a change")
        forged = Committed(tmp_path).write("forged", "forged")
        git("replace", git("rev-parse", "HEAD:baseline.json"), git("hash-object", "-w", str(forged)))
        assert git("show", "HEAD:baseline.json") == "forged"
        places = {"GIT_DIR": ".git", "GIT_WORK_TREE": ".", "GIT_INDEX_FILE": "none", "GIT_OBJECT_DIRECTORY": "none"}
        for name, place in places.items():
            monkeypatch.setenv(name, str(other.path / place))
        assert revision_of("HEAD~1").read(tmp_path / "baseline.json") == b"old baseline.json"

    def test_a_repository_of_its_own_below_another_is_none(self, git, tmp_path, revision_of):
        inner = Committed.new(tmp_path / "checked out beside")
        commit = inner.commit(a="1")
        assert revision_of("HEAD", inner.path).commit == commit

    def test_a_repository_of_another_user_is_refused_in_gits_words(self, git, tmp_path, revision_of, monkeypatch):
        program = tmp_path / "bin" / "git"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec "{shutil.which("git")}" "$@"\n')
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
        with pytest.raises(
            BaselineError, match=r"git refuses this repository: fatal: detected dubious owner"
        ) as caught:
            revision_of("HEAD")
        advice = f"If you trust it, run: git config --global --add safe.directory {quote(str(tmp_path))}"
        assert str(caught.value).endswith(advice)
        assert Checkout.of(tmp_path, {}) == Checkout()

    def test_a_file_that_never_was(self, git, tmp_path, revision_of):
        revision = revision_of("HEAD", tmp_path / "a b")
        path = tmp_path / "a b" / "none.json"
        assert revision.read(path) is None
        assert not revision.changed(path)
        assert revision.copy(path) == path

    @pytest.mark.parametrize(
        ("ref", "fetched"),
        [("a" * 40, "a" * 40), ("--help", "--help"), ("HEAD:baseline.json", "HEAD:baseline.json"), ("", "")],
    )
    def test_a_commit_that_is_none(self, git, tmp_path, ref, fetched, revision_of):
        with pytest.raises(BaselineError) as caught:
            revision_of(ref)
        command = f"git fetch --depth=1 origin {quote(fetched)}"
        assert str(caught.value) == f"git knows no commit {ref!r} here. Fetch it first: {command}"

    def test_no_repository(self, revision_of):
        with pytest.raises(BaselineError, match="is in no git repository, which would know the commit 'HEAD'"):
            revision_of("HEAD")

    @pytest.mark.parametrize("ref", ["dev", "origin/dev", "HEAD~1"])
    def test_what_a_shallow_clone_lacks_is_there_after_the_command(self, git, tmp_path, ref):
        git("commit", "-q", "--allow-empty", "-m", "later")
        git("branch", "dev", "HEAD~1")
        clone = tmp_path.with_name(f"{tmp_path.name}-clone")
        git("clone", "-q", "--depth=1", tmp_path.as_uri(), str(clone))
        with pytest.raises(BaselineError) as caught:
            Revision.of(ref, clone, tmp_path)
        subprocess.run(str(caught.value).partition("Fetch it first: ")[2].split(), cwd=clone, check=True)
        assert Revision.of(ref, clone, tmp_path).commit

    def test_no_git(self, git, revision_of, monkeypatch):
        monkeypatch.setenv("PATH", "")
        with pytest.raises(BaselineError, match="The command git is not there"):
            revision_of("HEAD")

    def test_files_that_are_checked_out_are_not_changed(self, tmp_path):
        assert not CheckedOut().changed(tmp_path / "a.json")

    @pytest.mark.parametrize("target", ["loose.json", "a b/[1].json", "nowhere.json"])
    def test_a_link_in_the_place_of_a_file_is_not_followed(self, git, tmp_path, target, revision_of):
        (tmp_path / "loose.json").write_text("loose")
        linked(tmp_path, "baseline.json", target)
        revision, path = revision_of("HEAD"), tmp_path / "baseline.json"
        assert revision.read(path) == b"old baseline.json"
        assert revision.changed(path)
        copy = revision.copy(path)
        assert (copy.name, copy.read_text()) == ("baseline.json", "old baseline.json")

    def test_a_link_that_leads_nowhere_is_no_missing_file(self, tmp_path):
        (tmp_path / "gates.json").symlink_to("nowhere")
        with pytest.raises(BaselineError, match="A link that leads to no file"):
            CheckedOut().read(tmp_path / "gates.json")

    def test_a_link_in_the_place_of_a_folder_is_not_followed(self, git, tmp_path, revision_of):
        (tmp_path / "loose").mkdir()
        (tmp_path / "loose" / "[1].json").write_text("loose")
        linked(tmp_path, "a b", "loose")
        assert revision_of("HEAD").read(tmp_path / "a b" / "[1].json") == b"old a b/[1].json"

    def test_a_link_to_the_repository_inside_of_it_is_no_other_way_to_its_files(self, git, tmp_path, revision_of):
        linked(tmp_path, "a b", ".")
        path = tmp_path / "a b" / "baseline.json"  # the commit has none
        (tmp_path / "baseline.json").write_text("new")
        assert revision_of("HEAD").of_gate(is_new=True).read(path) == b"new"
        assert revision_of("HEAD").changed(path)

    def test_a_link_of_the_commit_is_followed_as_it_was(self, git, tmp_path, revision_of):
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
    def test_a_link_of_the_commit_that_leads_to_no_file_of_it(self, git, tmp_path, target, revision_of):
        linked(tmp_path, "link.json", target)
        git("add", ".")
        git("commit", "-qm", "link")
        with pytest.raises(BaselineError, match=r"A link that leads to no file of the commit"):
            revision_of("HEAD").read(tmp_path / "link.json")

    def test_a_repository_that_is_reached_by_a_link(self, git, tmp_path, tmp_path_factory, revision_of):
        there = tmp_path_factory.mktemp("elsewhere") / "link"
        there.symlink_to(tmp_path)
        (tmp_path / "baseline.json").write_text("new")
        assert revision_of("HEAD", there).read(there / "baseline.json") == b"old baseline.json"

    def test_a_file_outside_of_the_repository(self, git, tmp_path, revision_of):
        with pytest.raises(BaselineError, match=r"The file is outside of the repository"):
            revision_of("HEAD").read(tmp_path.parent / "baseline.json")


LINES = "".join(f"line {number}\n" for number in range(50))


def versions(repository, name="a.json"):
    return Repository.around(repository.path / name).versions(repository.path / name)


def contents(repository, name="a.json"):
    """The contents of all versions, the oldest first; None of those that were deleted."""
    around = Repository.around(repository.path / name)
    found = around.versions(repository.path / name)
    return [around.content(each).decode() if each.blob else None for each in found]


class TestVersionsOfAFile:
    def test_versions_come_with_commit_date_and_subject_the_oldest_first(self, repository):
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
    def test_any_name(self, repository, name):
        for content in "12":
            repository.commit(**{name: content})
        assert contents(repository, name) == ["1", "2"]
        assert {each.name for each in versions(repository, name)} == {name}

    def test_renames_are_followed_also_to_another_folder_and_more_than_once(self, repository):
        repository.commit(**{"first.json": LINES})
        for old, new in [("first.json", "b/second.json"), ("b/second.json", "a.json")]:
            (repository.path / new).parent.mkdir(exist_ok=True)
            repository.git("mv", old, new)
            repository.commit(**{new: f"{LINES}{new}\n"})
        assert [each.name for each in versions(repository)] == ["first.json", "b/second.json", "a.json"]
        assert contents(repository)[0] == LINES

    def test_a_file_that_is_much_like_another_is_no_rename_of_it(self, repository):
        repository.commit(**{"first.json": LINES})
        repository.commit(**{"a.json": f"{LINES}more\n"})
        assert len(versions(repository)) == 1

    def test_a_file_that_was_deleted_and_made_anew(self, repository):
        repository.commit(**{"a.json": "1"})
        repository.git("rm", "-q", "a.json")
        repository.commit("gone")
        assert contents(repository) == ["1", None]
        repository.commit(**{"a.json": "2"})
        assert contents(repository) == ["1", None, "2"]

    def test_of_a_merge_what_it_changed_on_the_branch(self, repository):
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

    @pytest.mark.skipif(os.name == "nt", reason="there no file is executable")
    def test_a_file_that_may_be_executed_is_a_file(self, repository):
        repository.commit(**{"a.json": "1"})
        (repository.path / "a.json").chmod(0o755)
        repository.commit("executable", **{"a.json": "2"})
        assert contents(repository) == ["1", "2"]

    def test_a_shallow_clone_knows_its_last_commits(self, repository, tmp_path):
        for content in "123":
            repository.commit(**{"a.json": content})
        for depth in (1, 2):
            path = repository.shallow_clone(tmp_path / f"clone-{depth}", depth)
            clone = Repository.around(path / "a.json")
            assert clone.is_shallow
            assert clone.has_parents is (depth > 1)
            assert len(clone.versions(path / "a.json")) == depth
        assert not Repository.around(repository.path / "a.json").is_shallow

    def test_a_link_is_no_version_and_linked_folders_are_followed(self, repository):
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
        with pytest.raises(BaselineError, match="A link that leads to no file"):
            Repository.around(path).versions(path)
        assert len(Repository.around(path, before).versions(path)) == 1

    def test_what_once_was_a_link_has_no_content(self, repository):
        (repository.path / "a.json").symlink_to("b.json")
        repository.commit()
        (repository.path / "a.json").unlink()
        repository.commit(**{"a.json": "1"})
        assert [bool(each.blob) for each in versions(repository)] == [False, True]

    def test_a_file_without_a_version(self, repository, tmp_path):
        for path in (repository.path / "a.json", tmp_path / "a.json"):
            with pytest.raises(BaselineError, match="The file is in no git repository"):
                Repository.around(path)
        repository.commit(b="1")
        assert versions(repository) == []
        assert versions(repository, "no/such/folder/a.json") == []
        with pytest.raises(BaselineError, match="The file is outside of the repository"):
            Repository.around(repository.path / "b").versions(tmp_path / "a.json")

    def test_contents_of_any_length_and_one_that_is_elsewhere(self, repository):
        repository.commit(**{"a.json": "", "b": b"\x00\n\n" * 100_000})
        around = Repository.around(repository.path / "b")
        (version,) = versions(repository, "b")
        assert around.content(version) == b"\x00\n\n" * 100_000
        assert around.content(versions(repository)[0]) == b""
        repository.commit(b="version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
        with pytest.raises(BaselineError, match=r"^b: It is in Git LFS"):
            around.content(versions(repository, "b")[-1])

    def test_a_partial_clone_fetches_nothing(self, repository, tmp_path):
        for content in "12":
            repository.commit(**{"a.json": content})
        repository.git("config", "uploadpack.allowFilter", "true")
        path = tmp_path / "partial"
        repository.git("clone", "-q", "--filter=blob:none", repository.path.as_uri(), path)
        clone = Repository.around(path / "a.json")
        old, new = clone.versions(path / "a.json")
        assert clone.content(new) == b"2"
        with pytest.raises(BaselineError, match=r"a\.json: This clone is a partial one, and lacks the content"):
            clone.content(old)


class TestHostileRepositories:
    """What a commit can hold must not make git run anything, nor change what a base commit says."""

    @pytest.fixture
    def trap(self, tmp_path):
        """A program that leaves a trace when it runs."""
        program = tmp_path / "trap"
        program.write_text(f"#!/bin/sh\ntouch '{tmp_path}/sprung'\n")
        program.chmod(0o755)
        return program

    def test_a_committed_folder_that_is_a_bare_repository_is_not_asked(self, repository, tmp_path, trap):
        commit = repository.commit(**{"evil/a.json": "1"})
        inner = Committed.new(tmp_path / "inner")
        inner.commit(**{"a.json": "2"})
        evil = repository.path / "evil"
        shutil.copytree(inner.path / ".git", evil, dirs_exist_ok=True)
        for key in ("core.fsmonitor", "gpg.program", "core.pager"):
            inner.git("config", "-f", evil / "config", key, trap)
        inner.git("config", "-f", evil / "config", "core.worktree", evil)
        inner.git("config", "-f", evil / "config", "core.bare", "false")
        inner.git("config", "-f", evil / "config", "log.showSignature", "true")
        around = Repository.around(evil / "a.json")
        assert (around.top, around.commit) == (repository.path, commit)
        assert Checkout.of(evil, {}).commit == commit
        assert contents(repository, "evil/a.json") == ["1"]
        assert not (tmp_path / "sprung").exists()

    def test_the_repositorys_own_settings_start_no_program(self, repository, tmp_path, trap):
        repository.commit(**{"a.json": "1", ".gitattributes": "*.json diff=trap filter=trap\n"})
        for key in ("core.fsmonitor", "core.pager", "diff.external", "gpg.program", "credential.helper"):
            repository.git("config", key, trap)
        repository.git("config", "log.showSignature", "true")
        for key in ("diff.trap.command", "diff.trap.textconv", "filter.trap.smudge", "filter.trap.clean"):
            repository.git("config", key, trap)
        path = repository.path / "a.json"
        assert Revision.of("HEAD", repository.path, tmp_path).read(path) == b"1"
        assert contents(repository) == ["1"]
        assert Checkout.of(repository.path, {}).branch == "main"
        assert not (tmp_path / "sprung").exists()

    def test_attributes_of_the_checkout_do_not_decode_the_commits_files(self, repository, tmp_path):
        repository.commit(**{"a.json": "one\ntwo\n"})
        path = repository.path / "a.json"
        for attributes in ("*.json ident text eol=crlf\n", "*.json working-tree-encoding=UTF-16\n"):
            repository.write(".gitattributes", attributes)
            revision = Revision.of("HEAD", repository.path, tmp_path)
            assert revision.read(path) == b"one\ntwo\n"
            assert not revision.changed(path)

    def test_line_ends_are_no_change_but_in_binary_files_they_are(self, repository, tmp_path):
        repository.commit(**{"a.json": "one\ntwo\n", "b.npz": b"\0\n"})
        revision = Revision.of("HEAD", repository.path, tmp_path)
        repository.write("a.json", "one\r\ntwo\r\n")
        repository.write("b.npz", b"\0\r\n")
        assert not revision.changed(repository.path / "a.json")
        assert revision.changed(repository.path / "b.npz")

    def test_what_git_lfs_keeps_is_found_or_refused(self, repository, tmp_path):
        digest = sha256(b"kept").hexdigest()
        repository.commit(**{"a.json": f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize 4\n"})
        path = repository.write("a.json", "other")
        revision = Revision.of("HEAD", repository.path, tmp_path)
        with pytest.raises(BaselineError, match=r"Git LFS has not fetched.*git lfs fetch origin"):
            revision.read(path)
        stored = f".git/lfs/objects/{digest[:2]}/{digest[2:4]}/{digest}"
        repository.write(stored, "kept?")
        with pytest.raises(BaselineError, match="Git LFS has not fetched"):
            revision.read(path)
        repository.write(stored, "kept")
        assert revision.read(path) == b"kept"
        assert revision.changed(path)
        (repository.path / stored).unlink()
        path.write_text("kept")
        assert revision.read(path) == b"kept"

    def test_worktrees_and_submodules_are_repositories(self, repository, tmp_path):
        first = repository.commit(**{"a.json": "1"})
        repository.git("worktree", "add", "-q", tmp_path / "tree")
        assert Repository.around(tmp_path / "tree" / "a.json") == Repository(tmp_path / "tree", first)
        outer = Committed.new(tmp_path / "outer")
        outer.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", repository.path, "sub")
        outer.commit("with a submodule")
        assert Repository.around(outer.path / "sub" / "a.json") == Repository(outer.path / "sub", first)
