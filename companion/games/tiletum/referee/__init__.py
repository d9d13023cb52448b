"""What the referee needs of Tiletum: the expected View of a State, and the moves that explain a View."""
