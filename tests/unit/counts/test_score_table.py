import numpy as np

from pytest_bayesf1.data.outcomes import ScoreTable, UnitContents

RNG = np.random.default_rng(0)
TRUE = RNG.integers(0, 2, 60)
SIDES = [RNG.integers(0, 4, (60, 1)) / 4.0 for _ in range(2)]
UNIT = RNG.integers(0, 12, 60)


def table(order=slice(None), unit=None):
    units = None if unit is None else UnitContents.of_rows(unit)
    return ScoreTable.tally(2, TRUE[order], *(side[order] for side in SIDES), units=units)


def outcomes(found):
    return list(zip(found.true.tolist(), *(side[:, 0].tolist() for side in found.scores), strict=True))


def test_equal_outcomes_are_counted_once():
    examples = list(zip(TRUE.tolist(), *(side[:, 0].tolist() for side in SIDES), strict=True))
    assert dict(zip(outcomes(table()), table().count.tolist(), strict=True)) == {
        outcome: examples.count(outcome) for outcome in examples
    }
    assert (table().n_sides, table().n_samples) == (2, 60)
    assert table().class_totals.tolist() == [int((TRUE == 0).sum()), int((TRUE == 1).sum())]


def test_the_order_of_the_examples_and_the_names_of_the_units_make_no_difference():
    order, renamed = RNG.permutation(60), RNG.permutation(12)
    first, second = table(unit=UNIT), table(order, renamed[UNIT[order]])
    assert outcomes(first) == outcomes(second)
    np.testing.assert_array_equal(first.units.cells.toarray(), second.units.cells.toarray())
    np.testing.assert_array_equal(first.units.n_units, second.units.n_units)


def test_units_hold_their_examples():
    found = table(unit=UNIT)
    np.testing.assert_array_equal(found.units.counts, found.count)
    assert found.units.n == 12
