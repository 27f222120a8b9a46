"""Performance measures: their names, and what each is of the joint probabilities of truth and prediction."""
