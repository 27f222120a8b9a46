"""Tables of any engine -> how often each outcome occurs. The engine counts; only the counts leave it."""
