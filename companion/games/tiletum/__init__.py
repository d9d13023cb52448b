"""Tiletum (Simone Luciani and Daniele Tascini), by the German text of its rules.

Read the modules in the book's order: `setting_up`, `rolling`, `turns`, `dice`, `kings_track`, `king_phase`, `fairs`,
`tidying`, then the actions: `actions`, `figures`, `guests`, `contracts`, `crown`, `any_time`, and last `scoring`.
`rules.toml` is the catalogue, `box.toml` the components.
"""

from .game import Tiletum

GAME = Tiletum()
