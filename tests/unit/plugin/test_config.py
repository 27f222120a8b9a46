from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_bayesf1.gates.acceptance import Acceptance, Terms
from pytest_bayesf1.gates.manifest import Listed
from pytest_bayesf1.plugin import fixtures
from pytest_bayesf1.plugin.config import PluginConfig, encoding_of, read_config, shown_as
from pytest_bayesf1.plugin.fixtures import Surroundings
from pytest_bayesf1.project import Update
from pytest_bayesf1.reports import record

NOTHING = dict.fromkeys(["report", "baseline_ref"])


def configured(**given):
    known = {"settings": {}, "warn_undecided": False, "update": Update.NONE, "command": ""}
    return PluginConfig(**NOTHING | known | given)


@pytest.fixture
def read(tmp_path):
    """Read options and ini keys of a project whose pytest is called in the folder `here`."""
    invoked = SimpleNamespace(dir=tmp_path / "here")

    def read(ini, *args, **options):
        known = {"bayesf1_command": "", **{f"bayesf1_{name}": value for name, value in options.items()}}
        keys = {f"bayesf1_{name}": value for name, value in ini.items()}
        asked = {"args": args, "getoption": known.get, "getini": lambda name: keys.get(name, "")}
        return read_config(SimpleNamespace(rootpath=tmp_path, invocation_params=invoked, **asked))

    return read


@pytest.mark.parametrize("update", [None, *(each for each in Update if each is not Update.NONE)])
def test_what_is_typed_or_in_the_ini_file_is_what_is_read(pytester, monkeypatch, update):
    monkeypatch.delenv("CI", raising=False)
    suffix = "" if update is Update.ALL else f"={update}"
    typed = [] if update is None else [f"--bayesf1-update{suffix}"]
    typed += ["--bayesf1-seed=3", "--bayesf1-command=full", "--bayesf1-only=a", "--bayesf1-only=b"]
    config = pytester.parseconfig(*typed, "-o", "bayesf1_warn_undecided=yes", "-o", "bayesf1_report=out")
    path = pytester.path / "out"
    expected = {"settings": {"seed": 3}, "warn_undecided": True, "report": path, "command": "full"}
    assert read_config(config) == configured(**expected, update=update or Update.NONE)
    assert config.getoption("bayesf1_only") == ["a", "b"]
    typed = ["--bayesf1-warn-undecided", "--bayesf1-report=out", "--bayesf1-baseline-ref=main"]
    config = pytester.parseconfig(*typed, "-o", "bayesf1_seed=3", "-o", "bayesf1_warn_undecided=no")
    assert read_config(config) == configured(**{**expected, "command": "", "baseline_ref": "main"})
    assert read_config(pytester.parseconfig("-o", "bayesf1_warn_undecided=no")) == configured()


def test_options_are_seen_from_where_pytest_was_called_and_ini_keys_from_the_root(read, tmp_path):
    def found(ini, **options):
        found = read(ini, **options)
        return found.report, found.settings.get("seed")

    ini = {"report": "a", "seed": "3"}
    assert found({}) == (None, None)
    assert found(ini) == (tmp_path / "a", 3)
    here = tmp_path / "here"
    assert found(ini, report="c", seed="4") == (here / "c", 4)
    assert read({}, baseline_ref="").baseline_ref is None


@pytest.mark.parametrize(
    ("given", "in_full"),
    [({}, False), ({"command": "brief"}, False), ({"command": "full"}, True), ({"report": Path()}, True)],
)
def test_machines_and_pages_have_every_figure(given, in_full):
    assert configured(**given).in_full is in_full


IN_CI = "No one reviews or commits what a run writes in CI (CI=1). Run it on your own machine"


@pytest.mark.parametrize(
    ("options", "in_ci", "told"),
    [
        ({"baseline_ref": "main", "update": "new"}, False, "--bayesf1-baseline-ref does not go with --bayesf1-update"),
        ({"update": "anchor"}, True, f"--bayesf1-update: {IN_CI}; or pass --bayesf1-update=force."),
        ({"update": "force"}, True, None),
        ({"update": "anchor"}, False, None),
        ({"baseline_ref": "main"}, True, None),
    ],
)
def test_what_makes_no_sense_is_told_of_the_option_meant(read, monkeypatch, options, in_ci, told):
    monkeypatch.setenv("CI", "1" if in_ci else "")
    if told is None:
        read({}, **options)
        return
    with pytest.raises(pytest.UsageError) as caught:
        read({}, **options)
    assert str(caught.value) == told


@pytest.mark.parametrize(
    ("ini", "options", "told"),
    [
        ({"hdi_prob": "95"}, {}, "bayesf1_hdi_prob: .*95"),
        ({}, {"measure": ""}, "--bayesf1-measure: "),
        ({"seed": "x"}, {"seed": "y"}, "--bayesf1-seed: .*'y'"),
        ({}, {"report": ""}, "--bayesf1-report: Name a directory or FILE.json"),
        ({}, {"budget": "much"}, "--bayesf1-budget: expected a loss above 0, .*'much'"),
        ({}, {"prevalence": "1=2"}, "--bayesf1-prevalence: .*0.01"),
    ],
)
def test_what_an_option_or_an_ini_key_may_not_say(read, ini, options, told):
    with pytest.raises(pytest.UsageError, match=f"^{told}"):
        read(ini, **options)


def test_an_option_behind_two_hyphens_is_told(read):
    with pytest.raises(
        pytest.UsageError, match=r"pytest takes --bayesf1-seed=3 for a file, because -- comes before it"
    ):
        read({}, "tests", "--bayesf1-seed=3")
    read({}, "tests", "--bayes")


def test_a_switch_is_on_or_off(pytester):
    config = pytester.parseconfig("-o", "bayesf1_warn_undecided=maybe")
    with pytest.raises(pytest.UsageError, match="bayesf1_warn_undecided: expected true or false"):
        read_config(config)


def written_to(encoding, **others):
    """Return pytest's configuration as far as settings of a session ask it."""
    file = SimpleNamespace(encoding=encoding)
    terminal = None if encoding is None else SimpleNamespace(_tw=SimpleNamespace(_file=file))
    plugins = SimpleNamespace(get_plugin={"terminalreporter": terminal}.get)
    return SimpleNamespace(pluginmanager=plugins, getoption=others.get, **others)


class TestShownAs:
    @pytest.mark.parametrize(
        ("report", "more"),
        [
            (None, "pytest -v, or --bayesf1-report=DIR for a page of pictures"),
            ("out", "../out/report.html, or pytest -v"),
            ("here/night.json", "night.json, or pytest -v"),
        ],
    )
    def test_where_there_is_more(self, tmp_path, monkeypatch, report, more):
        (tmp_path / "here").mkdir()
        monkeypatch.chdir(tmp_path / "here")
        told = shown_as(written_to("utf-8"), report and tmp_path / report)
        assert told == {"in_full": False, "more": more}

    @pytest.mark.parametrize(("verbose", "in_full"), [(-1, False), (0, False), (1, True), (2, True)])
    def test_v_tells_in_full(self, verbose, in_full):
        assert shown_as(written_to("utf-8", verbose=verbose), None)["in_full"] is in_full

    @pytest.mark.parametrize("encoding", ["ascii", None])
    def test_the_characters_of_the_terminal(self, encoding):
        assert encoding_of(written_to(encoding)) == (encoding or "utf-8")


class TestSurroundings:
    def test_losses_are_accepted_by_the_manifest_of_the_root_folder(self, tmp_path, monkeypatch):
        known = Acceptance(measure="f1", baseline="old", candidate="new", loss=0.1, reason="smaller")
        path = tmp_path / "__bayesf1__" / "gates.json"
        listed = {path: Listed({}, {"t.py::a": [known]})}
        monkeypatch.setattr(Listed, "checked_out", lambda given: listed.get(given, Listed()))
        config = configured(baseline_ref="v 1")
        surroundings = Surroundings(config, tmp_path, tmp_path / "below", is_compared=True)
        found = surroundings.terms("t.py::a", "pytest t.py", listed[path])
        expected = {"listed": [known], "listed_before": [known], "baseline_ref": "v 1"}
        assert found == Terms("t.py::a", tmp_path, tmp_path / "below", "pytest t.py", **expected)
        assert surroundings.terms("t.py::b", "pytest t.py").listed == []

    def test_a_damaged_manifest_accepts_nothing(self, tmp_path):
        (tmp_path / "__bayesf1__").mkdir()
        (tmp_path / "__bayesf1__" / "gates.json").write_text("{")
        surroundings = Surroundings(configured(), tmp_path, tmp_path, is_compared=True)
        assert surroundings.terms("t.py::a", "pytest t.py").listed == []

    @pytest.mark.parametrize(
        ("given", "is_verbose", "in_full", "texts"),
        [
            ({}, True, False, ""),
            ({"command": "brief"}, False, False, "brief"),
            ({"command": "full"}, True, True, "full"),
            ({"report": Path("out")}, False, True, ""),
        ],
    )
    def test_records_are_as_long_as_what_is_made_of_them(
        self, tmp_path, monkeypatch, given, is_verbose, in_full, texts
    ):
        monkeypatch.setattr(record, "Records", lambda root, **how: (root, how))
        for is_compared in (False, True):
            found: Any = Surroundings(configured(**given), tmp_path, tmp_path / "here", is_compared, is_verbose).records
            assert found == (tmp_path, {"in_full": in_full, "is_compared": is_compared, "texts": texts})

    @pytest.mark.parametrize(
        ("listed_in", "given", "is_compared"),
        [
            (None, {}, False),
            (".", {}, True),
            ("here", {}, True),
            ("other", {}, False),
            (None, {"update": Update.NEW}, True),
            (None, {"baseline_ref": "main"}, True),
        ],
    )
    def test_test_sets_are_counted_where_a_manifest_is_read_or_written(self, tmp_path, listed_in, given, is_compared):
        if listed_in is not None:
            (tmp_path / listed_in / "__bayesf1__").mkdir(parents=True)
            (tmp_path / listed_in / "__bayesf1__" / "gates.json").touch()
        stash = pytest.Stash()
        stash[fixtures.CONFIG] = configured(**given)
        invoked = SimpleNamespace(dir=tmp_path / "here")
        config = SimpleNamespace(
            stash=stash, rootpath=tmp_path, invocation_params=invoked, getoption=lambda name, _: name == "verbose"
        )
        found = Surroundings.of(config)
        assert found.is_compared is is_compared
        assert (found.root, found.here, found.is_verbose) == (tmp_path, tmp_path / "here", True)
