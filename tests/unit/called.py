"""The command, called in this process."""

from click.testing import CliRunner

from pytest_bayesf1.cli.main import main


def call(*arguments, code=None, **given):
    """Call the command, and require its exit code where one is given; what it does not expect itself is raised."""
    shown = CliRunner().invoke(main, [*map(str, arguments)], catch_exceptions=False, **given)
    assert code in (None, shown.exit_code), shown.output
    return shown
