"""One picture of the table: its light, what hides it, whether it is still, and how it is shown to people."""
