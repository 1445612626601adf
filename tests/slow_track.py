"""The systems of the Confusion Track, written slowly from the paper, and small corpora to try them on.

Nothing of the product is imported here: no analyzer, no index, no weighting, no channel. What the paper leaves open is
as the systems document it, once more in plain loops over everything.

Words of the corpora end in letters that no suffix of Porter's algorithm ends in, so that each is its own stem, but for
those in ``STEMS``; errors never touch the last two letters of a word. So no stemmer is needed here.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise, product
from random import Random

STOP = {"the", "of", "for", "and", "a", "on", "zero"}
"""Those of SMART's stop words that the texts below and those of the tests have."""
STEMS = {"trademarks": "trademark", "borrowing": "borrow", "workshops": "workshop", "stocks": "stock"}
LONG = "network framework notebook feedback benchmark township leadership tomorrow telegraph partnership landmark"
SHORT = "bank desk stock rock map crop club index tax box law view black dark thick slow"
WORDS = [*LONG.split(), *SHORT.split(), *STEMS]
LOOKALIKES = {"a": "o", "e": "c", "o": "0", "l": "1", "h": "b", "n": "u", "t": "f", "b": "h", "w": "vv", "d": "cl"}

Bag = Counter[str]


def split(text: str) -> list[str]:
    """The words of a text in lower case."""
    return re.findall("[a-z0-9]+", text.lower())


def stem(word: str) -> str:
    return STEMS.get(word, word)


def content(text: str) -> list[str]:
    return [word for word in split(text) if word not in STOP]


def stems_in(text: str) -> Bag:
    return Counter(stem(word) for word in content(text))


# -- corpora -----------------------------------------------------------------------------------------------------------


def misread(word: str, rng: Random, rate: float) -> str:
    """A word with some of its letters read wrongly, left out or doubled; its last two letters are always right."""
    if word in STOP or word in STEMS or len(word) < 4:
        return word
    letters = []
    for letter in word[:-2]:
        kind = rng.random() / rate if rate else 9.0
        if kind >= 1:
            letters.append(letter)
        elif kind < 0.6:
            letters.append(LOOKALIKES.get(letter, "x"))
        elif kind < 0.8:
            letters.append(letter * 2)
    return "".join(letters) + word[-2:]


def passage(rng: Random, words: int, known: Sequence[str] = WORDS) -> str:
    """Words drawn at random, stop words and marks among them, in lines of different lengths."""
    pieces = []
    for _ in range(words):
        word = rng.choice(known)
        word = rng.choice([word, word, word.capitalize(), f"the {word}", f"{word},"])
        pieces += [word, rng.choice([" ", " ", " ", "\n", "  ", "\n\n"])]
    return "".join(pieces)


def read_wrongly(text: str, rng: Random, rate: float) -> str:
    return re.sub("[A-Za-z]+", lambda match: misread(match[0].lower(), rng, rate), text)


# -- Rutgers, section 3 ------------------------------------------------------------------------------------------------


def wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(" ".join(text.split()), width, break_long_words=False, break_on_hyphens=False)


def rutgers_score(text: str, question: str, *, binary: bool, matching: bool, width: int | None) -> float:
    """Grams of the question's words, each character replaced in turn, counted line by line, averaged."""
    grams: list[str] = []
    for word in content(question):
        grams += [word[i : i + 5] for i in range(max(1, len(word) - 4))]
    dotted = [(gram[:k], gram[k + 1 :]) for gram in dict.fromkeys(grams) for k in range(len(gram))]
    if width is not None:
        text = "\n".join(wrapped(text, width))
    lines = [line.lower() for line in text.split("\n") if line.strip()]
    scores = []
    for line in lines:
        counts = []
        for before, after in dotted:
            between = ".{0,2}?" if before and after else ""
            pattern = f"(?={re.escape(before)}{between}{re.escape(after)})"
            counts.append(len(re.findall(pattern, line)) if before or after else 0)
        scores.append(sum(min(count, 1) for count in counts) if binary else sum(counts))
    read = [score for score in scores if score] if matching else scores
    return sum(read) / len(read) if read else 0.0


# -- ANU, section 3 ----------------------------------------------------------------------------------------------------

Occurrence = tuple[int, int]


def spans(occurrences: Iterable[Occurrence], n: int) -> list[tuple[int, int]]:
    """Intervals with n different concepts or more within which no shorter one has them."""
    occurrences = list(occurrences)
    places = sorted({place for place, _ in occurrences})
    full = [
        (p, q)
        for p, q in combinations_with_replacement(places, 2)
        if len({concept for place, concept in occurrences if p <= place <= q}) >= n
    ]
    inside = [(p, q) for p, q in full if any((p, q) != other and p <= other[0] and other[1] <= q for other in full)]
    return sorted(set(full) - set(inside))


def corrupted(word: str, errors: dict[str, str]) -> set[str]:
    """All combinations of each error present or absent; an error that is present happens at all its places."""
    made = set()
    for many in range(len(errors) + 1):
        for present in combinations(errors, many):
            pattern = "|".join(map(re.escape, sorted(present, key=len, reverse=True)))
            made.add(re.sub(pattern, lambda match: errors[match[0]], word) if present else word)
    return made


def anu_score(
    text: str,
    question: str,
    errors: dict[str, str],
    *,
    power: float = 4,
    decay: float = 0.5,
    longest: int | None = None,
) -> float:
    """Every content word is a concept, for which words stand that begin with its stem, or with a misreading of it."""
    concepts = list(dict.fromkeys(stem(word) for word in content(question)))
    found = [
        (place, number)
        for place, word in enumerate(split(text))
        for number, wanted in enumerate(concepts)
        if stem(word) == wanted or any(begins(word, form) for form in corrupted(wanted, errors))
    ]
    score = 0.0
    for n in range(1, len(concepts) + 1):
        for p, q in spans(found, n):
            if longest is None or q - p + 1 <= longest:
                score += (n / len(concepts)) ** power * (q - p + 1) ** -decay
    return score


def begins(word: str, form: str) -> bool:
    """A beginning of one or two letters is taken for the whole word."""
    return word.startswith(form) if len(form) > 2 else word == form


# -- ETH, section 3 ----------------------------------------------------------------------------------------------------


@cache
def edit_distance(a: str, b: str) -> int:
    table = {(i, 0): i for i in range(len(a) + 1)} | {(0, j): j for j in range(len(b) + 1)}
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            table[i, j] = min(
                table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (a[i - 1] != b[j - 1])
            )  # fmt: skip
    return table[len(a), len(b)]


def slots_of(text: str, term: str, unit: str, length: int, share: float = 0.2) -> int:
    """Overlapping slots: every substring may hold the term. Those less than a fifth of the term's length away match."""
    flat = " " + " ".join(text.lower().split()) if text.split() else ""
    near = [
        (i, j)
        for i in range(len(flat))
        for j in range(i, min(len(flat), i + 2 * len(term)) + 1)
        if abs(j - i - len(term)) < share * length and edit_distance(flat[i:j], term) < share * length
    ]
    if unit == "words":
        return len({i for i, _ in near if flat[i] == " "})
    if unit == "windows":
        return sum(j - i == len(term) for i, j in near)
    ends = {j for _, j in near if j}
    return sum(j - 1 not in ends for j in ends)


def grams_in(text: str, n: int) -> Bag:
    """N-grams over the words that are no stop words, with one blank between them and at both ends."""
    flat = f" {' '.join(content(text))} "
    return Counter(flat[i : i + n] for i in range(len(flat) - n + 1)) if flat.strip() else Counter()


def lnu(bags: Sequence[Bag], question: Bag, slope: float = 0.2) -> dict[int, float]:
    """Lnu.ltn with pivoted normalisation; documents without a term of the question that tells are left out."""
    pivot = sum(map(len, bags)) / len(bags)
    scores = {}
    for number, bag in enumerate(bags):
        score = 0.0
        for term, times in question.items():
            if bag[term]:
                df = sum(term in other for other in bags)
                mean = sum(bag.values()) / len(bag)
                weight = (1 + math.log(bag[term])) / (1 + math.log(mean))
                norm = (1 - slope) * pivot + slope * len(bag)
                score += weight / norm * (1 + math.log(times)) * math.log(len(bags) / df)
        if score > 0:
            scores[number] = score
    return scores


WEIGHTS: dict[str, Callable[[float, int], float]] = {
    "expected": lambda f, _: 1 + math.log(1 + f),
    "floor": lambda f, _: 1 + math.log(max(1.0, f)),
    "slots": lambda _, s: 1 + math.log(s),
    "log1p": lambda f, _: math.log(1 + f),
    "faulty": lambda f, _: 1 + math.log(f),
}


def eth_scores(
    texts: Sequence[str],
    question: str,
    pairs: Sequence[tuple[str, str]],
    *,
    n: int,
    unit: str = "runs",
    weight: str = "expected",
    df: str = "slots",
    blank: bool = True,
    again: int = 2000,
) -> dict[int, float]:
    """The best documents by n-grams, ranked again by expected frequencies; pairs are true and degraded texts."""
    first = lnu([grams_in(text, n) for text in texts], grams_in(question, n))
    candidates = sorted(first, key=lambda number: first[number], reverse=True)[:again]

    def slots(text: str, wanted: str) -> int:
        return slots_of(text, f" {wanted}", unit, len(wanted) + blank)

    known = sorted(set().union(*(stems_in(true) for true, _ in pairs)))
    seen = [(slots(observed, wanted), stems_in(true)[wanted]) for true, observed in pairs for wanted in known]
    square = sum(s * s for s, _ in seen)
    constant = sum(s * f for s, f in seen) / square if square else 1.0
    distinct = [len(stems_in(text)) for text in texts]
    pivot = sum(distinct) / len(texts)
    scores: dict[int, float] = {}
    for wanted, times in stems_in(question).items():
        found = {number: slots(texts[number], wanted) for number in candidates}
        with_slot = sum(s > 0 for s in found.values())
        exact = sum(wanted in stems_in(text) for text in texts)
        idf = math.log((len(candidates) + 1) / max(1, with_slot))
        if df == "exact":
            idf = math.log(len(texts) / max(1, exact))
        for number, s in found.items():
            if s:
                part = WEIGHTS[weight](constant * s, s) * (1 + math.log(times)) * idf
                norm = 0.8 * pivot + 0.2 * distinct[number]
                scores[number] = scores.get(number, 0.0) + part / norm
    return scores


# -- CLARIT, section 3 -------------------------------------------------------------------------------------------------

BEGIN, END, UNKNOWN = "<s>", "</s>", "<unknown>"
CLASSES = ["<n>", BEGIN, END, UNKNOWN]
ALPHABET = 40
"""Characters that any of may come of any other: what is believed of errors before anything is learned."""


def sentences(text: str) -> list[list[str]]:
    return [sentence.split() for sentence in re.split(r"\.(?:\s+|$)", text) if sentence.split()]


class Lexicon:
    """Words that occur twice or more in clean text, and how often each follows each."""

    def __init__(self, clean: Iterable[str]) -> None:
        every = [sentence for text in clean for sentence in sentences(text.lower())]
        counts = Counter(word for sentence in every for word in sentence)
        self.words = sorted((word for word, n in counts.items() if n >= 2), key=lambda word: (-counts[word], word))
        self.counts: Bag = Counter()
        self.pairs: Counter[tuple[str, str]] = Counter()
        for sentence in every:
            named = [BEGIN, *(word if counts[word] >= 2 else UNKNOWN for word in sentence), END]
            self.counts.update(named)
            self.pairs.update(pairwise(named))

    def chance(self, before: str, word: str, share: float = 0.8) -> float:
        """P(word | before): bigrams, and the frequency of the word alone."""
        size = len(self.words) + len(CLASSES)
        alone = (self.counts[word] + 0.5) / (sum(self.counts.values()) + 0.5 * size)
        follows = self.pairs[before, word] / self.counts[before] if self.counts[before] else 0.0
        return share * follows + (1 - share) * alone


def trigrams(word: str) -> set[str]:
    return {f"#{word}#"[i : i + 3] for i in range(len(word))}


def log_chance(observed: str, word: str) -> float:
    """The most probable way from the word to what is observed: letters kept, replaced, lost, put in."""

    @cache
    def best(i: int, j: int) -> float:
        ways = [] if i or j else [0.0]
        if i and j:
            kept = observed[j - 1] == word[i - 1]
            ways.append(best(i - 1, j - 1) + math.log(max(0.95 if kept else 0.0, 0.04 / ALPHABET)))
        if i:
            ways.append(best(i - 1, j) + math.log(0.005))
        if j:
            ways.append(best(i, j - 1) + math.log(0.005 / ALPHABET))
        return max(ways)

    return best(len(word), len(observed))


def candidates_for(observed: str, lexicon: Lexicon, many: int, keep: int) -> dict[str, float]:
    """The words with the most trigrams in common, and of them those from which the string is most probable."""
    dice = {}
    for word in lexicon.words:
        common = trigrams(word) & trigrams(observed)
        if common and abs(len(word) - len(observed)) <= 3:
            dice[word] = 2 * len(common) / (len(trigrams(word)) + len(trigrams(observed)))
    some = sorted(dice, key=lambda word: dice[word], reverse=True)[:many]
    chances = {word: log_chance(observed, word) for word in some}
    return {word: chances[word] for word in sorted(some, key=lambda word: chances[word], reverse=True)[:keep]}


def tied(observed: str, lexicon: Lexicon, many: int, keep: int) -> bool:
    """Whether the last candidate that is kept is as probable as the first that is not."""
    chances = list(candidates_for(observed, lexicon, many, many).values())
    return observed not in lexicon.words and len(chances) > keep and math.isclose(chances[keep - 1], chances[keep])


def readings_of(sentence: Sequence[str], lexicon: Lexicon, many: int, keep: int) -> dict[tuple[str, ...], float]:
    """Every sentence that this one may be a misreading of, with its log probability."""
    options: list[dict[str, float]] = []
    for word in sentence:
        found = {word: 0.0} if word in lexicon.words else candidates_for(word, lexicon, many, keep)
        options.append(found or {word: 0.0})
    made = {}
    for way in product(*options):
        named = [BEGIN, *(word if word in lexicon.words else UNKNOWN for word in way), END]
        made[way] = sum(math.log(lexicon.chance(*pair)) for pair in pairwise(named))
        made[way] += sum(options[place][word] for place, word in enumerate(way))
    return made


def log_vector(bag: Bag, df: Bag, documents: int) -> dict[str, float]:
    weights = {}
    for term, n in bag.items():
        if df[term]:
            weights[term] = (1 + math.log(n) if n > 1 else n) * math.log(documents / df[term])
    return weights


def cosine(a: dict[str, float], b: dict[str, float]) -> float:
    lengths = math.hypot(*a.values()) * math.hypot(*b.values())
    return sum(weight * b.get(term, 0.0) for term, weight in a.items()) / lengths if lengths else 0.0


def pairs_in(text: str) -> Bag:
    """Stems, and any two neighbours that are no stop words."""
    words = split(text)
    bag = stems_in(text)
    bag.update(f"{stem(a)}+{stem(b)}" for a, b in pairwise(words) if a not in STOP and b not in STOP)
    return bag


def clarit_scores(
    texts: Sequence[str],
    question: str,
    *,
    bag: Callable[[str], Bag] = pairs_in,
    feedback: tuple[int, int] | None = None,
) -> dict[int, float]:
    """The cosine over words and phrases; feedback: so many documents, and so many of their terms with weight 0.4."""
    bags = [bag(text) for text in texts]
    df = Counter(term for some in bags for term in some)
    vectors = [log_vector(some, df, len(texts)) for some in bags]
    asked = log_vector(bag(question), df, len(texts))

    def scores() -> dict[int, float]:
        every = {number: cosine(asked, vector) for number, vector in enumerate(vectors)}
        return {number: score for number, score in every.items() if score > 0}

    if feedback:
        first = scores()
        best = sorted(first, key=lambda number: first[number], reverse=True)[: feedback[0]]
        times = Counter(term for number in best for term in bags[number].elements())
        gain = {term: n * math.log(len(texts) / df[term]) for term, n in times.items() if term not in asked}
        chosen = sorted((term for term in gain if gain[term] > 0), key=lambda term: (-gain[term], term))[: feedback[1]]
        asked |= {term: 0.4 * math.log(len(texts) / df[term]) for term in chosen}
    return scores()
