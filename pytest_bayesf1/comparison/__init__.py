"""Counts -> engine -> draws -> summary -> `Comparison` or `Estimate`: where the statistics are wired up."""
