"""Inputs of an experiment: the versions, the documents they share, the questions, the sample.

A built-in collection is laid out in the folder of results, so that a plan finds it as it finds any other. Versions are
surveyed: their ids, what they have in common, and a fingerprint of each. The sample is the documents that systems may
see in their true and in their degraded form, because the groups of the track did.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..core.document import Documents
from ..core.errors import ConflictError, DataError, SpecError, did_you_mean
from ..core.machine import peak_memory
from ..core.note import Note
from ..core.plug_ins import named_in
from ..core.progress import SILENT, Listener
from ..core.qrels import Qrels
from ..formats.documents import read_documents
from ..formats.topics import read_topics
from ..formats.writing import write
from ..storage.digest import digest_file, digest_texts
from .cell import Cell, CellRequest, pairs
from .completed_runs import slug
from .findings import VersionErrors
from .foreign_collections import lay_out_foreign
from .named_systems import on_version
from .plan import Noise, Plan

if TYPE_CHECKING:
    pass

FILES = ("topics.jsonl", "qrels.txt", "outside.jsonl.zst")
DOCUMENTS = "documents.jsonl.zst"
COST = ("cost.json", "megabytes")
"""The file beside a made version with the memory that it took, and under which name."""


def lay_out_collection(plan: Plan, results: Path) -> Plan:
    """The plan with the files of its collection; the plan itself if it has its own."""
    if not plan.collection:
        return plan
    if plan.foreign[0]:
        return lay_out_foreign(plan, results)
    from .. import __version__
    from ..collection import python_docs

    folder = (results / "collection").resolve()
    stamp = f"{plan.collection}, adjudge {__version__}, Python {sys.version}\n".encode()
    target = folder / "made"
    if not target.exists() or target.read_bytes() != stamp:
        target.unlink(missing_ok=True)
        python_docs.write(folder)
        write(target, stamp)  # last: what it stands for is whole
    versions = {name: of if isinstance(of, Noise) else str(folder / DOCUMENTS) for name, of in plan.versions.items()}
    topics, judgments, outside = (str(folder / file) for file in FILES)
    return replace(plan, collection="", versions=versions, topics=topics, judgments=judgments, outside=outside)


@dataclass(frozen=True, eq=False)
class Survey:
    """Ids and digests of the documents of a version, in order."""

    ids: tuple[str, ...]
    digests: tuple[str, ...]

    def fingerprint(self, ids: Collection[str]) -> str:
        """Digest of the documents with these ids."""
        return digest_texts(*(d for i, d in zip(self.ids, self.digests, strict=True) if i in ids))


def survey(documents: Documents, source: str, folder: Path, progress: Listener = SILENT) -> Survey:
    """Go through the documents once. The result is kept; it holds as long as the files have their sizes and times."""
    signature = _signature(documents)
    target = folder / f"survey-{digest_texts(source, signature)}.json.zst"
    if signature and target.exists():
        surveyed = _read(target)
        if surveyed is not None:
            return surveyed
    seen: dict[str, str] = {}
    with progress.work("look_through", source, documents.size, "bytes") as step:
        for number, document in enumerate(documents, 1):
            if document.id in seen:
                raise ConflictError(f"{source}: document {document.id} occurs twice")
            seen[document.id] = digest_texts(document.id, document.text)
            step.reach(documents.read, documents=number)
    surveyed = Survey(tuple(seen), tuple(seen.values()))
    if signature:
        folder.mkdir(parents=True, exist_ok=True)
        write(target, json.dumps([surveyed.ids, surveyed.digests]).encode())
    return surveyed


def _read(path: Path) -> Survey | None:
    from ..storage.zstd import ZstdError, unpack

    try:
        ids, digests = json.loads(unpack(path.read_bytes()))
        surveyed = Survey(tuple(ids), tuple(digests))
    except (OSError, ValueError, TypeError, MemoryError, ZstdError):  # damaged: made again
        return None
    fine = len(surveyed.ids) == len(surveyed.digests) and all(
        isinstance(text, str) for text in (*surveyed.ids, *surveyed.digests)
    )
    return surveyed if fine else None


def _signature(documents: Documents) -> str:
    """Signature of the files of documents, by path, size and time; empty if they come from elsewhere."""
    files = getattr(documents, "files", ())
    parts = []
    for file in files:
        if file.handle is not None:
            return ""
        about = Path(file.path).stat()
        parts.append(f"{Path(file.path).resolve()} {about.st_size} {about.st_mtime_ns}")
    return digest_texts(*parts) if parts else ""


def shared_documents(surveys: Mapping[str, Survey]) -> tuple[frozenset[str], list[Note]]:
    """The ids that all versions have, and notes on those that are missing."""
    shared = frozenset.intersection(*(frozenset(s.ids) for s in surveys.values()))
    if not shared:
        raise DataError("the versions have no document in common: their ids must be the same")
    notes = []
    for name, surveyed in surveys.items():
        more = len(surveyed.ids) - len(shared)
        if more:
            first = next(i for i in surveyed.ids if i not in shared)
            notes.append(Note.of("documents_not_shared", name, missing=more, documents=len(surveyed.ids), first=first))
    return shared, notes


def draw_ids(ids: Collection[str], seed: int, count: int) -> list[str]:
    """Draw so many of the ids by the seed; the same whatever their order."""
    ordered = sorted(ids)
    rng = np.random.default_rng(seed)
    places = rng.permutation(len(ordered))[:count]
    return [ordered[i] for i in places.tolist()]


@dataclass(frozen=True)
class Sample:
    """Sample documents, the same for all versions; the first ``aligned`` are for errors, the others for regression."""

    ids: tuple[str, ...] = ()
    aligned: int = 0
    note: Note | None = None


def draw_sample(plan: Plan, shared: Collection[str], targets: Collection[str]) -> Sample:
    """Draw documents by the seed, none of them a target; fewer than wanted are shared out in proportion."""
    wanted = plan.aligned + plan.training
    if not wanted or not plan.aids & {"aligned", "training"}:
        return Sample()
    ids = tuple(draw_ids(frozenset(shared) - frozenset(targets), plan.seed, wanted))
    if len(ids) == wanted:
        return Sample(ids, plan.aligned)
    aligned = len(ids) * plan.aligned // wanted
    note = Note.of(
        "sample_small",
        documents=len(ids),
        aligned=aligned,
        training=len(ids) - aligned,
        aligned_wanted=plan.aligned,
        training_wanted=plan.training,
    )
    return Sample(ids, aligned, note)


def write_sample(
    chosen: Sample, first: str, version: str, places: Mapping[str, Path], surveys: Mapping[str, Survey], work: Path
) -> str:
    """The file with the sample's documents as the true and as a degraded version have them; "" if there are none."""
    if not chosen.ids:
        return ""
    sides, wanted = (first, version), frozenset(chosen.ids)
    prints = [surveys[name].fingerprint(wanted) for name in sides]
    path = work / f"sample-{digest_texts(*chosen.ids, *prints, str(chosen.aligned))}.jsonl"
    if not _holds(path, chosen.ids, [surveys[name] for name in sides]):
        forms = []
        for name in sides:
            texts = {d.id: d.text for d in read_documents(places[name]) if d.id in wanted}
            forms.append([texts[i] for i in chosen.ids])
        lines = [json.dumps(pair) for pair in zip(*forms, strict=True)]
        write(path, "\n".join(lines).encode())
    return str(path)


def _holds(path: Path, ids: Sequence[str], sides: Sequence[Survey]) -> bool:
    """Return whether a file has these documents as the versions have them; a damaged one has not."""
    try:
        pairs_there = pairs(str(path))
    except (OSError, ValueError, TypeError):
        return False
    if len(pairs_there) != len(ids) or not all(isinstance(text, str) for pair in pairs_there for text in pair):
        return False
    for place, side in enumerate(sides):
        digests = dict(zip(side.ids, side.digests, strict=True))
        if any(digests[i] != digest_texts(i, pair[place]) for i, pair in zip(ids, pairs_there, strict=True)):
            return False
    return True


COMPARED = 100
"""Documents from which the error rates of a version are estimated."""


@dataclass(frozen=True, eq=False)
class PlanInputs:
    """Inputs of a plan with documents."""

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


def prepare_inputs(plan: Plan, judgments: Qrels, folder: Path, workers: int, progress: Listener) -> PlanInputs:
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
                places[name] = make_version(of, source, true, work, plan.folder, workers=workers, progress=step.inside)
            else:
                places[name] = plan.path(of)
            surveys[name] = survey(read_documents(places[name]), str(places[name]), work, step.inside)
    surveys = {name: surveys[name] for name in plan.versions}
    shared, notes = shared_documents(surveys)
    asked, more = questions_of(plan, judgments, shared)
    questions = {topic: text for topic, text in asked.items() if text}
    if not questions:
        raise DataError(f"{plan.path(plan.topics)}: no topic has a question and a target in the documents")
    targets = {document for _, document, grade in judgments.rows() if grade >= min(plan.analysis.level, 1)}
    pairs = draw_sample(plan, shared, targets)
    all_notes = (*notes, *more, pairs.note) if pairs.note else (*notes, *more)
    return PlanInputs(places, surveys, shared, questions, tuple(asked), pairs, all_notes)


def _check_noise(name: str, noise: Noise, plan: Plan) -> None:
    """Report what is wrong with noise before the documents are read."""
    try:
        noise.degrader(plan.folder)
    except (SpecError, DataError) as error:
        raise type(error)(f"version {name}: {error}") from None


def make_version(
    noise: Noise,
    documents: Documents,
    fingerprint: str,
    work: Path,
    folder: Path,
    *,
    workers: int,
    progress: Listener = SILENT,
) -> Path:
    """The documents of a version that is made of others, by the content of all that it depends on; made at need."""
    from ..noise.degrading import degrade

    degrader = noise.degrader(folder)
    target = work / f"made-{digest_texts(fingerprint, json.dumps(degrader.settings, sort_keys=True, default=str))}"
    degrade(documents, degrader, target, workers=workers, formats=("jsonl.zst",), progress=progress)
    file, name = COST
    if not (target / file).exists():
        write(target / file, (json.dumps({name: peak_memory()}) + "\n").encode())
    return target / DOCUMENTS


def questions_of(plan: Plan, judgments: Qrels, shared: frozenset[str]) -> tuple[dict[str, str], list[Note]]:
    """The topics that count, and notes on the others."""
    collapse = plan.collapser()
    there = shared if collapse is None else collapse.documents_of(shared)
    targets: dict[str, list[str]] = {}
    for name, document, grade in judgments.rows():
        if grade >= plan.analysis.level:
            targets.setdefault(name, []).append(document)
    questions, judged = dict[str, str](), dict.fromkeys(judgments.topics)
    left: dict[Note, list[str]] = {}
    chosen = plan.chosen_topics()
    for topic in read_topics(plan.path(plan.topics)):
        if chosen is not None and topic.id not in chosen:
            continue
        text = getattr(topic, plan.field).strip()
        if topic.id in judged and topic.id not in targets:
            left.setdefault(Note.of("questions_without_target"), []).append(topic.id)
        elif topic.id not in targets:
            left.setdefault(Note.of("questions_unjudged"), []).append(topic.id)
        elif not any(document in there for document in targets[topic.id]):
            left.setdefault(Note.of("questions_of_absent_target", targets[topic.id][0]), []).append(topic.id)
        else:
            questions[topic.id] = text
            if not text:
                left.setdefault(Note.of("questions_without_field", field=plan.field), []).append(topic.id)
        judged.pop(topic.id, None)
    if judged:
        left[Note.of("judged_without_question")] = list(judged)
    return questions, [note.adding(topics=topics) for note, topics in left.items()]


def choose_topics(plan: Plan, judgments: Qrels) -> Qrels:
    """The judgments of the topics that count; an error if one of these is not judged."""
    chosen = plan.chosen_topics()
    if chosen is None:
        return judgments
    if unknown := sorted(chosen - frozenset(judgments.topics)):
        near = did_you_mean(unknown[0], list(judgments.topics))
        raise DataError(f"topic_ids: no topic {unknown[0]} in {plan.path(plan.judgments)}{near}")
    rows = [row for row in judgments.rows() if row[0] in chosen]
    topics, documents, grades = zip(*rows, strict=True)
    return Qrels.of_columns(topics, documents, np.array(grades, np.int64))


def cell_requests(
    plan: Plan, version: str, inputs: PlanInputs, folder: Path, runs: Mapping[str, str] | None = None
) -> dict[str, CellRequest]:
    """Requests to each system on one version; ``runs`` are the files of runs made elsewhere, by name."""
    fingerprint = inputs.fingerprint(version)
    work = folder / "work" / fingerprint
    id_file = ""
    if len(inputs.surveys[version].ids) != len(inputs.kept):
        ids = "\n".join(sorted(inputs.kept))
        id_file = str(folder / "work" / f"kept-{digest_texts(ids)}.txt")
        write(id_file, ids.encode("utf-8", "surrogatepass"))
    both = write_sample(inputs.sample, plan.reference, version, inputs.places, inputs.surveys, folder / "work")
    aids = {"aligned": Path(both).name, "training": Path(both).name}
    if plan.outside and "outside" in plan.aids:
        path = plan.path(plan.outside)
        surveyed = survey(read_documents(path), str(path), folder / "work")
        aids["outside"] = surveyed.fingerprint(frozenset(surveyed.ids))
    asked = {}
    for name, own in plan.systems_by_name.items():
        system = on_version(own, runs or {}, version)
        used = {use: aids.get(use, "") for use in system.uses}
        used |= {f"file {number}": _content(str(plan.path(path))) for number, path in enumerate(system.files, 1)}
        used |= plug_in_contents(str(system))
        used |= system.code(plan.folder)
        used |= dict(zip(["collapse"], plan.collapse_content, strict=False))
        collapse = dict(plan.collapse)
        cell = Cell(name, str(system), version, fingerprint, inputs.questions, plan.depth, used, collapse)
        base = folder / "runs" / slug(version) / slug(name)
        where, outside = str(inputs.places[version]), str(plan.path(plan.outside)) if plan.outside else ""
        paths = f"{base}.run.zst", f"{base}.json"
        asked[name] = CellRequest(
            cell, where, id_file, str(work), both, inputs.sample.aligned, outside, *paths, str(plan.folder.resolve())
        )
    return asked


def plug_in_contents(*specs: str) -> dict[str, str]:
    """The plug-ins that specs name, each with the content of its module: another version may give other results."""
    return {str(plug_in): _content(plug_in.file) for plug_in in named_in(*specs)}


def _content(path: str) -> str:
    """Digest of a file; empty if it cannot be read, which its system will report."""
    try:
        return digest_file(path)
    except OSError:
        return ""


def error_rates(plan: Plan, version: str, inputs: PlanInputs, folder: Path) -> VersionErrors | None:
    """Error rates of a version over a sample of documents; None if they cannot be counted here."""
    from ..core.document import Chosen
    from ..core.errors import MissingExtraError
    from ..noise.error_rates import character_errors, word_errors

    first = plan.reference
    if inputs.fingerprint(version) == inputs.fingerprint(first):
        return VersionErrors(0.0, 0.0)
    ids = draw_ids(inputs.kept, plan.seed, COMPARED)
    prints = [inputs.surveys[name].fingerprint(frozenset(ids)) for name in (first, version)]
    path = folder / "work" / f"errors-{digest_texts(*prints)}.json"
    try:
        return VersionErrors(*map(float, json.loads(path.read_text(encoding="utf-8"))))
    except (OSError, ValueError, TypeError):
        pass
    texts = []
    for name in (first, version):
        documents = Chosen(read_documents(inputs.places[name]), frozenset(ids).__contains__)
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
