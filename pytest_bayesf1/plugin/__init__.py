"""The pytest plugin. Loading it imports nothing heavy: numpy and the rest come in with the first comparison."""
