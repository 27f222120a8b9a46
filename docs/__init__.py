"""Documentation, and the studies behind it."""
