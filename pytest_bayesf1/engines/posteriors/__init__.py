"""The collapsed posteriors of the parameters that rows share: eta, kappa and rho, with theta integrated out."""
