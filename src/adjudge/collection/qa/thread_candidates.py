"""From a dump to candidates: threads whose accepted answer cites the corpus, with what was dropped and why."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ...core.errors import ConflictError
from ...core.note import Note
from ...core.progress import SILENT, Listener
from ...core.result import Result
from ...formats.writing import write
from ...storage.access import refuse_links, writing
from ...storage.replace import replace_file
from .cited_corpus import Corpus
from .dump import dump_files
from .labels import label_sentences
from .passes import DATE, LONG, LONGEST_POST, MISMATCH, ROW, Passes, SoughtCitations
from .project import OWN, Project, candidate_line
from .sentences import sentences_of
from .spill import ANSWER, QUESTION, Losses, Spill
from .threads import Candidate, Citation, Comment, Post, Thread

NOT_IN_CORPUS, NO_QUESTION, QUOTED, SELF = (
    "not in the corpus", "question missing", "cited in a quotation only", "asker answered"
)  # fmt: skip
NUMBER = re.compile(r"-?[0-9]{1,9}")


@dataclass(frozen=True)
class CandidateSettings:
    """What becomes a candidate."""

    sought: SoughtCitations = field(default_factory=SoughtCitations)
    dollars: bool = True
    """Whether $…$ is a formula on this site."""
    quoted: bool = True
    """Whether citations count that stand in a quotation only."""
    self_answers: bool = True
    """Whether threads count that the asker answered himself."""


@dataclass(frozen=True)
class CandidateReport(Result):
    """What a run over a dump has found."""

    counts: dict[str, int]
    dropped: dict[str, int]
    """By kind; dropped.csv tells each."""
    notes: tuple[Note, ...]

    def counted(self) -> list[tuple[str, int]]:
        """What and how many: what was found, and what was dropped by kind."""
        return [*self.counts.items(), *((f"dropped: {kind}", n) for kind, n in sorted(self.dropped.items()))]

    @property
    def damaged(self) -> bool:
        """Whether rows of the dump could not be read, so candidates may be missing."""
        return any(self.dropped.get(kind) for kind in ("damaged file", ROW, "duplicate id", LONG))


def find_candidates(
    dump: str | os.PathLike[str],
    project: Project,
    settings: CandidateSettings,
    corpus: Corpus | None = None,
    *,
    progress: Listener = SILENT,
    replace_decided: bool = False,
) -> CandidateReport:
    """Go through a dump and write the candidates, what was dropped, and the report into the folder of the project."""
    files = dump_files(dump)
    refuse_links(project.folder, OWN)
    if not replace_decided and _decided(project):
        raise ConflictError(f"{project.folder}: has decisions on its candidates: take another folder, or --replace")
    with writing(project.folder):
        project.folder.mkdir(parents=True, exist_ok=True)
    with Losses(project.dropped_path) as losses, Spill(project.folder) as spill:
        passes = Passes(files, settings.sought, spill, losses, progress)
        passes.run()
        spill.index()
        assembly = _Assembly(spill, settings, corpus, losses, passes.counts)
        _write_lines(project.candidates_path, assembly.candidates)
    counts = {**passes.counts, **{f"cited: {kind}": n for kind, n in sorted(assembly.kinds.items())}}
    notes = [Note.of("file_of_dump_absent", name) for kind, name in BESIDE.items() if kind not in files]
    if corpus is not None and corpus.versions:
        notes.append(Note.of("other_versions", count=corpus.versions))
    if corpus is not None and corpus.odd and not settings.sought.patterns:
        notes.append(Note.of("odd_ids_of_corpus", corpus.odd[0], count=len(corpus.odd), size=corpus.size))
    if not counts.get("candidates"):
        counts["candidates"] = 0
        notes.append(Note.of("no_candidates", str(project.folder)))
    outcome = CandidateReport(counts, dict(losses.counts), tuple(notes))
    _write_report(project.report_path, files, settings, corpus, outcome)
    return outcome


def _decided(project: Project) -> bool:
    """Whether somebody has decided anything, or may have: a store that is elsewhere is not asked."""
    if project.elsewhere_path.exists():
        return True
    if not project.store_path.exists():
        return False
    try:
        with closing(sqlite3.connect(f"{project.store_path.resolve().as_uri()}?mode=ro", uri=True)) as store:
            return store.execute("SELECT 1 FROM events LIMIT 1").fetchone() is not None
    except sqlite3.Error:
        return True


BESIDE = {"comments": "Comments.xml", "postlinks": "PostLinks.xml", "votes": "Votes.xml"}
"""Files of a dump that may be absent."""


def _write_report(
    path: Path, files: dict[str, Path], settings: CandidateSettings, corpus: Corpus | None, outcome: CandidateReport
) -> None:
    report = {
        "files": {kind: {"name": file.name, "bytes": file.stat().st_size} for kind, file in files.items()},
        "settings": asdict(settings),
        "corpus": None if corpus is None else corpus.size,
        "counts": outcome.counts,
        "dropped": outcome.dropped,
        "notes": list(map(str, outcome.notes)),
    }
    write(path, (json.dumps(report, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "replace"))


def _write_lines(path: Path, candidates: Callable[[], Iterator[Candidate]]) -> None:
    """Lines one by one, and the file in one step: there may be more candidates than memory."""
    with replace_file(path, durable=False) as file:
        for candidate in candidates():
            file.write(candidate_line(candidate).encode("utf-8", "replace"))


class _Assembly:
    """Threads put together from what was kept of them."""

    def __init__(
        self, spill: Spill, settings: CandidateSettings, corpus: Corpus | None, losses: Losses, counts: Counter[str]
    ) -> None:
        self.spill, self.settings, self.corpus, self.losses, self.counts = spill, settings, corpus, losses, counts
        self.kinds: Counter[str] = Counter()

    def candidates(self) -> Iterator[Candidate]:
        for number, answer, cited in self.spill.threads():
            self.counts["threads whose accepted answer cites"] += 1
            thread = self._thread(number, answer)
            candidate = None if thread is None else self._candidate(thread, [Citation(**fields) for fields in cited])
            if candidate is not None:
                self.counts["candidates"] += 1
                self.kinds.update(citation.kind for citation in candidate.citations)
                yield candidate

    def _candidate(self, thread: Thread, cited: list[Citation]) -> Candidate | None:
        citations: list[Citation] = []
        dropped: list[Citation] = []
        for citation in cited:
            document = citation.document if self.corpus is None else self.corpus.find(citation.document)
            if document is None:
                dropped.append(citation)
                self.losses.add(NOT_IN_CORPUS, f"{citation.kind} {citation.document}", thread=thread.id)
            elif citation.quoted and not self.settings.quoted:
                dropped.append(citation)
                self.losses.add(QUOTED, f"{citation.kind} {citation.document}", thread=thread.id)
            elif document not in {earlier.document for earlier in citations}:
                citations.append(replace(citation, document=document))
        if not citations:
            return None
        if thread.self_answered and not self.settings.self_answers:
            self.losses.add(SELF, "the asker wrote the accepted answer", thread=thread.id)
            return None
        if len(thread.question.html) > LONGEST_POST:
            self.losses.add(LONG, f"the question has {len(thread.question.html)} characters", thread=thread.id)
            return None
        sentences = label_sentences(sentences_of(thread.question.html, dollars=self.settings.dollars))
        return Candidate(thread, tuple(citations), sentences, tuple(dropped))

    def _thread(self, number: int, answer: int) -> Thread | None:
        question: dict[str, Any] = {}
        answers: list[Post] = []
        comments: list[Comment] = []
        for kind, values in self.spill.records(number):
            if kind == QUESTION:
                question = values
            elif kind == ANSWER:
                answers.append(self._post(values, number))
            else:
                comments.append(self._comment(values, number))
        if not question:
            self.losses.add(NO_QUESTION, f"answer {answer} cites, but there is no question {number}", thread=number)
            return None
        if _id(question, "AcceptedAnswerId") != str(answer):
            self.losses.add(MISMATCH, f"answer {answer} is accepted by another question", thread=number)
            return None
        facts = self.spill.facts(number)
        accepted_on = [value for name, value in facts if name == f"CreationDate {answer}"]
        bounties = [int(value) for name, value in facts if name == f"BountyAmount {answer}" and NUMBER.fullmatch(value)]
        return Thread(
            id=str(number),
            title=" ".join(question.get("Title", "").split()),
            question=self._post(question, number),
            answers=tuple(answers),
            accepted=str(answer),
            comments=tuple(comments),
            tags=_tags(question.get("Tags", "")),
            closed=self._date(question, "ClosedDate", number),
            duplicates=tuple(dict.fromkeys(value for name, value in facts if name == "duplicate")),
            accepted_date=accepted_on[0][:10] if accepted_on and DATE.fullmatch(accepted_on[0]) else "",
            bounty=sum(bounties),
        )

    def _post(self, values: dict[str, str], thread: int) -> Post:
        return Post(
            id=_id(values, "Id"),
            html=values.get("Body", ""),
            date=self._date(values, "CreationDate", thread),
            score=self._score(values, thread),
            owner=values.get("OwnerUserId", ""),
            owner_name=values.get("OwnerDisplayName", ""),
            edited=self._date(values, "LastEditDate", thread),
        )

    def _comment(self, values: dict[str, str], thread: int) -> Comment:
        return Comment(
            id=_id(values, "Id"),
            post=_id(values, "PostId"),
            text=values.get("Text", ""),
            date=self._date(values, "CreationDate", thread),
            score=self._score(values, thread),
            owner=values.get("UserId", ""),
            owner_name=values.get("UserDisplayName", ""),
        )

    def _date(self, values: dict[str, str], name: str, thread: int) -> str:
        date = values.get(name, "")
        if date and not DATE.fullmatch(date):
            self.losses.add(ROW, f"{name} of {values.get('Id')} is not a date, left empty: {date!r}", thread=thread)
            return ""
        return date

    def _score(self, values: dict[str, str], thread: int) -> int:
        score = values.get("Score", "0")
        if not NUMBER.fullmatch(score):
            self.losses.add(ROW, f"Score of {values.get('Id')} is not a number, read as 0: {score!r}", thread=thread)
            return 0
        return int(score)


def _id(values: dict[str, str], name: str) -> str:
    """A number that the passes have seen; 007 is 7."""
    return values.get(name, "").lstrip("0")


def _tags(written: str) -> tuple[str, ...]:
    """<a><b> or, in newer dumps, |a|b|."""
    return tuple(tag for tag in written.replace("><", "|").strip("<>|").split("|") if tag)
