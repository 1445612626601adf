"""Glyphs: drawn once by Pillow, four times too large, then blurred and reduced for their place between dots."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.errors import DataError, MissingExtraError

INK = 63
"""A dot that is all ink, and more is no more. Four glyphs may lie over each other before a byte is full: two of a line
and two of the next. What may pile up higher is cut back in between."""

FINE = 4
"""Glyphs are drawn so many times larger, and placed to a part of a dot as small."""

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]


class Drawn(NamedTuple):
    """A glyph as it is drawn four times too large: ink, where its upper left corner is, and how far it advances."""

    ink: Bytes
    left: int
    top: int
    advance: float


class Placed(NamedTuple):
    """A glyph at one of the positions between dots: ink, and its corner from the dot that its origin is in."""

    ink: Bytes
    left: int
    top: int
    narrow: bool


def pillow_version() -> str:
    """The version of the library that draws glyphs, or a MissingExtraError that says what to install."""
    try:
        from PIL import __version__
    except ImportError:
        raise MissingExtraError("page images need Pillow: pip install 'adjudge[noise]'") from None
    return str(__version__)


def open_face(file: str, size: float) -> Any:
    """A face from its file, in a size of so many fine dots."""
    pillow_version()
    from PIL import ImageFont

    try:
        return ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)
    except (OSError, ValueError) as error:
        raise DataError(f"{file}: no font that Pillow can read ({error})") from None


def glyph_of(font: Any, character: str) -> Drawn:
    """A character as Pillow draws it; no ink and no advance if it cannot."""
    try:
        mask, (left, top) = font.getmask2(character, mode="L", anchor="ls")
        advance = float(font.getlength(character))
    except (OSError, ValueError, UnicodeEncodeError):
        return Drawn(np.zeros((0, 0), dtype=np.uint8), 0, 0, 0.0)
    wide, tall = mask.size
    ink = np.frombuffer(bytes(mask), dtype=np.uint8).reshape(tall, wide)
    return Drawn(ink, int(left), int(top), advance)


def box(size: float) -> Drawn:
    """What stands for a character without a glyph."""
    tall, wide, stroke = round(0.66 * size), round(0.5 * size), max(1, round(0.05 * size))
    ink = np.full((tall, wide), 255, dtype=np.uint8)
    ink[stroke:-stroke, stroke:-stroke] = 0
    return Drawn(ink, round(0.05 * size), -tall, 0.6 * size)


def kernel_of(blur: float, reach: int) -> Floats:
    """What a fine dot gives to a dot, by the distance of their upper edges in fine dots, from -reach to reach + 1 dots.

    The ink of a dot is the mean over its square of the page blurred by a Gaussian: with G the integral of the
    Gaussian's distribution function, the share of the strip from a to b is G(b) - G(a) - G(b-1) + G(a-1).
    """
    edges = np.arange(-(reach + 1) * FINE, (reach + 1) * FINE + 1) / FINE

    def integral(at: Floats) -> Floats:
        if blur == 0:
            return np.maximum(at, 0.0)
        scaled = at / blur
        return at * below(scaled) + blur * np.exp(-(scaled**2) / 2) / math.sqrt(2 * math.pi)

    return np.diff(integral(edges) - integral(edges - 1.0))


def below(at: Floats) -> Floats:
    """The standard normal distribution function; a few values do not pay for loading scipy."""
    return np.array([math.erfc(-x / math.sqrt(2)) / 2 for x in at.tolist()])


def blur(fine: npt.NDArray[Any], offset: int, kernel: Floats) -> Floats:
    """Rows of fine dots, the first at an offset from the first dot's edge, as rows of blurred dots.

    Windows of the rows are multiplied one dot at a time: such small products stay on one thread, while the product of
    two whole matrices would wait for all threads that the algebra library has.
    """
    reach = len(kernel) // FINE
    dots = -(-(offset + len(fine)) // FINE) + reach // 2
    padded = np.zeros(((dots + reach) * FINE, fine.shape[1]))
    begin = offset + (reach // 2) * FINE
    padded[begin : begin + len(fine)] = fine
    windows = np.lib.stride_tricks.sliding_window_view(padded, len(kernel), axis=0)[::FINE][:dots]
    return np.asarray(kernel[None, None, :] @ windows.swapaxes(1, 2))[:, 0, :]


def inked_part(most: Bytes, start: int, before: float, after: float) -> slice:
    """The part with ink in it, as far as the canvas has room around the dot that the glyph stands on."""
    at = np.flatnonzero(most)
    at = at[(at + start >= -before) & (at + start < after)]
    return slice(int(at[0]), int(at[-1]) + 1) if len(at) else slice(0, 0)
