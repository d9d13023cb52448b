"""How often the table is read right, against pictures whose truth is known."""
