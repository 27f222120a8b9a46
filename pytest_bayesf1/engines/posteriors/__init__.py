"""The collapsed posteriors of the parameters that rows share: mass, shares, tendencies."""
