"""How long comparisons take, beside other ways to the same answer: ``python -m benchmarks``, or ``--quick``."""
