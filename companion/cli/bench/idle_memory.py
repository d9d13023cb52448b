"""Measures the memory of watching an idle table: `python -m companion.cli.bench.idle_memory LAYOUT PICTURE`.

It runs in a separate process, so that the memory for rendering the picture is not counted.
"""

from __future__ import annotations

import sys
from pathlib import Path


def main(layout_file: str, picture: str) -> None:
    from vision import layout as layouts
    from vision.cameras import watch_camera
    from vision.kit.kit import Kit
    from vision.picture.table_picture import locate, open_picture
    from vision.table_reader import TableReader
    from vision.watcher import TableWatcher

    layout = layouts.load(Path(layout_file))
    kit = Kit(layout)
    # As many examples as a real kit has. They need not be true to measure memory.
    kit.show(locate(open_picture(Path(picture)), layout), _something(layout))
    kit.derive()
    kit.let_go()
    ticks = iter(range(10_000))
    camera = watch_camera(f"picture:{picture}", clock=lambda: next(ticks) / 10)
    watcher = TableWatcher(camera, TableReader(layout, kit))
    for _ in range(60):
        watcher.step()
    if not watcher.status.readings:
        sys.exit("The table was not read, so nothing was measured.")
    status = Path("/proc/self/status").read_text(encoding="ascii")
    kilobytes = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))
    print(round(kilobytes / 1024, 1))


def _something(layout: object) -> dict[str, object]:
    from vision.layout import Grid, Layout, Pool, Slots, Tray

    assert isinstance(layout, Layout)
    truth: dict[str, object] = {}
    for name, zone in layout.zones.items():
        labels = zone.labels or (layout.pieces[zone.holds].labels if zone.holds else ())
        if isinstance(zone, Grid | Slots) and labels:
            places = list(zone.places())
            truth[name] = {place: labels[number % len(labels)] for number, place in enumerate(places[:12])}
        elif isinstance(zone, Tray | Pool) and labels:
            x, y = zone.area().centre
            truth[name] = [{"label": label, "x": x, "y": y} for label in labels]
    return truth


if __name__ == "__main__":
    main(*sys.argv[1:])
