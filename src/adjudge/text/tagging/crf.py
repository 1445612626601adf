"""Linear-chain conditional random fields in CRFsuite's format whose features are of single words.

The score of a sequence of labels is Σ state(word i and the two on either side, label i) + Σ transition(label i − 1,
label i). No feature joins two words, so state is a sum of five vectors, each known once a word is known, and a text
is a matter of gathering rows and of Viterbi's algorithm: ``tagging.c``, or :func:`best_in_python`.
"""

from __future__ import annotations

import string
import struct
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import DataError
from ...core.kernel import native

compiled: Any = native("tagging")

Weights = npt.NDArray[np.float32]

PLACES = (b"", b"-1:", b"-2:", b"+1:", b"+2:")
"""How features of the word itself and of its neighbours are named, in the order in which their scores are added."""
PIECES = (b"word[:2]:", b"word[:3]:", b"word[-2:]:", b"word[-3:]:")
LENGTH = 2
"""The number of the feature that says how long a word is."""
MOST_KEPT = 300_000
"""Words whose features are kept."""
MOST_LABELS = 128


@dataclass(frozen=True, eq=False)
class Model:
    """The weights of a field; the last row of ``states`` is that of features the model does not know."""

    labels: tuple[str, ...]
    attributes: dict[bytes, int]
    states: Weights
    transitions: Weights

    @classmethod
    def read(cls, path: str) -> Model:
        """The model in a file, or a DataError."""
        with open(path, "rb") as file:
            data = file.read()
        try:
            return cls._parse(data)
        except (struct.error, ValueError, IndexError) as error:
            raise DataError(f"{path}: no CRFsuite model: {error}") from None

    @classmethod
    def _parse(cls, data: bytes) -> Model:
        magic, size, kind, _, _, _, _, features, labels_at, attributes_at = struct.unpack_from("<4sI4s7I", data)
        if magic != b"lCRF" or kind != b"FOMC" or size != len(data):
            raise ValueError("its first bytes are those of another file, or it is cut off")
        labels, attributes = _strings(data, labels_at), _strings(data, attributes_at)
        if not 1 <= len(labels) <= MOST_LABELS:
            raise ValueError(f"it has {len(labels)} labels")
        tag, _, count = struct.unpack_from("<4sII", data, features)
        if tag != b"FEAT":
            raise ValueError("it has no features")
        shape = np.dtype([("type", "<u4"), ("source", "<u4"), ("label", "<u4"), ("weight", "<f8")])
        table = np.frombuffer(data, shape, count, features + 12)
        states = np.zeros((len(attributes) + 1, len(labels)), np.float32)
        transitions = np.zeros((len(labels), len(labels)), np.float32)
        for number, target in enumerate((states[:-1], transitions)):
            some = table[table["type"] == number]
            if len(some) and (some["source"].max() >= len(target) or some["label"].max() >= len(labels)):
                raise ValueError("a feature of nothing")
            target[some["source"], some["label"]] = some["weight"]
        names = tuple(label.decode("utf-8", "replace") for label in labels)
        return cls(names, {name: i for i, name in enumerate(attributes)}, states, transitions)

    @cached_property
    def _by_place(self) -> list[dict[bytes, int]]:
        """The features of each place by their names without it."""
        items: list[dict[bytes, int]] = [{} for _ in PLACES]
        for name, row in self.attributes.items():
            place = PLACES.index(name[:3]) if name[:3] in PLACES else 0
            items[place][name[3:] if place else name] = row
        return items

    @cached_property
    def _cache(self) -> dict[str, bytes]:
        return {}

    def _rows(self, word: str) -> bytes:
        """The rows of a word's features at the five places, the unknown one for those that the model lacks."""
        text = word.encode("utf-8", "surrogatepass")
        parts = [
            b"bias",
            b"word:" + b64encode(text),
            b"len(word)",
            b"word.ispunctuation" if word in string.punctuation else b"",
            b"word.isdigit()" if word.isdigit() else b"",
        ]
        for name, part in zip(PIECES, (word[:2], word[:3], word[-2:], word[-3:]), strict=True):
            parts.append(name + part.encode("utf-8", "surrogatepass"))
        none = len(self.attributes)
        return np.array([known.get(part, none) for known in self._by_place for part in parts], np.int32).tobytes()

    def scores(self, words: Sequence[str]) -> Weights:
        """The state scores of words by word, place and label."""
        cache = self._cache
        if len(cache) > MOST_KEPT:
            cache.clear()
        items = []
        for word in words:
            row = cache.get(word)
            if row is None:
                row = cache[word] = self._rows(word)
            items.append(row)
        rows = np.frombuffer(b"".join(items), np.int32).reshape(len(words), len(PLACES), 5 + len(PIECES))
        lengths = np.array([len(word) for word in words], np.float32)
        total = np.zeros((len(words), len(PLACES), len(self.labels)), np.float32)
        for feature in range(rows.shape[2]):
            some = self.states[rows[:, :, feature]]
            # The length is the one feature that is a number.
            total += some * lengths[:, None, None] if feature == LENGTH else some
        return total

    def edges(self) -> Weights:
        """The scores of standing first and of standing last."""
        none = len(self.attributes)
        return self.states[[self.attributes.get(b"BOS", none), self.attributes.get(b"EOS", none)]]


def _strings(data: bytes, at: int) -> list[bytes]:
    """The strings of a constant database (CQDB), by number."""
    tag, _, _, order, count, numbers = struct.unpack_from("<4s5I", data, at)
    if tag != b"CQDB" or order != 0x62445371:
        raise ValueError("its names are not where they should be")
    places = np.frombuffer(data, "<u4", count, at + numbers).tolist()
    items = []
    for place in places:
        _, size = struct.unpack_from("<II", data, at + place)
        items.append(data[at + place + 8 : at + place + 7 + size])
    return items


def best(
    ids: npt.NDArray[np.int32], ends: npt.NDArray[np.int64], scores: Weights, model: Model
) -> npt.NDArray[np.uint8]:
    """The labels of the best sequence for each sentence; ``ends`` says where each sentence ends, ``ids`` are rows of
    ``scores``."""
    out = np.empty(len(ids), np.uint8)
    arguments = (ids, ends, scores, np.ascontiguousarray(model.edges()), model.transitions, out)
    if compiled is None:
        best_in_python(*arguments)
    else:
        compiled.viterbi(*arguments)
    return out


def best_in_python(
    ids: npt.NDArray[np.int32],
    ends: npt.NDArray[np.int64],
    scores: Weights,
    edges: Weights,
    transitions: Weights,
    out: npt.NDArray[np.uint8],
) -> None:
    """The same in Python; the definition. Of labels that are equally good the first is taken."""
    first = 0
    for last in ends.tolist():
        words = ids[first:last]
        state = scores[words, 0]
        for place, shift in enumerate((1, 2), 1):
            state[shift:] += scores[words[:-shift], place]
        for place, shift in enumerate((1, 2), 3):
            state[:-shift] += scores[words[shift:], place]
        if last > first:
            state[0] += edges[0]
            state[-1] += edges[1]
        back = np.zeros(state.shape, np.intp)
        for i in range(1, last - first):
            ways = state[i - 1][:, None] + transitions
            back[i] = ways.argmax(axis=0)
            state[i] += ways.max(axis=0)
        label = int(state[-1].argmax()) if last > first else 0
        for i in range(last - first - 1, -1, -1):
            out[first + i] = label
            label = int(back[i, label])
        first = last
