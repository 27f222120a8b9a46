"""What a whole run comes to, in one word."""

from collections.abc import Mapping

VERDICTS = ("failed", "error", "none", "loosened", "warned", "passed")
"""The gravest first. ``none``: no gate judged anything. ``loosened``: the gates are not those of the manifest."""


def verdict_of(counts: Mapping[str, int], *, complete: bool, loosened: bool) -> str:
    """Return the gravest verdict that applies; ``counts`` are the report's, in total and by verdict."""
    judged = sum(counts.values()) - counts["total"]
    applies = {
        "failed": counts["failed"] > 0,
        "error": counts["error"] > 0 or not complete,
        "none": judged == 0,
        "loosened": loosened,
        "warned": counts["warned"] > 0,
        "passed": True,
    }
    return next(verdict for verdict in VERDICTS if applies[verdict])
