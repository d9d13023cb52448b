"""What the referee needs of Viscounts of the West Kingdom: the expected View of a State, and the moves that explain a
View."""
