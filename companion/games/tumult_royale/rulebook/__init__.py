"""The rules of Tumult Royale, a module for each chapter of the rulebook."""
