from types import SimpleNamespace

import pytest

from pytest_bayesf1.gates.acceptance import Acceptance, Terms
from pytest_bayesf1.gates.manifest import Listed
from pytest_bayesf1.plugin import fixtures
from pytest_bayesf1.plugin.config import PluginConfig, encoding_of, read_config, shown_as
from pytest_bayesf1.plugin.fixtures import Surroundings
from pytest_bayesf1.project import Update

NOTHING = dict.fromkeys(["report", "baseline_ref"])


def configured(**given):
    known = {"settings": {}, "warn_undecided": False, "update": Update.NONE, "command": ""}
    return PluginConfig(**NOTHING | known | given)


@pytest.fixture
def read(tmp_path):
    """Read options and ini keys of a project whose pytest is called in the folder `here`."""
    invoked = SimpleNamespace(dir=tmp_path / "here")

    def read(ini, **options):
        known = {"bayesf1_command": "", **{f"bayesf1_{name}": value for name, value in options.items()}}
        keys = {f"bayesf1_{name}": value for name, value in ini.items()}
        asked = {"args": [], "getoption": known.get, "getini": lambda name: keys.get(name, "")}
        return read_config(SimpleNamespace(rootpath=tmp_path, invocation_params=invoked, **asked))

    return read


def test_options_are_seen_from_where_pytest_was_called_and_ini_keys_from_the_root(read, tmp_path):
    def found(ini, **options):
        found = read(ini, **options)
        return found.report, found.settings.get("seed")

    ini = {"report": "a", "seed": "3"}
    assert found({}) == (None, None)
    assert found(ini) == (tmp_path / "a", 3)
    here = tmp_path / "here"
    assert found(ini, report="c", seed="4") == (here / "c", 4)


IN_CI = "No one reviews or commits what a run writes in CI (CI=1). Run it on your own machine"


@pytest.mark.parametrize(
    ("options", "in_ci", "told"),
    [
        ({"baseline_ref": "main", "update": "new"}, False, "--bayesf1-baseline-ref does not go with --bayesf1-update"),
        ({"update": "anchor"}, True, f"--bayesf1-update: {IN_CI}; or pass --bayesf1-update=force."),
        ({"update": "force"}, True, None),
        ({"update": "anchor"}, False, None),
        ({"baseline_ref": "main"}, True, None),
        ({"seed": "x"}, False, "--bayesf1-seed: expected a whole number that is not negative, got 'x'"),
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


def test_a_switch_is_on_by_its_option_or_its_ini_key(read):
    found = [read({}), read({"warn_undecided": True}), read({}, warn_undecided=True)]
    assert [each.warn_undecided for each in found] == [False, True, True]


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
