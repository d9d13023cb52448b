"""What the referee needs of Tumult Royale: how the table should look, and which moves explain it."""
