"""People who play The Council of Four at a simulated table: bots, habits of hands, mistakes."""
