"""Conditions, expressions and failures mean what they mean on GitHub."""

import pytest


def outcomes(result):
    return [(step.outcome, step.conclusion) for step in result.steps]


AFTER_A_FAILURE = """
    - {id: fails, run: exit 3, shell: bash}
    - {id: next, run: "true", shell: bash, if: "CONDITION"}
"""


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
def test_conditions_after_a_failure(run, condition, outcome):
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
def test_conditions_while_all_is_well(run, condition, outcome):
    result = run(
        f"- {{id: only, run: 'true', shell: bash, if: \"{condition}\"}}",
        head="inputs: {switch: {default: false}}",
        github={"event": {"action": "opened"}},
    )
    assert outcomes(result) == [(outcome, outcome)]
    assert result.conclusion == "success"


def test_a_cancelled_job_runs_only_what_asks_for_it(run):
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


def test_a_condition_that_cannot_be_evaluated_ends_the_action(run):
    result = run("""
        - {run: "true", shell: bash, if: "fromJSON('{')"}
        - {run: "true", shell: bash, if: always()}
    """)
    assert outcomes(result) == [("failure", "failure")]
    assert result.conclusion == "failure"


def test_continue_on_error_keeps_the_outcome_and_goes_on(run):
    result = run("""
        - {id: fails, run: exit 1, shell: bash, continue-on-error: true}
        - {run: "true", shell: bash, if: steps.fails.outcome == 'failure' && steps.fails.conclusion == 'success'}
    """)
    assert outcomes(result) == [("failure", "success"), ("success", "success")]
    assert result.conclusion == "success"


def test_continue_on_error_takes_no_text_for_a_boolean(run):
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
def test_text_around_and_within_expressions(run, text, value):
    result = run(f'- {{id: only, run: "true", shell: bash, env: {{TEXT: "{text}"}}}}', head="inputs: {x: {default: y}}")
    assert result.step("only").env == {"TEXT": value}


def test_an_object_is_no_text(run):
    result = run('- {run: "true", shell: bash, env: {TEXT: "${{ github }}"}}')
    assert result.conclusion == "failure"
    assert result.annotations[0].message == "A string was expected, found Object: ${{ github }}"
