"""Access control: every request is checked here before it is handled.

The checks are, in this order: the host name, the phone, the origin of the page, the phone's role, its rate limit, and
the body.
"""

from __future__ import annotations

import hmac
import ipaddress
import math
from typing import Any, Final

import msgspec
from flask import Request, Response

from web.phones import csrf_of, is_token
from web.routes import HOST, PLAYERS, Dashboard, RequestRefused, Route, Visitor

COOKIE: Final = "companion"
A_YEAR: Final = 365 * 24 * 3600
HEADER: Final = "X-Companion"
DEEPEST: Final = 8
LARGEST: Final = 2**53
"""JavaScript cannot represent all larger whole numbers."""


class Access:
    def __init__(self, dashboard: Dashboard) -> None:
        self._dashboard = dashboard

    def authorize(self, request: Request, route: Route) -> Visitor:
        """Check a request and return its visitor. Raises `RequestRefused`."""
        dashboard = self._dashboard
        self.check_host(request)
        token = request.cookies.get(COOKIE)
        token = token if is_token(token) else None
        phone = dashboard.phones.get(token)
        if (phone.host or route.pace == "pin") and dashboard.pin.changed_elsewhere():
            dashboard.phones.remove_hosts()
            phone = dashboard.phones.get(token)
        visitor = Visitor(_address(request), token, phone)
        if route.body is not None:
            _check_page(request, token, route.most_bytes)
        if visitor.phone.role not in route.who:
            raise RequestRefused(403, _lacking(route))
        self._check_rate(visitor, route)
        return visitor

    def check_host(self, request: Request) -> None:
        if not self._dashboard.names.is_allowed(request.headers.get("Host", "")):
            raise RequestRefused(403, "elsewhere")

    def _check_rate(self, visitor: Visitor, route: Route) -> None:
        rate_limits, now = self._dashboard.rate_limits, self._dashboard.clock()
        match route.pace:
            case None:
                return
            case "pin":
                known = visitor.phone.proven or visitor.phone.seat is not None or self._is_the_table(visitor.address)
                wait = rate_limits.pin.wait(visitor.guesses_as, now) or (
                    0.0 if known else rate_limits.all_pins.wait("", now)
                )
            case "join":
                wait = rate_limits.join.wait(visitor.address, now)
            case "tap":
                wait = rate_limits.tap.wait(visitor.key, now)
            case "look":
                wait = rate_limits.look.wait(visitor.address, now)
        if wait:
            raise RequestRefused(429, "too_often", wait, seconds=math.ceil(wait))

    def _is_the_table(self, address: str) -> bool:
        """Whether this is an address of the companion's own machine."""
        try:
            return ipaddress.ip_address(address).is_loopback or address == self._dashboard.own_address()
        except ValueError:
            return False

    def body(self, request: Request, route: Route) -> Any:
        """The decoded and checked body. Raises `RequestRefused`."""
        assert route.body is not None
        raw = request.get_data(cache=False)
        if len(raw) > route.most_bytes:  # it had no Content-Length
            raise RequestRefused(413, "too_big", most=route.most_bytes)
        try:
            sent = msgspec.json.decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise RequestRefused(400, "not_json") from error
        return converted(sent, route.body)


def converted(sent: Any, type_: Any) -> Any:
    """Convert JSON to one of our types. Raises `RequestRefused` if it is too deep, too large or of another type."""
    try:
        check_plain(sent)
        return msgspec.convert(sent, type_)
    except ValueError as error:
        raise RequestRefused(400, "not_understood", why=str(error).rstrip(".")) from error


def check_plain(value: Any, deep: int = 0) -> None:
    """Raise ValueError for valid JSON that parts of the companion cannot handle."""
    match value:
        case _ if deep > DEEPEST:
            raise ValueError("it is nested too deeply")
        case bool() | None:
            return
        case int() | float():
            if not -LARGEST <= value <= LARGEST:
                raise ValueError("a number is too large")
        case str():
            if any("\ud800" <= letter <= "\udfff" or letter == "\0" for letter in value):
                raise ValueError("a text holds something that is no letter")
        case list():
            for one in value:
                check_plain(one, deep + 1)
        case dict():
            for key, one in value.items():
                check_plain(key, deep + 1)
                check_plain(one, deep + 1)


def with_token(said: Any, token: str) -> Response:
    """A response that sets the token as the phone's cookie."""
    answer = Response(msgspec.json.encode(said), content_type="application/json")
    answer.set_cookie(COOKIE, token, max_age=A_YEAR, path="/", httponly=True, samesite="Strict")
    return answer


def _address(request: Request) -> str:
    return (request.remote_addr or "").removeprefix("::ffff:")


def _check_page(request: Request, token: str | None, most: int) -> None:
    """Check that a POST request comes from one of our own pages. Raises `RequestRefused`."""
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"{request.scheme}://{request.headers.get('Host', '')}":
        raise RequestRefused(403, "elsewhere")
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise RequestRefused(403, "elsewhere")
    if request.mimetype != "application/json":
        raise RequestRefused(415, "not_json")
    if (request.content_length or 0) > most:
        raise RequestRefused(413, "too_big", most=most)
    if token is None:
        raise RequestRefused(401, "no_cookie")
    if not hmac.compare_digest(request.headers.get(HEADER, "").encode(), csrf_of(token).encode()):
        raise RequestRefused(403, "csrf")


def _lacking(route: Route) -> str:
    if route.who == HOST:
        return "host_only"
    return "seat_only" if route.who == PLAYERS else "join_first"
