"""A system of one's own in a process of its own: what it is given, what it may take, and what its run must be.

The process gets topics and documents as files and leaves a run. It is ended after a time limit, and together with the
process that asked. What is wrong with its run, or why there is none, is one line.
"""

from __future__ import annotations

import io
import json
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import numpy as np

from ...core.child_process import Ending, end, listen, start
from ...core.document import Documents
from ...core.english import some
from ...core.errors import AdjudgeError, DataError, SpecError
from ...core.judged import ordinal
from ...core.note import Note
from ...core.run import Run
from ...formats.documents import read_documents
from ...formats.runs import read_run
from ...formats.writing import write
from ...storage.replace import write_bytes
from .fusing import number_ids
from .version import Version

LIMIT = 3600.0
"""Seconds for all questions, unless a system has its own."""
MOST_SECONDS = 1e7
STDERR = 8000
"""Characters of standard error that are kept in the record of a run, the last ones."""
RESERVED = ("topics", "documents", "run", "k", "folder")
PLACEHOLDER = re.compile(r"\{\{|\}\}|\{(\w+)(?::(\w+))?\}")
"""``{topics}``, ``{topics:jsonl}``; two braces stand for one."""
LAYOUTS = {"topics": ("tsv", "jsonl", "trec"), "documents": ("jsonl", "trec")}
"""In which layouts a program can have them, the usual one first."""


class OwnSystemError(DataError):
    """A system of one's own failed; ``stderr`` is the end of what it wrote."""

    def __init__(self, why: str, stderr: str = "") -> None:
        self.stderr = stderr
        super().__init__(why)


def parse_settings(text: str, name: str) -> dict[str, Any]:
    """The settings of a system of one's own, which its spec has as JSON."""
    try:
        settings = json.loads(text or "{}")
    except ValueError:
        settings = None
    if not isinstance(settings, dict) or not all(key.isidentifier() for key in settings):
        raise SpecError(f"{name}: settings must be a JSON object with names of parameters, not {text!r}")
    return settings


def check_limit(limit: object, name: str) -> None:
    if not isinstance(limit, int | float) or isinstance(limit, bool) or not 0 < limit <= MOST_SECONDS:
        raise SpecError(f"{name}: limit must be a number of seconds above 0, not {limit!r}")


def document_file(version: Version, layout: str = "jsonl") -> Path:
    """The documents of a version as one plain file; written when first asked for."""
    path = version.folder_for("own", "documents") / f"documents.{layout}"
    if not path.exists():
        from ...formats.documents.document_writing import DocumentWriter

        path.parent.mkdir(parents=True, exist_ok=True)
        with version.progress.work("write_documents"), DocumentWriter(path) as writer:
            for document in version.documents:
                writer.add(document)
    return path


def known_ids(version: Version) -> frozenset[str]:
    """The ids of the documents of a version; kept when they were first read."""
    path = version.folder_for("own", "documents") / "ids.txt"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        ids = "\n".join(document.id for document in version.documents)
        write_bytes(path, ids.encode("utf-8", "surrogatepass"), durable=False)
    return frozenset(path.read_bytes().decode("utf-8", "surrogatepass").split("\n"))


def topic_file(topics: Mapping[str, str], folder: Path, layout: str = "tsv") -> Path:
    """The questions as a file: an id, a tab and the text on a line, JSONL, or TREC's SGML."""
    from ...core.topic import Topic
    from ...formats.topics import topics_text

    path = folder / f"topics.{layout}"
    if layout == "tsv":
        text = "".join(f"{topic}\t{' '.join(question.split())}\n" for topic, question in topics.items())
    else:
        listed = [Topic(topic, question) for topic, question in topics.items()]
        text = topics_text(listed, "sgml" if layout == "trec" else layout)
    write(path, text.encode("utf-8", "replace"))
    return path


def run_in_process(
    version: Version, topics: Mapping[str, str], k: int, limit: float, request: Mapping[str, Any]
) -> Run:
    """The run of code or of a command in a process of its own, checked and cut to the best k for each topic."""
    version.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="own-", dir=version.folder, ignore_cleanup_errors=True) as place:
        folder = Path(place).resolve()
        outcome, path = folder / "outcome.json", folder / "run"
        asked = dict(request) | {"topics": dict(topics), "k": k, "home": str(version.home.resolve())}
        asked |= {"run": str(path), "outcome": str(outcome), "folder": str(folder)}
        if "command" in request:
            asked |= _command(version, topics, k, request["command"], folder, path)
        else:
            asked["documents"] = str(document_file(version).resolve())
        write(folder / "request.json", json.dumps(asked).encode())
        ending = _wait(folder / "request.json", version.home, limit)
        stderr = ending.stderr[-STDERR:]
        if ending.late:
            raise OwnSystemError(f"did not end within its limit of {limit:g} seconds", stderr)
        why = _reason(outcome, ending)
        if why:
            raise OwnSystemError(why, stderr)
        try:
            run = _read(path)
            checked = check_run(run, topics, known_ids(version), k)
        except AdjudgeError as error:
            raise OwnSystemError(str(error), stderr) from None
    if stderr.strip():
        version.progress.note(Note.of("stderr", text=stderr))
    note_unanswered(version, topics, checked)
    return checked


def note_unanswered(version: Version, topics: Mapping[str, str], run: Run) -> None:
    """Say which topics have no document."""
    missing = [topic for topic in topics if topic not in run.position]
    if missing:
        version.progress.note(Note.of("own_topics_unanswered", topics=missing))


def _command(
    version: Version, topics: Mapping[str, str], k: int, command: Sequence[str], folder: Path, run: Path
) -> dict[str, Any]:
    """The arguments of the program, with names of files in place of the placeholders; no shell sees them."""
    places: dict[tuple[str, str], str] = {("run", ""): str(run), ("k", ""): str(k), ("folder", ""): str(folder)}
    for argument in command:
        for name, layout in placeholders(argument):
            if name == "topics":
                places[name, layout] = str(topic_file(topics, folder, layout or LAYOUTS[name][0]))
            elif name == "documents":
                places[name, layout] = str(document_file(version, layout or LAYOUTS[name][0]).resolve())

    def put(match: re.Match[str]) -> str:
        return match[0][0] if match[1] is None else places[match[1], match[2] or ""]

    filled = [PLACEHOLDER.sub(put, argument) for argument in command]
    printed = not any(name == "run" for argument in command for name, _ in placeholders(argument))
    return {"command": filled, "printed": printed, "stdin": str(topic_file(topics, folder))}


def placeholders(argument: str) -> list[tuple[str, str]]:
    """The names in braces of an argument, each with the layout asked for."""
    return [(match[1], match[2] or "") for match in PLACEHOLDER.finditer(argument) if match[1] is not None]


def _wait(request: Path, home: Path, limit: float) -> Ending:
    process = start([sys.executable, "-P", "-m", "adjudge.systems.parts.own_child", str(request)], folder=home)

    def forget(stream: IO[bytes]) -> None:
        while stream.read(1 << 16):
            pass

    try:
        return listen(process, forget, limit)
    finally:
        end(process)
        process.wait()


def _reason(outcome: Path, ending: Ending) -> str:
    """Why the process failed, by what it left or by how it ended; empty if it did not fail."""
    with suppress(OSError, ValueError):
        why = json.loads(outcome.read_text(encoding="utf-8"))
        if isinstance(why, str) and why:
            return why
    return ending.why


def _read(path: Path) -> Run:
    try:
        data = path.read_bytes()
    except OSError:
        raise DataError("wrote no run") from None
    if not data:
        raise DataError("the run that it wrote is empty")
    if data.lstrip().startswith(b"#") and not any(line and line[:1] != b"#" for line in data.splitlines()):
        return Run.empty()  # as write_run leaves one that has no line
    return read_run(_WrittenRun(data))


class _WrittenRun(io.BytesIO):
    """Bytes under a name that means something to whoever reads an error."""

    name = "the run that it wrote"


def check_run(run: Run, topics: Mapping[str, str], known: frozenset[str], k: int) -> Run:
    """The run, cut to the best k documents for each topic; an error if it has topics or documents that nobody knows."""
    if len(run):
        run.validate("the run")
    strange = [topic for topic in run.topics if topic not in topics]
    if strange:
        raise DataError(f"the run has {some(strange)}, which nobody asked for")
    unknown = sorted(set(run.documents) - known)
    if unknown:
        more = f" and {len(unknown) - 1:,} more" if len(unknown) > 1 else ""
        raise DataError(f"the run has the document {unknown[0]!r}{more}, which is not among the documents")
    return cut_run(run, k)


def cut_run(run: Run, k: int) -> Run:
    """The best k documents for each topic, by score and then by id, as runs are judged."""
    counts = np.diff(run.offsets)
    if not len(run) or counts.max(initial=0) <= k:
        return run
    topic = np.repeat(np.arange(len(run.topics)), counts)
    (document,), _ = number_ids([run.documents])
    order = np.lexsort((-document, -run.scores, topic))
    order = order[ordinal(topic[order], len(run.topics)) <= k]
    return Run.of_codes(topic[order], list(run.topics), run.documents.take(order), run.scores[order], name=run.name)


def documents_of(path: str) -> Documents:
    """The documents of a file that :func:`document_file` wrote."""
    return read_documents(path, "jsonl")
