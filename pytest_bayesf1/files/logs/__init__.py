"""Logs of what evaluates language models: inspect_ai, lm-evaluation-harness, promptfoo."""
