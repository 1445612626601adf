"""What is known of a degraded text, written to a folder and opened again."""

from __future__ import annotations

import json
import shutil
import tempfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.errors import AdjudgeError, DataError
from ....noise.channel.model import Channel
from .documents import DocumentFigures
from .lexicon import TrueLexicon
from .stems import Stems
from .tables import COLUMNS, ReplacementTables
from .vocabulary import Heads, ObservedVocabulary

FORMAT = 8
STRINGS = ("letters", "offsets", "numbers")
WORDS = ("places", "expected", "explained", "begins", "strings", "chances")
STEMS = ("stem_keys", "stem_places")
DOCUMENTS = ("written", "lengths", "wrong", "words")
Parts = tuple[ObservedVocabulary, Channel, ReplacementTables, TrueLexicon, DocumentFigures, Stems]


def write(parts: Parts, beside: Path, folder: Path) -> None:
    """Into a folder of another name first, so that a killed job leaves no half of it."""
    from ....noise.channel.files import save

    vocabulary, channel, tables, lexicon, figures, stems = parts
    try:
        work = Path(tempfile.mkdtemp(prefix=".reading-", dir=beside))
    except OSError as error:
        raise DataError(f"{folder}: cannot be written: {error.strerror or error}") from None
    try:
        columns: dict[str, npt.NDArray[Any]] = {name: getattr(vocabulary, name) for name in STRINGS}
        columns |= {f"head_{name}": column for name, column in vocabulary.heads._asdict().items()}
        columns |= {name: getattr(lexicon, name) for name in WORDS}
        columns |= {"explained": lexicon.explained.astype(np.float32)}
        columns |= {"stem_keys": stems.keys, "stem_places": stems.places}
        columns |= {name: getattr(figures, name) for name in DOCUMENTS}
        columns |= {f"channel_{name}": column for name, column in tables.columns.items()}
        for name, column in columns.items():
            np.save(work / f"{name}.npy", column)
        save(channel, str(work / "channel.json"))
        about = {"format": FORMAT, "alphabet": vocabulary.alphabet, "size": figures.size, "known": figures.known}
        sums = {path.name: _sum(path) for path in sorted(work.iterdir())}
        (work / "reading.json").write_text(json.dumps({"about": about, "crc32": sums | {"about": _own(about)}}) + "\n")
        work.chmod(0o755)
        work.rename(folder)
    except OSError as error:
        raise DataError(f"{folder}: cannot be written: {error.strerror or error}") from None
    finally:
        shutil.rmtree(work, ignore_errors=True)


def opened(folder: Path, terms: int, documents: int) -> Parts | None:
    """What is kept; None if nothing is, or not all of it, or if it is of other terms and documents."""
    from ....noise.channel.files import load

    try:
        kept = json.loads((folder / "reading.json").read_bytes())
        about, sums = kept["about"], kept["crc32"]
        if sums.pop("about") != _own(about) or any(_sum(folder / name) != crc for name, crc in sums.items()):
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


def _own(about: object) -> int:
    return zlib.crc32(json.dumps(about, sort_keys=True).encode())


def _sum(path: Path) -> int:
    """The checksum of a file."""
    crc = 0
    with path.open("rb") as file:
        while piece := file.read(1 << 22):
            crc = zlib.crc32(piece, crc)
    return crc


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
