"""The demo: a whole table without hardware. People of `companion.simulation` play at it in real time.

The table, the journal, the raid timer and the table reader are the real ones. Only the pins are mock pins (`players`
press the buttons), and the camera's pictures are rendered (`rendered_table`).
"""
