"""What the referee needs of The Council of Four: how the table should look, and which moves explain it."""
