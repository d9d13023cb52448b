"""Tiletum (Simone Luciani and Daniele Tascini), by the German text of its rules.

Read the modules of `rulebook` in the book's order: `setup`, `rounds`, `dice`, `kings_track`, `king_phase`, `fairs`,
then the actions: `actions`, `figures`, `guests`, `contracts`, `any_time`, and last `scoring`. `rules.toml` is the
catalogue, `box.toml` the components.
"""

from .game import Tiletum

GAME = Tiletum()
