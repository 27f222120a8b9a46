"""What a run finds, declared once: the figures that are printed, drawn, written to report.json and read from it.

Light: what is kept here can be passed on and printed without numpy and without pydantic.
"""
