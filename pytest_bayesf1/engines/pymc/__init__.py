"""The models in PyMC, sampled by NUTS. Only this room imports PyMC and ArviZ."""
