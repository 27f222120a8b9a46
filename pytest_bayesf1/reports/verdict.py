"""What a whole run comes to, in one word."""

from collections.abc import Mapping

VERDICTS = ("failed", "error", "none", "loosened", "warned", "undecided", "passed")
"""The gravest first. ``none``: no gate judged anything. ``loosened``: the gates are not those of the manifest.
``undecided``: of a whole gate, not merely of a class or a slice, the data cannot tell.
"""


def verdict_of(counts: Mapping[str, int], *, complete: bool, loosened: bool, undecided: bool) -> str:
    """Return the gravest verdict that applies; ``counts`` are the report's, in total and by verdict."""
    judged = sum(counts.values()) - counts["total"]
    applies = {
        "failed": counts["failed"] > 0,
        "error": counts["error"] > 0 or not complete,
        "none": judged == 0,
        "loosened": loosened,
        "warned": counts["warned"] > 0,
        "undecided": undecided,
        "passed": True,
    }
    return next(verdict for verdict in VERDICTS if applies[verdict])
