"""The commit that a pull request cannot change: its baselines are those that the candidate has to match."""

import base64
from pathlib import Path

from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.git import commit_of, git
from pytest_bayesf1.github.api import Token
from pytest_bayesf1.github.context import Context

_TAKE_NONE = "Give the job the permission contents: read, or read the checked out baselines with baseline-ref: none."


def baseline_ref(asked: str, context: Context, token: Token) -> str:
    """Return the commit to read baselines from, fetched if it is not there yet; empty for the files as checked out.

    Raises
    ------
    BaselineError
        When the commit cannot be fetched: without it a pull request could loosen its own gate.
    """
    if asked == "none" or (asked == "auto" and context.pull_request is None):
        return ""
    ref = context.pull_request.base_sha if asked == "auto" and context.pull_request else asked
    if commit_of(ref, Path()) is not None:
        return ref
    # of a branch there is no name after a shallow fetch
    fetched = commit_of("FETCH_HEAD", Path()) if _fetched(ref, context, token) else None
    if fetched is None:
        raise BaselineError("baseline-ref", "a commit that can be fetched", repr(ref), _TAKE_NONE)
    return fetched


def _fetched(ref: str, context: Context, token: Token) -> bool:
    """Fetch the commit alone; the token goes by the environment, where no list of processes shows it."""
    credentials = base64.b64encode(f"x-access-token:{token.value}".encode()).decode()
    header = {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"http.{context.server_url}/.extraheader",
        "GIT_CONFIG_VALUE_0": f"AUTHORIZATION: basic {credentials}",
    }
    fetch = ("fetch", "--quiet", "--no-tags", "--depth=1", "--")
    own = f"{context.server_url}/{context.repository}"
    from_origin = git(Path(), *fetch, "origin", ref)
    return from_origin is not None or git(Path(), *fetch, own, ref, environment=header) is not None
