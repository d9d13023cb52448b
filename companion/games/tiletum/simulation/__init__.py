"""People who play Tiletum at a simulated table: bots, their habits, and their mistakes."""
