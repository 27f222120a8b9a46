"""What makes a site of these pages: ``python -m mkdocs serve`` shows it while you write."""
