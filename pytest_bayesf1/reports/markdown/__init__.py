"""Reports in GitHub's Markdown."""
