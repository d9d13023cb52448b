"""`companion bench`: measures speed, memory and accuracy."""
