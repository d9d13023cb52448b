"""People who play Viscounts of the West Kingdom at a simulated table: bots, habits of hands, mistakes."""
