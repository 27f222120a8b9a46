"""The arguments of a comparison, each declared once: its default, its check, its help and where it can be given."""
