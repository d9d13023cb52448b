"""Viscounts of the West Kingdom (Shem Phillips and S J Macdonald), by the German text of its rules.

Read the modules of `rulebook` in the book's order: `setup`, `papers` (debts and deeds), then a turn: `cards`,
`movement`, `actions` with `payment`, `recruitment`, `trade`, `buildings`, `castle` and `manuscripts`, `end_of_turn`,
`solo`, and last `scoring`. `effects` and `tasks` apply the effects of cards, plots and rings. `rules.toml` is the
catalogue, `box.toml` the components.
"""

from .game import Viscounts

GAME = Viscounts()
