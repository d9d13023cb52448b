"""The kernel, the games and the wiring of the Table Companion."""

__version__ = "0.1.0"
