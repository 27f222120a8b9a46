"""What a project demands of a comparison, and what follows."""
