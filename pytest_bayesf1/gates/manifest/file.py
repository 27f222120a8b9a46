"""The file of the manifest of gates."""

from collections.abc import Callable
from pathlib import Path

from pytest_bayesf1._util import write_all
from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.gates.manifest.settings import Gates, from_text, to_text, updated_gates
from pytest_bayesf1.git import CheckedOut


def parse_manifest(content: bytes, path: Path) -> Gates:
    """Read a manifest's content.

    Parameters
    ----------
    content
        As it is read off the file, or off a commit.
    path
        Names the file in errors.

    Raises
    ------
    BaselineError
        When it cannot be read.
    """
    try:
        text = content.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise BaselineError(str(path), "UTF-8", f"{error.reason} at byte {error.start}") from None
    return from_text(text, str(path))


def _stays(test: str) -> bool:  # noqa: ARG001
    """Keep whatever is listed."""
    return False


def write_manifest(path: Path, made: Gates, *, gone: Callable[[str], bool] = _stays, only_new: bool = False) -> bool:
    """Bring the file up to date with the gates that a run made.

    Parameters
    ----------
    path
        The file; where there is none, one is made if there are gates.
    made
        The gates of the run.
    gone
        Whether a test that is listed, and not in ``made``, makes no gate any more.
    only_new
        Leave what is listed as it is.

    Returns
    -------
    bool
        Whether the file changed.

    Raises
    ------
    BaselineError
        When the file that is there cannot be read, or cannot be replaced.
    """
    try:
        content = CheckedOut().read(path)
        listed = {} if content is None else parse_manifest(content, path)
        dropped = {test for test in listed if test not in made and gone(test)}
        new = to_text(updated_gates(listed, made, gone=dropped, only_new=only_new)).encode("utf-8", "surrogatepass")
        if new == content or (content is None and not made):
            return False
        write_all({path: new})
    except OSError as error:
        raise BaselineError(str(path), "a file that can be written", str(error)) from error
    return True
