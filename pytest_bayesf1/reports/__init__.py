"""From the results of a run to what people look at."""
