"""What the referee needs of Viscounts of the West Kingdom: how the table should look, and which moves explain it."""
