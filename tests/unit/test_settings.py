import threading
from contextlib import suppress
from math import inf, nan
from pathlib import Path
from types import MappingProxyType

import pytest

from pytest_bayesf1 import InputError
from pytest_bayesf1.project import (
    Update,
    Wanted,
    baselines_below,
    folders_from,
    gate_files,
    gate_files_in_or_below,
    in_ci,
    manifest_path,
    require_updatable,
    store_directory,
)
from pytest_bayesf1.session import Session, active, current_session


def made(folder, *names):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


class TestProject:
    def test_gate_files_by_their_names(self, tmp_path):
        made(tmp_path, "bayesf1.yaml", "bayesf1-more.yml", "other.yaml", "below/bayesf1.yaml", "bayesf1.yaml.bak")
        assert [path.name for path in gate_files(tmp_path)] == ["bayesf1-more.yml", "bayesf1.yaml"]
        assert gate_files_in_or_below(tmp_path) == gate_files(tmp_path)

    def test_gate_files_below_a_folder_without_one(self, tmp_path):
        names = ("b/bayesf1.yaml", "a/deep/bayesf1.yaml", ".venv/bayesf1.yaml", "build/bayesf1.yaml")
        made(tmp_path, *names)
        found = gate_files_in_or_below(tmp_path)
        assert [path.relative_to(tmp_path).as_posix() for path in found] == ["a/deep/bayesf1.yaml", "b/bayesf1.yaml"]

    def test_baselines_stand_beside_their_module(self):
        assert store_directory(Path("/project/tests/test_spam.py")) == Path("/project/tests/__bayesf1__/test_spam")

    def test_baselines_are_found_and_nothing_else(self, tmp_path):
        store = "tests/__bayesf1__"
        made(tmp_path / store / "test_spam", "a.json", "b.json", "b.anchor.json", ".lock.json", "notes.txt")
        made(tmp_path, ".venv/__bayesf1__/x/a.json", "node_modules/__bayesf1__/x/a.json", "data/a.json")
        made(tmp_path / store / "gates", "gates.json")  # of a test called gates, in a module of that name
        made(tmp_path, manifest_path(Path()).as_posix())
        found = [path.relative_to(tmp_path / store).as_posix() for path in baselines_below(tmp_path)]
        assert found == ["gates/gates.json", "test_spam/a.json", "test_spam/b.json"]

    @pytest.mark.parametrize(
        ("value", "is_ci"), [("", False), ("0", False), ("False", False), ("true", True), ("1", True)]
    )
    def test_ci(self, monkeypatch, value, is_ci):
        monkeypatch.setenv("CI", value)
        assert in_ci() is is_ci

    def test_nothing_is_written_where_nobody_reviews_it(self, monkeypatch):
        monkeypatch.setenv("CI", "true")
        require_updatable(Update.NONE, "--bayesf1-update")
        with pytest.raises(InputError, match=r"in CI \(CI=true\)\. Run it on your own machine; or pass --force"):
            require_updatable(Update.ALL, "--bayesf1-update", "--force")
        require_updatable(Update.FORCE, "--bayesf1-update")
        monkeypatch.delenv("CI")
        require_updatable(Update.ALL, "--bayesf1-update")

    @pytest.mark.parametrize(
        ("reason", "up_to", "told"),
        [
            ("half size", None, "--reason: expected a reason of at least 3 words, up to 500 .*, got 'half size'"),
            ("a b " + 497 * "c", None, "--reason: expected a reason .*, got 501 characters"),
            *(("half the size", each, "--up-to: expected a loss") for each in (0.0, inf, nan)),
        ],
    )
    def test_what_is_no_reason_and_no_limit(self, reason, up_to, told):
        with pytest.raises(InputError, match=told):
            Wanted.of(reason, up_to)

    def test_a_reason_is_one_line_of_at_least_three_words(self):
        assert Wanted.of(" half  the\nsize ", 0.1) == Wanted("half the size", 0.1)
        assert Wanted.of("a b " + 496 * "c", None).up_to is None

    def test_gates_above_a_repository_are_none_of_its_own(self, tmp_path):
        made(tmp_path, "a/.git/HEAD", "a/b/c/file")
        assert [*folders_from(tmp_path / "a/b")] == [tmp_path / "a/b", tmp_path / "a"]


class TestSession:
    def test_the_inner_of_two_sessions_is_in_effect_until_an_error_ends_it(self):
        outer, inner = Session(), Session(MappingProxyType({"seed": 1}))
        with active(outer):
            with suppress(ZeroDivisionError), active(inner):
                assert current_session() is inner
                raise ZeroDivisionError
            assert current_session() is outer

    def test_a_thread_of_the_test_sees_the_same_surroundings(self):
        seen = []
        with active(Session(MappingProxyType({"seed": 1}))):
            thread = threading.Thread(target=lambda: seen.append(dict(current_session().settings)))
            thread.start()
            thread.join()
        assert seen == [{"seed": 1}]
