"""Technical terms boosted in documents and questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from ..core.errors import DataError, MissingExtraError, SpecError, WrongTypeError
from ..core.note import Note
from ..core.run import Run
from ..core.spec import is_count, is_number, require
from ..index.searching import Searcher
from ..storage.digest import digest_file
from ..weighting.scheme import weightings
from .parts.version import Aids, Version
from .system import System, Topics

if TYPE_CHECKING:
    from ..index.index import Index
    from ..terms.attribution import Attribution, Emission
    from ..terms.extraction import TermSettings
    from ..terms.terms import Terms

SAMPLE = "riemannian_manifold"


class TermUse(NamedTuple):
    """A term of a question: how often it is there, and how many documents and relevant documents have it."""

    term: str
    times: int
    documents: int
    relevant: int


@dataclass(frozen=True)
class TechnicalTerms(System):
    """Multi-word terms, found in the corpus by C-value, as tokens of their own that count twice.

    Formula: terms are found by C-value; in documents and questions alike the longest terms, from left to right, become
    one token each (riemannian_manifold), and the text is generated anew from the term vector with terms ``boost``
    times. The weighting on the index of these texts ranks them, with its idf, norms and coordination.

    Parameters: ``terms``, a file of terms that adjudge terms made, or nothing to find them in the documents
    themselves; ``tagger`` (lexicon), ``filter`` (open), ``longest`` (6) words, ``min_frequency`` (0: 2, or 3 for more
    than 100 million characters), ``min_c`` (0) and ``frequent`` (0) say how they are found, as in adjudge terms;
    ``most`` (0: all), how many of the best are used; ``boost`` (2), ``emission`` (text, plus_one or double_all) and
    ``policy`` (longest or all), how texts are generated; ``keep_words`` (false), whether the words of a term keep
    their frequencies beside it, which the paper takes away; ``weighting`` (lucene_classic); ``analyzer``
    (standard(dashes=true)|lower), which must leave a term whole.

    No value: a question without an indexed word finds nothing; a corpus without any term is searched without terms,
    which is reported.

    Paper: Stathopoulos, Teufel, Retrieval of research-level mathematical information needs (ACL 2015), section 4.3.2.
    The paper's analyzer keeps stop words and dashes, as this one does; its tagger and thresholds are not given.

    Example: with the term "riemannian manifold", "a Riemannian manifold" is indexed as "a riemannian_manifold
    riemannian_manifold".
    """

    name: ClassVar[str] = "technical_terms"

    terms: str = ""
    tagger: str = "lexicon"
    filter: str = "open"
    longest: int = 6
    min_frequency: int = 0
    min_c: float = 0.0
    frequent: int = 0
    most: int = 0
    boost: float = 2.0
    emission: str = "text"
    policy: str = "longest"
    keep_words: bool = False
    weighting: str = "lucene_classic"
    analyzer: str = "standard(dashes=true)|lower"

    def __post_init__(self) -> None:
        for field in ("min_frequency", "frequent", "most"):
            value = getattr(self, field)
            require(self, field, value == 0 or is_count(value), "be a whole number, 0 or more")
        require(self, "longest", is_count(self.longest), "be a whole number, 1 or more")
        require(self, "keep_words", isinstance(self.keep_words, bool), "be true or false")
        if not isinstance(self.terms, str):
            raise WrongTypeError(f"technical_terms: terms must be a text, not {self.terms!r}")
        require(self, "boost", is_number(self.boost), "be a number")
        require(self, "min_c", is_number(self.min_c), "be a number")
        from ..text.analyzer import Analyzer

        try:
            self.settings()
            self._emission()
            weightings.parse(self.weighting)
            whole = Analyzer.parse(self.analyzer).terms(SAMPLE)
        except SpecError as error:
            raise SpecError(f"{self.name}: {error}") from None
        if len(whole) != 1:
            raise SpecError(f"{self.name}: the analyzer {self.analyzer} does not leave {SAMPLE} whole")

    def settings(self) -> TermSettings:
        """How terms are found in the documents."""
        from ..terms.extraction import TermSettings

        return TermSettings(
            tagger=str(self.tagger),
            filter=str(self.filter),
            longest=self.longest,
            min_frequency=self.min_frequency or None,
            min_c=self.min_c,
            frequent=self.frequent,
        )

    def _emission(self) -> Emission:
        from ..terms.attribution import Emission

        return Emission(self.emission, self.boost, self.policy, keep_words=self.keep_words)

    @property
    def files(self) -> tuple[str, ...]:
        return (self.terms,) if self.terms else ()

    def missing(self) -> str:
        try:
            if not self.terms:
                self.settings().parse_tagger().version()
        except MissingExtraError as error:
            return str(error)
        return ""

    def prepare(self, version: Version, aids: Aids) -> None:
        self.index(version, self.attribution(version))

    def answer(self, version: Version, topics: Topics, aids: Aids, *, k: int = 1000) -> Run:
        attribution = self.attribution(version)
        searcher = Searcher(self.index(version, attribution), self.weighting)
        return searcher.run(attribution.queries(topics), k, name=str(self), progress=version.progress)

    def explain(self, version: Version, topics: Topics) -> dict[str, dict[str, int]]:
        """The terms in each question and how often: why a topic gains or loses by them."""
        attribution = self.attribution(version)
        return {topic: attribution.terms_in(text) for topic, text in topics.items()}

    def term_uses(
        self, version: Version, topics: Topics, relevant: Mapping[str, Sequence[str]]
    ) -> dict[str, tuple[TermUse, ...]]:
        """The terms of each question, and where they stand: why a topic gains or loses by them."""
        terms = self.explain(version, topics)
        index = self.index(version, self.attribution(version))
        numbers = dict(zip(index.ids, range(len(index)), strict=True))
        holders: dict[str, frozenset[int]] = {}
        for term in dict.fromkeys(term for own in terms.values() for term in own):
            number = index.number(next(iter(index.analyzer.terms(term)), ""))
            holders[term] = frozenset(index.postings(number)[0].tolist()) if number >= 0 else frozenset()
        uses = {}
        for topic, own in terms.items():
            targets = frozenset(numbers[document] for document in relevant.get(topic, ()) if document in numbers)
            uses[topic] = tuple(
                TermUse(term, times, len(holders[term]), len(holders[term] & targets)) for term, times in own.items()
            )
        return uses

    def attribution(self, version: Version) -> Attribution:
        """What is done to documents and questions."""
        from ..terms.attribution import Attribution

        return Attribution(self.find_terms(version), self._emission())

    def find_terms(self, version: Version) -> Terms:
        """The terms of the file, or those of the documents, which are found once and kept with the version."""
        from ..terms.term_files import read_terms

        terms = read_terms(version.file(self.terms)) if self.terms else self._own_terms(version)
        return terms[: self.most] if self.most else terms

    def _own_terms(self, version: Version) -> Terms:
        from ..terms.extraction import NoTermError, extract
        from ..terms.term_files import read_terms, write_terms
        from ..terms.terms import Terms

        settings = self.settings()
        folder = version.folder_for("terms", f"{settings} {settings.parse_tagger().version()}")
        path, none = folder / "terms.parquet", folder / "none"
        if none.exists():
            return Terms.none()
        if path.exists():
            try:
                return read_terms(path)
            except DataError:  # damaged: they are found again
                version.progress.note(Note.of("terms_damaged", str(path)))
        folder.mkdir(parents=True, exist_ok=True)
        try:
            terms = extract(version.documents, settings, folder=folder / "work", progress=version.progress)
        except NoTermError as error:
            version.progress.note(Note.of("no_term", why=str(error)))
            none.touch()
            return Terms.none()
        write_terms(terms.terms, path)
        version.progress.note(Note.of("terms_found", terms=len(terms.terms), documents=terms.counts.documents))
        return terms.terms

    def index(self, version: Version, attribution: Attribution) -> Index:
        """The index of the generated texts, built when first asked for, and kept with the version."""
        from ..terms.attribution import DeltaDocuments, terms_absent

        settings = self.settings()
        key = f"{settings} {settings.parse_tagger().version()}"
        if self.terms:
            key = digest_file(self.terms)
        folder = version.folder_for("delta", f"{key} most={self.most} {self._emission()}")
        documents = DeltaDocuments(version.documents, attribution)
        index = Version(f"{version.name}, terms", documents, folder, version.progress).index(self.analyzer)
        if documents.occurrences == 0 and len(attribution.terms):
            version.progress.note(terms_absent(attribution.terms))
        return index
