"""The phone dashboard: shows the table on phones and sends what people tap to it.

It turns Updates into pages and taps into commands; rules of games, picture reading and pins are in other packages. It
may import flask, h11 and segno and, of the companion, only `companion.kernel`; `web.backend` is the interface to the
rest.
"""
