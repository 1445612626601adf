"""How sure an OCR engine was of each token: the confidence of the word of the page in which it begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.document import Document
from ..core.scanned_page import UNKNOWN
from ..text.tokens import Tokens


def is_certain(document: Document) -> bool:
    """Whether an engine has said of a word of the document how sure it was."""
    return any(bool((page.confidences != UNKNOWN).any()) for page in document.pages)


def token_certainty(documents: Sequence[Document], tokens: Tokens) -> npt.NDArray[Any]:
    """A number for each token, 0 to 100, the lowest of the words that it touches; 255 if there is none."""
    out = np.full(len(tokens.ids), UNKNOWN, np.uint8)
    if tokens.spans is None:
        return out
    for number, document in enumerate(documents):
        if not is_certain(document):
            continue
        some = slice(int(tokens.offsets[number]), int(tokens.offsets[number + 1]))
        spans = tokens.spans[some]
        starts, ends, sure = (
            np.concatenate([getattr(page, name) for page in document.pages])
            for name in ("starts", "ends", "confidences")
        )
        first = np.searchsorted(ends, spans[:, 0], "right")
        last = np.searchsorted(starts, spans[:, 1], "left")  # words cut at a line's end have two parts
        own = np.full(len(spans), UNKNOWN, np.uint8)
        for step in range(int((last - first).max(initial=0))):
            at = first + step
            inside = at < last
            own[inside] = np.minimum(own[inside], sure[at[inside]])
        out[some] = own
    return out
