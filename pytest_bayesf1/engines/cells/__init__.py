"""Draws of cell probabilities given those parameters, at a cost that follows the non-zero counts."""
