"""What users hand in of a classifier, and the counts that every model works from."""
