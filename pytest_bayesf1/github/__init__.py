"""The GitHub Action: what its steps run, and what they tell a pull request."""
