"""People who play Tumult Royale at a simulated table: bots, habits of hands, mistakes."""
