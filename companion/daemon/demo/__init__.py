"""The demo: a whole table without hardware. People of `companion.simulation` sit around it and play in real time.

Nothing of the companion itself is a stand-in: the table, the journal, the raid timer and the table reader are those of
a real table. Only the pins are mock pins (`players` press their buttons), and the camera's pictures are rendered
(`rendered_table`).
"""
