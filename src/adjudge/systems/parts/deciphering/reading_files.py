"""What is known of a text, written to a folder and opened again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.errors import AdjudgeError
from ....index.index import Index
from ....storage.arrays import ascends, read_array, within
from ....storage.manifest import checksums, damaged_files
from ....storage.replace import replace_folder
from .likeness import StringGrams
from .observed_strings import KNOWN, Heads, ObservedVocabulary, Stems
from .reach_walk import COLUMNS, ReplacementTables
from .reading import KIND, DocumentPart, Reading, TextFigures

MANIFEST = "reading.json"
STRINGS: dict[str, type] = {"letters": np.uint8, "offsets": np.int64, "numbers": np.int32}
STEMS: dict[str, type] = {"stem_keys": np.uint32, "stem_places": np.int32}
GRAMS: dict[str, type] = {
    "gram_keys": np.uint32,
    "gram_starts": np.int64,
    "gram_ranks": np.int32,
    "gram_ordered": np.uint8,
    "gram_by_rank": np.int32,
    "gram_firsts": np.int64,
}
FIGURES: dict[str, type] = {"otherwise": np.float32, "lengths": np.float64}
HEADS: dict[str, type] = {
    "head_begins": np.int32,
    "head_characters": np.uint8,
    "head_below": np.int32,
    "head_tails": np.uint64,
    "head_bounds": np.int64,
    "head_packed": np.uint8,
}
CHANNEL = {f"channel_{name}": kind for name, kind in COLUMNS.items()}
LETTERS = 255
"""Characters of an alphabet, at most: 0 is that of all others."""
TABLES = ("channel_single", "channel_edges", "order")
"""Arrays of two dimensions."""
KINDS = STRINGS | HEADS | GRAMS | STEMS | FIGURES | CHANNEL
WHOLE: dict[str, type] = {"group_of": np.uint8, "order": np.uint8}
PART: dict[str, type] = {"often": np.float64}


def write_parts(reading: Reading, folder: Path) -> None:
    """Put what is known into a folder in one step; checksums are compared when it is opened."""
    from ....noise.channel.channel_files import save

    vocabulary, stems = reading.vocabulary, reading.stems
    columns: dict[str, npt.NDArray[Any]] = {name: getattr(vocabulary, name) for name in STRINGS}
    columns |= {f"head_{name}": column for name, column in vocabulary.heads._asdict().items()}
    columns |= dict(zip(GRAMS, reading.grams, strict=True))
    columns |= {"stem_keys": stems.keys, "stem_places": stems.places}
    columns |= {"otherwise": reading.otherwise, "lengths": reading.lengths}
    columns |= {f"channel_{name}": column for name, column in reading.tables.columns.items()}
    if reading.part is not None:
        columns |= {"often": reading.part.often}
    else:
        columns |= {"group_of": np.zeros(0, np.uint8) if reading.group_of is None else reading.group_of}
        columns |= {"order": np.zeros((0, 1), np.uint8) if reading.order is None else reading.order}
    with replace_folder(folder, durable=False) as work:
        for name, column in columns.items():
            np.save(work / f"{name}.npy", column)
        save(reading.channel, str(work / "channel.json"))
        about = {"alphabet": vocabulary.alphabet, "figures": [f"{figure!r}" for figure in reading.figures]}
        KIND.write(work / MANIFEST, {**about, "files": checksums(work)}, durable=False)


def read_parts(folder: Path, index: Index, documents: npt.NDArray[np.bool_] | None = None) -> Reading | None:
    """What is kept of all documents, or of some, which are marked; None if nothing is, or not all of it, or if it is of
    another index."""
    from ....noise.channel.channel_files import load

    try:
        about = KIND.read(folder / MANIFEST)
        if any(damaged_files(folder, about["files"])):
            return None
        arrays = {
            name: read_array(folder / f"{name}.npy", kind, dimensions=2 if name in TABLES else 1)
            for name, kind in (KINDS | (WHOLE if documents is None else PART)).items()
        }
        channel = load(str(folder / "channel.json"))
        heads = Heads(*(arrays[name] for name in HEADS))
        vocabulary = ObservedVocabulary(
            arrays["letters"], arrays["offsets"], arrays["numbers"], about["alphabet"], heads
        )
        tables = ReplacementTables(**{name: arrays[f"channel_{name}"] for name in COLUMNS})
        grams, stems = StringGrams(*(arrays[name] for name in GRAMS)), Stems(*(arrays[name] for name in STEMS))
        figures = TextFigures(*map(float, about["figures"]))
    except (OSError, ValueError, EOFError, KeyError, TypeError, AttributeError, AdjudgeError):
        return None
    whole = documents is None
    fits = tables.fits and _fits(vocabulary, grams, stems, index.manifest.terms)
    fits = fits and (len(vocabulary) == index.manifest.terms if whole else len(arrays["often"]) == len(vocabulary))
    if not fits or len(arrays["otherwise"]) != len(vocabulary) or len(arrays["lengths"]) != len(index):
        return None
    known = vocabulary, channel, tables, grams, arrays["otherwise"], arrays["lengths"], figures, stems
    if documents is not None:
        return Reading(index, *known, DocumentPart(documents, arrays["often"]))
    groups, order = arrays["group_of"], arrays["order"]
    if len(groups) not in (0, len(index)) or len(order) not in (0, int(index.statistics.lengths.sum())):
        return None
    whole_order = order if len(order) else None
    return Reading(index, *known, group_of=groups if len(groups) else None, order=whole_order)


def _fits(vocabulary: ObservedVocabulary, grams: StringGrams, stems: Stems, terms: int) -> bool:
    """Whether no number points outside of the arrays."""
    strings = len(vocabulary)
    fits = _is_alphabet(vocabulary.alphabet) and strings == len(vocabulary.numbers)
    if not fits or len(grams.starts) != len(grams.keys) + 1 or len(stems.keys) != len(stems.places):
        return False
    if len(grams.by_rank) != strings or not ascends(grams.firsts, strings):
        return False
    if not _in_order(grams, len(vocabulary.letters)):
        return False
    if not ascends(vocabulary.offsets, len(vocabulary.letters)) or not ascends(grams.starts, len(grams.ranks)):
        return False
    if not within(vocabulary.letters, len(vocabulary.alphabet) + 1) or not _heads_fit(vocabulary.heads, strings):
        return False
    places = grams.ranks, grams.by_rank, stems.places
    return within(vocabulary.numbers, terms) and all(within(numbers, strings) for numbers in places)


def _in_order(grams: StringGrams, letters: int) -> bool:
    """Whether the characters by rank are so many, those of the lengths that are told apart among them."""
    told = np.diff(grams.firsts)[:-1]
    return len(grams.ordered) == letters and int((told * np.arange(len(told))).sum()) <= letters


def _is_alphabet(characters: object) -> bool:
    """Whether a byte can number these characters, and no half of a surrogate pair is among them."""
    if not isinstance(characters, str) or len(characters) > LETTERS:
        return False
    return not any("\ud800" <= character <= "\udfff" for character in characters)


def _heads_fit(heads: Heads, strings: int) -> bool:
    """Whether the tree near its root is one of so many strings."""
    size = len(heads.begins)
    fits = len(heads.bounds) == KNOWN + 1 and all(len(column) == size for column in heads[1:4])
    fits = fits and ascends(heads.bounds, size)
    deepest = int(heads.bounds[-2]) if fits else 0
    fits = fits and within(heads.below[:deepest], size + 1) and within(heads.below[deepest:], len(heads.packed) + 1)
    return fits and within(heads.begins, max(strings, 1))
