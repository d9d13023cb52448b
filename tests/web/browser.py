"""A phone's browser in tests: it keeps its cookie, and adds to requests what our pages add."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

HOST = "192.168.1.7:8080"


class Browser:
    def __init__(self, app: Flask, address: str = "192.168.1.20") -> None:
        self.client: FlaskClient = app.test_client()
        self.address = address
        self.csrf = ""

    def arrive(self) -> Browser:
        """Open the page: the phone gets its cookie."""
        self.csrf = self.json("/api/me")["csrf"]
        return self

    def get(self, path: str, **headers: str) -> TestResponse:
        return self.client.get(path, headers=headers, **self._from())

    def json(self, path: str) -> Any:
        answer = self.get(path)
        assert answer.status_code == 200, answer.data
        return msgspec.json.decode(answer.data)

    def post(self, path: str, body: Any = None, /, **headers: str) -> TestResponse:
        sent = body if isinstance(body, bytes) else msgspec.json.encode({} if body is None else body)
        told = {"X-Companion": self.csrf, "Origin": f"http://{HOST}", "Content-Type": "application/json", **headers}
        answer = self.client.post(path, data=sent, headers={k: v for k, v in told.items() if v}, **self._from())
        if path == "/api/host" and answer.status_code == 200:  # a host has a new token, as our pages learn then
            self.csrf = msgspec.json.decode(answer.data)["csrf"]
        return answer

    def _from(self) -> dict[str, Any]:
        return {"environ_overrides": {"REMOTE_ADDR": self.address}, "base_url": f"http://{HOST}"}


def refusal(answer: TestResponse) -> str:
    """The reason of a refusal, which always says why in both languages."""
    body = msgspec.json.decode(answer.data)
    assert set(body["says"]) == {"de", "en"}
    assert all(body["says"].values())
    assert "{" not in "".join(body["says"].values())
    reason: str = body["refused"]
    return reason
