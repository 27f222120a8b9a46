"""What a whole run comes to, in one word."""

from pytest_bayesf1.reports.document import RunVerdict, Verdicts


def verdict_of(counts: Verdicts, *, complete: bool, loosened: bool, undecided: bool) -> RunVerdict:
    """Return the gravest verdict that applies.

    Parameters
    ----------
    counts
        How many entries came to each verdict.
    complete
        Whether everything that was to run finished.
    loosened
        Whether the gates are looser than those of the manifest.
    undecided
        Whether of a whole gate, not merely of a class or a slice, the data cannot tell.
    """
    gravest_first: tuple[tuple[RunVerdict, bool], ...] = (
        ("failed", counts.failed > 0),
        ("error", counts.error > 0 or not complete),
        ("none", counts.judged == 0),
        ("loosened", loosened),
        ("warned", counts.warned > 0),
        ("undecided", undecided),
    )
    return next((verdict for verdict, applies in gravest_first if applies), "passed")
