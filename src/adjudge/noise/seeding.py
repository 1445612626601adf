"""Randomness that belongs to one document, whatever was done before it and by whichever process."""

from __future__ import annotations

import hashlib

import numpy as np


def generator(seed: int, *names: str) -> np.random.Generator:
    """A generator for the seed and the names, a document's id say.

    >>> generator(0, "FR940104-0-00001").integers(100) == generator(0, "FR940104-0-00001").integers(100)
    np.True_
    """
    digest = hashlib.blake2b(digest_size=32)
    for part in (str(seed), *names):
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little") + data)
    return np.random.default_rng(np.frombuffer(digest.digest(), np.uint32))
