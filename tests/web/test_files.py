"""The dashboard's own files: what the service worker keeps is never typed, and no style sticks to a finger."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec

from tests.web.conftest import Place
from web import assets
from web.app import make_app

STATIC = assets.FOLDER
CHECKED_BY = Path(__file__).parent / "types"


def test_the_service_worker_keeps_every_script_and_style_of_the_pages(place: Place) -> None:
    first, _, rest = place.browser().get("/sw.js").data.decode().partition("\n")
    files = msgspec.json.decode(first.removeprefix("self.FILES = ").removesuffix(";"))
    own = {"/static/app.js", "/static/pages/table.js"}
    assert set(files) == {"/", "/words/de.json", "/words/en.json", *own}
    assert rest == "// keeps"


def test_a_browser_asks_again_for_the_service_worker_when_any_file_has_come_or_gone(place: Place) -> None:
    assert place.browser().get("/sw.js").headers["ETag"] != place.browser().get("/static/sw.js").headers["ETag"]


def test_a_page_names_all_scripts_at_once_that_it_needs_at_first(place: Place) -> None:
    """Or a phone would hear of each only when the one that imports it has come."""
    place.dashboard.assets = files = assets.load()
    place.app = make_app(place.dashboard)
    for page, first in (("/", "table"), ("/tv", "tv")):
        shell = place.browser().get(page).text
        named = re.findall(r'<link rel="modulepreload" href="/static/([^"]+)">', shell)
        assert len(named) == len(set(named))
        needed = {f"pages/{first}.js", "core/dom.js", "overlays/countdown.js"}
        for name in (*needed, "core/app.js"):
            script = (STATIC / name).read_text(encoding="utf-8")
            needed |= {_beside(name, path) for path in re.findall(r'from "([^"]+)"', script)}
        assert needed <= set(named)
        assert "core/app.js" not in named
        assert all(name in files.names for name in named)


def test_scripts_are_followed_from_import_to_import_and_found_once() -> None:
    scripts = {
        "core/app.js": 'import { a } from "./a.js";\nimport {\n  b,\n} from "../pages/b.js";\nimport "./alone.js";\n',
        "core/a.js": 'export { c } from "./alone.js";\nconst said = "from \\"./none.js\\"";\n',
        "core/alone.js": 'import { a } from "./a.js";\n',
        "pages/b.js": "export const b = import(`./${name}.js`);\n",
        "pages/other.js": "",
    }
    files = assets.Assets({name: assets.asset(text.encode(), "text/javascript") for name, text in scripts.items()})
    found = files.with_imports(["core/app.js", "core/gone.js"])
    assert found == ("core/app.js", "core/a.js", "pages/b.js", "core/alone.js")


def test_the_shell_brings_every_style_that_belongs_to_no_page() -> None:
    named = re.findall(r'rel="stylesheet" href="/static/([^"?]+)', (STATIC / "index.html").read_text(encoding="utf-8"))
    names = [path.relative_to(STATIC).as_posix() for path in _styles()]
    others = ["overlays/countdown_tv.css", "overlays/demo_dock.css"]  # of the television, and of a demo
    assert sorted([*named, *others]) == [name for name in names if not name.startswith("pages/")]


def _beside(name: str, path: str) -> str:
    return (STATIC / name).parent.joinpath(path).resolve().relative_to(STATIC).as_posix()


def _styles() -> list[Path]:
    found = sorted(STATIC.rglob("*.css"))
    assert found
    return found


def test_what_a_mouse_points_at_is_no_style_of_a_finger() -> None:
    """After a tap a phone would leave it as if a mouse still pointed at it."""
    for path in _styles():
        without = re.sub(r"@media \(hover: hover\) \{.*?\n\}", "", path.read_text(encoding="utf-8"), flags=re.S)
        assert ":hover" not in without, path


def test_no_word_is_broken_just_because_there_is_little_room() -> None:
    for path in _styles():
        text = path.read_text(encoding="utf-8")
        assert "word-break: break-all" not in text, path
        assert "overflow-wrap: anywhere" not in text, path


def test_no_address_is_made_from_what_a_browser_happens_to_show() -> None:
    for path in sorted((STATIC / "pages").glob("tv*.js")):
        assert "location.host" not in path.read_text(encoding="utf-8"), path


def test_the_address_is_one_that_a_phone_can_use_and_short(place: Place) -> None:
    answer = place.browser().client.get("/api/address", base_url="http://127.0.0.1:8080")
    assert msgspec.json.decode(answer.data) == {"url": "http://192.168.1.7:8080/", "short": "192.168.1.7:8080"}


def test_no_script_of_the_pages_goes_unchecked() -> None:
    """`make lint` checks the types of all of them: one configuration the pages, another the service worker."""
    pages, worker = (json.loads((CHECKED_BY / name).read_text()) for name in ("tsconfig.json", "tsconfig.worker.json"))
    within = [(CHECKED_BY / path).resolve() for path in pages["include"]]
    assert STATIC.resolve() in within
    assert [(CHECKED_BY / path).resolve() for path in pages["exclude"]] == [STATIC / "sw.js"]
    assert [(CHECKED_BY / path).resolve() for path in worker["include"]] == [STATIC / "sw.js"]
    for path in sorted(STATIC.rglob("*.js")):
        script = path.read_text(encoding="utf-8")
        assert not re.search(r"@ts-(nocheck|ignore|expect-error)|(eslint|oxlint)-disable", script), path


def test_what_checks_the_scripts_is_named_by_name_and_version_alone() -> None:
    for path in CHECKED_BY.glob("*.json"):
        assert '"resolved"' not in path.read_text(encoding="utf-8"), path
    wanted = json.loads((CHECKED_BY / "package.json").read_text())["devDependencies"]
    locked = json.loads((CHECKED_BY / "package-lock.json").read_text())["packages"]
    assert {name: locked[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert all("integrity" in package for name, package in locked.items() if name)
