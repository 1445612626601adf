"""What an engine of optical character recognition is: a picture of a page becomes text.

An engine is a program of its own. It gets one page at a time and is ended, with all that it has started, when it takes
longer than it may. Whatever goes wrong with a page is a :class:`PageFailure`, so that the pages after it can be read.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt

from ...core.registry import Registry
from ...core.spec import Component
from ...formats.documents.page_images import Picture
from ...formats.documents.page_text import PageText

Bits = npt.NDArray[np.bool_]

SMALLEST = 8
"""Pages with fewer dots each way are no pages."""


GREY = 128
"""What is darker is ink, for engines that read black and white."""


class PageFailure(Exception):  # noqa: N818 - the job goes on: a page has failed, and the program has not
    """A page that an engine could not read, and why."""


class Engine(Component, ABC):
    """Reads pages."""

    @abstractmethod
    def read(self, page: Bits, *, dpi: int, timeout: float) -> str:
        """The text on a page (True is ink) with its line breaks, or a PageFailure.

        ``dpi`` is the resolution of the page for engines that want to know it, ``timeout`` in seconds.
        """

    def read_words(self, picture: Picture, *, timeout: float) -> PageText:
        """The words on a page of a real scan, with boxes and confidences if the engine gives them.

        An engine that gives none reads the picture in black and white, and its lines have no boxes.
        """
        ink = np.empty(picture.height * picture.width, np.bool_)
        at = 0
        for strip in picture.strips():
            np.less(np.frombuffer(strip, np.uint8), GREY, out=ink[at : at + len(strip)])
            at += len(strip)
        bits = ink.reshape(picture.height, picture.width)
        page = PageText()
        for block in self.read(bits, dpi=picture.dpi, timeout=timeout).split("\n\n"):
            for line in block.splitlines():
                page.add_line(line)
            page.end_block()
        return page

    @abstractmethod
    def version(self) -> str:
        """The program and its version; a MissingExtraError that says what to install if it is not there."""

    def available(self) -> bool:
        """Is the engine installed?"""
        from ...core.errors import MissingExtraError

        try:
            return bool(self.version())
        except MissingExtraError:
            return False


def bitmap(page: Bits) -> bytes:
    """A page as a file in the portable bitmap format (P4), which every engine reads."""
    if not isinstance(page, np.ndarray) or page.ndim != 2 or page.dtype != np.bool_:
        raise PageFailure("the page is not a picture: it must be a matrix of true and false")
    tall, wide = page.shape
    if min(tall, wide) < SMALLEST:
        raise PageFailure(f"the page is too small: {wide} × {tall} dots")
    return b"P4\n%d %d\n" % (wide, tall) + np.packbits(page, axis=1).tobytes()


engines: Registry[Engine] = Registry("engine", "adjudge.noise.engines", Engine)
