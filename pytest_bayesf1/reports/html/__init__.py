"""Reports in HTML."""
