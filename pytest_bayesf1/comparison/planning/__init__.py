"""How many examples a question needs: what a gate would decide on test sets that are not there yet."""
