"""Goutte & Gaussier 2005, Table 2 and the example of section 2.2: P(one system is better), prior weight 1/2.

The paper samples these probabilities; ours, which every comparison of paired data reports, are exact.
"""

from pytest_bayesf1 import PairedCounts, compare, p_first_better, precision_posterior

DOCUMENTS = 3_299
N_DRAWS = 2_500  # of the posterior of delta, which is not asked for


def test_table_2(published, side_by_side):
    with side_by_side("Goutte & Gaussier 2005, Table 2: P(first better), %, ours | paper") as table:
        for row in published("goutte-2005-table-2"):
            outcomes = compare(
                paired(int(row["only_first"]), int(row["only_second"])), measure="accuracy", rope=0.01, n_draws=N_DRAWS
            ).paired_outcomes
            assert outcomes is not None
            error = 4 * (float(row["error"]) + 0.005)  # the published error is rounded, too
            table.row(
                f"{row['comparison']}, {row['category']}",
                {
                    "only first : only second": f"{row['only_first']} : {row['only_second']}",
                    "P, %": (100 * outcomes.p_first_better, row["percent"], error),
                },
            )


def paired(only_first, only_second):
    """Count the documents of a category and of none; the first system is the candidate."""
    same = DOCUMENTS - only_first - only_second
    truth, second, first = [1, 1, 1, 0], [1, 0, 1, 0], [0, 1, 1, 0]
    return PairedCounts.from_cells(truth, second, first, [only_second, only_first, 1, same - 1], labels=[0, 1])


def test_example_2_2(side_by_side):
    first, second = precision_posterior(10, 10), precision_posterior(3, 2)
    with side_by_side("Goutte & Gaussier 2005, section 2.2: precision, %, ours | paper") as table:
        table.row("mean of system 1", {"%": (100 * first.mean, "50")})
        table.row("mean of system 2", {"%": (100 * second.mean, "58")})
        table.row("mode of system 1", {"%": (100 * first.mode, "50")})
        table.row("mode of system 2", {"%": (100 * second.mode, "63")})
        table.row("P(system 2 better)", {"%": (100 * p_first_better(second, first), "65")})
