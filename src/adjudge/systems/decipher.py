"""Words read through the errors of the scanner, which are learned from the scanned text itself."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from ..core.run import Run
from ..core.spec import is_number, require
from ..index.searching import run_of
from ..weighting.scheme import weightings
from .parts.version import Aids, Version
from .system import System, Topics

if TYPE_CHECKING:
    from .parts.deciphering.answering import DecipherAnswerer
    from .parts.deciphering.reading import Reading


@dataclass(frozen=True)
class Decipher(System):
    """Words by the odds that a document has them: every observed string counts as surely as it is the word.

    Formula: Σ log(1 + o · p) · t / (t + k1 · (1 − b + b · length / average length)) · q over the words of the question
    with different stems, and for the best 50 documents 0.5 · Σ log(1 + o · p') · q more, where p' is the probability
    that the word is in a stretch of 40 strings; one begins every 20 strings, and the one counts that has most. The odds
    of p' are 1 + 20 · belief · share of wrong words · m times those by the strings there, where m is the mean
    probability of the other words in the stretch. With c = (1 − belief) · [string has the stem] + belief · P(word |
    string) for an occurrence of an observed string, p = 1 − Π (1 − c) is the probability that a document, or a stretch,
    has the word; o = (D − n + 0.5) / (n + 0.5) / r, where D is how many documents there are and n the sum of their p,
    and o + 1 / r for a stretch; t = 1 + r · (Σ c / p − 1), and r = (1 − belief · share of wrong words)³, no less than
    0.001: the more is wrong, the less counts that a word is rare, or that it occurs again. Words of the list of common
    ones count in stretches only, by half, and by strings that are the word with 0.3 or more; their odds are those of a
    stretch, 1 / (1 − exp(−40 · share of the text)) − 1, over r, and those of them that occur least count as long as
    they occur 50,000 times together. Where 0.5 · (share of wrong words)² is 0.02 or more, the best stretches, with 10
    strings on both sides, are gone through once more, in the best 30 documents over the number of words but one: every
    string counts that is a word of the question with 0.0001 or more, and so do two side by side, at 0.02 of the
    probability that they are the word together, unless the word is there with 0.5 or more. P(word | string) = P(string
    | word) · N(word) / (P(string | word) · N(word) + g · h · (U(string) + 0.1 · (cf − 1))), where N is how often the
    word was written, by expectation maximisation, U how often the string would occur as a word that nobody knows, by
    the characters that follow each other in the text, cf how often it occurs, and h = (1 − share of wrong words)³; g is
    1, or, where an engine has said how sure it was, the odds that the string is as it was read to those of the text (at
    most 10 either way), to the power of 4 times the share of wrong words (at most 1). P(string | word) is that of the
    channel, which is learned from the version that is searched, and 0.3 · 0.0056 to the power of the edits for what it
    does not know; a word joined with a frequent one has 0.01 times the share of that one in the text. Strings with the
    same Porter stem count 0.3 at least, and strings that share half of their grams of three characters with the word,
    or more, 0.5 · (share of wrong words)² times the part that they share. Two strings that make up the word and are in
    the same document count as often as the rarer of both there, with x / (x + (1 − x) · p), where p is the chance that
    the document has the other one too, 1 − exp(−2 · cf · length / length of the text), and x = (documents with both − Σ
    p) / (documents with the rarer one + 1). Where nothing at all looks wrong, belief is 0, and this is bm25 to the last
    digit. Strings with P(string | word) below 2e-6 are not looked at; for words of nine characters or more, below 2e-6
    · (different strings / 1,000,000)², but from 2e-8 to 2e-6.

    Documents in another language are a group of their own: two halves that share less than 0.25 of their 200 most
    frequent strings of letters, found by likelihood, each cut again, up to 8 groups of 5,000 strings or more. All of
    the above is learned for each group and holds for its documents, but the odds have the mean share of wrong words of
    all groups. Groups that a field tells, and that share more, are learned together: a word is expected as often in
    each as is its share of the text.

    No language is built in but two habits of bm25 for English, which can be taken away or replaced: the list of common
    words and Porter's stems. The channel is learned from pairs of frequent strings and others like them.

    Parameters: ``k1`` in [0, 1e9] (0.9) and ``b`` in [0, 1] (0.4), as in the weighting bm25; ``least`` in [0, 1]
    (0.001), the probability below which a string does not count; ``belief`` in [0, 1], none to follow the text (none);
    ``spelling`` (none), a file of rules for old spelling: lines of what is asked, a tab and what is written; ``stop``
    (smart), the list of common words: smart, lucene, a file with a word a line, or none; ``aids`` (false), whether
    corrected pages and clean text of the language that a plan gives are used; ``by`` (none), a field of the documents
    whose values are the groups. The rest takes parts away: ``certainty`` (true), whether confidences of the engine
    count, where there are some; ``channel``, learned or rate, which knows errors of no kind but counts edits; ``signs``
    (true), whether signs may stand for letters; ``stems`` (true), whether words with the same stem count; ``joined``
    (true), whether words that are joined with others do, and ``broken`` (true) those in two strings; ``grams`` (true),
    whether strings do that share grams; ``near`` (true), whether words count more that stand near each other,
    ``company`` (true), whether doubtful ones do that stand near the others, ``common`` (true), whether common ones do,
    and ``closer`` (true), whether strings near them do that were read too badly to be found elsewhere; ``groups``
    (true), whether languages are told apart; ``both`` (true), whether errors are gone through in both directions.

    No value: a question none of whose words may have become an observed string finds nothing. One of common words only
    is asked like others, but finds nothing in clean text, as with bm25.

    Paper: none; the idea of expected frequencies is ETH's (Kantor, Voorhees, The TREC-5 Confusion Track, 2000, 3.5),
    that of an error profile from the degraded text alone Reffle's and Ringlstetter's (Pattern Recognition 46, 2013).

    Example: where an engine reads t as l and s as _ nearly everywhere, the question "theft" finds lherl_ and the
    question "lake" finds little in lake, for most of these were written take.
    """

    name: ClassVar[str] = "decipher"

    k1: float = 0.9
    b: float = 0.4
    least: float = 0.001
    belief: float | None = None
    channel: str = "learned"
    signs: bool = True
    stems: bool = True
    joined: bool = True
    broken: bool = True
    both: bool = True
    certainty: bool = True
    grams: bool = True
    near: bool = True
    company: bool = True
    groups: bool = True
    by: str = ""
    aids: bool = False
    spelling: str = ""
    stop: str | None = "smart"
    common: bool = True
    closer: bool = True

    def __post_init__(self) -> None:
        self._weighting()
        require(self, "least", is_number(self.least) and 0 <= self.least <= 1, "lie in [0, 1]")
        require(self, "by", isinstance(self.by, str), "be the name of a field")
        require(self, "spelling", isinstance(self.spelling, str), "be the name of a file")
        require(
            self,
            "stop",
            self.stop is None or (isinstance(self.stop, str) and self.stop != ""),
            "be a list, a file or none",
        )
        known = self.belief is None or (is_number(self.belief) and 0 <= self.belief <= 1)
        require(self, "belief", known, "lie in [0, 1], or be none")
        require(self, "channel", self.channel in {"learned", "rate"}, "be learned or rate")
        switches = (
            "signs",
            "stems",
            "joined",
            "broken",
            "both",
            "certainty",
            "grams",
            "near",
            "company",
            "groups",
            "aids",
            "common",
            "closer",
        )
        for field in switches:
            require(self, field, isinstance(getattr(self, field), bool), "be true or false")

    @property
    def files(self) -> tuple[str, ...]:
        from .parts.deciphering.common_words import is_file

        stop = self.stop if self.stop is not None and is_file(self.stop) else ""
        return tuple(name for name in (self.spelling, stop) if name)

    def check(self, home: Path) -> None:
        from .parts.deciphering.common_words import stop_list
        from .parts.deciphering.spelling import read_spelling

        stop_list(self.stop, home.joinpath)
        if self.spelling:
            read_spelling(home / self.spelling)

    def _weighting(self) -> str:
        return str(weightings.parse(f"bm25(k1={self.k1!r}, b={self.b!r})"))

    @property
    def uses(self) -> tuple[str, ...]:  # type: ignore[override]
        """The aids that it takes if it may."""
        return ("aligned", "outside") if self.aids else ()

    def _reading(self, version: Version, aids: Aids | None = None) -> Reading:
        from .parts.deciphering.reading import Learning
        from .parts.deciphering.reading_of_version import reading_of

        learning = Learning(self.signs, self.channel == "learned", self.both, self.certainty, self.groups, self.by)
        return reading_of(version, learning, aids if self.aids else None)

    def prepare(self, version: Version, aids: Aids) -> None:
        self._reading(version, aids)

    def answerer(self, version: Version, aids: Aids | None = None) -> DecipherAnswerer:
        """What answers questions on a version one by one, explains the answers and tells what to mark."""
        from .parts.deciphering.answering import DecipherAnswerer
        from .parts.deciphering.common_words import stop_list
        from .parts.deciphering.spelling import read_spelling
        from .parts.deciphering.word_forms import Asking

        rules = read_spelling(version.file(self.spelling)) if self.spelling else ()
        parts = self.stems, self.channel == "learned", self.joined, self.broken, self.grams, self.near, self.company
        asking = Asking(self.least, *parts, self.common, self.closer, rules, stop_list(self.stop, version.file))
        return DecipherAnswerer(self._reading(version, aids), self._weighting(), asking, self.belief)

    def answer(self, version: Version, topics: Topics, aids: Aids, *, k: int = 1000) -> Run:
        answerer, answers = self.answerer(version, aids), {}
        for topic, hits in zip(topics, answerer.search_all(topics.values(), k), strict=True):
            if len(hits):
                answers[topic] = hits
            elif hits.note is not None:
                version.progress.note(hits.note.about(topic))
        return run_of(answers, answerer.reading.index, str(self))
