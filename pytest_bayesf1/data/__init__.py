"""What was observed: confusion matrices, predictions, labels, spans and scores, paired where ids allow it."""
