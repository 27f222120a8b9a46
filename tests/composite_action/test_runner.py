import pytest

from tests.composite_action.runner import RefusedActionError


class TestWorkflowCommands:
    """Workflow commands in what steps print mean what they mean on GitHub."""

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
    def test_annotations(self, run_script, tmp_path, line, level, message, properties):
        line = line.replace("{workspace}", str(tmp_path / "workspace"))
        result = run_script('printf "%s\\n" "$LINE"', env={"LINE": line})
        (annotation,) = result.annotations
        assert (annotation.level, annotation.message, annotation.properties) == (level, message, properties)
        assert result.step("made").log == (f"##[{level}]{message}",)
        assert result.conclusion == "success"

    @pytest.mark.parametrize("line", ["text ::error::x", "::unknown::x", "::error:x", "::errors::x"])
    def test_what_is_no_command(self, run_script, line):
        result = run_script('printf "%s\\n" "$LINE"', env={"LINE": line})
        assert result.annotations == ()
        assert result.step("made").log == (line,)

    def test_commands_on_stderr_and_after_a_lone_carriage_return_count(self, run_script):
        result = run_script("echo ::error::one >&2\nprintf 'text\\r::error::two'")
        assert sorted(result.messages) == [("error", "one"), ("error", "two")]

    def test_all_steps_share_ten_annotations_of_a_level(self, run_script):
        shout = "for n in 1 2 3 4 5 6; do echo ::error::$n; echo ::warning::$n; done"
        result = run_script(shout, then=f"- {{id: more, run: '{shout}; exit 1', shell: bash}}")
        shown = [
            (annotation.level, annotation.message) for annotation in result.step("more").annotations if annotation.shown
        ]
        assert all(annotation.shown for annotation in result.step("made").annotations)
        assert shown == [(level, str(n)) for n in range(1, 5) for level in ("error", "warning")]
        assert result.dropped_annotations == {"error": 3, "warning": 2, "notice": 0}

    def test_stopped_commands_are_text_until_their_token(self, run_script):
        result = run_script("""
        echo ::stop-commands::f00d
        echo ::error::text
        echo ::other::
        echo ::f00d::
        echo ::error::command
    """)
        assert result.messages == [("error", "command")]
        assert result.step("made").log == ("::error::text", "::other::", "##[error]command")

    def test_commands_stop_for_one_step_only(self, run_script):
        result = run_script("echo ::stop-commands::f00d", then="- {run: 'echo ::error::x', shell: bash}")
        assert result.messages == [("error", "x")]

    @pytest.mark.parametrize(
        "line", ["::stop-commands::", "::stop-commands::error", "::set-env name=A::1", "::add-path::/x"]
    )
    def test_commands_that_fail_the_step(self, run_script, line):
        result = run_script('echo "$LINE"', env={"LINE": line})
        assert result.conclusion == "failure"
        assert result.env == {"LINE": line}

    def test_masks_hide_from_log_annotations_and_summary_but_not_from_outputs(self, run_script):
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


def outcomes(result):
    return [(step.outcome, step.conclusion) for step in result.steps]


AFTER_A_FAILURE = """
    - {id: fails, run: exit 3, shell: bash}
    - {id: next, run: "true", shell: bash, if: "CONDITION"}
"""


class TestConditions:
    """Conditions, expressions and failures mean what they mean on GitHub."""

    @pytest.mark.parametrize(
        ("condition", "outcome"),
        [
            ("", "skipped"),
            ("success()", "skipped"),
            ("true", "skipped"),
            ("${{ true }}", "skipped"),
            ("always()", "success"),
            ("failure()", "success"),
            ("FAILURE()", "success"),
            ("cancelled()", "skipped"),
            ("!cancelled()", "success"),
            ("failure() && steps.fails.outcome == 'failure'", "success"),
            ("failure() && steps.fails.conclusion == 'success'", "skipped"),
            ("steps.fails.outcome == 'failure'", "skipped"),
            ("contains('success()', 'success')", "skipped"),
        ],
    )
    def test_conditions_after_a_failure(self, run, condition, outcome):
        result = run(AFTER_A_FAILURE.replace("CONDITION", condition))
        assert result.step("fails").exit_code == 3
        assert result.step("next").outcome == outcome
        assert result.conclusion == "failure"

    @pytest.mark.parametrize(
        ("condition", "outcome"),
        [
            ("", "success"),
            ("failure()", "skipped"),
            ("false", "skipped"),
            ("inputs.switch", "success"),
            ("inputs.switch == 'true'", "skipped"),
            ("github.event.action == 'opened'", "success"),
            ("github.nothing.at.all", "skipped"),
            ("${{ false }} && true", "success"),
        ],
    )
    def test_conditions_while_all_is_well(self, run, condition, outcome):
        result = run(
            f"- {{id: only, run: 'true', shell: bash, if: \"{condition}\"}}",
            head="inputs: {switch: {default: false}}",
            github={"event": {"action": "opened"}},
        )
        assert outcomes(result) == [(outcome, outcome)]
        assert result.conclusion == "success"

    def test_a_cancelled_job_runs_only_what_asks_for_it(self, run):
        result = run(
            """
        - {run: "true", shell: bash}
        - {run: "true", shell: bash, if: failure()}
        - {run: "true", shell: bash, if: cancelled()}
        - {run: "true", shell: bash, if: always()}
        """,
            job={"status": "cancelled"},
        )
        assert [outcome for outcome, _ in outcomes(result)] == ["skipped", "skipped", "success", "success"]
        assert result.conclusion == "cancelled"

    def test_a_condition_that_cannot_be_evaluated_ends_the_action(self, run):
        result = run("""
        - {run: "true", shell: bash, if: "fromJSON('{')"}
        - {run: "true", shell: bash, if: always()}
    """)
        assert outcomes(result) == [("failure", "failure")]
        assert result.conclusion == "failure"

    def test_continue_on_error_keeps_the_outcome_and_goes_on(self, run):
        result = run("""
        - {id: fails, run: exit 1, shell: bash, continue-on-error: true}
        - {run: "true", shell: bash, if: steps.fails.outcome == 'failure' && steps.fails.conclusion == 'success'}
    """)
        assert outcomes(result) == [("failure", "success"), ("success", "success")]
        assert result.conclusion == "success"

    def test_continue_on_error_takes_no_text_for_a_boolean(self, run):
        result = run(
            "- {run: exit 1, shell: bash, continue-on-error: '${{ inputs.lenient }}'}",
            head="inputs: {lenient: {default: true}}",
        )
        assert result.conclusion == "failure"
        assert result.annotations[-1].message == "Unexpected value 'true'"

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("it's '${{ inputs.x }}' isn't {0}", "it's 'y' isn't {0}"),
            ("${{ format('''{0}'' {{}}', 'a''b''c') }}", "'a'b'c' {}"),
            ("${{ '}}' }}${{ 1 == 1.0 }}", "}}true"),
            ("${{ inputs.none }}|${{ null }}|${{ 0.10 }}", "||0.1"),
            ("${{ join(fromJSON('[1, 2]'), '+') }}", "1+2"),
            ("$ {{ inputs.x }}", "$ {{ inputs.x }}"),
        ],
    )
    def test_text_around_and_within_expressions(self, run, text, value):
        result = run(
            f'- {{id: only, run: "true", shell: bash, env: {{TEXT: "{text}"}}}}', head="inputs: {x: {default: y}}"
        )
        assert result.step("only").env == {"TEXT": value}

    def test_an_object_is_no_text(self, run):
        result = run('- {run: "true", shell: bash, env: {TEXT: "${{ github }}"}}')
        assert result.conclusion == "failure"
        assert result.annotations[0].message == "A string was expected, found Object: ${{ github }}"


PINNED = "actions/upload-artifact@0123456789abcdef0123456789abcdef01234567"

HOSTILE = """$(touch pwned) `touch pwned` "; touch pwned; ' * \\ ${{ github.token }} \n::error::no"""


class TestRunner:
    """The runner that the action's tests lean on does what GitHub's does: inputs, scripts, stubs and outputs."""

    def test_inputs_have_defaults_any_case_and_are_text(self, run):
        result = run(
            """- {run: "true", shell: bash, env: {ALL: "${{ toJSON(inputs) }}"}}""",
            head="""
            inputs:
              rope: {default: 0.010}
              where: {default: "${{ github.repository }}"}
              empty: {default: full}
              must: {required: true}
        """,
            github={"repository": "octo/cat"},
            inputs={"ROPE": "0.02", "empty": "", "typo": "x"},
        )
        assert result.inputs == {"rope": "0.02", "where": "octo/cat", "empty": "", "must": "", "typo": "x"}
        assert result.missing_inputs == ("must",)
        assert result.messages == [
            ("warning", "Unexpected input(s) 'typo', valid inputs are ['rope', 'where', 'empty', 'must']")
        ]

    def test_metacharacters_in_an_input_stay_text_when_env_hands_it_over(self, run, tmp_path):
        result = run(
            """
        - id: quoted
          run: printf '%s' "$TEXT" > seen
          shell: bash
          env: {TEXT: "${{ inputs.text }}"}
        """,
            head="inputs: {text: {}}",
            inputs={"text": HOSTILE},
        )
        assert result.conclusion == "success"
        assert (tmp_path / "workspace" / "seen").read_text() == HOSTILE
        assert [path.name for path in (tmp_path / "workspace").iterdir()] == ["seen"]
        assert not result.step("quoted").expression_in_run

    def test_an_expression_in_run_becomes_shell_and_is_recorded(self, run, tmp_path):
        result = run(
            """- {id: unquoted, run: "echo '${{ inputs.text }}'", shell: bash}""",
            head="inputs: {text: {}}",
            inputs={"text": "'; touch pwned; '"},
        )
        assert (tmp_path / "workspace" / "pwned").exists()
        assert result.step("unquoted").expression_in_run

    def test_bash_stops_at_the_first_failure_also_within_a_pipe(self, run):
        result = run("""
        - {id: pipe, run: "false | true\\necho after", shell: bash, continue-on-error: true}
        - {id: sh, run: "false; echo after", shell: sh, continue-on-error: true}
        - {id: own, run: "false\\necho after", shell: "bash --norc {0}"}
        - {id: python, run: "print(6 * 7)", shell: python}
    """)
        assert [step.stdout for step in result.steps] == ["", "", "after\n", "42\n"]

    def test_the_environment_holds_what_github_sets_and_env_and_nothing_else(self, run, monkeypatch, tmp_path):
        monkeypatch.setenv("LEAKED", "from the test run")
        (tmp_path / "workspace" / "below").mkdir(parents=True)
        result = run(
            """
        - run: |
            pwd
            echo "$LEAKED|$CI|$GITHUB_ACTIONS|$GITHUB_SHA|$GITHUB_TOKEN|$RUNNER_OS|$JOB|$STEP|$GITHUB_ACTION_REF"
            echo "$GITHUB_ACTION_PATH"
            cat "$GITHUB_EVENT_PATH"
          shell: bash
          working-directory: below
          env: {STEP: "${{ env.JOB }}-${{ github.action_ref }}", GITHUB_SHA: lies}
        """,
            github={"sha": "abc", "token": "secret", "action_ref": "v1", "event": {"number": 7}},
            env={"JOB": "job"},
        )
        assert result.steps[0].stdout.splitlines() == [
            str(tmp_path / "workspace" / "below"),
            "|true|true|abc||Linux|job|job-v1|",
            str(tmp_path / "action"),
            '{"number":7}',
        ]

    def test_actions_are_stubbed_and_their_inputs_recorded(self, run):
        result = run(
            f"""
        - id: upload
          uses: {PINNED}
          with:
            name: report-${{{{ strategy.job-index }}}}-${{{{ matrix.os }}}}
            retention-days: 5
            overwrite: false
        - {{id: after, run: 'true', shell: bash, env: {{URL: "${{{{ steps.upload.outputs.artifact-url }}}}"}}}}
        """,
            stubs={"actions/upload-artifact": {"outputs": {"artifact-url": "https://example.org/1"}}},
            strategy={"job-index": 2},
            matrix={"os": "ubuntu"},
        )
        assert result.step("upload").with_ == {"name": "report-2-ubuntu", "retention-days": "5", "overwrite": "false"}
        assert result.step("after").env == {"URL": "https://example.org/1"}

    def test_a_stub_may_fail(self, run):
        result = run(f"- {{uses: {PINNED}}}", stubs={"actions/upload-artifact": {"outcome": "failure"}})
        assert result.conclusion == "failure"

    def test_composite_outputs_come_last_and_of_failed_steps_too(self, run):
        result = run(
            """- {id: made, run: 'echo verdict=failed >> "$GITHUB_OUTPUT"; exit 1', shell: bash}""",
            head="""
            outputs:
              verdict: {value: "${{ steps.made.outputs.verdict }}"}
              none: {value: "${{ steps.other.outputs.x }}"}
        """,
        )
        assert result.outputs == {"verdict": "failed", "none": ""}

    @pytest.mark.parametrize(
        ("step", "message"),
        [
            ("uses: actions/checkout@v4", "uses: actions/checkout@v4 is not pinned"),
            ("uses: actions/checkout@0123456", "uses: actions/checkout@0123456 is not pinned"),
            ("uses: ./local", "uses: ./local is not pinned"),
            ("uses: " + PINNED, "No stub for actions/upload-artifact; there are stubs for: nothing"),
            ("run: 'true'", "run needs a shell in a composite action"),
            ("run: a: b", "Nested mappings are not allowed"),
            ("{run: 'true', shell: bash, timeout-minutes: 5}", "unknown key timeout-minutes"),
            ("{run: 'true', shell: bash, env: {T: '${{ secrets.T }}'}}", "Unrecognized named-value: 'secrets'"),
            ("{run: 'true', shell: bash, env: {T: '${{ always() }}'}}", "Unrecognized function: 'always'"),
            ("{run: 'true', shell: bash, if: '${{ true'}", "The expression is not closed"),
            ("{id: Twice, run: 'true', shell: bash}", "the id twice stands at more than one step"),
        ],
    )
    def test_what_github_or_this_project_refuses(self, run, step, message):
        with pytest.raises(RefusedActionError, match=message.replace("(", r"\(")):
            run(f"- {{id: twice, run: 'true', shell: bash}}\n- {step}")


SUMMARY_OF = 'head -c "$SIZE" /dev/zero | tr "\\0" x > "$GITHUB_STEP_SUMMARY"'


class TestStepFiles:
    """Files for outputs, variables, paths and summaries are read as GitHub reads them."""

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
    def test_outputs(self, run_script, written, outputs):
        result = run_script('printf %s "$WRITTEN" > "$GITHUB_OUTPUT"', env={"WRITTEN": written})
        assert result.step("made").outputs == outputs
        assert result.conclusion == "success"

    def test_a_value_that_holds_its_delimiter_injects_outputs(self, run_script):
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
    def test_malformed_outputs_fail_the_step_and_what_stands_before_them_counts(self, run_script, written, message):
        result = run_script('printf "before=1\\n%s" "$WRITTEN" > "$GITHUB_OUTPUT"', env={"WRITTEN": written})
        assert result.conclusion == "failure"
        assert result.step("made").exit_code == 0
        assert result.step("made").outputs == {"before": "1"}
        assert result.messages == [
            ("error", "Unable to process file command 'output' successfully."),
            ("error", message),
        ]

    def test_variables_and_paths_reach_later_steps_only(self, run_script, tmp_path):
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

    def test_summaries_of_all_steps_follow_each_other(self, run_script):
        result = run_script(
            'printf one > "$GITHUB_STEP_SUMMARY"', then="- {run: 'echo two > $GITHUB_STEP_SUMMARY', shell: bash}"
        )
        assert result.summary == "one\ntwo\n"
        assert not result.summary_too_long

    def test_a_summary_of_one_mebibyte_just_fits(self, run_script):
        result = run_script(SUMMARY_OF, env={"SIZE": str(1024 * 1024)})
        assert result.summary == "x" * 1024 * 1024 + "\n"
        assert result.annotations == ()

    def test_a_summary_above_one_mebibyte_is_lost_but_fails_nothing(self, run_script):
        result = run_script(SUMMARY_OF, env={"SIZE": str(1024 * 1024 + 1)})
        assert result.conclusion == "success"
        assert result.summary is None
        assert result.step("made").summary is None
        assert result.summary_too_long
        assert result.messages == [
            ("error", "$GITHUB_STEP_SUMMARY upload aborted, supports content up to a size of 1024k, got 1024k.")
        ]
