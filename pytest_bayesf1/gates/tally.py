"""Tallies: how often rows occur, short enough for the manifest, and what certainly changed from one to another."""

from collections import Counter
from collections.abc import Mapping
from hashlib import blake2b
from typing import TypeAlias

from pytest_bayesf1.writing import fingerprint

Tally: TypeAlias = Mapping[str, int]
"""By row; of many rows by group, beside a digest of all."""

_MOST_ROWS, _LONGEST = 32, 80
_DIGEST = "sha256:"


def tally(rows: Mapping[str, int]) -> dict[str, int]:
    """Count few rows one by one, and many in as many groups; their order does not matter."""
    listed = dict(sorted(rows.items()))
    if len(listed) <= _MOST_ROWS and all(len(row) <= _LONGEST and not row.startswith(_DIGEST) for row in listed):
        return listed
    return {fingerprint(f"{n} {row}" for row, n in listed.items()): 0, **_groups(listed)}


def _groups(rows: Tally) -> dict[str, int]:
    found = Counter[int]()
    for row, n in rows.items():
        found[blake2b(row.encode("utf-8", "surrogatepass"), digest_size=1).digest()[0] % _MOST_ROWS] += n
    return {f"group {number}": n for number, n in sorted(found.items())}


def lists_rows(counted: Tally) -> bool:
    """Whether every row is known."""
    return not any(row.startswith(_DIGEST) for row in counted)


def n_gone(before: Tally, after: Tally) -> int:
    """Count the rows that certainly are no longer there: at least these."""
    if lists_rows(before) != lists_rows(after):
        before, after = (_groups(each) if lists_rows(each) else each for each in (before, after))
    return sum(max(0, n - after.get(row, 0)) for row, n in before.items())


def n_replaced(before: Tally, after: Tally) -> int:
    """Count those of them that others came for: at least one where there are as many rows as before."""
    n_fewer = sum(before.values()) - sum(after.values())
    return max(n_gone(before, after) - max(0, n_fewer), int(n_fewer == 0))
