"""What a step prints for the runner cannot be broken by what users name things."""

import re
import sys

from hypothesis import given
from hypothesis import strategies as st

from pytest_bayesf1.github.action import Annotation, add_summary, no_commands, set_outputs


def outputs_of(text):
    """Read outputs as the runner does."""
    found, lines = {}, iter(text.split("\n"))
    for line in lines:
        if line:
            name, delimiter = line.split("<<")
            value = []
            for more in lines:
                if more == delimiter:
                    break
                value.append(more)
            found[name] = "\n".join(value)
    return found


def test_an_annotation_at_a_line():
    annotation = Annotation("error", "bayesf1.yaml::spam", "It falls.\nLook: 50%", "ci/bayesf1.yaml", 7)
    assert annotation.command() == (
        "::error file=ci/bayesf1.yaml,line=7,title=bayesf1.yaml%3A%3Aspam::It falls.%0ALook: 50%25"
    )


def test_an_annotation_about_no_file():
    assert Annotation("notice", "title", "text").command() == "::notice title=title::text"


@given(st.text(), st.text(), st.text())
def test_an_annotation_is_one_line_with_three_properties(title, message, file):
    command = Annotation("warning", title, message, file, 1).command()
    assert "\n" not in command
    assert "\r" not in command
    properties, _, _ = command.removeprefix("::warning ").partition("::")
    assert len(properties.split(",")) == 1 + bool(title) + bool(file)


@given(st.dictionaries(st.sampled_from(["verdict", "failed-gates"]), st.text(alphabet="ab<=\nbayesf1-", max_size=40)))
def test_no_output_can_pass_for_another(tmp_path_factory, outputs):
    file = tmp_path_factory.mktemp("outputs") / "output"
    file.touch()
    set_outputs(file, outputs)
    assert outputs_of(file.read_text()) == outputs


def test_nobody_can_tell_where_an_output_will_end(tmp_path):
    file = tmp_path / "output"
    for _ in range(20):
        earlier = re.findall("<<(.*)", file.read_text()) if file.exists() else []
        value = "\n".join(["a", *earlier, "verdict=passed"])
        set_outputs(file, {"failed-gates": value, "verdict": "failed"})
    delimiters = re.findall("<<(.*)", file.read_text())
    assert len(set(delimiters)) == len(delimiters) == 40
    assert outputs_of(file.read_text()) == {"failed-gates": value, "verdict": "failed"}


def test_an_output_that_utf_8_cannot_write(tmp_path):
    set_outputs(tmp_path / "output", {"failed-gates": "\ud800"})
    assert outputs_of((tmp_path / "output").read_text("utf-8")) == {"failed-gates": "\\ud800"}


def test_summaries_add_up(tmp_path):
    add_summary(tmp_path / "summary.md", "# One")
    add_summary(tmp_path / "summary.md", "# Two \udc80")
    assert (tmp_path / "summary.md").read_text("utf-8") == "# One\n# Two \\udc80\n"


def test_what_is_printed_meanwhile_is_no_command(capsys):
    with no_commands():
        sys.stdout.write("::error::forged")
    lines = capsys.readouterr().out.splitlines()
    token = re.fullmatch(r"::stop-commands::([0-9a-f]{32})", lines[0])[1]
    assert lines[1:] == ["::error::forged", f"::{token}::"]
