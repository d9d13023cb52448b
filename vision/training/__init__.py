"""The training of the small networks. The companion does not need it to run."""
