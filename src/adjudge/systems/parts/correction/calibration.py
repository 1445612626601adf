"""Self-calibration: a channel learned from the corrections that another channel has made.

CLARIT had no aligned sample. A sample of the version itself is corrected with what is believed of errors beforehand,
the corrections are taken for true, the errors are counted anew, and that is done once more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from heapq import heappush, heapreplace
from typing import TYPE_CHECKING

from ....core.errors import DataError
from ....storage.digest import NAME, digest_number
from .tokens import encoded

if TYPE_CHECKING:
    from ....core.document import Documents
    from ....noise.channel.model import Channel
    from .correcting import Corrector

SAMPLE = 200
"""Documents that are looked at."""
PIECE = 10_000
"""Characters of a document, from its beginning."""


def sample(documents: Documents, size: int = SAMPLE) -> list[str]:
    """The beginnings of documents from all over the corpus: those whose ids have the lowest checksums.

    No document without a text is taken, and the same documents come out whatever their order.
    """
    chosen: list[tuple[int, str, str]] = []
    for document in documents:
        if not document.text.strip():
            continue
        entry = -rank(document.id), document.id, document.text[:PIECE]
        if len(chosen) < size:
            heappush(chosen, entry)
        elif entry[:2] > chosen[0][:2]:
            heapreplace(chosen, entry)
    return [text for _, _, text in sorted(chosen, reverse=True)]


def rank(id_: str) -> int:
    """A checksum of an id, below 2**64: the documents with the lowest are the sample."""
    return digest_number(encoded(id_), NAME)


def calibrated(texts: list[str], corrector: Corrector, rounds: int = 2) -> Channel:
    """The channel after some rounds of correcting the texts and learning from that, 0 for the corrector's own.

    Where nothing can be learned because no word needs a correction, the channel stays as it is.
    """
    from ....noise.channel.learning import learn

    for done in range(rounds):
        pairs = list(_pairs(texts, corrector))
        if not any(true != observed for true, observed in pairs):
            break
        about: dict[str, object] = {"self-calibrated": done + 1, "texts": len(texts)}
        try:
            channel = learn(pairs, bursts=False, about=about)
        except DataError:
            break
        corrector = replace(corrector, channel=channel)
    return corrector.channel


def _pairs(texts: list[str], corrector: Corrector) -> Iterator[tuple[str, str]]:
    """Corrections and what was observed, in the lower case in which the channel sees them."""
    for text in texts:
        yield corrector.corrected(text)[0].lower(), text.lower()
