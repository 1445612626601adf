"""Concepts: what a question asks for, each a set of forms that may stand for it in the text.

A file of concepts written by hand has one concept a line: the topic, and forms with a bar between them. A form is a
word, the beginning of words (``solar*``), or words that stand side by side; what follows a # is a comment.

    EX1  solar* | sun
    EX1  florida | fla
    EX1  energy office* | governor s energy office
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ...core.errors import DataError
from .content import content_words

if TYPE_CHECKING:
    from ...index.index import Index
    from ...noise.channel.model import Channel
    from .version import Pair

WORD, BEGINNING, STEM = "word", "beginning", "stem"
HIGHEST = "\U0010ffff"


class Form(NamedTuple):
    """Words side by side; the last is a whole word, the beginning of one, or any word of its stem."""

    words: tuple[str, ...]
    kind: str = WORD
    probability: float = 1.0
    """That the true form is read as this one."""


Concept = tuple[Form, ...]


def automatic(question: str) -> list[Concept]:
    """Every word that is no stop word is a concept, in all the forms of its stem; words of one stem are one concept."""
    from ...text.stemming import stems_of

    words = content_words(question)
    by_stem: dict[str, str] = {}
    for word, stem in zip(words, stems_of(words, "porter"), strict=True):
        by_stem.setdefault(stem, word)
    return [(Form((word,), STEM),) for word in by_stem.values()]


def read_concepts(path: str | os.PathLike[str]) -> dict[str, list[Concept]]:
    """The concepts of a file, by topic."""
    concepts: dict[str, list[Concept]] = {}
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
    except OSError as why:
        raise DataError(f"{path}: cannot be read as concepts: {why.strerror}") from None
    except UnicodeDecodeError as why:
        raise DataError(f"{path}: is not UTF-8 at byte {why.start}") from None
    for number, line in enumerate(lines, 1):
        content = line.partition("#")[0].strip()
        if not content:
            continue
        topic, *rest = content.split(maxsplit=1)
        forms = [_form(text) for text in "".join(rest).split("|")]
        if not all(forms):
            raise DataError(
                f"{path}:{number}: a concept is a topic and forms with a bar between them: {line.strip()!r}"
            )
        concepts.setdefault(topic, []).append(tuple(form for form in forms if form))
    if not concepts:
        raise DataError(f"{path}: holds no concept")
    return concepts


def _form(text: str) -> Form | None:
    words, marked = _words(text), text.rstrip().endswith("*")
    return Form(words, BEGINNING if marked else WORD) if words else None


def _words(text: str) -> tuple[str, ...]:
    from ...text.analyzer import Analyzer

    return tuple(Analyzer.parse("words|lower").terms(text))


def learn_channel(pairs: Sequence[Pair] | None) -> Channel | None:
    """The channel of a sample in two forms, in lower case as words are searched; None where nothing is wrong in it."""
    lowered = [(_plain(true), _plain(observed)) for true, observed in pairs or ()]
    if all(true == observed for true, observed in lowered):
        return None
    from ...noise.channel.learning import learn

    # Characteristic errors are counted in the alignment; what else a channel knows is not needed.
    return learn([pair for pair in lowered if pair[0]], em_rounds=0, bursts=False)


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def corrupt(concept: Concept, channel: Channel, limit: int = 256, by: str = "type") -> Concept:
    """The concept with what scanning makes of its forms, for each form the ``limit`` most probable variants.

    Of a stem its letters are corrupted, and the word too where the stem is not its beginning (energy, energi). A
    variant that is cut into other words than its form is left out: no word of the index is like it.
    """
    forms: dict[tuple[tuple[str, ...], str], Form] = {(form.words, form.kind): form for form in concept}
    for form in concept:
        for source in _sources(form):
            for variant, probability in channel.corruptions(source, limit, by=by):
                words = _words(variant)
                kind = WORD if form.kind == WORD else BEGINNING
                known = forms.get((words, kind))
                if variant != source and " ".join(words) == variant.lower() and len(words) == len(form.words):
                    forms[words, kind] = Form(words, kind, max(probability, known.probability if known else 0.0))
    return tuple(forms.values())


def _sources(form: Form) -> list[str]:
    from ...text.stemming import stems_of

    whole = " ".join(form.words)
    if form.kind != STEM:
        return [whole]
    stem = stems_of([whole], "porter")[0]
    return [stem] if whole.startswith(stem) else [stem, whole]


def terms(index: Index, form: Form, shortest: int = 3) -> list[list[int]]:
    """The terms of the index that each word of a form may be.

    A beginning of fewer than ``shortest`` characters is taken as a whole word. A stem is the beginning of words, and
    words of the same stem belong to it even if they do not begin so: energy and energies to energi.
    """
    alone = [[number] if (number := index.number(word)) >= 0 else [] for word in form.words]
    last = form.words[-1]
    if form.kind == STEM:
        alone[-1] = list(_same_stem(index, last, shortest))
    elif form.kind == BEGINNING and len(last) >= shortest:
        alone[-1] = list(beginning(index, last))
    return alone


def beginning(index: Index, prefix: str) -> range:
    """The numbers of the terms that begin so: terms are sorted."""
    every = range(index.manifest.terms)
    first = bisect_left(every, prefix, key=index.name)
    return range(first, bisect_left(every, prefix + HIGHEST, first, key=index.name))


def _same_stem(index: Index, word: str, shortest: int) -> Iterator[int]:
    from ...text.stemming import stems_of

    stem = stems_of([word], "porter")[0]
    # Porter's algorithm may change the last letter that it leaves: it writes i for y, and an e behind fil(ing).
    near = beginning(index, stem[:-1] if len(stem) > 1 else stem)
    names = [index.name(number) for number in near]
    for number, name, other in zip(near, names, stems_of(names, "porter"), strict=True):
        if other == stem or (len(stem) >= shortest and name.startswith(stem)):
            yield number
