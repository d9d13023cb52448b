"""Tumult Royale (KOSMOS 2015, Klaus and Benjamin Teuber), by the German rulebook.

Read the modules in the book's order: `setting_up`, `phase1_mood` … `phase7_mercy`, `endings`; `followers`
holds what happens when they run out. `rules.toml` is the catalogue, `box.toml` the components.
"""

from .game import TumultRoyale

GAME = TumultRoyale()
