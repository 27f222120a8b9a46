"""From what a user has (matrices, tables, predictions) to the counts of an experiment."""
