"""The eyes of the table, in the order light travels: `cameras`, `stillness`, `plane` and `watch`, `light`, `layout`,
`kit`, `readers`, and `eyes`, which puts a picture in and takes a Reading out. `rendered` draws tables for tests.

No rule of any game, no pin and no web page lives here. The room may import numpy, OpenCV and, of the
companion, only `companion.kernel.messages`.
"""
