"""Stored baselines: how they are written, kept, compared, promoted."""
