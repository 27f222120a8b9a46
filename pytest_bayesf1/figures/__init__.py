"""Pictures of results as SVG and by matplotlib. Only this package imports matplotlib."""
