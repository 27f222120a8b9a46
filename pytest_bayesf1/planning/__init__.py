"""How many examples a gate needs: populations with a given loss, and power."""
