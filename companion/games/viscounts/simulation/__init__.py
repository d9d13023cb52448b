"""People who play Viscounts of the West Kingdom at a simulated table: bots, their habits, and their mistakes."""
