"""Randomness that belongs to one document or page, whatever was done before it and by whichever process."""

from __future__ import annotations

import numpy as np

from ..storage.digest import WHOLE, digest_number


def generator(seed: int, *names: str) -> np.random.Generator:
    """A generator for the seed and the names: a document's id, say, after the number of a page.

    Names are separated by a NUL, so only the last may be any string.

    >>> generator(0, "FR940104-0-00001").integers(100) == generator(0, "FR940104-0-00001").integers(100)
    np.True_
    """
    named = "\0".join((str(seed), *names)).encode("utf-8", "surrogatepass")
    # SFC64 because a scanned page takes millions of draws, and it is numpy's fastest.
    return np.random.Generator(np.random.SFC64(digest_number(named, WHOLE, "little")))
