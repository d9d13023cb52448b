"""What the program says in words that no game owns: sentences, and legal moves as questions."""
