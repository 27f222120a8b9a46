"""Yang & Liu 1999, Table 3: the p-test on recall, precision and error, from the scores of Table 1."""

from pytest_bayesf1.stats.frequentist import proportion_test

TRUE_YES = 3_744
DECISIONS = 3_019 * 90


def test_p_tests(published, side_by_side):
    systems = {row["system"]: row for row in published("yang-liu-1999-table-1")}
    with side_by_side("Yang & Liu 1999, Table 3: p-tests, ours | paper") as table:
        for row in published("yang-liu-1999-table-3"):
            a, b = systems[row["a"]], systems[row["b"]]
            table.row(
                f"{row['a']} vs {row['b']}",
                {score: (p_test(a, b, score).symbol, row[score]) for score in ("recall", "precision", "error")},
            )


def p_test(a, b, score):
    return proportion_test(float(a[score]), trials(a, score), float(b[score]), trials(b, score))


def trials(system, score):
    """Count what a proportion is taken of; a system says yes TRUE_YES recall / precision times."""
    assigned = round(TRUE_YES * float(system["recall"]) / float(system["precision"]))
    return {"recall": TRUE_YES, "precision": assigned, "error": DECISIONS}[score]
