import textwrap

import pytest

from tests.composite_action.runner import run_action


@pytest.fixture
def run(tmp_path):
    """Write an action of these steps, and run it."""

    def run(steps, *, head="", **context):
        action = tmp_path / "action" / "action.yml"
        action.parent.mkdir(exist_ok=True)
        workspace = tmp_path / "workspace"
        workspace.mkdir(exist_ok=True)
        listed = textwrap.indent(textwrap.dedent(steps).strip("\n"), "    ")
        action.write_text(f"name: tiny\n{textwrap.dedent(head)}\nruns:\n  using: composite\n  steps:\n{listed}\n")
        return run_action(action, workspace=workspace, **context)

    return run


@pytest.fixture
def run_script(run):
    """Run a bash script as the step `made`, and `then` further steps."""

    def run_script(script, *, then="", **context):
        lines = "\n".join(f"    {line}" for line in script.splitlines())
        return run(f"- id: made\n  shell: bash\n  run: |\n{lines}\n{then}", **context)

    return run_script
