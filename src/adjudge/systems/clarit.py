"""CLARITECH: OCR text is corrected sentence by sentence, then searched by words and phrases."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from ..core.document import Chosen, Joined
from ..core.errors import ConflictError, DataError, SpecError
from ..core.run import Run
from ..core.spec import is_count, is_number, require
from ..noise.alignment import missing_library
from .parts.phrases import Feedback, analyzer, missing_tagger, search
from .parts.version import Aids, Version
from .system import System, Topics

if TYPE_CHECKING:
    from ..core.document import Documents
    from .parts.correction.correcting import Corrector
    from .parts.correction.word_lexicon import CorrectionLexicon

CLEAN = 0.05
"""The share of c-words among words up to which a text is taken for clean: true text of FR94 has 0.01, and at 5 % of
wrong characters it is 0.2."""


@dataclass(frozen=True)
class CLARIT(System):
    """Text corrected by a lexicon, an error channel and word bigrams, then words and phrases: CLCON, and CLCONF.

    Formula: a c-word is a word that the lexicon of the outside text does not have. Its ``candidates`` are the words of
    the lexicon with the highest Dice coefficient of letter trigrams, at most three characters longer or shorter; the
    channel ranks them by P(c-word | word), and the best ``keep`` go into Viterbi's algorithm, which finds the words
    with the highest Π P(w | word before) · P(observed | w) for each sentence. Every c-word that has a candidate is
    replaced by one word; all other tokens stay. P(w | v) = share · c(v, w) / c(v) + (1 − share) · (c(w) + 0.5) / Σ.
    The corrected text is searched by the cosine of (1 + ln tf) · ln(N / df) over stems and phrases.

    Parameters: ``candidates`` (200) and ``keep`` (10), the paper's; ``least`` (2), how often a word must occur in the
    outside text to be in the lexicon; ``share`` in [0, 1) (0.8); ``rounds`` (2) of self-calibration, in which the
    channel is learned from corrections of 200 documents of the version itself, 0 for a channel that knows nothing of
    letters; ``correct``, true, false, or none to correct unless at most 5 % of the version's words are c-words, as in
    clean text (none); ``phrases``: nouns, noun phrases by a part-of-speech tagger and their sub-phrases, of two to four
    neighbouring words; pairs of any neighbouring words without stop words; or none (nouns); ``feedback``
    (false: CLCON, true: CLCONF), with its ``documents`` (10), ``terms`` (20) and ``weight`` (0.4), as in gmu962 so that
    the two can be compared, since the paper does not tell; ``clean_feedback`` (false), whether a version that looks
    clean is asked with feedback too, which the paper did not do; ``folds`` (1), above 1 where the outside text and the
    corpus overlap: the version is cut into so many parts in the order of its documents, and each is corrected by a
    lexicon of those outside documents that are in another part.

    No value: a question without an indexed word finds nothing. A c-word without a candidate stays as it is. Broken and
    joined words and errors that make another word of the lexicon are not corrected, as in the paper. The outside text
    must not have a document of the version, or of the same fold. The paper's, the Federal Register of 1988 and 1989,
    is not to be had: what is given in its place, other months of 1994 say, is part of what is reported.

    Paper: Kantor, Voorhees, The TREC-5 Confusion Track (Information Retrieval 2, 2000), section 3; Tong, Evans, A
    statistical approach to automatic OCR error correction in context (1996).

    Example: with a lexicon of "the modern farm grows corn", "the modcrn fann grows ccrn" becomes that sentence again.
    """

    name: ClassVar[str] = "clarit"
    uses: ClassVar[tuple[str, ...]] = ("outside",)

    candidates: int = 200
    keep: int = 10
    least: int = 2
    share: float = 0.8
    rounds: int = 2
    correct: bool | None = None
    phrases: str | None = "nouns"
    folds: int = 1
    feedback: bool = False
    clean_feedback: bool = False
    documents: int = 10
    terms: int = 20
    weight: float = 0.4

    def __post_init__(self) -> None:
        for field in ("candidates", "least", "folds", "documents", "terms"):
            require(self, field, is_count(getattr(self, field)), "be a whole number, 1 or more")
        require(self, "candidates", self.candidates <= 10_000, "be 10000 at most")
        require(self, "keep", is_count(self.keep) and self.keep <= 255, "be a whole number from 1 to 255")
        require(self, "rounds", self.rounds == 0 or is_count(self.rounds), "be a whole number, 0 or more")
        require(self, "share", is_number(self.share) and 0 <= self.share < 1, "lie in [0, 1)")
        require(self, "correct", self.correct is None or isinstance(self.correct, bool), "be true, false or none")
        for field in ("feedback", "clean_feedback"):
            require(self, field, isinstance(getattr(self, field), bool), "be true or false")
        require(self, "weight", is_number(self.weight) and self.weight > 0, "be above 0")
        try:
            self._analyzer()
        except SpecError as error:
            raise SpecError(f"{self.name}: {error}") from None

    def _analyzer(self) -> str:
        return analyzer("none" if self.phrases is None else self.phrases)

    def missing(self) -> str:
        return missing_library() or missing_tagger(self._analyzer())

    def prepare(self, version: Version, aids: Aids) -> None:
        self.corrected_version(version, aids).index(self._analyzer())

    def answer(self, version: Version, topics: Topics, aids: Aids, *, k: int = 1000) -> Run:
        corrected = self.corrected_version(version, aids)
        index = corrected.index(self._analyzer())
        # On the uncorrupted text the paper asked the questions as they were, in both runs.
        clean = self.correct is None and corrected is version
        expands = self.feedback and (self.clean_feedback or not clean)
        feedback = Feedback(self.documents, self.terms, self.weight) if expands else None
        return search(index, dict(topics), k, feedback=feedback, name=str(self), progress=version.progress)

    def corrected_version(self, version: Version, aids: Aids, *, workers: int = 2) -> Version:
        """The version after correction, which any other system can search; the version itself if it needs none.

        The corrected documents are made once and kept with the version; work that was interrupted goes on.
        """
        from .parts.correction.correcting import correct

        if self.correct is False:
            return version
        if self.folds > 1:
            return self._by_folds(version, aids, workers)
        corrector = self._corrector(version, aids)
        if corrector is None:
            return version
        folder = version.folder_for("corrected", _description(corrector.settings))
        name = f"{version.name}, corrected"
        documents = correct(
            version.documents, corrector, folder / "documents", workers=workers, progress=version.progress
        )
        return Version(name, documents, folder, version.progress)

    def _by_folds(self, version: Version, aids: Aids, workers: int) -> Version:
        """Every part corrected with a lexicon that has seen nothing of it."""
        outside: Documents = aids.need("outside", self.name)  # type: ignore[assignment]
        ids = [document.id for document in version.documents]
        single, parts, clean = replace(self, folds=1), list[Version](), True
        for fold in range(self.folds):
            own = frozenset(ids[len(ids) * fold // self.folds : len(ids) * (fold + 1) // self.folds])
            folder = version.folder / f"fold-{fold + 1}-of-{self.folds}"
            chosen = Chosen(version.documents, own.__contains__)
            part = Version(f"{version.name}, part {fold + 1}", chosen, folder, version.progress)
            others = replace(aids, outside=Chosen(outside, lambda name, own=own: name not in own))  # type: ignore[misc]
            corrected_part = single.corrected_version(part, others, workers=workers) if own else part
            clean = clean and corrected_part is part
            parts.append(corrected_part)
        if clean:
            return version
        settings = " ".join(str(part.folder) for part in parts)
        joined, folder = Joined([p.documents for p in parts]), version.folder_for("folds", settings)
        return Version(f"{version.name}, corrected", joined, folder, version.progress)

    def _corrector(self, version: Version, aids: Aids) -> Corrector | None:
        """The lexicon and the calibrated channel, made at need; None if the version looks clean and may stay so."""
        from ..formats.writing import write
        from ..noise.channel.channel_files import load, save
        from .parts.correction.correcting import Corrector, calibrate_channel, sample

        lexicon = self._lexicon(version, aids)
        corrector = Corrector(str(lexicon.folder), candidates=self.candidates, keep=self.keep, share=self.share)
        settings = {**corrector.settings, "rounds": self.rounds}
        folder = version.folder_for("channel", _description(settings))
        share, path = folder / "share", folder / "channel.json"
        folder.mkdir(exist_ok=True)
        texts = [] if share.exists() else sample(version.documents)
        if not share.exists():
            write(share, f"{_strange(texts, lexicon)!r}\n".encode())
        if self.correct is None and float(share.read_bytes()) <= CLEAN:
            return None
        if not path.exists():
            save(calibrate_channel(texts or sample(version.documents), corrector, self.rounds), str(path))
        return replace(corrector, channel=load(str(path)))

    def _lexicon(self, version: Version, aids: Aids) -> CorrectionLexicon:
        from .parts.correction.word_lexicon import CorrectionLexicon, identity, make

        outside: Documents = aids.need("outside", self.name)  # type: ignore[assignment]
        fingerprint, ids = identity(outside)
        folder = version.folder_for("lexicon", f"{fingerprint} least={self.least}")
        with suppress(DataError):  # there is none, or it is damaged, or of another release
            return CorrectionLexicon.open(folder)
        for document in version.documents:
            if document.id in ids:
                raise ConflictError(
                    f"{self.name}: document {document.id} is in the version that is searched and in the outside text: "
                    "give other text, or folds=2"
                )
        return make(outside, folder, least=self.least, progress=version.progress)


def _description(settings: dict[str, object]) -> str:
    return " ".join(f"{name}={value}" for name, value in settings.items())


def _strange(texts: list[str], lexicon: CorrectionLexicon) -> float:
    """The share of c-words among the words of some texts, 0 if they have none."""
    from .parts.correction.word_lexicon import CWORD, encode, split

    tokens = [split(encode(text), lexicon.table).ids for text in texts]
    strange = sum(int((ids == CWORD).sum()) for ids in tokens)
    words = sum(int((ids >= CWORD).sum()) for ids in tokens)
    return strange / words if words else 0.0
