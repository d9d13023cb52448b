"""The phone dashboard: what the companion knows, and the one tap that corrects it.

It turns what the table tells into pages and taps into commands: no rule of any game, no picture reading, no pin lives
here. It may import flask, h11 and segno and, of the companion, only `companion.kernel.messages`; what it needs of the
rest is written down in `web.backend`.
"""
