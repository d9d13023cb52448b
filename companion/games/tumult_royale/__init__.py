"""Tumult Royale (KOSMOS 2015, Klaus and Benjamin Teuber), by the German rulebook.

The modules of `rulebook` in the book's order: `setup`, `phase1_mood` … `phase7_mercy`, `scoring`; `followers` holds
what happens when they run out. `rules.toml` is the catalogue, `box.toml` the components.
"""

from .game import TumultRoyale

GAME = TumultRoyale()
