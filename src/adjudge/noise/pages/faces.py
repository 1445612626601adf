"""Type faces: where the files of the known ones are, and what to install for one that is not there."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from typing import NamedTuple

from ...core.errors import DataError, MissingExtraError, SpecError, did_you_mean
from ...storage.digest import NAME, digest_file


class Face(NamedTuple):
    """A face by its file and the Debian package that has it."""

    file: str
    package: str
    folder: str


FACES = {
    "termes": Face("texgyretermes-regular.otf", "fonts-texgyre", "texmf/fonts/opentype/public/tex-gyre"),
    "schola": Face("texgyreschola-regular.otf", "fonts-texgyre", "texmf/fonts/opentype/public/tex-gyre"),
    "pagella": Face("texgyrepagella-regular.otf", "fonts-texgyre", "texmf/fonts/opentype/public/tex-gyre"),
    "bonum": Face("texgyrebonum-regular.otf", "fonts-texgyre", "texmf/fonts/opentype/public/tex-gyre"),
    "heros": Face("texgyreheros-regular.otf", "fonts-texgyre", "texmf/fonts/opentype/public/tex-gyre"),
    "cursor": Face("texgyrecursor-regular.otf", "fonts-texgyre", "texmf/fonts/opentype/public/tex-gyre"),
    "liberation": Face("LiberationSerif-Regular.ttf", "fonts-liberation", "fonts/truetype/liberation"),
    "liberation-sans": Face("LiberationSans-Regular.ttf", "fonts-liberation", "fonts/truetype/liberation"),
    "liberation-mono": Face("LiberationMono-Regular.ttf", "fonts-liberation", "fonts/truetype/liberation"),
    "dejavu": Face("DejaVuSerif.ttf", "fonts-dejavu-core", "fonts/truetype/dejavu"),
    "dejavu-sans": Face("DejaVuSans.ttf", "fonts-dejavu-core", "fonts/truetype/dejavu"),
}

STAND_INS = ("dejavu", "dejavu-sans", "liberation")
"""Faces that lend a glyph when the chosen one has none."""


def folders() -> list[str]:
    """Where systems keep their type faces."""
    home = os.path.expanduser("~")
    known = [
        "/usr/share/fonts",
        "/usr/share/texmf/fonts",
        "/usr/local/share/fonts",
        f"{home}/.local/share/fonts",
        f"{home}/.fonts",
    ]
    if sys.platform == "darwin":
        known += [f"{home}/Library/Fonts", "/Library/Fonts", "/opt/homebrew/share/fonts"]
    if sys.platform == "win32":
        known += [os.path.join(os.environ.get("WINDIR", r"C:\Windows"), "Fonts")]
    return known


@lru_cache(maxsize=64)
def _search(file: str) -> str | None:
    for folder in folders():
        for place, _, files in os.walk(folder):
            if file in files:
                return os.path.join(place, file)
    return None


def installed_file(name: str) -> str | None:
    """The file of a known face, or None."""
    face = FACES[name]
    usual = os.path.join("/usr/share", face.folder, face.file)
    return usual if os.path.isfile(usual) else _search(face.file)


def face_file(font: str) -> str:
    """The file of a face given by its short name or by a path; one clear error if there is none."""
    if font in FACES:
        path = installed_file(font)
        if path is None:
            others = [name for name in FACES if installed_file(name)]
            hint = f"; installed are {', '.join(others)}" if others else ", or give the path of a font file"
            raise MissingExtraError(f"the font {font} is not installed: apt install {FACES[font].package}{hint}")
        return path
    if os.path.isfile(font):
        return font
    if os.sep in font or font.lower().endswith((".ttf", ".otf", ".ttc", ".pfb", ".woff", ".woff2")):
        raise DataError(f"{font}: no such font file")
    raise SpecError(f"no font {font!r}{did_you_mean(font, list(FACES)) or ', known are ' + ', '.join(FACES)}")


@lru_cache(maxsize=64)
def digest(file: str) -> str:
    """A short digest of a font file: another version of a face makes other pages."""
    return digest_file(file, NAME)


def faces_of(font: str) -> list[str]:
    """The files that pages are printed from: the chosen face, then those that lend glyphs."""
    first = face_file(font)
    lenders = [file for file in map(installed_file, STAND_INS) if file is not None and file != first]
    return [first, *lenders]
