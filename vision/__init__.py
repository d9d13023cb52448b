"""Reads the table, in the order light travels: `cameras`, `plane`, `picture`, `faces`, `figures` and `dice`, `readers`
(one for each kind of zone), `table_reader` (from a picture to a Reading), `votes` and `watcher` (from a camera to
Readings). `layout` says where the zones are, `kit` what was taught; `rendered` draws tables for tests.

No rule of any game, no pin and no web page lives here. The room may import numpy, OpenCV and, of the
companion, only `companion.kernel`.
"""
