"""A verdict from few labels: which examples of a pool to label next, and the files that keep the labels."""
