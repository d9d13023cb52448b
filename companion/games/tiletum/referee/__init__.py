"""What the referee needs of Tiletum: how the table should look, and which moves explain it."""
