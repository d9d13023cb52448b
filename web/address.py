"""The dashboard's addresses, its host names, and the QR code of its address."""

from __future__ import annotations

import array
import fcntl
import io
import ipaddress
import re
import socket
import struct
from collections.abc import Iterable
from typing import Final

import segno

NAME: Final = "companion"
_OWN_NETWORKS: Final = ("local", "lan", "home", "internal", "home.arpa", "localdomain", "fritz.box")
"""Name endings that home routers use. They cannot be registered on the internet."""
_SIOCGIFADDR: Final = 0x8915
_HOST: Final = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(?::(?P<port>\d{1,5}))?", re.ASCII)


def own_address() -> str:
    """The address of this machine for phones in the same network; the loopback address if there is none."""
    return _on_the_way_out() or next(iter(_of_interfaces()), "127.0.0.1")


def _on_the_way_out() -> str | None:
    """The address of the interface to the internet. Nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation
        except OSError:
            return None
        address: str = probe.getsockname()[0]
        return None if address.startswith(("0.", "127.")) else address


def _of_interfaces() -> Iterable[str]:
    """The addresses of all interfaces. A table with its own Wi-Fi has no route to the internet, but has these."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            request = array.array("B", struct.pack("256s", name.encode()[:15]))
            try:
                fcntl.ioctl(probe, _SIOCGIFADDR, request, True)
            except OSError:
                continue
            address = socket.inet_ntoa(bytes(request[20:24]))
            if not address.startswith("127."):
                yield address


def local_name() -> str:
    """This machine's mDNS name."""
    return f"{socket.gethostname().lower().split('.')[0]}.local"


def url(host: str, port: int) -> str:
    return f"http://{host}/" if port == 80 else f"http://{host}:{port}/"


class Names:
    """The allowed host names. Others are refused against DNS rebinding: a foreign page whose name leads here could
    otherwise act for a phone that has it open."""

    def __init__(self, hostname: str = "") -> None:
        own = {NAME, (hostname or socket.gethostname()).lower().split(".")[0]}
        self._known = {"localhost", *own, *(f"{name}.{ending}" for name in own for ending in _OWN_NETWORKS)}

    def is_allowed(self, host: str) -> bool:
        """Whether this Host header is allowed. IP addresses always are, because they cannot be rebound."""
        found = _HOST.fullmatch(host)
        if found is None:
            return False
        name = found["name"].lower()
        return name in self._known or _is_number(name.strip("[]"))


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def seen_from_a_phone(host: str, own: str, port: int) -> str:
    """The page's address for other phones: the requested one, unless only this machine can reach it."""
    found = _HOST.fullmatch(host)
    name = found["name"] if found is not None else "localhost"
    loopback = name == "localhost" or name.startswith("127.") or name == "[::1]"
    return url(own, port) if loopback else f"http://{host}/"


def qr_svg(target: str) -> bytes:
    """A QR code as SVG, black on white even on a dark page, because some phones cannot read inverted codes."""
    file = io.BytesIO()
    code = segno.make(target, error="m", micro=False)
    bare = {"xmldecl": False, "svgclass": None, "lineclass": None, "omitsize": True}
    code.save(file, kind="svg", border=4, dark="#000", light="#fff", **bare)
    return file.getvalue()


def qr_text(target: str) -> str:
    """A QR code for a terminal, two rows of modules in a line. The light modules are drawn, because most terminals are
    dark and the code needs a light border."""
    code = segno.make(target, error="l", micro=False)
    rows = [[not dark for dark in row] for row in code.matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    blocks = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
    return "\n".join(
        "".join(blocks[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    )
