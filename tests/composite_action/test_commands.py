"""Workflow commands in what steps print mean what they mean on GitHub."""

import pytest


@pytest.mark.parametrize(
    ("line", "level", "message", "properties"),
    [
        ("::error::plain", "error", "plain", {}),
        (
            "  ::WARNING file=a.py,line=3::two%0Alines 100%25",
            "warning",
            "two\nlines 100%",
            {"file": "a.py", "line": "3"},
        ),
        ("::notice title=a%3A b%2C c,line=2::x", "notice", "x", {"title": "a: b, c", "line": "2"}),
        ("::error file={workspace}/below/a.py,col=2::x", "error", "x", {"file": "below/a.py"}),
        ("::error line=2,endLine=4,col=1::x", "error", "x", {"line": "2", "endLine": "4"}),
        ("::error endline=4::x", "error", "x", {"line": "4", "endLine": "4"}),
        ("a class named ##[error]x", "error", "x", {}),
    ],
)
def test_annotations(run_script, tmp_path, line, level, message, properties):
    line = line.replace("{workspace}", str(tmp_path / "workspace"))
    result = run_script('printf "%s\\n" "$LINE"', env={"LINE": line})
    (annotation,) = result.annotations
    assert (annotation.level, annotation.message, annotation.properties) == (level, message, properties)
    assert result.step("made").log == (f"##[{level}]{message}",)
    assert result.conclusion == "success"


@pytest.mark.parametrize("line", ["text ::error::x", "::unknown::x", "::error:x", "::errors::x"])
def test_what_is_no_command(run_script, line):
    result = run_script('printf "%s\\n" "$LINE"', env={"LINE": line})
    assert result.annotations == ()
    assert result.step("made").log == (line,)


def test_commands_on_stderr_and_after_a_lone_carriage_return_count(run_script):
    result = run_script("echo ::error::one >&2\nprintf 'text\\r::error::two'")
    assert sorted(result.messages) == [("error", "one"), ("error", "two")]


def test_all_steps_share_ten_annotations_of_a_level(run_script):
    shout = "for n in 1 2 3 4 5 6; do echo ::error::$n; echo ::warning::$n; done"
    result = run_script(shout, then=f"- {{id: more, run: '{shout}; exit 1', shell: bash}}")
    shown = [
        (annotation.level, annotation.message) for annotation in result.step("more").annotations if annotation.shown
    ]
    assert all(annotation.shown for annotation in result.step("made").annotations)
    assert shown == [(level, str(n)) for n in range(1, 5) for level in ("error", "warning")]
    assert result.dropped_annotations == {"error": 3, "warning": 2, "notice": 0}


def test_stopped_commands_are_text_until_their_token(run_script):
    result = run_script("""
        echo ::stop-commands::f00d
        echo ::error::text
        echo ::other::
        echo ::f00d::
        echo ::error::command
    """)
    assert result.messages == [("error", "command")]
    assert result.step("made").log == ("::error::text", "::other::", "##[error]command")


def test_commands_stop_for_one_step_only(run_script):
    result = run_script("echo ::stop-commands::f00d", then="- {run: 'echo ::error::x', shell: bash}")
    assert result.messages == [("error", "x")]


@pytest.mark.parametrize(
    "line", ["::stop-commands::", "::stop-commands::error", "::set-env name=A::1", "::add-path::/x"]
)
def test_commands_that_fail_the_step(run_script, line):
    result = run_script('echo "$LINE"', env={"LINE": line})
    assert result.conclusion == "failure"
    assert result.env == {"LINE": line}


def test_masks_hide_from_log_annotations_and_summary_but_not_from_outputs(run_script):
    result = run_script(
        """
        echo "too early: s3cret"
        echo "::add-mask::s3cret%0Asecond"
        echo "a s3cret, a second and a t0ken"
        echo "::error::s3crets3cret"
        echo "s3cret" > "$GITHUB_STEP_SUMMARY"
        echo "open=s3cret" > "$GITHUB_OUTPUT"
        """,
        github={"token": "t0ken"},
    )
    made = result.step("made")
    assert made.log == ("too early: s3cret", "a ***, a *** and a ***", "##[error]***")
    assert result.messages == [("error", "***")]
    assert result.summary == "***\n"
    assert made.outputs == {"open": "s3cret"}
    assert result.masks == ("t0ken", "s3cret\nsecond", "s3cret", "second")
