"""`companion bench`: what things cost and how well they work, in figures."""
