"""Draws of cell probabilities given the parameters that rows share, at a cost that follows the non-zero counts."""
