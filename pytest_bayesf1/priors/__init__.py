"""What is taken for likely before the data, and what earlier test sets have shown."""
