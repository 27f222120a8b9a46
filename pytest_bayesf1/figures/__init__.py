"""Pictures of results as SVG. Only this package imports matplotlib."""
