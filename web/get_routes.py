"""The GET routes: the snapshot, events, choices, history, scores, camera. They change nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Final

import msgspec
from flask import Response, request

from web.access import converted, with_token
from web.backend import Export
from web.connections import STREAM
from web.phones import hash_of, host_id, new_token
from web.routes import (
    HOST,
    JOINED,
    PLAYERS,
    Dashboard,
    RequestRefused,
    Route,
    Visitor,
)
from web.stream import Full, Over, Page, event

MOST_MOVES: Final = 100

Chosen = Annotated[list[Annotated[str, msgspec.Meta(max_length=200)]], msgspec.Meta(max_length=30)]

_EXPORTS: Final[dict[str, Export]] = {"scores.csv": "csv", "game.json": "json", "page.html": "page"}
# A page to print contains its styles and no scripts.
_PRINTED: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox"


class GetRoutes:
    def __init__(self, dashboard: Dashboard) -> None:
        self._dashboard, self._backend = dashboard, dashboard.backend

    def routes(self) -> Iterator[Route]:
        yield Route("/api/me", self.me)
        yield Route("/api/standing", self.snapshot, pace="look")
        yield Route("/api/events", self.events, pace="look")
        yield Route("/api/clock", self.clock)
        yield Route("/api/raid", self.raid)
        yield Route("/api/choices", self.choices, pace="look")
        yield Route("/api/acts", self.acts, pace="look")
        yield Route("/api/rules", self.rules, pace="look")
        yield Route("/api/alternatives/<number:number>", self.alternatives, pace="look")
        yield Route("/api/history", self.history, pace="look")
        yield Route("/picture/<journal>/<number:number>.jpg", self.picture, pace="look")
        yield Route("/api/pictures/<journal>", self.pictures, pace="look")
        yield Route("/api/scores", self.scores, pace="look")
        yield Route("/export/<name>", self.export, pace="look")
        yield Route("/export/box/<name>", self.export_box, pace="look")
        yield Route("/api/about", self.about, pace="look")
        yield Route("/api/layout", self.layout, pace="look")
        yield Route("/api/setup", self.setup, pace="look")
        yield Route("/api/health", self.health, pace="look")
        yield Route("/api/hosts", self.hosts, HOST)
        yield Route("/api/camera", self.camera, pace="look")
        yield Route("/camera.jpg", self.camera_picture, JOINED, pace="look")
        yield Route("/api/demo", self.demo)

    def me(self, visitor: Visitor) -> Response | dict[str, Any]:
        """The phone's seat and role. A new phone also gets its token."""
        if visitor.token is not None:
            return self._dashboard.me(visitor)
        token = new_token()
        return with_token(self._dashboard.me(msgspec.structs.replace(visitor, token=token)), token)

    # Live

    def snapshot(self, _visitor: Visitor) -> dict[str, Any]:
        # From the backend, because the streams may be behind an update that this phone already has.
        return self._dashboard.streams.whole(self._backend.snapshot())

    def events(self, visitor: Visitor) -> Response:
        me, backend = self._dashboard.me(visitor), self._backend
        since = request.headers.get("Last-Event-ID") or request.args.get("since")

        def hello(edition: str) -> bytes:
            return b"retry: 1000\n\n" + event("hello", {"me": me, "now": backend.now(), "edition": edition})

        try:
            page = Page(visitor.key, visitor.address, visitor.phone.role in PLAYERS)
            request.environ[STREAM] = self._dashboard.streams.open(page, hello, since)
        except Full as full:
            raise RequestRefused(503, "full_address" if full.address else "full", 5.0, most=full.most) from full
        except Over as over:
            raise RequestRefused(503, "stopping", 3.0) from over
        return Response(content_type="text/event-stream; charset=utf-8", headers={"X-Accel-Buffering": "no"})

    def clock(self, _visitor: Visitor) -> dict[str, float]:
        return {"now": self._backend.now()}

    def raid(self, _visitor: Visitor) -> dict[str, Any] | None:
        return self._backend.raid()

    # By hand

    def choices(self, visitor: Visitor) -> dict[str, Any]:
        """A host may enter the moves of all seats, even with a seat of their own."""
        return self._backend.choices(None if visitor.phone.host else visitor.phone.seat, _chosen())

    def acts(self, _visitor: Visitor) -> dict[str, Any]:
        return self._backend.acts()

    def rules(self, visitor: Visitor) -> dict[str, Any]:
        return self._backend.rules(visitor.phone.seat)

    def alternatives(self, _visitor: Visitor, number: int) -> dict[str, Any]:
        return self._backend.alternatives(number, _chosen())

    # History and results

    def history(self, _visitor: Visitor) -> dict[str, Any]:
        before = _number("before")
        count = _number("count")
        return self._backend.history(before, min(30 if count is None else max(1, count), MOST_MOVES))

    def picture(self, _visitor: Visitor, journal: str, number: int) -> Response:
        return _jpeg(self._backend.picture(journal[:100], number), "private, max-age=86400, immutable")

    def pictures(self, _visitor: Visitor, journal: str) -> dict[str, list[int]]:
        """Those of the requested events that have a picture."""
        event = _number("event")
        shown = event is not None and self._backend.picture(journal[:100], event) is not None
        return {"events": [event] if shown and event is not None else []}

    def scores(self, _visitor: Visitor) -> dict[str, Any]:
        return self._backend.scores()

    def export(self, _visitor: Visitor, name: str) -> Response:
        if name not in _EXPORTS:
            raise RequestRefused(404, "not_here")
        language = "en" if request.args.get("lang") == "en" else "de"
        body, kind, called = self._backend.export(_EXPORTS[name], language)
        answer = Response(body, content_type=kind)
        if _EXPORTS[name] == "page":
            answer.headers["Content-Security-Policy"] = _PRINTED
        else:
            answer.headers.set("Content-Disposition", "attachment", filename=called)
        return answer

    def export_box(self, _visitor: Visitor, name: str) -> Response:
        body, called = self._backend.export_box(name[:100])
        answer = Response(body, content_type="application/json")
        answer.headers.set("Content-Disposition", "attachment", filename=called)
        return answer

    # The rig

    def about(self, visitor: Visitor) -> list[dict[str, Any]]:
        asked = {name: request.args.get(name, "")[:100] for name in ("zone", "spot")}
        return self._backend.about(visitor.phone.seat, asked["zone"], asked["spot"])

    def layout(self, _visitor: Visitor) -> dict[str, Any] | None:
        return self._backend.layout()

    def setup(self, _visitor: Visitor) -> dict[str, Any]:
        return self._backend.setup()

    def health(self, visitor: Visitor) -> list[dict[str, Any]]:
        """The health of every part. Only players and hosts see the sentences, which contain paths and versions."""
        parts = self._backend.health()
        if visitor.phone.role in PLAYERS:
            return parts
        return [{key: part[key] for key in ("name", "label", "state", "state_says") if key in part} for part in parts]

    def hosts(self, visitor: Visitor) -> list[dict[str, Any]]:
        own = host_id(hash_of(visitor.token or ""))
        return [
            {"id": id_, "name": phone.name, "seat": phone.seat, "you": id_ == own}
            for id_, phone in self._dashboard.phones.hosts().items()
        ]

    def camera(self, _visitor: Visitor) -> dict[str, Any]:
        return self._backend.camera()

    def camera_picture(self, _visitor: Visitor) -> Response:
        asked = {name: request.args.get(name, "")[:100] for name in ("zone", "cell")}
        overlay = request.args.get("overlay") == "1"
        return _jpeg(self._backend.camera_picture(overlay, asked["zone"] or None, asked["cell"] or None), "no-store")

    def demo(self, _visitor: Visitor) -> dict[str, Any]:
        if self._backend.demo is None:
            raise RequestRefused(404, "no_demo")
        return self._backend.demo.state()


def _chosen() -> list[str]:
    try:
        sent = msgspec.json.decode(request.args.get("chosen", "[]"))
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise RequestRefused(400, "not_json") from error
    chosen: list[str] = converted(sent, Chosen)
    return chosen


def _number(name: str) -> int | None:
    text = request.args.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 16):
        raise RequestRefused(400, "not_understood", why=f"{name} is no number")
    return int(text)


def _jpeg(picture: bytes | None, cache: str) -> Response:
    if picture is None:
        raise RequestRefused(404, "no_picture")
    return Response(picture, content_type="image/jpeg", headers={"Cache-Control": cache})
