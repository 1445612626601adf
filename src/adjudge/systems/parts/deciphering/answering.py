"""Answers to questions from expected frequencies, why a document has its score, and what to mark in it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....core.english import quantity
from ....core.note import Note
from ....index.accumulation import best
from ....index.explanation import Explanation
from ....index.index import Index
from ....index.searching import Hits, MatchSet
from ....text.analyzer import Analyzer
from ....text.stemming import stems_of
from ....weighting.scheme import Clause, Statistics, TermCounts, weightings
from .adding_up import Adding, AskedFor, Gathered, GivenScores, StringsOfWord, WordPairs
from .broken_words import BrokenPlaces, BrokenWord
from .closeness import HALF, LOOKED_AT, AskedWord, Closeness, StringPostings, closeness, presence, value_of
from .closer_look import CloserLook
from .common_words import split
from .company import company_of, in_company
from .document_strings import DocumentStrings
from .grouped_strings import GroupedStrings
from .reading import TRUST, Reading
from .word_forms import Asking, Forms
from .word_postings import PostingsOfWords
from .word_reading import WordRead, WordsRead

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[Any]

WORDS = "words|lower|letterforms"
TOGETHER = 32
"""Questions whose words are looked for together."""
SHOWN = 12
"""Strings of a word that an explanation lists."""


class Observed(NamedTuple):
    """A string that was taken for a word of the question."""

    string: str
    word: str
    """The word of the question."""
    read_as: str
    """The true word with its stem that explains the string best."""
    probability: float
    occurrences: int


class QuestionWords(NamedTuple):
    """The words that documents are wanted for, and those that only count near them, with how often they stand there."""

    words: dict[str, int]
    common: dict[str, int]


class FirstLook(NamedTuple):
    """Documents with their scores by the words that they have, what was asked, and the postings of its strings."""

    documents: Integers
    scores: Floats
    words: dict[str, AskedWord]
    postings: StringPostings
    broken: BrokenPlaces | None = None


class DecipherAnswerer:
    """A reading of a version seen through a weighting; strings count that are a word with some probability.

    ``belief`` says how far documents are read by the errors of the text, None: not at all if nothing is wrong, else
    wholly.
    """

    def __init__(
        self, reading: Reading, weighting: str, asking: Asking | None = None, belief: float | None = None
    ) -> None:
        self.reading, self.asking, self._belief = reading, asking or Asking(), belief
        self.weighting = weightings.parse(weighting)
        self.analyzer = Analyzer.parse(WORDS)
        self.strings = GroupedStrings(reading)
        self._postings = PostingsOfWords(self.strings)
        self._rooms: list[Adding] = []

    @property
    def index(self) -> Index:
        return self.reading.index

    @cached_property
    def beliefs(self) -> Floats:
        """How far each document is read by the errors of the text."""
        groups = self.strings.groups
        each = [float(not group.figures.clean) if self._belief is None else float(self._belief) for group in groups]
        return np.full(len(self.reading.lengths), each[0]) if len(each) == 1 else np.array(each)[self.reading.group_of]

    def _group(self, document: int) -> int:
        return 0 if self.reading.group_of is None else int(self.reading.group_of[document])

    @cached_property
    def norms(self) -> Floats:
        distinct = self.reading.index.statistics.distinct
        return np.asarray(
            self.weighting.norms(Statistics(np.asarray(self.reading.lengths), distinct, lambda: iter(()))), np.float64
        )

    @cached_property
    def words_read(self) -> WordsRead:
        """What stands for the words that are asked for."""
        return WordsRead(self.strings, self.asking, self._clean)

    @cached_property
    def _clean(self) -> bool:
        """Whether every document is read as it is written."""
        return not self.beliefs.any()

    @cached_property
    def repeats(self) -> list[float]:
        """How far an occurrence of a word beyond the first counts in each group: the more is wrong, the more of them
        are others."""
        return [self._right(group.wrong) for group in self.strings.groups]

    @cached_property
    def _rarity(self) -> float:
        """The same of all groups, by the strings that they have: documents of one must not be ahead of others."""
        groups = self.strings.groups
        if len(groups) == 1:
            return self.repeats[0]
        return self._right(float(np.average([group.wrong for group in groups], weights=[g.words for g in groups])))

    def _right(self, wrong: float) -> float:
        return float(max(1 - wrong * float(self.beliefs.max(initial=0.0)), 0.1) ** TRUST)

    def odds(self, present: float) -> float:
        """The odds of a document that has a word which is in so many documents, to those that do not have it.

        They are those of BM25, but the more is wrong, the less is a word known to be rare.
        """
        return (len(self.beliefs) - present + 0.5) / (present + 0.5) / self._rarity

    def stretch_odds(self, present: float) -> float:
        """The same of a stretch of text, which a word that most documents have may still tell from other stretches."""
        return self.odds(present) + 1 / self._rarity

    def _by_group(self, documents: Integers) -> Iterator[tuple[int, Any]]:
        """The groups with those of some documents that each has, as their places."""
        if self.reading.group_of is None:
            yield 0, slice(None)
            return
        groups = self.reading.group_of[documents]
        for group in np.unique(groups).tolist():
            yield group, np.flatnonzero(groups == group)

    def asked(self, question: str) -> QuestionWords:
        """The first word with each stem, and how often words with it stand in the question; common words by themselves.

        A question of common words only is about these, unless the text is read as bm25 reads it.
        """
        words, common = split(self.analyzer.terms(question), self.asking.stop)
        if self._clean:
            words = [word for word in words if word not in self.asking.stop]
        stems = stems_of(words, "porter") if self.asking.stems else words
        often, first = Counter(stems), dict[str, str]()
        for word, stem in zip(words, stems, strict=True):
            first.setdefault(stem, word)
        near = Counter(common) if self.asking.common and self._looks_closer else {}
        return QuestionWords({word: often[stem] for stem, word in first.items()}, dict(near))

    def words(self, question: str) -> dict[str, int]:
        """The words that documents are wanted for."""
        return self.asked(question).words

    def forms(self, word: str) -> Forms:
        """The strings that stand for a word surely enough."""
        return self.words_read.known([word])[word].forms

    def broken(self, word: str) -> list[BrokenWord]:
        """The pairs of strings that may be halves of a word."""
        return self.words_read.known([word])[word].broken

    def observed_strings(self, question: str) -> list[Observed]:
        """The strings that are taken for words of a question, those that matter most first for each word."""
        strings = []
        for word in self.words(question):
            forms = self.forms(word)
            counts = self.strings.counts_of(forms.strings)
            order = np.argsort(-forms.weights * counts, kind="stable")
            names = self.strings.names(forms.strings[order])
            for name, k in zip(names, order.tolist(), strict=True):
                read_as = forms.members[int(forms.member[k])]
                occurrences = int(counts[k])
                strings.append(Observed(name, word, read_as, float(forms.weights[k]), occurrences))
            for pair in self.broken(word):
                times = float(pair.expected.sum())
                for half in pair.halves:
                    count = self.reading.index.term(self.reading.index.number(half)).cf
                    strings.append(Observed(half, word, word, min(times / count, 1.0), count))
        return strings if len(self.strings.groups) == 1 else _one_each(strings)

    def search(self, question: str, k: int = 1000) -> Hits:
        """The best k documents for a question."""
        return self._best(self.asked(question), k)

    def search_all(self, questions: Iterable[str], k: int = 1000) -> Iterator[Hits]:
        """The best k documents for each question; the words of several are looked for together, on all cores."""
        asked = iter(questions)
        while some := [self.asked(question) for question in islice(asked, TOGETHER)]:
            self.words_read.known(dict.fromkeys(word for each in some for word in (*each.words, *each.common)))
            for each in some:
                yield self._best(each, k)

    def _best(self, asked: QuestionWords, k: int) -> Hits:
        if k < LOOKED_AT or not self._looks_closer:
            documents, scores, why = self._matches(asked)
            return self.best_of(documents, scores, k) if len(documents) else Hits(documents, scores, self.index, why)
        look = self._first_look(asked)
        if not len(look.documents):
            return Hits(look.documents, look.scores, self.index, _nothing(asked))
        top = best(look.scores, look.documents, self.index.id_ranks, k)
        # Those that are looked at again stay ahead of all others, as their scores can only grow.
        near = np.sort(top[:LOOKED_AT])
        self._look_closer(look, near)
        again = best(look.scores[near], look.documents[near], self.index.id_ranks, len(near))
        top[: len(near)] = near[again]
        return Hits(look.documents[top], look.scores[top], self.index)

    def best_of(self, documents: Integers, scores: Floats, k: int) -> Hits:
        """The best k of some documents."""
        top = best(scores, documents, self.index.id_ranks, k)
        return Hits(documents[top], scores[top], self.index)

    def matches(self, question: str) -> MatchSet:
        """Every document that a question finds."""
        return self._matches(self.asked(question))

    def _matches(self, asked: QuestionWords) -> MatchSet:
        look = self._first_look(asked)
        if not len(look.documents):
            return MatchSet(np.zeros(0, np.int64), np.zeros(0), _nothing(asked))
        if self._looks_closer:
            self._look_closer(look, self._looked_at(look))
        return MatchSet(look.documents, look.scores)

    def _look_closer(self, look: FirstLook, places: Integers) -> None:
        """Add to the scores of some documents what it counts how near to each other words stand in them."""
        for group, some in self._by_group(look.documents[places]):
            near = places[some]
            look.scores[near] += self._closeness(look, near, group).values

    def _first_look(self, question: QuestionWords) -> FirstLook:
        """The documents that have the words of a question, wherever these stand."""
        known, common = self.words_read.known(question.words), self.words_read.common(question.common, self._rarity)
        reads, room = [known[word] for word in question.words], self._room()
        forms = [*(read.forms for read in reads), *(word.forms for word in common.values())]
        names = [*((word, False) for word in question.words), *((word, True) for word in common)]
        alone = len(self.strings.groups) == 1 and not self._clean and bool(forms)
        if alone:
            postings, each = self._postings.of(names, forms)
        else:
            postings, each = StringPostings.of(self.strings, forms), []
        given = [word for word in each[: len(reads)] if word is not None]
        if given and len(given) == sum(question.words.values()):  # each asked for once
            room.give(given)
            present = [word.present for word in given]
        elif self._clean:
            present = []
            for k, (read, times) in enumerate(zip(reads, question.words.values(), strict=True)):
                gathered = self._gather(room, read, postings.of_word(k))
                present.append(gathered.present)
                if gathered.many:
                    room.add(gathered.many, self.query_weight(gathered.df, times))
        else:
            given = self._add_doubtful(room, reads, [*question.words.values()], postings)
            present = [word.present for word in given]
            for name, word in zip(names if alone else (), given, strict=False):
                self._postings.remember(name, word)
        documents, scores = room.take()
        self._rooms.append(room)  # not after an error, which may leave sums behind
        rows = zip(question.words.items(), reads, present, strict=True)
        odds = ((word, times, read, self.stretch_odds(p)) for (word, times), read, p in rows)
        asked = {word: AskedWord(read.forms, times, o, read.expected) for word, times, read, o in odds}
        broken = BrokenPlaces.of([read.broken for read in reads]) if any(read.broken for read in reads) else None
        return FirstLook(documents, scores, asked | common, postings, broken)

    def _add_doubtful(
        self, room: Adding, reads: Sequence[WordRead], times: Sequence[int], postings: StringPostings
    ) -> list[GivenScores]:
        """Add words to the scores by the probability that they are there; what each gives."""
        words = np.array(postings.words[: len(reads) + 1], np.int64)
        how = AskedFor(np.array(times, np.float64), np.array(self.repeats), self.reading.group_of, self._rarity)
        pairs = WordPairs.of([read.broken for read in reads])
        return room.ask(postings.own, words, postings.exact, postings.weights, pairs, how)

    @cached_property
    def companies(self) -> list[float]:
        """How far a doubtful word counts for more in each group where the other words of the question are."""
        most = float(self.beliefs.max(initial=0.0)) if self.asking.company else 0.0
        return [company_of(group.wrong * most) for group in self.strings.groups]

    def _closeness(self, look: FirstLook, chosen: Integers, group: int) -> Closeness:
        """How close the words of a question stand in some documents of a group, which are places among those found."""
        wholly = self.closer if float(self.beliefs[look.documents[chosen]].min(initial=1.0)) == 1.0 else None
        known = self.index, look.postings, look.words, look.documents[chosen], look.scores[chosen]
        return closeness(*known, self.beliefs, self.companies[group], group, wholly, look.broken)

    @cached_property
    def closer(self) -> CloserLook | None:
        """What looks at strings near the other words of a question, however badly they were read."""
        if not self.asking.closer or not self.asking.learned or self.reading.order is None:
            return None
        return CloserLook(self.strings, DocumentStrings(self.index, self.reading.order))

    @property
    def _looks_closer(self) -> bool:
        """Whether it counts how near to each other words stand; an index without places does not tell."""
        return self.asking.near and not self._clean and self.index.manifest.positions

    def _looked_at(self, look: FirstLook) -> Integers:
        """The best documents at first sight, as their places."""
        if len(look.documents) <= LOOKED_AT:
            return np.arange(len(look.documents))
        return np.sort(best(look.scores, look.documents, self.index.id_ranks, LOOKED_AT))

    def _tops(self, look: FirstLook) -> list[tuple[int, Integers]]:
        """The same of each group."""
        top = self._looked_at(look)
        return [(group, top[some]) for group, some in self._by_group(look.documents[top])]

    def _room(self) -> Adding:
        """Room for sums that nobody else uses now; taking from a list is atomic."""
        try:
            return self._rooms.pop()
        except IndexError:
            return Adding(self.reading.index, self.norms, self.beliefs)

    def _gather(self, room: Adding, read: WordRead, postings: StringsOfWord) -> Gathered:
        gathered = room.gather(postings, read.forms.exact, read.forms.weights)
        for pair in read.broken:
            gathered = room.also(gathered, pair.documents, pair.expected * self.beliefs[pair.documents])
        return gathered

    def query_weight(self, df: float, times: int) -> float:
        """The weight of a word in a question."""
        clause = Clause(TermCounts(df, df), times, 1.0)  # type: ignore[arg-type]  # expected ones are no whole numbers
        return self.weighting.query(self.reading.index.statistics, clause)

    def explain(self, question: str, document: str) -> Explanation:
        """Why a document has its score: the words of the question, and the strings that were taken for each."""
        number = self.reading.index.document_number(document)
        asked, room, parts, missing = self.asked(question), self._room(), [], []
        for word, times in asked.words.items():
            read = self.words_read.known([word])[word]
            postings = StringPostings.of(self.strings, [read.forms])
            gathered = self._gather(room, read, postings.of_word(0))
            expected, present = float(room.sums[number]), 1 - float(room.absent[number])
            room.clear(gathered.many)
            if not expected:
                missing.append(word)
                continue
            value, documents = self._value(gathered, times, expected, present, number)
            what = f"the word {word}: expected {expected:.2f} times, in {documents:.1f} documents"
            facts = ("word", word), ("expected", expected), ("documents", documents)
            parts.append(Explanation(what, value, "sum", self._strings(word, number, value), facts))
        self._rooms.append(room)
        note = f"; not found: {', '.join(missing)}" if missing else ""
        if not parts:
            return Explanation(f"{document} has nothing that may be read as a word of the question{note}", 0.0)
        parts += self._together(asked, number)
        total = sum(part.value for part in parts)
        return Explanation(f"score of {document} under {self.weighting}{note}", total, "sum", tuple(parts))

    def _value(
        self, gathered: Gathered, times: int, expected: float, present: float, number: int
    ) -> tuple[float, float]:
        """What a word adds to the score of a document, and in how many documents it is."""
        norm = float(self.norms[number])
        if self._clean:
            return self.query_weight(gathered.df, times) * (expected / (expected + norm)), gathered.df
        group = self._group(number)
        often = max(1 + self.repeats[group] * (expected / present - 1), 1.0) if present > 0 else 1.0
        weight = times * math.log1p(self.odds(gathered.present) * present)
        return weight * (often / (often + norm)), gathered.present

    def _together(self, asked: QuestionWords, number: int) -> list[Explanation]:
        """What a document gains by words that stand near each other, if it was looked at for that."""
        if not self._looks_closer:
            return []
        look, group = self._first_look(asked), self._group(number)
        chosen = next((top for of, top in self._tops(look) if of == group), np.zeros(0, np.int64))
        if number not in look.documents[chosen]:
            return []
        slot = int(np.searchsorted(look.documents[chosen], number))
        close = self._closeness(look, chosen, group)
        parts, within = [], [close.within(slot, word) for word in range(len(look.words))]
        raised = in_company([presence(read.chances) for read in within], self.companies[group])
        for (word, counted), present, found in zip(look.words.items(), raised, within, strict=True):
            value = value_of(counted, present)
            if value > 0:
                facts = ("word", word), ("probability", present)
                read = self.closer.explained(word, number, found, value) if self.closer else ()
                parts.append(Explanation(f"{word} with probability {present:.3f}", value, "sum", read, facts))
        if not parts:
            return []
        end = HALF * (int(close.stretches[slot]) + 1)
        begin = max(end - 2 * HALF, 0) + 1
        what = f"near each other, from string {begin} to {end}"
        stretch = ("first", begin), ("last", end)
        return [Explanation(what, sum(part.value for part in parts), "sum", tuple(parts), stretch)]

    def observed_near(self, question: str, documents: Sequence[int]) -> list[list[Observed]]:
        """The strings of some documents that are taken for words of a question only because the others are near."""
        taken: list[list[Observed]] = [[] for _ in documents]
        if self.closer is None or not self._looks_closer:
            return taken
        look, known = self._first_look(self.asked(question)), {each.string for each in self.observed_strings(question)}
        for group, top in self._tops(look):
            close, best = self._closeness(look, top, group), look.documents[top].tolist()
            for place, number in enumerate(documents):
                for k, word in enumerate(look.words if number in best else ()):
                    near = self.closer.readings(number, close.within(best.index(number), k))
                    taken[place] += [Observed(s, word, word, p, 1) for s, p in near if s not in known]
        return taken

    def _strings(self, word: str, document: int, value: float) -> tuple[Explanation, ...]:
        """What each string of a document adds, in proportion to its expected frequency."""
        forms, index, belief = self.forms(word), self.reading.index, float(self.beliefs[document])
        chances = forms.exact * (1 - belief) + forms.weights * belief
        chances[self.strings.group(forms.strings) != self._group(document)] = 0.0
        rows = []
        for place in np.flatnonzero(chances > 0).tolist():
            documents, tf = index.postings(int(self.strings.numbers[forms.strings[place]]))
            at = int(np.searchsorted(documents, document))
            if at < len(documents) and documents[at] == document:
                rows.append((float(chances[place]), int(tf[at]), place))
        names = self.strings.names(forms.strings[[place for _, _, place in rows]])
        read = [forms.members[int(forms.member[place])] for _, _, place in rows]
        counted = [(chance, times, name, to) for (chance, times, _), name, to in zip(rows, names, read, strict=True)]
        for pair in self.broken(word):
            at = int(np.searchsorted(pair.documents, document))
            if at < len(pair.documents) and pair.documents[at] == document:
                chance, times = belief * float(pair.chances[at]), int(pair.occurrences[at])
                counted.append((chance, times, " ".join(pair.halves), word))
        counted.sort(key=lambda row: -row[0] * row[1])
        total, parts = sum(chance * times for chance, times, _, _ in counted), []
        for chance, times, name, read_as in counted:
            often = quantity(times, "time")
            what = f"{name} read as {read_as} with probability {chance:.3f}, {often}"
            facts = ("string", name), ("read_as", read_as), ("probability", chance), ("occurrences", times)
            parts.append(Explanation(what, value * times * chance / total, facts=facts))
        if len(parts) > SHOWN:
            rest = parts[SHOWN - 1 :]
            parts = [*parts[: SHOWN - 1], Explanation(f"{len(rest)} more strings", sum(part.value for part in rest))]
        return tuple(parts)


def _nothing(asked: QuestionWords) -> Note:
    """Why a question finds nothing."""
    return Note.of("nothing_read_as", words=list(asked.words)) if asked.words else Note.of("query_empty")


def _one_each(strings: Iterable[Observed]) -> list[Observed]:
    """Strings that several groups have once, with the highest of their probabilities and all of their occurrences."""
    found: dict[tuple[str, str], Observed] = {}
    for one in strings:
        former = found.get((one.word, one.string))
        best = one if former is None else max(former, one, key=lambda each: each.probability)
        before = 0 if former is None else former.occurrences
        found[one.word, one.string] = best._replace(occurrences=before + one.occurrences)
    return list(found.values())
