"""A made-up collection: Zipfian words, some documents long or empty, and questions about it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "va")


def word(number: int) -> str:
    made = ""
    while number or not made:
        number, rest = divmod(number, len(SYLLABLES))
        made += SYLLABLES[rest]
    return made


def documents(number: int, seed: int = 0, length: int = 40) -> dict[str, str]:
    """{id: text}; ids are in no order, the word "common" is in every document that is not empty."""
    rng = np.random.default_rng(seed)
    names = [f"d{n:05}-{'äz'[n % 2]}" for n in rng.permutation(number).tolist()]
    made = {}
    for name in names:
        size = int(rng.integers(0, 2 * length)) * (rng.random() > 0.01)
        ranks = np.minimum(rng.zipf(1.3, size), 5000)
        made[name] = " ".join(["common", *(word(rank) for rank in ranks.tolist())]) if size else ""
    return made


def questions(number: int, seed: int = 1) -> dict[str, str]:
    """{topic: text}; the last one finds nothing."""
    rng = np.random.default_rng(seed)
    made = {
        f"q{n}": " ".join(["common", *(word(rank) for rank in rng.integers(1, 300, 4).tolist())]) for n in range(number)
    }
    return made | {"lost": "xyzzy plugh"}


def written(texts: dict[str, str], folder: Path, files: int = 3) -> Path:
    """The documents as lines of JSON in several files."""
    folder.mkdir(parents=True)
    items = list(texts.items())
    for part in range(files):
        lines = [json.dumps({"id": name, "text": text}) for name, text in items[part::files]]
        (folder / f"part-{part}.jsonl").write_text("".join(f"{line}\n" for line in lines))
    return folder
