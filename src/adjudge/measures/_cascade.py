"""The reader of ERR, who goes down the ranking until a document satisfies: shared by err, nerr and expected_rank."""

from __future__ import annotations

import numpy as np

from ..core.judged import Floats, Ints, ordinal
from ._gains import running


def satisfaction(grade: Ints, top: int) -> Floats:
    """The chance that a document satisfies: (2^grade − 1) / 2^top; grades above top count as top."""
    counted = np.minimum(grade, top).astype(float)
    return np.asarray(np.exp2(counted - top) - np.exp2(-float(top)))


def reach(topic: Ints, stop: Floats, topics: int) -> Floats:
    """The chance that the reader comes to each document; topics come in blocks."""
    still = running(topic, 1.0 - stop, topics, np.multiply.accumulate)
    return np.where(ordinal(topic, topics) == 1, 1.0, np.roll(still, 1))
