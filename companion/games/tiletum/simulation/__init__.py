"""People who play Tiletum at a simulated table: bots, habits of hands, mistakes."""
