"""How the small networks were trained. Nothing here is needed to run."""
