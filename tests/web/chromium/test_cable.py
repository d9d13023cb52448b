"""The cable itself: a client that disconnects early does not break it for the next one."""

from __future__ import annotations

import socket
import threading

from tests.web.chromium.cable import Cable


def _echo(door: socket.socket) -> None:
    with door:
        while True:
            try:
                end, _ = door.accept()
            except OSError:
                return
            with end:
                end.sendall(end.recv(1) or b"-")


def test_whoever_hangs_up_at_once_does_not_cut_the_cable() -> None:
    door = socket.create_server(("127.0.0.1", 0), backlog=64)
    threading.Thread(target=_echo, args=(door,), daemon=True).start()
    cable = Cable(door.getsockname()[1])
    try:
        for _ in range(500):
            socket.create_connection(("127.0.0.1", cable.port), timeout=60).close()
        with socket.create_connection(("127.0.0.1", cable.port), timeout=60) as late:
            late.sendall(b"!")
            assert late.recv(1) == b"!"
    finally:
        cable.close()
        door.shutdown(socket.SHUT_RDWR)


def test_a_cable_with_nobody_at_its_end_serves_those_who_come_later() -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    cable = Cable(port)
    try:
        with socket.create_connection(("127.0.0.1", cable.port), timeout=60) as early:
            assert early.recv(1) == b""
        door = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=_echo, args=(door,), daemon=True).start()
        with socket.create_connection(("127.0.0.1", cable.port), timeout=60) as late:
            late.sendall(b"!")
            assert late.recv(1) == b"!"
        door.shutdown(socket.SHUT_RDWR)
    finally:
        cable.close()
