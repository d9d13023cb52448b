"""What the sheets say, in German and English."""

from __future__ import annotations

from typing import Final, Literal

Language = Literal["de", "en"]

WORDS: Final[dict[str, dict[Language, str]]] = {
    "markers.title": {"de": "Marker für {name}", "en": "Markers for {name}"},
    "markers.print": {
        "de": "1. In Originalgröße drucken (100 %, ohne Anpassen) und unten nachmessen.",
        "en": "1. Print in actual size (100 %, no fitting to the page) and check the ruler below.",
    },
    "markers.cut": {
        "de": "2. An den gestrichelten Linien ausschneiden; der weiße Rand bleibt stehen.",
        "en": "2. Cut along the dashed lines; keep the white border.",
    },
    "markers.lay": {
        "de": "3. Flach aufkleben wie gezeichnet, das Dreieck zum oberen Tischrand.",
        "en": "3. Stick down flat as drawn, the triangle towards the top of the table.",
    },
    "markers.measured": {
        "de": "Gemessen wird jeweils zur Mitte des Markers; die kleinen Striche zeigen auf sie.",
        "en": "Measure to the middle of each marker; the small ticks point to it.",
    },
    "table.top": {"de": "oben", "en": "top"},
    "table.size": {"de": "{width} × {height} mm", "en": "{width} × {height} mm"},
    "from.left": {"de": "{mm} mm von links", "en": "{mm} mm from the left"},
    "from.right": {"de": "{mm} mm von rechts", "en": "{mm} mm from the right"},
    "from.top": {"de": "{mm} mm von oben", "en": "{mm} mm from the top"},
    "from.bottom": {"de": "{mm} mm von unten", "en": "{mm} mm from the bottom"},
    "beyond.left": {"de": "{mm} mm links daneben", "en": "{mm} mm off the left"},
    "beyond.right": {"de": "{mm} mm rechts daneben", "en": "{mm} mm off the right"},
    "beyond.top": {"de": "{mm} mm darüber", "en": "{mm} mm above"},
    "beyond.bottom": {"de": "{mm} mm darunter", "en": "{mm} mm below"},
    "place.top.left": {"de": "oben links", "en": "top left"},
    "place.top.middle": {"de": "oben Mitte", "en": "top middle"},
    "place.top.right": {"de": "oben rechts", "en": "top right"},
    "place.middle.left": {"de": "links Mitte", "en": "left middle"},
    "place.middle.middle": {"de": "Mitte", "en": "middle"},
    "place.middle.right": {"de": "rechts Mitte", "en": "right middle"},
    "place.bottom.left": {"de": "unten links", "en": "bottom left"},
    "place.bottom.middle": {"de": "unten Mitte", "en": "bottom middle"},
    "place.bottom.right": {"de": "unten rechts", "en": "bottom right"},
    "ruler": {"de": "Nachmessen: genau 100 mm", "en": "Check me: exactly 100 mm"},
    "page": {"de": "Seite {page} von {pages}", "en": "Page {page} of {pages}"},
    "charuco.title": {"de": "Linsenblatt", "en": "Lens sheet"},
    "charuco.how": {
        "de": "Flach auf Karton kleben. Zehn scharfe Bilder aus verschiedenen Winkeln, auch in den Bildecken.",
        "en": "Stick flat on cardboard. Ten sharp pictures from different angles, also in the picture's corners.",
    },
    "mat.how": {
        "de": "Auf jedes Feld das genannte Teil legen, dann ein Bild von oben; alle Marker müssen zu sehen sein.",
        "en": "Lay the named piece on each field, then take one picture from above with all markers in view.",
    },
}


def say(key: str, language: Language, **facts: object) -> str:
    """A sentence of the sheets."""
    return WORDS[key][language].format(**facts)
