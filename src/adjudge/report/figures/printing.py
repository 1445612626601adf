"""Figures as PDF and as pixels, made by Typst, which needs no other program and embeds the fonts that it uses.

Tried on figures with Greek, −, CJK, Arabic and emoji: svglib and reportlab draw in Helvetica without embedding it and
lose what that lacks, fpdf2 fails on −, CairoSVG needs Cairo and writes Arabic backwards. Typst looks for a face for
every letter, sets Arabic rightly, and loads in a tenth of a second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ...core.errors import DataError, MissingExtraError, SpecError
from .wording import visible

if TYPE_CHECKING:
    from .figure import Figure

PAGE = b"""#set document(title: sys.inputs.title, date: none)
#set page(width: auto, height: auto, margin: 0pt)
#image(bytes(sys.inputs.svg), format: "svg", alt: sys.inputs.alt)
"""

INCH = 96.0
"""Units of a figure in an inch."""


def to_pdf(figure: Figure) -> bytes:
    return _compile(figure, "pdf", INCH)


def to_png(figure: Figure, scale: float) -> bytes:
    if not 0.1 <= scale <= 20:
        raise SpecError(f"the scale of a picture must lie in [0.1, 20], not {scale:g}")
    return _compile(figure, "png", scale * INCH)


def _compile(figure: Figure, form: Literal["pdf", "png"], density: float) -> bytes:
    try:
        import typst
    except ImportError:
        raise MissingExtraError(f"saving a figure as {form} needs typst: pip install 'adjudge[figures]'") from None
    given = {"svg": figure.svg(), "title": visible(figure.title), "alt": visible(figure.description)}
    try:
        image = typst.compile(PAGE, format=form, ppi=density, sys_inputs=given)
    except RuntimeError as error:
        raise DataError(f"the figure cannot be made into {form}: {error}") from None
    if not isinstance(image, bytes):
        raise DataError(f"the figure cannot be made into {form}: it does not fit on one page")
    return image
