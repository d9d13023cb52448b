"""Dials with a sensor: the board knows in which sector an arrow rests, and the game's layout what is written there."""

from __future__ import annotations

import logging
from collections.abc import Callable

import msgspec

from companion.daemon.journal_folder import Opened
from companion.kernel.messages import Signal, Update
from vision import layout

_log = logging.getLogger(__name__)


class Dials:
    """Stands between the board and the inbox: what a dial points at takes the place of the sector's number."""

    def __init__(self, put: Callable[[Signal], None]) -> None:
        self._put = put
        self._values: dict[str, tuple[int, ...]] = {}

    def opened(self, opened: Opened) -> None:
        zones = layout.load(opened.game.box_file.with_name("layout.toml")).zones
        dials = {name: zone for name, zone in zones.items() if isinstance(zone, layout.Dial)}
        self._values = {name: tuple(sector.value for sector in dial.sectors) for name, dial in dials.items()}

    def follow(self, _opened: Opened | None, _updates: tuple[Update, ...]) -> None:
        """Nothing that a table says turns a dial."""

    def put(self, signal: Signal) -> None:
        self._put(self._meant(signal) if signal.kind == "dial" else signal)

    def _meant(self, signal: Signal) -> Signal:
        values, sector = self._values.get(signal.source, ()), signal.value
        if sector is None or not 1 <= sector <= len(values):
            _log.warning("The layout has no sector %s of the %s: what it points at is left out.", sector, signal.source)
            return msgspec.structs.replace(signal, value=None)
        return msgspec.structs.replace(signal, value=values[sector - 1])
