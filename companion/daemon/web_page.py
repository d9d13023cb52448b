"""The dashboard as a part of the daemon: started and stopped with it, and looked after like every other source."""

from __future__ import annotations

from collections.abc import Iterator

from companion.daemon.health import Health
from web.server import WebServer


class WebPage:
    """Phones bring Commands by it, and hear what the table tells."""

    def __init__(self, server: WebServer) -> None:
        self.server = server

    @property
    def steps(self) -> int:
        return self.server.steps

    @property
    def waits(self) -> bool:
        return self.server.waits

    def start(self) -> None:
        self.server.start()

    def stop(self) -> None:
        self.server.stop()

    def health(self) -> Iterator[Health]:
        state, says = self.server.health()
        yield Health("web", state, says)

    def seated(self) -> frozenset[int]:
        """The seats that phones have taken."""
        phones = self.server.phones
        return frozenset(phones.seated()) if phones is not None else frozenset()
