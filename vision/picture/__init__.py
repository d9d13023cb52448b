"""One picture of the table: its light, what hides parts of it, whether the table is still, and how people see it."""
