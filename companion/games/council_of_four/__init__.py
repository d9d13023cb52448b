"""The Council of Four (Das Konzil der Vier, Simone Luciani and Daniele Tascini), by both German texts of its rulebook.

Read the modules in the book's order: `setting_up`, `turns` and `cards`, `council`, `permits`, `gains`, `building`,
`quick`, `nobility`, `scoring`. `rules.toml` is the catalogue, `box.toml` the components.
"""

from .game import CouncilOfFour

GAME = CouncilOfFour()
