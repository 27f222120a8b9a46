"""Files for outputs, variables, paths and summaries are read as GitHub reads them."""

import pytest


@pytest.mark.parametrize(
    ("written", "outputs"),
    [
        ("a=1\nb=x=y\n\nc=", {"a": "1", "b": "x=y", "c": ""}),
        ("a<<END\none\n\ntwo\nEND\nb=2\n", {"a": "one\n\ntwo", "b": "2"}),
        ("a<<END\nEND", {"a": ""}),
        ("a=x<<END\nb=2", {"a": "x<<END", "b": "2"}),
        ("a<<END\n END\nEND \nEND\n", {"a": " END\nEND "}),
        ("a=1\r\n", {"a": "1\r"}),
        ("a=1\na=2\n", {"a": "2"}),
    ],
)
def test_outputs(run_script, written, outputs):
    result = run_script('printf %s "$WRITTEN" > "$GITHUB_OUTPUT"', env={"WRITTEN": written})
    assert result.step("made").outputs == outputs
    assert result.conclusion == "success"


def test_a_value_that_holds_its_delimiter_injects_outputs(run_script):
    value = "harmless\nEND\nverdict=passed\nrest<<END"
    guessed = run_script('printf "text<<END\\n%s\\nEND\\n" "$VALUE" > "$GITHUB_OUTPUT"', env={"VALUE": value})
    assert guessed.step("made").outputs == {"text": "harmless", "verdict": "passed", "rest": ""}
    random = run_script('printf "text<<7f3a\\n%s\\n7f3a\\n" "$VALUE" > "$GITHUB_OUTPUT"', env={"VALUE": value})
    assert random.step("made").outputs == {"text": value}


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("no separator", "Invalid format 'no separator'"),
        ("a<<END\nnever closed\n", "Invalid value. Matching delimiter not found 'END'"),
        ("a<<\nx\n", "Invalid format 'a<<'. Name and delimiter must not be empty"),
        ("=x", "Invalid format '=x'. Name and delimiter must not be empty"),
    ],
)
def test_malformed_outputs_fail_the_step_and_what_stands_before_them_counts(run_script, written, message):
    result = run_script('printf "before=1\\n%s" "$WRITTEN" > "$GITHUB_OUTPUT"', env={"WRITTEN": written})
    assert result.conclusion == "failure"
    assert result.step("made").exit_code == 0
    assert result.step("made").outputs == {"before": "1"}
    assert result.messages == [
        ("error", "Unable to process file command 'output' successfully."),
        ("error", message),
    ]


def test_variables_and_paths_reach_later_steps_only(run_script, tmp_path):
    result = run_script(
        """
        echo COLOUR=blue >> "$GITHUB_ENV"
        echo NODE_OPTIONS=--inspect >> "$GITHUB_ENV"
        mkdir tools
        printf '#!/bin/sh\\necho from tools' > tools/tool
        chmod +x tools/tool
        printf "$PWD/tools\\n\\n/elsewhere\\n$PWD/tools\\n" >> "$GITHUB_PATH"
        echo "now: $COLOUR"
        """,
        then="""
- {id: later, run: 'echo "$COLOUR $EXPRESSION"; tool', shell: bash, env: {EXPRESSION: "${{ env.COLOUR }}"}}
- {id: own, run: echo $COLOUR, shell: bash, env: {COLOUR: red}}
""",
    )
    assert result.step("made").stdout == "now: \n"
    assert result.step("later").stdout == "blue blue\nfrom tools\n"
    assert result.step("own").stdout == "red\n"
    assert result.env == {"COLOUR": "blue"}
    assert result.path == (str(tmp_path / "workspace" / "tools"), "/elsewhere")
    assert result.messages == [("error", "Can't store NODE_OPTIONS output parameter using '$GITHUB_ENV' command.")]


SUMMARY_OF = 'head -c "$SIZE" /dev/zero | tr "\\0" x > "$GITHUB_STEP_SUMMARY"'


def test_summaries_of_all_steps_follow_each_other(run_script):
    result = run_script(
        'printf one > "$GITHUB_STEP_SUMMARY"', then="- {run: 'echo two > $GITHUB_STEP_SUMMARY', shell: bash}"
    )
    assert result.summary == "one\ntwo\n"
    assert not result.summary_too_long


def test_a_summary_of_one_mebibyte_just_fits(run_script):
    result = run_script(SUMMARY_OF, env={"SIZE": str(1024 * 1024)})
    assert result.summary == "x" * 1024 * 1024 + "\n"
    assert result.annotations == ()


def test_a_summary_above_one_mebibyte_is_lost_but_fails_nothing(run_script):
    result = run_script(SUMMARY_OF, env={"SIZE": str(1024 * 1024 + 1)})
    assert result.conclusion == "success"
    assert result.summary is None
    assert result.step("made").summary is None
    assert result.summary_too_long
    assert result.messages == [
        ("error", "$GITHUB_STEP_SUMMARY upload aborted, supports content up to a size of 1024k, got 1024k.")
    ]
