"""A network connection between a browser and the companion that a test can break, restore, or block."""

from __future__ import annotations

import contextlib
import socket
import threading


class Cable:
    """Forwards bytes in both directions, unless it is broken or blocked."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._whole = True
        self._loud = threading.Event()
        self._loud.set()
        self._ends: list[socket.socket] = []
        self._turn = threading.Lock()
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._door.getsockname()[1]
        threading.Thread(target=self._accept, name="cable", daemon=True).start()

    def pull(self) -> None:
        """Break all connections and refuse new ones."""
        with self._turn:
            self._whole = False
            ends, self._ends = self._ends, []
        for end in ends:
            _closed(end)

    def plug_in(self) -> None:
        self._whole = True
        self._loud.set()

    def hush(self) -> None:
        """Keep connections open but forward nothing, as for a phone out of reach."""
        self._loud.clear()

    def close(self) -> None:
        self.pull()
        self._loud.set()
        _closed(self._door)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._door.accept()
                self._join(near)

    def _join(self, near: socket.socket) -> None:
        with self._turn:
            far = self._reach() if self._whole else None
            if far is None:
                _closed(near)
                return
            self._ends += [near, far]
        for end in (near, far):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # From here on a browser that has changed its mind may close both ends.
        for source, target in ((near, far), (far, near)):
            threading.Thread(target=self._pass_on, args=(source, target), daemon=True).start()

    def _reach(self) -> socket.socket | None:
        with contextlib.suppress(OSError):
            return socket.create_connection(("127.0.0.1", self._to))
        return None

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                self._loud.wait()
                target.sendall(data)
        _closed(source)
        _closed(target)


def _closed(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
