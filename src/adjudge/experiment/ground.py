"""What all cells of an experiment stand on: the versions, the documents they share, the questions, the sample."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..core.errors import DataError, SpecError
from ..core.note import Note
from ..core.progress import Listener
from ..core.qrels import Qrels
from ..formats.documents import read_documents
from ..formats.topics import read_topics
from ..formats.writing import write
from ..storage.digest import digest_file, digest_texts
from .cell import Cell, Request
from .findings import VersionErrors
from .names import slug
from .noise import Noise, degraded
from .plan import Plan
from .sample import Sample, sample, written
from .survey import Survey, common, survey

COMPARED = 100
"""Documents from which the error rates of a version are estimated."""


@dataclass(frozen=True, eq=False)
class Ground:
    """Of a plan with documents."""

    places: Mapping[str, Path]
    """Where the documents of each version are."""
    surveys: Mapping[str, Survey]
    kept: frozenset[str]
    questions: dict[str, str]
    topics: tuple[str, ...]
    """Those that count: also topics without a question, which nothing finds."""
    sample: Sample
    notes: tuple[Note, ...]

    def fingerprint(self, version: str) -> str:
        return self.surveys[version].fingerprint(self.kept)


def grounded(plan: Plan, judgments: Qrels, folder: Path, workers: int, progress: Listener) -> Ground:
    """Survey the versions, and make those that are made of the true one."""
    places, surveys = dict[str, Path](), dict[str, Survey]()
    first = plan.reference
    for name, of in plan.versions.items():
        if isinstance(of, Noise):
            _check_noise(name, of, plan)
    for name in sorted(plan.versions, key=lambda name: name != first):
        of, work = plan.versions[name], folder / "work"
        with progress.work("version", name) as step:
            if isinstance(of, Noise):
                source = read_documents(places[first])
                true = surveys[first].fingerprint(frozenset(surveys[first].ids))
                places[name] = degraded(of, source, true, work, plan.folder, workers=workers, progress=step.inside)
            else:
                places[name] = plan.path(of)
            surveys[name] = survey(read_documents(places[name]), str(places[name]), work, step.inside)
    surveys = {name: surveys[name] for name in plan.versions}
    shared, notes = common(surveys)
    asked, more = questions_of(plan, judgments, shared)
    questions = {topic: text for topic, text in asked.items() if text}
    if not questions:
        raise DataError(f"{plan.path(plan.topics)}: no topic has a question and a target in the documents")
    targets = {document for _, document, grade in judgments.rows() if grade >= min(plan.analysis.level, 1)}
    pairs = sample(plan, shared, targets)
    all_notes = (*notes, *more, pairs.note) if pairs.note else (*notes, *more)
    return Ground(places, surveys, shared, questions, tuple(asked), pairs, all_notes)


def _check_noise(name: str, noise: Noise, plan: Plan) -> None:
    """What is wrong with noise is told before the documents are looked through."""
    try:
        noise.degrader(plan.folder)
    except (SpecError, DataError) as error:
        raise type(error)(f"version {name}: {error}") from None


def questions_of(plan: Plan, judgments: Qrels, shared: frozenset[str]) -> tuple[dict[str, str], list[Note]]:
    """The topics that count, and what is said of the others."""
    targets: dict[str, list[str]] = {}
    for name, document, grade in judgments.rows():
        if grade >= plan.analysis.level:
            targets.setdefault(name, []).append(document)
    questions, judged = dict[str, str](), dict.fromkeys(judgments.topics)
    left: dict[Note, list[str]] = {}
    for topic in read_topics(plan.path(plan.topics)):
        text = getattr(topic, plan.field).strip()
        if topic.id in judged and topic.id not in targets:
            left.setdefault(Note.of("questions_without_target"), []).append(topic.id)
        elif topic.id not in targets:
            left.setdefault(Note.of("questions_unjudged"), []).append(topic.id)
        elif not any(document in shared for document in targets[topic.id]):
            left.setdefault(Note.of("questions_of_absent_target", targets[topic.id][0]), []).append(topic.id)
        else:
            questions[topic.id] = text
            if not text:
                left.setdefault(Note.of("questions_without_field", field=plan.field), []).append(topic.id)
        judged.pop(topic.id, None)
    if judged:
        left[Note.of("judged_without_question")] = list(judged)
    return questions, [note.adding(topics=topics) for note, topics in left.items()]


def requests(plan: Plan, version: str, ground: Ground, folder: Path) -> dict[str, Request]:
    """What is asked of each system on one version."""
    fingerprint = ground.fingerprint(version)
    work = folder / "work" / fingerprint
    id_file = ""
    if len(ground.surveys[version].ids) != len(ground.kept):
        ids = "\n".join(sorted(ground.kept))
        id_file = str(folder / "work" / f"kept-{digest_texts(ids)}.txt")
        write(id_file, ids.encode("utf-8", "surrogatepass"))
    wants = {use for system in plan.parsed.values() for use in system.uses}
    both = written(ground.sample, plan.reference, version, ground.places, ground.surveys, folder / "work")
    aids = {"aligned": Path(both).name, "training": Path(both).name}
    if plan.outside and "outside" in wants:
        path = plan.path(plan.outside)
        surveyed = survey(read_documents(path), str(path), folder / "work")
        aids["outside"] = surveyed.fingerprint(frozenset(surveyed.ids))
    asked = {}
    for name, system in plan.parsed.items():
        used = {use: aids.get(use, "") for use in system.uses}
        used |= {f"file {number}": _content(path) for number, path in enumerate(system.files, 1)}
        cell = Cell(name, str(system), version, fingerprint, ground.questions, plan.depth, used)
        base = folder / "runs" / slug(version) / slug(name)
        where, outside = str(ground.places[version]), str(plan.path(plan.outside)) if plan.outside else ""
        paths = f"{base}.run.zst", f"{base}.json"
        asked[name] = Request(cell, where, id_file, str(work), both, ground.sample.aligned, outside, *paths)
    return asked


def _content(path: str) -> str:
    """What tells the content of a file from others; empty if it cannot be read, which its system will tell."""
    try:
        return digest_file(path)
    except OSError:
        return ""


def error_rates(plan: Plan, version: str, ground: Ground, folder: Path) -> VersionErrors | None:
    """How far a version is from the true one, over a sample of documents; None without the means to count it."""
    from ..core.document import Chosen
    from ..core.errors import MissingExtraError
    from ..noise.error_rates import character_errors, word_errors
    from .survey import chosen

    first = plan.reference
    if ground.fingerprint(version) == ground.fingerprint(first):
        return VersionErrors(0.0, 0.0)
    ids = chosen(ground.kept, plan.seed, COMPARED)
    prints = [ground.surveys[name].fingerprint(frozenset(ids)) for name in (first, version)]
    path = folder / "work" / f"errors-{digest_texts(*prints)}.json"
    try:
        return VersionErrors(*map(float, json.loads(path.read_text(encoding="utf-8"))))
    except (OSError, ValueError, TypeError):
        pass
    texts = []
    for name in (first, version):
        documents = Chosen(read_documents(ground.places[name]), frozenset(ids).__contains__)
        texts.append({document.id: document.text for document in documents})
    try:
        pairs = [(texts[0][i], texts[1][i]) for i in ids]
        rates = []
        for errors in (character_errors, word_errors):
            counted = [errors(true, seen) for true, seen in pairs]
            whole = sum(length for _, length in counted)
            rates.append(sum(wrong for wrong, _ in counted) / whole if whole else float("nan"))
    except MissingExtraError:
        return None
    write(path, (json.dumps(rates) + "\n").encode())
    return VersionErrors(*rates)
