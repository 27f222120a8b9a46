"""Pull requests that loosen their own gate: what the Action says of each, and when the job fails."""

import json
from textwrap import dedent

import pytest

from pytest_bayesf1.gates.manifest import GateSettings, to_text

from .github_markdown import as_github_shows
from .project import BASELINE, MUCH_WORSE, SAME, Project

TEST = dedent("""
    import pytest
    from pytest_bayesf1 import assert_not_worse, compare

    def test_ham():
        assert_not_worse([[450, 50], [50, 450]], [[449, 51], [50, 450]], rope=0.05, measure="accuracy")
""")
LISTED = {"policy": "not_worse", "measure": "accuracy", "rope": [-0.05, 0.05], "hdi_prob": 0.95, "prior": "auto"}
STRICT = {"fail_on": "<", "rope": 0.05}
SPAM = {**LISTED, "policy": "not_even_slightly_worse"}
LOOSENED = {"fail-on": "loosened"}


@pytest.fixture
def project(github, tmp_path):
    """A base commit with two gates, one in a file and one in a test, both listed."""
    github.state.add_pull()
    project = Project(tmp_path / "spam", github)
    project.start()
    project.gate(SAME, **STRICT)
    listed = {"bayesf1.yaml::spam": [SPAM], "test_ham.py::test_ham": [LISTED]}
    gates = {test: [GateSettings(**settings) for settings in each] for test, each in listed.items()}
    project.write(test_ham_dot_py=TEST)
    (project.folder / "__bayesf1__").mkdir()
    (project.folder / "__bayesf1__" / "gates.json").write_text(to_text(gates))
    project.commit()
    return project


def change_test(project, old, new):
    assert old in TEST
    project.write(test_ham_dot_py=TEST.replace(old, new))
    project.commit()


def comment(github):
    return [each.body for each in github.state.comments]


@pytest.mark.long
def test_gates_that_are_as_listed_pass(project, github):
    project.commit()
    result = project.run(**LOOSENED)
    assert (result.conclusion, result.outputs["verdict"], result.outputs["loosened-gates"]) == ("success", "passed", "")
    assert comment(github) == []


@pytest.mark.long
def test_all_gates_deleted(project, github):
    for name in ("test_ham.py", "bayesf1.yaml", "__bayesf1__/gates.json"):
        (project.folder / name).unlink()
    project.write(test_other_dot_py="def test_other(): pass\n")
    project.commit()
    result = project.run()
    assert (result.conclusion, result.outputs["verdict"]) == ("failure", "none")
    assert result.outputs["loosened-gates"].splitlines() == ["bayesf1.yaml::spam", "test_ham.py::test_ham"]
    (body,) = comment(github)
    assert "2 gates are missing, looser or another than listed in gates.json." in body
    assert body.index("test\\_ham.py::test\\_ham") < body.index("<sub>")
    allowed = project.run(**{"allow-no-gates": "true"})
    assert (allowed.conclusion, allowed.outputs["verdict"]) == ("success", "none")
    assert project.run(**{"allow-no-gates": "true", **LOOSENED}).conclusion == "failure"


@pytest.mark.long
def test_one_gate_deleted_is_told_and_fails_where_asked(project, github):
    (project.folder / "test_ham.py").unlink()
    project.commit()
    result = project.run()
    assert (result.conclusion, result.outputs["verdict"]) == ("success", "loosened")
    assert result.outputs["loosened-gates"] == "test_ham.py::test_ham"
    (body,) = comment(github)
    assert "no test of this name ran: it was deleted, renamed or not selected" in as_github_shows(body)
    assert body.splitlines()[2].startswith("## ⚠️ ")
    assert "⚠️" in result.summary
    (warning,) = (each for each in result.annotations if "This gate was loosened" in each.message)
    assert warning.level == "warning"
    assert project.run(**LOOSENED).conclusion == "failure"


CHANGES = {
    "a wider rope": (("rope=0.05", "rope=0.1"), "you tolerated 5 points, this pull request tolerates 10 points"),
    "a lower probability": (('"accuracy"', '"accuracy", hdi_prob=0.8'), "you judged by a 95% HDI"),
    "another measure": (('"accuracy"', '"f1_macro"'), "you compared accuracy, this pull request compares f1"),
    "no assertion": (("    assert_not_worse(", "    compare("), "its test ran without it"),
    "xfail": (("def test_ham", "@pytest.mark.xfail\ndef test_ham"), "its test is expected to fail (xfail)"),
}


@pytest.mark.long
@pytest.mark.parametrize("name", CHANGES)
def test_a_gate_of_a_test_is_loosened(project, github, name):
    change, told = CHANGES[name]
    change_test(project, *change)
    result = project.run(**LOOSENED)
    assert (result.conclusion, result.outputs["verdict"]) == ("failure", "loosened")
    assert result.outputs["loosened-gates"] == "test_ham.py::test_ham"
    assert told in as_github_shows(comment(github)[0])


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({**STRICT, "fail_on": "<<"}, "you demanded not even slightly worse, this pull request demands not worse"),
        ({**STRICT, "rope": 0.4}, "you tolerated 5 points, this pull request tolerates 40 points"),
    ],
    ids=["policy", "rope"],
)
@pytest.mark.one_of_many
def test_a_gate_of_a_file_is_loosened(project, github, settings, told):
    project.gate(SAME, **settings)
    project.commit()
    result = project.run(**LOOSENED)
    assert (result.conclusion, result.outputs["loosened-gates"]) == ("failure", "bayesf1.yaml::spam")
    assert told in as_github_shows(comment(github)[0])


def test_without_the_plugin_there_is_no_answer(project):
    project.write(pytest_dot_ini="[pytest]\naddopts = -p no:bayesf1\n")
    project.commit()
    result = project.run()
    assert (result.conclusion, result.outputs["verdict"]) == ("failure", "error")


@pytest.mark.long
def test_gate_files_of_the_base_commit(project, github):
    project.gate(MUCH_WORSE, **{**STRICT, "rope": 0.9})
    (project.folder / "baseline.json").write_text(json.dumps(BASELINE))
    project.commit()
    assert project.run().conclusion == "success"
    result = project.run(**{"gates-ref": "base"})
    assert (result.conclusion, result.outputs["failed-gates"]) == ("failure", "bayesf1.yaml::spam")
    (project.folder / "bayesf1.yaml").unlink()
    project.commit()
    result = project.run(args="bayesf1.yaml test_ham.py", **{"gates-ref": "base"})
    assert (result.conclusion, result.outputs["failed-gates"]) == ("failure", "bayesf1.yaml::spam")


def test_an_unknown_place_of_gate_files(project):
    result = project.run(**{"gates-ref": "elsewhere"})
    assert result.conclusion == "failure"
    assert any("gates-ref: expected one of head, base" in message for _, message in result.messages)
