"""The command ``bayesf1``: the same comparisons, gates and reports without a test suite."""
