"""The runner that the action's tests lean on does what GitHub's does: inputs, scripts, stubs and outputs."""

import pytest

from tests.composite_action.runner import RefusedActionError

PINNED = "actions/upload-artifact@0123456789abcdef0123456789abcdef01234567"


def test_inputs_have_defaults_any_case_and_are_text(run):
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


HOSTILE = """$(touch pwned) `touch pwned` "; touch pwned; ' * \\ ${{ github.token }} \n::error::no"""


def test_metacharacters_in_an_input_stay_text_when_env_hands_it_over(run, tmp_path):
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


def test_an_expression_in_run_becomes_shell_and_is_recorded(run, tmp_path):
    result = run(
        """- {id: unquoted, run: "echo '${{ inputs.text }}'", shell: bash}""",
        head="inputs: {text: {}}",
        inputs={"text": "'; touch pwned; '"},
    )
    assert (tmp_path / "workspace" / "pwned").exists()
    assert result.step("unquoted").expression_in_run


def test_bash_stops_at_the_first_failure_also_within_a_pipe(run):
    result = run("""
        - {id: pipe, run: "false | true\\necho after", shell: bash, continue-on-error: true}
        - {id: sh, run: "false; echo after", shell: sh, continue-on-error: true}
        - {id: own, run: "false\\necho after", shell: "bash --norc {0}"}
        - {id: python, run: "print(6 * 7)", shell: python}
    """)
    assert [step.stdout for step in result.steps] == ["", "", "after\n", "42\n"]


def test_the_environment_holds_what_github_sets_and_env_and_nothing_else(run, monkeypatch, tmp_path):
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


def test_actions_are_stubbed_and_their_inputs_recorded(run):
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


def test_a_stub_may_fail(run):
    result = run(f"- {{uses: {PINNED}}}", stubs={"actions/upload-artifact": {"outcome": "failure"}})
    assert result.conclusion == "failure"


def test_composite_outputs_come_last_and_of_failed_steps_too(run):
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
def test_what_github_or_this_project_refuses(run, step, message):
    with pytest.raises(RefusedActionError, match=message.replace("(", r"\(")):
        run(f"- {{id: twice, run: 'true', shell: bash}}\n- {step}")
