"""Simulated games: bots that act as people do, simulated cameras, and the comparison of belief with truth."""
