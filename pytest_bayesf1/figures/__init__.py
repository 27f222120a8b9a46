"""Pictures of results as SVG and PNG. Only this package imports matplotlib."""
