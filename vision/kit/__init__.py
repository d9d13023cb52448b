"""The kit: how the pieces of a table look to its camera, and how it is taught."""
