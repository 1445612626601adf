"""Rendering: lines of text become a page of grey ink, put together from glyphs that were drawn once.

A glyph is drawn four times as large as needed, then blurred and reduced for each of 4 × 4 positions between dots when
it is first met there. Blurring is linear, so blurred glyphs that are added up are the blurred page; and a page turned
by a fraction of a degree is a page whose glyphs are shifted, each as its place asks. Printing a page is then a few
thousand additions of small arrays.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ...core.kernel import native
from ...core.note import Note
from .faces import faces_of
from .glyphs import FINE, INK, Bytes, Drawn, Floats, Placed, blur, box, glyph_of, inked_part, kernel_of, open_face
from .type_case import TypeCase
from .typesetting import PageLayout

NARROW = 0.15
"""Glyphs that advance less than this part of the size may pile up, as accents do."""

CACHED = 96 << 20
"""Bytes of glyphs that are kept."""

RIGHT_TO_LEFT = ("R", "AL")
TURNED = Note.of("right_to_left_turned")


class Press:
    """Prints pages in one layout with one blur (sigma in dots).

    A character that the face has no glyph for is printed as its compatibility decomposition (a ligature as letters),
    with a glyph of another installed face, or as a box, in this order. Characters are set from left to right in the
    order of the text, without shaping, also where their script runs from right to left. ``notes`` counts boxes,
    characters that run from right to left, and such as have no shape at all.
    """

    def __init__(self, layout: PageLayout, blur: float = 0.0) -> None:
        self.layout, self.blur = layout, blur
        self.em = layout.em
        self.files = faces_of(layout.font)
        self._fonts = [open_face(file, self.em * FINE) for file in self.files]
        self._absent = [glyph_of(font, "\U0010fffe") for font in self._fonts]
        self._blank = float(self._fonts[0].getlength(" ")) / FINE
        self._drawn: list[Drawn] = []
        self._glyphs: dict[str, tuple[int, ...]] = {}
        self._advances: list[float] = []
        self._case = TypeCase()
        self._reach = math.ceil(4 * blur) + 1
        self._kernel = kernel_of(blur, self._reach)
        self._missing: set[str] = set()
        self._box: int | None = None

    def page(self, lines: Sequence[str], angle: float = 0.0) -> Bytes:
        """A page of ink, 0 for paper and 63 or more for ink, turned clockwise by an angle in degrees."""
        layout, em = self.layout, self.em
        rows = [self._row(line) for line in lines]
        lengths = np.array([len(row) for row in rows], dtype=np.intp)
        numbers = np.array([glyph for row in rows for glyph in row], dtype=np.intp)
        advances = np.array([*self._advances, self._blank])[numbers]
        ends = np.cumsum(advances)
        starts = np.concatenate(([0.0], ends))[np.concatenate(([0], np.cumsum(lengths)[:-1])).astype(np.intp)]
        x = ends - advances - np.repeat(starts, lengths) if len(numbers) else ends
        y = np.repeat(np.arange(len(lines)) * (layout.leading * em), lengths)
        slope = math.tan(math.radians(angle))
        width = float((x + advances).max(initial=em)) + 2 * layout.margin * em
        height = (max(len(lines), 1) - 1) * layout.leading * em + em + 2 * layout.margin * em
        # The paper grows with the angle, so that no corner of the text falls off it.
        more_width, more_height = abs(slope) * height, abs(slope) * width
        width, height = width + more_width, height + more_height
        x, y = x + layout.margin * em + more_width / 2, y + (layout.margin + 0.75) * em + more_height / 2
        x, y = x - (y - height / 2) * slope, y + (x - width / 2) * slope
        return self._print(
            numbers, np.repeat(np.arange(len(lines)), lengths), x, y, math.ceil(width), math.ceil(height)
        )

    def _print(
        self, numbers: npt.NDArray[np.intp], line: npt.NDArray[np.intp], x: Floats, y: Floats, width: int, height: int
    ) -> Bytes:
        """Add up glyphs on a canvas with room for what reaches beyond the paper, and give the paper."""
        room = math.ceil(2 * self.em) + self._reach + 1
        canvas = np.zeros((height + 2 * room, width + 2 * room), dtype=np.uint8)
        inked = numbers >= 0
        numbers, line, x, y = numbers[inked], line[inked], x[inked], y[inked]
        fine_x, fine_y = (np.floor(at * FINE + 0.5).astype(np.intp) for at in (x, y))
        keys = (numbers * FINE + fine_y % FINE) * FINE + fine_x % FINE
        across, down = fine_x // FINE + room, fine_y // FINE + room
        for key in self._case.missing(keys, CACHED):
            self._case.add(key, self._place(key))
        loops, crowded = native("pages"), self.layout.leading < 1
        if loops is None or crowded:
            self._lay(canvas, keys, across, down, line if crowded else np.zeros_like(line), room)
        else:
            glyphs = self._case.numbers(keys)
            loops.add_glyphs(canvas, canvas.shape[1], self._case.ink, self._case.places, glyphs, across, down, INK)
        return canvas[room : room + height, room : room + width]

    def _lay(
        self,
        canvas: Bytes,
        keys: npt.NDArray[np.intp],
        across: npt.NDArray[np.intp],
        down: npt.NDArray[np.intp],
        line: npt.NDArray[np.intp],
        room: int,
    ) -> None:
        """Add glyph after glyph; before another line begins, what may pile up on it is cut back."""
        case, add, last = self._case, np.add, 0
        for key, left, top, row in zip(keys.tolist(), across.tolist(), down.tolist(), line.tolist(), strict=True):
            if row != last:
                last, here = row, down[line == row]
                band = canvas[here.min() - room : here.max() + room]
                np.minimum(band, INK, out=band)
            ink, from_left, from_top, narrow = case[key]
            tall, wide = ink.shape
            y0, x0 = top + from_top, left + from_left
            under = canvas[y0 : y0 + tall, x0 : x0 + wide]
            if narrow:
                np.minimum(under, INK, out=under)
                add(under, ink, under)
                np.minimum(under, INK, out=under)
            else:
                add(under, ink, under)

    def _row(self, line: str) -> list[int]:
        """The numbers of a line's glyphs; -1 for a blank."""
        known = self._glyphs
        if not line.isascii():
            line = unicodedata.normalize("NFC", line)
        try:
            return [glyph for c in line for glyph in known[c]]
        except KeyError:
            for c in set(line) - known.keys():
                known[c] = self._find(c)
            return [glyph for c in line for glyph in known[c]]

    def _find(self, character: str) -> tuple[int, ...]:
        if character.isspace():
            return (-1,)
        if unicodedata.category(character) in ("Cc", "Cf"):
            return ()
        for face in range(len(self._fonts)):
            if self._has(face, character):
                return (self._number(face, character),)
            pieces = [unicodedata.normalize(form, character) for form in ("NFKC", "NFKD")] if face == 0 else []
            for piece in pieces:
                if piece != character and all(c == " " or self._has(0, c) for c in piece):
                    return tuple(-1 if c == " " else self._number(0, c) for c in piece)
        self._missing.add(character)
        if self._box is None:
            self._box = self._new(box(self.em * FINE))
        return (self._box,)

    def _has(self, face: int, character: str) -> bool:
        drawn, absent = glyph_of(self._fonts[face], character), self._absent[face]
        same = drawn.advance == absent.advance and drawn.ink.shape == absent.ink.shape
        return not (same and np.array_equal(drawn.ink, absent.ink))

    def _number(self, face: int, character: str) -> int:
        return self._new(glyph_of(self._fonts[face], character))

    def _new(self, drawn: Drawn) -> int:
        self._drawn.append(drawn)
        self._advances.append(drawn.advance / FINE)
        return len(self._drawn) - 1

    def _place(self, key: int) -> Placed:
        """The glyph at that position between dots: blurred, reduced, cut off where a canvas has no room for it."""
        number, (down, across) = key // FINE**2, divmod(key % FINE**2, FINE)
        drawn = self._drawn[number]
        top, left = (drawn.top + down) // FINE - self._reach, (drawn.left + across) // FINE - self._reach
        ink = blur(drawn.ink, drawn.top + down - top * FINE, self._kernel)
        ink = blur(ink.T, drawn.left + across - left * FINE, self._kernel).T
        dots = np.rint(ink * (INK / 255)).astype(np.uint8)
        rows = inked_part(dots.max(axis=1, initial=0), top, 2 * self.em, 2 * self.em)
        columns = inked_part(dots.max(axis=0, initial=0), left, 2 * self.em, self.em + drawn.advance / FINE)
        dots = np.ascontiguousarray(dots[rows, columns])
        top, left = top + rows.start, left + columns.start
        return Placed(dots, left, top, drawn.advance < NARROW * self.em * FINE)

    def notes(self, lines: Iterable[str]) -> dict[Note, int]:
        """How many characters of these lines have no glyph, no shape, or run from right to left."""
        counts: Counter[Note] = Counter()
        for line in lines:
            if line.isascii() and line.isprintable():
                continue
            self._row(line)
            for c in unicodedata.normalize("NFC", line):
                if c in self._missing:
                    counts[Note.of("glyph_missing", f"U+{ord(c):04X}")] += 1
                elif not self._glyphs[c]:
                    counts[Note.of("shape_missing", f"U+{ord(c):04X}")] += 1
                elif unicodedata.bidirectional(c) in RIGHT_TO_LEFT:
                    counts[TURNED] += 1
        return dict(counts)


@lru_cache(maxsize=4)
def press(layout: PageLayout, blur: float) -> Press:
    """The press for a layout and a blur, kept with its glyphs for the next page."""
    return Press(layout, blur)
