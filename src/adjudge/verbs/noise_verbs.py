"""Verbs on scanned text: degrade documents, learn and use error channels, count errors, correct."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..core.arguments import listed
from ..core.document import Documents
from ..core.errors import SpecError
from ..core.likes import DocumentsLike, PathLike, Seed, TopicsLike, generator_of, number_of
from ..core.machine import cores
from ..core.progress import SILENT, Listener, Step
from ..core.result import Result
from ..formats.documents import read_documents
from ..formats.documents.scan_reading import ScanFiles
from ..formats.topics import read_topics
from ..index.index import Index
from ..index.index_files import is_index
from ..index.stored_documents import StoredDocuments
from ..noise import calibration
from ..noise.calibration import Calibrations
from ..noise.channel import Channel, ChannelNoise, channel_of, learn
from ..noise.degrader import Degrader
from ..noise.degrading import FORMATS, JobOutcome
from ..noise.degrading import degrade as run_job
from ..noise.engines.engine import engines
from ..noise.error_report import ErrorReport, report_errors
from ..noise.ocr_quality import QualityEstimate, estimate_quality
from ..noise.pages.scanning import Scan
from ..noise.pages.typesetting import PageLayout
from ..noise.pairing import DocumentPairs
from ..noise.random_noise import RandomNoise
from ..noise.scanner import Scanner
from ..storage.replace import scratch_folder
from ..systems.parts.kept import Kept, is_kept, open_kept

QUERY = "words|lower|stop(smart)"
"""What leaves of the text of a topic the words that are looked at on their own."""

ChannelLike = Channel | str | os.PathLike[str]
"""An error channel, the name of one that comes with adjudge (``ocrad-20``), or a file."""


def degrade(
    documents: DocumentsLike,
    output: PathLike,
    *,
    channel: ChannelLike | None = None,
    rate: float | None = None,
    random: float | None = None,
    engine: str | None = None,
    factor: float = 1.0,
    degrader: Degrader | None = None,
    seed: Seed = 0,
    page: PageLayout | None = None,
    scan: Scan | None = None,
    timeout: float = 60.0,
    retries: int = 1,
    workers: int | None = None,
    formats: Sequence[str] = FORMATS,
    layout: str | None = None,
    restart: bool = False,
    progress: Listener = SILENT,
) -> JobOutcome:
    """Degrade documents as a scanner does: by a learned error channel, blindly, or by real OCR of page images.

    A job that was killed goes on if it is called again.

    Args:
        documents: a file, folder or pattern, a list of Document, {id: text}, or a frame with an id and a text.
        output: a new or empty folder, or that of the same job.
        channel: errors are drawn from this channel.
        rate: the character error rate, if it is not to be the channel's own.
        random: characters are inserted, deleted and substituted blindly at this rate.
        engine: pages are printed, scanned and read by this OCR engine, such as ``ocrad``.
        factor: by how much pages are reduced before they are read.
        degrader: any other way to degrade a document.
        seed: a whole number or a generator.
        page: how pages are set.
        scan: how they are scanned.
        timeout: seconds that a page may take.
        retries: for a page that fails.
        workers: processes; as many as there are cores if none are given.
        formats: files to write, as endings of ``documents.``
        layout: what the files hold, if it is not to be seen from their content.
        restart: start anew, whatever was begun or finished there.
        progress: hears how far it is.

    >>> degrade("fr94/", "fr94-20", channel="ocrad-20")  # doctest: +SKIP
    """
    ways = {"channel": channel, "random": random, "engine": engine, "degrader": degrader}
    given = [name for name, way in ways.items() if way is not None]
    if len(given) != 1:
        raise SpecError(f"degrade takes one of {', '.join(ways)}, not {' and '.join(given) or 'none'}")
    if rate is not None and channel is None:
        raise SpecError("rate is for a channel")
    if channel is not None:
        degrader = ChannelNoise(read_channel(channel), rate, number_of(seed))
    elif random is not None:
        degrader = RandomNoise(random, seed=number_of(seed))
    elif engine is not None:
        degrader = scanner_of(engine, factor, seed, page, scan, timeout, retries)
    return run_job(
        read_documents(documents, layout),
        degrader or RandomNoise(0.0),
        output,
        workers=workers or cores(),
        formats=listed(formats, "formats"),
        progress=progress,
        restart=restart,
    )


def scanner_of(
    engine: str,
    factor: float = 1.0,
    seed: Seed = 0,
    page: PageLayout | None = None,
    scan: Scan | None = None,
    timeout: float = 60.0,
    retries: int = 1,
) -> Scanner:
    """Pages, scan and OCR engine as one degrader; an engine that is missing is an error now."""
    from dataclasses import replace

    scanner = Scanner(
        page or PageLayout(),
        replace(scan or Scan(), factor=factor),
        engines.parse(engine),
        number_of(seed),
        timeout,
        retries,
    )
    scanner.require()
    return scanner


def calibrate(
    documents: DocumentsLike,
    targets: float | Sequence[float],
    *,
    engine: str | Sequence[str] = "ocrad",
    pages: int = 30,
    confidence: float = 0.95,
    seed: Seed = 0,
    page: PageLayout | None = None,
    scan: Scan | None = None,
    timeout: float = 60.0,
    retries: int = 1,
    workers: int | None = None,
    layout: str | None = None,
    progress: Listener = SILENT,
) -> Calibrations:
    """Find by how much pages must be reduced for a wanted error rate of OCR.

    Args:
        documents: a file, folder or pattern, a list of Document, {id: text}, or a frame with an id and a text.
        targets: one character error rate or several, between 0 and 1.
        engine: one OCR engine or several.
        pages: how many pages are in the sample.
        confidence: of the interval of the rate.
        seed: a whole number or a generator.
        page: how pages are set.
        scan: how they are scanned.
        timeout: seconds that a page may take.
        retries: for a page that fails.
        workers: processes; as many as there are cores if none are given.
        layout: what the files hold, if it is not to be seen from their content.
        progress: hears of every factor that is tried.

    >>> calibrate("fr94/", [0.05, 0.20], engine="ocrad")[0].factor  # doctest: +SKIP
    """
    wanted = [targets] if isinstance(targets, int | float) else list(targets)
    scanners = [scanner_of(spec, 1.0, seed, page, scan, timeout, retries) for spec in listed(engine, "engine")]
    read = read_documents(documents, layout)
    rows: list[Any] = []
    for scanner in scanners:
        rows += calibration.calibrate(
            read,
            scanner,
            wanted,
            pages=pages,
            rng=generator_of(seed),
            confidence=confidence,
            workers=workers or cores(),
            progress=progress,
        )
    return Calibrations(tuple(rows), confidence)


def learn_channel(
    true: DocumentsLike,
    degraded: DocumentsLike,
    *,
    rounds: int = 3,
    rules: int = 4000,
    bursts: bool = True,
    seed: Seed = 0,
    layout: str | None = None,
    progress: Listener = SILENT,
) -> Channel:
    """Learn an error channel from true documents and what became of them; ``channel.save(path)`` writes it.

    Args:
        true: the true documents.
        degraded: what became of them, matched by id.
        rounds: of expectation maximisation.
        rules: at most so many rules, the most frequent.
        bursts: fit how errors come in bursts, which simulation needs and scoring does not.
        seed: a whole number or a generator.
        layout: what the files hold, if it is not to be seen from their content.
        progress: hears how far it is.

    >>> channel = learn_channel({"1": "corn corn corn"}, {"1": "com corn com"}, bursts=False)
    >>> any(rule.source == "rn" and rule.target == "m" for rule in channel.rules)
    True
    """
    return learn_from(
        DocumentPairs(read_documents(true, layout), read_documents(degraded, layout)),
        rounds=rounds,
        rules=rules,
        bursts=bursts,
        seed=number_of(seed),
        progress=progress,
    )


def learn_from(
    pairs: DocumentPairs, *, rounds: int, rules: int, bursts: bool, seed: int, progress: Listener = SILENT
) -> Channel:
    """A channel from pairs of documents."""

    def texts(step: Step) -> Iterator[tuple[str, str]]:
        for pair in pairs:
            step.reach(pairs.true.read, documents=pairs.paired)
            yield pair.true, pair.observed

    with progress.work("align", total=pairs.true.size, unit="bytes") as step:
        return learn(texts(step), em_rounds=rounds, most=rules, bursts=bursts, seed=seed)


def read_channel(channel: ChannelLike) -> Channel:
    """Read an error channel.

    Args:
        channel: the name of one that comes with adjudge, such as ``ocrad-20``, a file, or a channel.

    >>> read_channel("ocrad-20").most_probable("modern", 1)[0][0]
    'modern'
    """
    return channel if isinstance(channel, Channel) else channel_of(os.fspath(channel))


def write_channel(channel: Channel, path: PathLike) -> None:
    """Write an error channel to a JSON file.

    Args:
        channel: the channel.
        path: the file.

    >>> write_channel(read_channel("ocrad-20"), "mine.json")  # doctest: +SKIP
    """
    channel.save(os.fspath(path))


def estimate_errors(
    documents: DocumentsLike | Index | Kept, *, layout: str | None = None, progress: Listener = SILENT
) -> QualityEstimate:
    """Estimate how wrong scanned text is without any true text: error rates with intervals, the worst documents first.

    Args:
        documents: an index with texts or its folder, that of a system, or a file, folder or pattern, a list of
            Document, {id: text}, or a frame with an id and a text.
        layout: what the files hold, if it is not to be seen from their content.
        progress: hears how far it is.

    >>> estimate_errors("scans/").error_rate  # doctest: +SKIP
    0.043
    """
    return estimate_quality(documents_or_index(documents, layout, progress=progress), progress=progress)


def documents_or_index(
    documents: DocumentsLike | Index | Kept, layout: str | None = None, *, progress: Listener = SILENT
) -> Documents:
    """Documents, or those that an index or the folder of a system keeps."""
    if isinstance(documents, str | os.PathLike) and (is_index(Path(documents)) or is_kept(documents)):
        documents = open_kept(documents) if is_kept(documents) else Index.open(documents)
    if isinstance(documents, Kept):
        return StoredDocuments(documents.stored)
    if isinstance(documents, Index):
        return StoredDocuments(documents)
    read = read_documents(documents, layout)
    if isinstance(read, ScanFiles):
        read.take_in(progress)
    return read


def error_rates(
    true: DocumentsLike,
    degraded: DocumentsLike,
    *,
    topics: TopicsLike | None = None,
    words: Sequence[str] = (),
    ignore_case: bool = False,
    confusions: int = 20,
    confidence: float = 0.95,
    seed: Seed = 0,
    layout: str | None = None,
    progress: Listener = SILENT,
) -> ErrorReport:
    """Count how wrong a degraded corpus is: character and word error rates, intact words, frequent confusions.

    Args:
        true: the true documents.
        degraded: what became of them, matched by id.
        topics: topics whose words are looked at on their own.
        words: words that are looked at on their own.
        ignore_case: capitals and small letters are the same.
        confusions: how many of the most frequent ones.
        confidence: of the intervals.
        seed: a whole number or a generator.
        layout: what the files hold, if it is not to be seen from their content.
        progress: hears how far it is.

    >>> error_rates({"1": "solar power"}, {"1": "solar p0wer"}).cer
    0.09090909090909091
    """
    return report_errors(
        read_documents(true, layout),
        read_documents(degraded, layout),
        generator_of(seed),
        case=not ignore_case,
        asked=query_words(topics, words),
        confusions=confusions,
        confidence=confidence,
        progress=progress,
    )


def query_words(topics: TopicsLike | None, words: Sequence[str] = ()) -> list[str]:
    """Words that are looked at on their own: those given, and those of topics that a stop list leaves."""
    terms = listed(words, "words")
    if topics is not None:
        from ..text.analyzer import Analyzer

        analyzer = Analyzer.parse(QUERY)
        for topic in read_topics(topics):
            terms += analyzer.terms(f"{topic.title} {topic.description}")
    return list(dict.fromkeys(terms))


class Corruption(NamedTuple):
    """What a word may be read as, and with which probability."""

    word: str
    variant: str
    probability: float


class Corruptions(tuple[Corruption, ...], Result):
    """Corruptions of words, the most probable of each word first."""

    __slots__ = ()


def corrupt(words: str | Iterable[str], channel: ChannelLike, number: int = 10, *, by: str = "rules") -> Corruptions:
    """List the most probable corruptions of words under an error channel.

    Args:
        words: one word or several.
        channel: the name of a channel that comes with adjudge, a file, or a channel.
        number: how many of each word.
        by: ``rules`` searches all that the channel can do; ``type`` and ``site`` combine its characteristic
            errors only.

    >>> corrupt("corn", "ocrad-20", 1)[0].variant
    'corn'
    """
    known = read_channel(channel)
    rows: list[Corruption] = []
    for word in listed(words, "words"):
        if not word:
            raise SpecError("an empty word cannot be corrupted")
        variants = known.most_probable(word, number) if by == "rules" else known.corruptions(word, number, by=by)
        rows += [Corruption(word, variant, probability) for variant, probability in variants]
    return Corruptions(rows)


ROUNDS = 2


def correct(
    documents: DocumentsLike,
    output: PathLike,
    lexicon: DocumentsLike,
    *,
    channel: str | None = None,
    rounds: int | None = None,
    least: int = 2,
    candidates: int = 200,
    keep: int = 10,
    share: float = 0.8,
    workers: int | None = None,
    formats: Sequence[str] = FORMATS,
    layout: str | None = None,
    restart: bool = False,
    progress: Listener = SILENT,
) -> JobOutcome:
    """Correct scanned text: words that no lexicon has become those that fit them and their sentence best.

    Args:
        documents: the scanned documents.
        output: a new or empty folder, or that of the same job.
        lexicon: clean documents of the same kind, whose words and pairs of words are the lexicon.
        channel: the name of a channel, or a file; learned from the documents if none is named.
        rounds: in which the channel is learned (2).
        least: a word of the lexicon occurs so often.
        candidates: how many words the channel ranks.
        keep: how many of these go into the sentence.
        share: the weight of pairs of words against single words, below 1.
        workers: processes; as many as there are cores if none are given.
        formats: files to write, as endings of ``documents.``
        layout: what the files hold, if it is not to be seen from their content.
        restart: start anew, whatever was begun or finished there.
        progress: hears how far it is.

    >>> correct("scans.jsonl", "corrected", lexicon="clean.jsonl")  # doctest: +SKIP
    """
    from ..systems.parts.correction.correcting import Corrector

    if not 0 <= share < 1:
        raise SpecError(f"share lies in [0, 1), not {share:g}")
    if channel is not None and rounds is not None:
        raise SpecError("rounds is for a channel that is learned: leave it out, or the channel")
    read = read_documents(documents, layout)
    with scratch_folder(output) as scratch:  # the next job removes what one that was killed leaves there
        corrector = Corrector.build(
            read_documents(lexicon),
            scratch / "lexicon",
            channel=channel,
            least=least,
            progress=progress,
            candidates=candidates,
            keep=keep,
            share=share,
        )
        learned = 0 if channel is not None else ROUNDS if rounds is None else rounds
        return run_job(
            read,
            corrector.calibrate(read, learned),
            output,
            workers=workers or cores(),
            formats=listed(formats, "formats"),
            progress=progress,
            restart=restart,
        )
