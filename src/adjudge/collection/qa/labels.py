"""Which sentences of a question ask, and which set the scene: proposed by rules, decided by people.

Each rule adds to the score of a sentence; it is taken for a query from a score of 1 on. If no sentence of a question
reaches that, the best one is taken, for every question asks something. A query sentence is a micro-topic of its own
unless it goes on with the one before it: it says so (Or …, For example …), or it follows a question and asks none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from .question_rules import score
from .threads import CODE, FORMULA, NEITHER, PRELUDE, QUERY, Sentence

LEAST = 1 - 1e-9

CONTINUES = re.compile(
    r"^\W*(?:or|and if|if (?:so|not|yes|no)|for (?:example|instance)|e\.g|i\.e|in particular|that is|"
    r"ideally|preferably|more (?:precisely|specifically)|"
    r"specifically|to be (?:more )?(?:precise|specific)|in other words|what i mean|like|by this i mean|here by)\b",
    re.IGNORECASE,
)
PRECISES = re.compile(
    r"^\W*(?:or|ideally|preferably|in other words|that is|i\.e|for (?:example|instance)|"
    r"more (?:precisely|specifically)|please)\b",
    re.IGNORECASE,
)
ANNOUNCES = re.compile(r"\b(?:questions?|problem|ask|know|wondering)\b[^.?]{0,60}:\s*$", re.IGNORECASE)
ANNOUNCED = 0.8
GREETING = re.compile(
    r"^\W*(?:hi|hello|hey|dear \w+|good (?:morning|day|evening)|greetings|than[kx]s?|thanx|thank you|"
    r"many thanks|cheers|best(?: regards)?|"
    r"regards)\b(?:[\s,!.:)]|all|everyone|everybody|there|in advance|so much|very much|a lot|again|"
    r"for (?:your|any|the|reading|all)\b.{0,40})*\W*$",
    re.IGNORECASE,
)
ITEM = re.compile(r"^\W{0,2}(?:q(?:uestion)?\s*)?(?:\d{1,2}|[a-h]|[ivx]{1,4})\s*[).:]\s", re.IGNORECASE)
ALSO = re.compile(
    r"^\W*(?:also|moreover|furthermore|another|second(?:ly)?|next|finally|(?:and )?what about|bonus|additionally)\b",
    re.IGNORECASE,
)


def words_of(sentence: Sentence) -> str:
    """What rules look at: formulas and code are one sign each, because their letters say nothing."""
    text = "".join(" § " if part.kind in {FORMULA, CODE} else part.text for part in sentence.parts)
    return re.sub(r"\s+([?.!,;:)])", r"\1", " ".join(text.split()))


def label_sentences(sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """The same sentences with what the rules propose."""
    texts = [words_of(sentence) for sentence in sentences]
    kinds = kinds_of(texts, [sentence.paragraph for sentence in sentences])
    numbers = _micro_topics(texts, kinds, [sentence.paragraph for sentence in sentences])
    return tuple(
        replace(sentence, kind=kind, micro_topic=number)
        for sentence, kind, number in zip(sentences, kinds, numbers, strict=True)
    )


def kinds_of(texts: Sequence[str], paragraphs: Sequence[int]) -> list[str]:
    """prelude, query or neither for the sentences of one question."""
    scores = [score(text[:2000]) for text in texts]
    for place in range(1, len(texts)):
        scores[place] += ANNOUNCED * bool(ANNOUNCES.search(texts[place - 1][-200:]))
    greetings = [GREETING.match(text[:200]) is not None for text in texts]
    kinds = [
        NEITHER if greeting else QUERY if points >= LEAST else PRELUDE
        for points, greeting in zip(scores, greetings, strict=True)
    ]
    for place in range(1, len(texts)):
        near = paragraphs[place] == paragraphs[place - 1] or len(texts[place]) < 120
        if kinds[place] == PRELUDE and near and kinds[place - 1] == QUERY and PRECISES.match(texts[place]):
            kinds[place] = QUERY
    if QUERY not in kinds:
        asking = [place for place, greeting in enumerate(greetings) if not greeting]
        if asking:  # the last of the best: questions come to their point at the end
            kinds[max(asking, key=lambda place: (scores[place], place))] = QUERY
    return kinds


def _micro_topics(texts: Sequence[str], kinds: Sequence[str], paragraphs: Sequence[int]) -> list[int]:
    numbers: list[int] = []
    number, last = 0, -1
    for place, kind in enumerate(kinds):
        if kind != QUERY:
            numbers.append(0)
            continue
        follows = last == place - 1 and number and not ITEM.match(texts[place]) and not ALSO.match(texts[place])
        # a second question mark asks a second question, unless the sentence says that it goes on with the first
        adds = paragraphs[place] == paragraphs[last] and not texts[place].endswith("?") and texts[last].endswith("?")
        if not number or not (follows and (adds or CONTINUES.match(texts[place]))):
            number += 1
        numbers.append(number)
        last = place
    return numbers
