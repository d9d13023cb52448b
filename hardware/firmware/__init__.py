"""The program of the Pico on the table, and its line protocol, which the Pi uses too.

`protocol`, `disc`, `wiring` and `program` run under MicroPython and under CPython alike; only `board` and
`main` need a Pico. Everything here imports only what MicroPython has.
"""
