"""The Flask app: all routes with their access control, one form of refusals, and the headers of every response."""

from __future__ import annotations

import gzip
import logging
import math
from collections.abc import Callable
from typing import Any, Final

import msgspec
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException
from werkzeug.routing import BaseConverter, RequestRedirect

from web.access import Access
from web.backend import Refused
from web.get_routes import GetRoutes
from web.page_routes import PageRoutes
from web.post_routes import PostRoutes
from web.routes import FILE_BYTES, Dashboard, RequestRefused, Route

_log = logging.getLogger(__name__)

POLICY: Final = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "media-src 'self' data: blob:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=()",
    "Cache-Control": "no-store",
}
WORTH_SQUEEZING: Final = 2000
"""Bytes."""
_OURS: Final = {400: "not_json", 404: "not_here", 405: "not_like_this", 413: "too_big", 415: "not_json"}
"""The reason we give when Flask refuses a request."""


def all_routes(dashboard: Dashboard) -> list[Route]:
    return [*PageRoutes(dashboard).routes(), *GetRoutes(dashboard).routes(), *PostRoutes(dashboard).routes()]


def make_app(dashboard: Dashboard) -> Flask:
    app = Flask("web", static_folder=None, template_folder=None)
    app.debug = False  # even if FLASK_DEBUG is set
    app.config["MAX_CONTENT_LENGTH"] = FILE_BYTES
    app.url_map.merge_slashes = False
    app.url_map.converters["number"] = _Number
    _Answers(app, dashboard)
    return app


class _Number(BaseConverter):
    """An event's number. A longer number matches no event."""

    regex = "[0-9]{1,15}"

    def to_python(self, value: str) -> int:
        return int(value)


class _Answers:
    """Registers the routes, and turns their results and errors into responses."""

    def __init__(self, app: Flask, dashboard: Dashboard) -> None:
        self._words, self._access = dashboard.words, Access(dashboard)
        for route in all_routes(dashboard):
            app.add_url_rule(
                route.path,
                f"{route.method} {route.path}",
                self._view(route),
                methods=[route.method],
                provide_automatic_options=False,
            )
        app.before_request(_refuse_redirects)
        app.register_error_handler(Exception, self.no)
        app.after_request(_with_headers)
        app.after_request(_squeezed)

    def _view(self, route: Route) -> Callable[..., Response]:
        def view(**parts: Any) -> Response:
            visitor = self._access.authorize(request, route)
            if route.body is None:
                return _answer(route.act(visitor, **parts))
            return _answer(route.act(visitor, self._access.body(request, route)))

        return view

    def no(self, error: Exception) -> Response:
        match error:
            case RequestRefused():
                return self._refused(error.status, error.reason, error.facts, error.wait)
            case Refused():
                return _no(503 if error.reason == "late" else 409, error.reason, error.says, error.detail)
            case HTTPException():
                return self._unusable(error)
            case _:
                _log.error("%s %s went wrong: %s.", request.method, request.path, error, exc_info=error)
                return self._refused(503, "failed")

    def _unusable(self, error: HTTPException) -> Response:
        """The response to a request that Flask refused. Unusual refusals get the reason `not_understood`."""
        status = error.code if error.code in _OURS else 400
        answer = self._refused(status, _OURS[status], {"most": FILE_BYTES})
        for name, value in error.get_headers():
            if name == "Allow":
                answer.headers[name] = value
        return answer

    def _refused(self, status: int, reason: str, facts: dict[str, Any] | None = None, wait: float = 0.0) -> Response:
        facts = facts or {}
        answer = _no(status, reason, self._words.say(f"refused.{reason}", **facts), str(facts.get("why", "")))
        if wait:
            answer.headers["Retry-After"] = str(math.ceil(wait))
        return answer


def _refuse_redirects() -> None:
    """Answer 404 instead of Flask's redirect of a mistyped address: it could lead to an address in the request."""
    if isinstance(request.routing_exception, RequestRedirect):
        raise RequestRefused(404, "not_here")


def _no(status: int, reason: str, says: dict[str, str], detail: str = "") -> Response:
    body = {"refused": reason, "says": says} | ({"detail": detail} if detail else {})
    return Response(msgspec.json.encode(body), status, content_type="application/json")


def _answer(done: Any) -> Response:
    return done if isinstance(done, Response) else Response(msgspec.json.encode(done), content_type="application/json")


def _squeezed(answer: Response) -> Response:
    """A long JSON answer as gzip, for phones that take it: on a slow Wi-Fi it is there sooner."""
    short = answer.is_streamed or (answer.content_length or 0) < WORTH_SQUEEZING
    if answer.mimetype != "application/json" or short or "Content-Encoding" in answer.headers:
        return answer
    answer.headers["Vary"] = "Accept-Encoding"
    if request.accept_encodings.quality("gzip") > 0:
        answer.set_data(gzip.compress(answer.get_data(), 4, mtime=0))
        answer.headers["Content-Encoding"] = "gzip"
    return answer


def _with_headers(answer: Response) -> Response:
    for name, value in HEADERS.items():
        answer.headers.setdefault(name, value)
    return answer
