"""The program of the Pico on the table, and the line protocol that it shares with the Pi.

`protocol`, `disc`, `wiring` and `program` run under MicroPython and under CPython alike; only `board` and
`main` need a Pico. Nothing here imports anything that MicroPython lacks.
"""
