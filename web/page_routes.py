"""The routes for the page itself: its HTML, files, words and QR code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec
from flask import Response, request
from jinja2 import Environment
from werkzeug.http import quote_etag

from web import address
from web.assets import LANGUAGES, Asset, asset
from web.routes import Dashboard, RequestRefused, Route, Visitor

SHELL: Final = "index.html"
MAIN: Final = "core/app.js"
FOR_EVER: Final = "public, max-age=31536000, immutable"
ASK_AGAIN: Final = "no-cache"
KEPT: Final = (".js", ".css")
"""Endings of files that a phone stores, to open the dashboard while the table is out of reach."""


class PageRoutes:
    def __init__(self, dashboard: Dashboard) -> None:
        self._dashboard = dashboard
        self._shells = self._drawn()
        self._worker = self._with_files()
        self._words = {
            language: asset(msgspec.json.encode(dashboard.words.in_(language)), "application/json")
            for language in LANGUAGES
        }

    def routes(self) -> Iterator[Route]:
        yield Route("/", self.shell)
        yield Route("/tv", self.tv)
        yield Route("/static/<path:name>", self.static)
        yield Route("/manifest.webmanifest", self.manifest)
        yield Route("/sw.js", self.service_worker)
        yield Route("/words/<language>.json", self.words)
        yield Route("/qr.svg", self.qr, pace="look")
        yield Route("/api/address", self.address, pace="look")
        yield Route("/healthz", self.alive)

    def _drawn(self) -> dict[tuple[str, str], Asset]:
        """The HTML pages with the addresses of their files filled in."""
        found = self._dashboard.assets.get(SHELL)
        if found is None:
            return {}
        template = Environment(autoescape=True).from_string(found.body.decode())
        facts: dict[str, Any] = {"version": self._dashboard.assets.version, "asset": self._versioned}
        return {
            (page, language): asset(
                template.render(page=page, lang=language, scripts=self._at_once(page), **facts).encode(), found.kind
            )
            for page in ("", "tv")
            for language in LANGUAGES
        }

    def _at_once(self, page: str) -> list[str]:
        """The scripts that a page needs at its start. Listed in the page, they load in parallel instead of one after
        the other."""
        assets = self._dashboard.assets
        overlays = (name for name in assets.names if name.startswith("overlays/") and name.endswith(".js"))
        first = assets.with_imports([MAIN, f"pages/{page or 'table'}.js", *overlays])
        return [name for name in first if name != MAIN]

    def shell(self, _visitor: Visitor, page: str = "") -> Response:
        """The page; its scripts draw everything else. It sets no cookie: a browser that follows a link from another
        site does not send its cookie, and a new one would replace it, and the seat with it."""
        found = self._shells.get((page, request.accept_languages.best_match(LANGUAGES, "en")))
        if found is None:
            raise RequestRefused(404, "not_here")
        answer = _sent(found, ASK_AGAIN)
        answer.headers["Vary"] = "Accept-Encoding, Accept-Language"
        return answer

    def tv(self, visitor: Visitor) -> Response:
        return self.shell(visitor, "tv")

    def _versioned(self, name: str) -> str:
        found = self._dashboard.assets.get(name)
        return f"/static/{name}?v={found.mark}" if found is not None else f"/static/{name}"

    def static(self, _visitor: Visitor, name: str) -> Response:
        found = self._dashboard.assets.get(name)
        if found is None or name == SHELL:
            raise RequestRefused(404, "not_here")
        named = request.args.get("v") in (found.mark, self._dashboard.assets.version)
        return _sent(found, FOR_EVER if named else ASK_AGAIN)

    def manifest(self, _visitor: Visitor) -> Response:
        return self._at_the_root("manifest.webmanifest")

    def service_worker(self, _visitor: Visitor) -> Response:
        """The service worker with its list of files. It is served at the root, because it only controls pages below
        its own address."""
        if self._worker is None:
            raise RequestRefused(404, "not_here")
        return _sent(self._worker, ASK_AGAIN)

    def _with_files(self) -> Asset | None:
        found, names = self._dashboard.assets.get("sw.js"), self._dashboard.assets.names
        if found is None:
            return None
        words = [f"/words/{language}.json" for language in LANGUAGES]
        files = ["/", *words, *(f"/static/{name}" for name in names if name.endswith(KEPT) and name != "sw.js")]
        return asset(b"self.FILES = %b;\n%b" % (msgspec.json.encode(files), found.body), found.kind)

    def _at_the_root(self, name: str) -> Response:
        found = self._dashboard.assets.get(name)
        if found is None:
            raise RequestRefused(404, "not_here")
        return _sent(found, ASK_AGAIN)

    def words(self, _visitor: Visitor, language: str) -> Response:
        if language not in self._words:
            raise RequestRefused(404, "not_here")
        return _sent(self._words[language], ASK_AGAIN)

    def qr(self, _visitor: Visitor) -> Response:
        return _sent(asset(address.qr_svg(self._address()), "image/svg+xml"), ASK_AGAIN)

    def address(self, _visitor: Visitor) -> dict[str, str]:
        """The page's address for another phone, as a link and to type."""
        url = self._address()
        return {"url": url, "short": url.removeprefix("http://").rstrip("/")}

    def _address(self) -> str:
        dashboard = self._dashboard
        return address.seen_from_a_phone(request.headers.get("Host", ""), dashboard.own_address(), dashboard.port)

    def alive(self, _visitor: Visitor) -> dict[str, Any]:
        snapshot = self._dashboard.backend.snapshot()
        return {
            "ok": self._dashboard.streams.alive,
            "edition": snapshot.edition,
            "number": snapshot.number,
            "files": self._dashboard.assets.version,
        }


def _sent(found: Asset, cache: str) -> Response:
    """A file, compressed if the browser accepts that, or 304 if the browser has it already."""
    headers = {"Cache-Control": cache, "ETag": quote_etag(found.mark), "Vary": "Accept-Encoding"}
    if found.mark in request.if_none_match:
        return Response(status=304, headers=headers)
    body = found.body
    if found.squeezed is not None and request.accept_encodings.quality("gzip") > 0:
        body, headers["Content-Encoding"] = found.squeezed, "gzip"
    return Response(body, headers=headers, content_type=found.kind)
