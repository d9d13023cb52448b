"""How often the eyes are right, against pictures whose truth is known."""
