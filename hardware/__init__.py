"""The hardware of a table: buttons, lights, the buzzer, the raid timer, the serial link.

`rig` lists the parts of a table, `pins` opens its pins, `table_hardware` combines all parts and checks their health.
`buttons` turns presses into Signals, `outputs` has lights and buzzer. `raid_timer` has the tax raid and its thread,
`mock` a table and a board without hardware.

Rules of games, pictures and web pages are in other packages. This package may import gpiozero, pyserial and, of the
companion, only `companion.kernel`.
"""
