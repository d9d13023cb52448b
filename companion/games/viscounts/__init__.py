"""Viscounts of the West Kingdom (Shem Phillips and S J Macdonald), by the German text of its rules.

Read the modules in the book's order: `setting_up`, `papers` (debts and deeds), `markers` (virtue and corruption), then
a turn: `row`, `travelling`, `actions` with `paying`, `dismissing`, `trading`, `building`, `castle` and `manuscripts`,
`hiring`, `colliding`, `drawing`, and last `scoring`. `effects` and `tasks` are the machinery behind all cards, plots
and rings. `rules.toml` is the catalogue, `box.toml` the components.
"""

from .game import Viscounts

GAME = Viscounts()
