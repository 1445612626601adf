"""Tags by gruut's conditional random field."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ....core.errors import MissingExtraError
from ....core.spec import require
from ...tokens import Tokens
from ..breaks import PHRASE, SENTENCE
from ..capitals import in_capitals, shapes_of
from ..classes import PENN, TAGS
from ..crf import Model, best
from ..tagger import Breaks, Tag, Tagger, Tags

PACKAGE, FILE = "gruut-lang-en", "gruut_lang_en/pos/model.crf"
LONGEST = 1000
"""Longer sentences are cut: nobody writes them, and the way back through the labels is kept for a whole sentence."""
AT_ONCE = 500_000
"""Tokens looked at in one go, so that the scores of their words fit in memory."""
LONGEST_WORD = 60


def locate_model() -> tuple[str, str]:
    """The file of the model and the version of its package; a MissingExtraError if it is not installed."""
    from importlib import metadata

    try:
        dist = metadata.distribution(PACKAGE)
    except metadata.PackageNotFoundError:
        raise MissingExtraError(f"the gruut tagger reads its model from {PACKAGE}: pip install {PACKAGE}") from None
    path = str(dist.locate_file(FILE))
    if not os.path.isfile(path):
        raise MissingExtraError(f"{PACKAGE} {dist.version} has no {FILE}: pip install --force-reinstall {PACKAGE}")
    return path, dist.version


@lru_cache(maxsize=1)
def _model(path: str) -> Model:
    return Model.read(path)


@dataclass(frozen=True)
class GruutTagger(Tagger):
    """The most probable tags of a sentence under the conditional random field of gruut's English model.

    Formula: argmax over labels of Σ state(words i − 2 … i + 2, label i) + Σ transition(label i − 1, label i), by
    Viterbi; the features are a word's first and last letters, its length, and the word itself. Commas and periods stand
    where ``breaks`` says that there was punctuation. A sentence in capitals is read in small letters; sentences of more
    than 1,000 words are cut. Single letters that come out as nouns or adjectives are no words and get X.

    Parameters: ``participles``, whether participles before a noun are adjectives (true).

    Paper: Lafferty, McCallum and Pereira, Conditional random fields (ICML 2001); the model is gruut-lang-en 2.0's,
    which the literature does not describe.

    Example: ``The function maps a compact set to a bounded set`` → ``D N V D A N X D A N``.
    """

    name: ClassVar[str] = "gruut"

    participles: bool = True

    def __post_init__(self) -> None:
        require(self, "participles", isinstance(self.participles, bool), "be true or false")

    def version(self) -> str:
        return f"{PACKAGE} {locate_model()[1]}"

    def tag(self, tokens: Tokens, breaks: Breaks) -> Tags:
        model = _model(locate_model()[0])
        tags = np.array([TAGS[PENN[label]] if label in PENN else Tag.X for label in model.labels], np.uint8)
        out = np.empty(len(tokens.ids), np.uint8)
        begins = np.append(np.flatnonzero(breaks == SENTENCE), len(out))
        first = 0
        while first < len(out):
            # Up to the last sentence that begins within reach; one that is longer than that is cut anyway.
            reach = begins[np.searchsorted(begins, first + AT_ONCE, "right") - 1]
            last = int(reach) if reach > first else int(begins[np.searchsorted(begins, first, "right")])
            out[first:last] = self._some(tokens, slice(first, last), breaks[first:last], model, tags)
            first = last
        return out

    def _some(self, tokens: Tokens, where: slice, breaks: Breaks, model: Model, tags: Tags) -> Tags:
        """The tags of whole sentences."""
        numbers, own = np.unique(tokens.ids[where], return_inverse=True)
        types = [tokens.types[i] for i in numbers.tolist()]
        loud = in_capitals(own.astype(np.int32), shapes_of(types), breaks)
        words, ids = np.unique(np.where(loud, own + len(types), own), return_inverse=True)
        n = len(types)
        read = [(types[i] if i < n else types[i - n].lower())[:LONGEST_WORD] for i in words.tolist()]
        sequence, ends, token_places = _punctuate(ids.astype(np.int32), breaks, len(read))
        labels = best(sequence, ends, model.scores([*read, ",", "."]), model)[token_places]
        classes = tags[labels]
        letter = np.array([len(word) == 1 for word in types], bool)[own]
        classes[letter & ((classes == Tag.N) | (classes == Tag.A))] = Tag.X
        # The model's training data have the preposition as IN and the particle as TO; for terms both are X.
        classes[np.array([word.lower() == "to" for word in types], bool)[own]] = Tag.X
        if self.participles:
            names = list(model.labels)
            forms = [names.index(label) if label in names else -1 for label in ("VBN", "VBG")]
            _attributive(classes, labels == forms[0], labels == forms[1], breaks)
        return classes


def _punctuate(
    ids: npt.NDArray[np.int32], breaks: Breaks, comma: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The words with a comma or a period before those that have a break there, where sentences end, and where the
    words have come to stand."""
    n = len(ids)
    before = (breaks > 0).astype(np.int64)
    before[:1] = 0
    token_places = np.arange(n) + np.cumsum(before)
    sequence = np.full(n + int(before.sum()) + 1, comma + 1, np.int32)
    sequence[token_places] = ids
    sequence[token_places[before.astype(bool) & (breaks == PHRASE)] - 1] = comma
    begins = token_places[breaks == SENTENCE]
    ends = np.append(begins[begins > 0], len(sequence))
    lengths = np.diff(ends, prepend=0)
    if len(lengths) and lengths.max() > LONGEST:
        pieces = [np.arange(end - length + LONGEST, end, LONGEST) for end, length in zip(ends, lengths, strict=True)]
        ends = np.unique(np.concatenate([*pieces, ends]))
    return sequence, ends.astype(np.int64), token_places


def _attributive(tags: Tags, past: Any, ing: Any, breaks: Breaks) -> None:
    """Make adjectives, in place, of participles between what goes before a noun and the noun."""
    joined = np.append(breaks[1:] == 0, False)
    nominal = joined & np.isin(np.append(tags[1:], 0), (Tag.N, Tag.A))
    left = np.where(breaks == 0, np.insert(tags[:-1], 0, 0), Tag.X)
    opens = np.isin(left, (Tag.D, Tag.A, Tag.M))
    tags[nominal & ((ing & opens) | (past & (opens | (left == Tag.P) | (breaks == SENTENCE))))] = Tag.A
