"""Documentation, and the programs that make its site, tables and figures."""
