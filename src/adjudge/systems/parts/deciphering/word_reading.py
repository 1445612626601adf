"""What stands for words that are asked for, looked for when they are met first and then remembered."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from .broken_words import BrokenWord, broken_words
from .closeness import AskedWord
from .closer_look import expected_of
from .common_words import common_word, plainly, seldom_enough, sure_strings
from .grouped_strings import GroupedStrings
from .reading import Reading
from .word_forms import Asking, Forms, exact_forms, forms_of

CACHE = 4000
"""Words whose strings are remembered."""


class WordRead(NamedTuple):
    """What stands for a word: the strings that do so surely enough, and the pairs of strings that may be its halves."""

    forms: Forms
    broken: list[BrokenWord]
    expected: Sequence[float] = ()
    """How often the word is expected in each group of documents, if it is no common one."""
    common: CommonReading | None = None
    """The same of a common word, once it was asked for beside others."""


class CommonReading(NamedTuple):
    """What surely stands for a common word, how often that occurs, and the share of the text that the word is."""

    forms: Forms
    occurrences: float
    share: float


class WordsRead:
    """What stands for words of questions in a text; in one that is clean, strings that are written like them."""

    def __init__(self, strings: GroupedStrings, asking: Asking, clean: bool) -> None:
        self.strings, self.asking, self.clean = strings, asking, clean
        self._forms: OrderedDict[str, WordRead] = OrderedDict()

    def known(self, words: Iterable[str]) -> dict[str, WordRead]:
        """All that stands for some words; what is not known yet is looked for together, and remembered."""
        known = {word: self._forms.get(word) for word in words}
        fresh = [word for word, read in known.items() if read is None]
        if fresh:
            for word, read in zip(fresh, self._look(fresh), strict=True):
                known[word] = self._forms[word] = read
            while len(self._forms) > CACHE:
                self._forms.popitem(last=False)
        return {word: read for word, read in known.items() if read is not None}

    def _look(self, words: Sequence[str]) -> list[WordRead]:
        """What stands for words that nobody asked for before."""
        groups = [self._look_in(group, words) for group in self.strings.groups]
        if len(groups) == 1:
            return groups[0]
        return [
            WordRead(
                self.strings.together([read.forms for read in reads]),
                [pair for read in reads for pair in read.broken],
                [times for read in reads for times in read.expected],
            )
            for reads in zip(*groups, strict=True)
        ]

    def _look_in(self, group: Reading, words: Sequence[str]) -> list[WordRead]:
        """The same in the documents of one group."""
        if self.clean:
            return [WordRead(forms, []) for forms in exact_forms(group, words, self.asking)]
        least, common = max(self.asking.least, 1e-12), [word for word in words if word in self.asking.stop]
        others = [word for word in words if word not in self.asking.stop]
        every = forms_of(group, others, self.asking, least)
        broken = broken_words(group, others) if self.asking.broken else [[] for _ in others]
        expected = [[expected_of(group, forms)] for forms in every]
        known = dict(zip(others, map(WordRead, every, broken, expected), strict=True))
        plain = forms_of(group, common, plainly(self.asking), least)
        known |= {word: WordRead(forms, []) for word, forms in zip(common, plain, strict=True)}
        return [known[word] for word in words]

    def common(self, asked: Mapping[str, int], rarity: float) -> dict[str, AskedWord]:
        """The common words of a question that are looked for where its others stand."""
        known = {word: read.common or self._as_common(word, read) for word, read in self.known(asked).items()}
        chosen = seldom_enough({word: read.occurrences for word, read in known.items()})
        rows = [(word, known[word]) for word in chosen]
        return {word: common_word(read.forms, asked[word], read.share, rarity) for word, read in rows}

    def _as_common(self, word: str, read: WordRead) -> CommonReading:
        """What surely stands for a common word, which is remembered with all that does."""
        forms = sure_strings(read.forms)
        often, total = self.strings.counts_of(forms.strings), float(self.strings.index.statistics.lengths.sum())
        found = CommonReading(forms, float(often.sum()), float((often * forms.weights).sum()) / total)
        if word in self._forms:
            self._forms[word] = read._replace(common=found)
        return found
