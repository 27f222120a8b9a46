"""How many examples a gate needs: populations with a given loss, power, simulated test sets."""
