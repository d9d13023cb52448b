"""The Council of Four (Das Konzil der Vier, Simone Luciani and Daniele Tascini), by both German texts of its rulebook.

The modules of `rulebook` in the book's order: `setup`, `turns`, `cards`, `councils`, `permits`, `emporiums`,
`nobility`, `scoring`. `rules.toml` is the catalogue, `box.toml` the components.
"""

from .game import CouncilOfFour

GAME = CouncilOfFour()
