"""Words that do not belong to a single game: the program's own sentences, and legal moves as questions."""
