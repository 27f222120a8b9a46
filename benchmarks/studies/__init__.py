"""Simulations whose tables the documentation shows."""
