"""What is known of a degraded text, written to a folder and opened again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.errors import AdjudgeError
from ....noise.channel.model import Channel
from ....storage.manifest import ManifestKind, checksums, damaged
from ....storage.replace import replace_folder
from .documents import DocumentFigures
from .lexicon import TrueLexicon
from .stems import Stems
from .tables import COLUMNS, ReplacementTables
from .vocabulary import Heads, ObservedVocabulary

MANIFEST = "reading.json"
KIND = ManifestKind("adjudge reading", 9, "reading", "index the documents again")
STRINGS = ("letters", "offsets", "numbers")
WORDS = ("places", "expected", "explained", "begins", "strings", "chances")
STEMS = ("stem_keys", "stem_places")
DOCUMENTS = ("written", "lengths", "wrong", "words")
Parts = tuple[ObservedVocabulary, Channel, ReplacementTables, TrueLexicon, DocumentFigures, Stems]


def write(parts: Parts, folder: Path) -> None:
    """Put what is known into a folder in one step; checksums are compared when it is opened."""
    from ....noise.channel.channel_files import save

    vocabulary, channel, tables, lexicon, figures, stems = parts
    columns: dict[str, npt.NDArray[Any]] = {name: getattr(vocabulary, name) for name in STRINGS}
    columns |= {f"head_{name}": column for name, column in vocabulary.heads._asdict().items()}
    columns |= {name: getattr(lexicon, name) for name in WORDS}
    columns |= {"explained": lexicon.explained.astype(np.float32)}
    columns |= {"stem_keys": stems.keys, "stem_places": stems.places}
    columns |= {name: getattr(figures, name) for name in DOCUMENTS}
    columns |= {f"channel_{name}": column for name, column in tables.columns.items()}
    with replace_folder(folder, durable=False) as work:
        for name, column in columns.items():
            np.save(work / f"{name}.npy", column)
        save(channel, str(work / "channel.json"))
        about = {"alphabet": vocabulary.alphabet, "size": figures.size, "known": figures.known}
        KIND.write(work / MANIFEST, {**about, "files": checksums(work)}, durable=False)


def opened(folder: Path, terms: int, documents: int) -> Parts | None:
    """What is kept; None if nothing is, or not all of it, or if it is of other terms and documents."""
    from ....noise.channel.channel_files import load

    try:
        about = KIND.read(folder / MANIFEST)
        if any(damaged(folder, about["files"])):
            return None
        heads = tuple(f"head_{name}" for name in Heads._fields)
        names = (*STRINGS, *heads, *WORDS, *STEMS, *DOCUMENTS, *(f"channel_{name}" for name in COLUMNS))
        arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="r").view(np.ndarray) for name in names}
        channel = load(str(folder / "channel.json"))
        known = Heads(*(arrays[name] for name in heads))
        vocabulary = ObservedVocabulary(
            arrays["letters"], arrays["offsets"], arrays["numbers"], about["alphabet"], known
        )
        tables = ReplacementTables(**{name: arrays[f"channel_{name}"] for name in COLUMNS})
        lexicon = TrueLexicon(*(arrays[name] for name in WORDS))
        stems = Stems(*(arrays[name] for name in STEMS))
        written, lengths, wrong, words = (arrays[name] for name in DOCUMENTS)
        figures = DocumentFigures(written, lengths, wrong, words, float(about["size"]), float(about["known"]))
    except (OSError, ValueError, EOFError, KeyError, TypeError, AttributeError, AdjudgeError):
        return None
    fits = len(vocabulary.numbers) == terms and tables.fits and _fits(vocabulary, lexicon, stems)
    if not fits or any(len(arrays[name]) != documents for name in DOCUMENTS):
        return None
    return vocabulary, channel, tables, lexicon, figures, stems


def _fits(vocabulary: ObservedVocabulary, lexicon: TrueLexicon, stems: Stems) -> bool:
    """Whether no number points outside of the arrays."""
    strings, words = len(vocabulary), len(lexicon.places)
    kinds = vocabulary.letters.dtype == np.uint8 and vocabulary.offsets.dtype == np.int64
    fits = kinds and strings == len(vocabulary.numbers) == len(lexicon.explained)
    fits = fits and words == len(lexicon.expected) == len(lexicon.begins) - 1
    fits = fits and len(lexicon.strings) == len(lexicon.chances) and len(stems.keys) == len(stems.places)
    if not fits:
        return False
    for offsets, size in ((vocabulary.offsets, len(vocabulary.letters)), (lexicon.begins, len(lexicon.strings))):
        if offsets[0] or offsets[-1] != size or bool((np.diff(offsets) < 0).any()):
            return False
    numbers = (vocabulary.numbers, lexicon.places, lexicon.strings, stems.places)
    return all(0 <= int(n.min(initial=0)) <= int(n.max(initial=0)) < max(strings, 1) for n in numbers)
