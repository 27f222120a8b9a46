"""The manifest of gates: what every gate of a project demands, and where a run differs from it."""
