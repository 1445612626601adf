"""A judge that is a program: it reads pairs as lines of JSON, and answers in lines of JSON.

Every answer is on the disk before the next one is read: whatever happens to the program or to this process, nothing
that was answered is lost, and the next start asks only for the rest.

PROJECT/judges/
  NAME.jsonl   answers, one a line, in the order in which they came
  NAME.json    the program, its prompt and version, when it was asked and for how many pairs
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from subprocess import Popen
from typing import IO, Any

from ..core import child_process
from ..core.english import plural, quantity
from ..core.errors import AdjudgeError, ConflictError, DataError, SpecError, at
from ..core.note import Note
from ..core.progress import SILENT, Listener
from ..core.result import Result
from ..core.topic import Topic
from ..storage.access import refuse_links, writing
from ..storage.digest import digest_file, digest_text
from ..storage.lock import locked
from ..storage.manifest import ManifestKind
from .judge_files import JudgeAnswer, answer_line, parse_answer

JUDGE = ManifestKind("adjudge judge", 1, "judge", "give it another name", signed=False)
FOLDER = "judges"
LONGEST_ANSWER = 1_000_000
"""Bytes of a line: a program that never ends its line should not fill the memory."""
PairKey = tuple[str, str]


def check_judge_name(name: str) -> None:
    """Refuse a name that could not be one of a file among those of the project."""
    if not name or name[0] == "." or not all(sign.isalnum() or sign in "-_.+" for sign in name):
        raise SpecError(f"the name of a judge has letters, digits and - _ . + only, not {name!r}")


@dataclass(frozen=True)
class JudgeProgram:
    """A program that judges."""

    name: str
    command: tuple[str, ...]
    prompt: str = ""
    """What it is told, handed to it with every pair and kept."""
    version: str = ""
    rate: float = 0.0
    """Pairs a minute at most; 0 for as many as it can."""
    ahead: int = 8
    """Pairs that it is handed before it answers the first of them."""
    limit: float = 300.0
    """Seconds without an answer after which it is ended."""

    def __post_init__(self) -> None:
        check_judge_name(self.name)
        if not self.command:
            raise SpecError("a judge needs a command: a program and its arguments")
        if self.rate < 0 or self.ahead < 1 or self.limit <= 0:
            raise SpecError("rate must be 0 or more, ahead at least 1, and limit above 0")


@dataclass(frozen=True)
class JudgeOutcome(Result):
    """What came of asking a judge."""

    name: str
    path: Path
    asked: int
    """Pairs that were to be judged."""
    before: int
    """Of which so many were answered already."""
    answered: int
    """And so many now."""


def ask_judge(
    program: JudgeProgram,
    pairs: Sequence[PairKey],
    topics: Mapping[str, Topic],
    texts: Callable[[Sequence[str]], Mapping[str, str]],
    folder: Path,
    *,
    progress: Listener = SILENT,
) -> JudgeOutcome:
    """Have a program judge pairs (topic, document); ``texts`` gives the texts of documents by their ids."""
    place = folder / FOLDER
    path = place / f"{program.name}.jsonl"
    with writing(path), locked(place, f".{program.name}.lock", busy=f"the judge {program.name} is being asked already"):
        refuse_links(folder, [f"{FOLDER}/{program.name}{ending}" for ending in (".json", ".jsonl")])
        known = _answered(path, progress)
        _same_judge(program.name, _provenance(program), place, bool(known), progress)
        wanted = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        before = len(set(pairs)) - len(wanted)
        if before:
            progress.note(Note.of("pairs_answered_before", program.name, count=before))
        talk = _Conversation(program, wanted, topics, texts, path, progress)
        try:
            answered = talk.hold() if wanted else 0
        finally:  # what was kept counts, however it ended
            _remember(program.name, place, len(known) + talk.answered)
    return JudgeOutcome(program.name, path, len(set(pairs)), before, answered)


def _provenance(program: JudgeProgram) -> dict[str, Any]:
    files = [word for word in program.command if os.path.isfile(word)]
    return {
        "command": list(program.command),
        "files": {name: digest_file(name) for name in files},
        "judge_version": program.version,
        "prompt": program.prompt,
        "prompt_digest": digest_text(program.prompt),
    }


def _same_judge(name: str, now: dict[str, Any], place: Path, answered: bool, progress: Listener = SILENT) -> None:
    """An error if answers under this name were given by another program or version, or to another prompt.

    A program that never answered is forgotten. One whose files have changed goes on, which is said and kept; so are
    further files of judgments made elsewhere.
    """
    path = place / f"{name}.json"
    if not path.is_file() or not answered:
        JUDGE.write(path, {**now, "begun": _now(), "answers": 0})
        return
    body = JUDGE.read(path)
    for what in ("prompt", "judge_version", "command"):
        if body.get(what) != now[what]:
            word = what.removeprefix("judge_")
            raise DataError(f"{path}: {name} was asked with another {word}: give the judge another name")
    later = body.get("files_later", [])
    before = later[-1]["files"] if later else body.get("files", {})
    if before == now["files"] or not (now["command"] or now["files"]):
        return
    if now["command"]:
        progress.note(Note.of("judge_files_changed", name, files=sorted(now["files"])))
    JUDGE.write(path, {**body, "files_later": [*later, {"from": _now(), "files": now["files"]}]})


def _remember(name: str, place: Path, answers: int) -> None:
    path = place / f"{name}.json"
    JUDGE.write(path, {**JUDGE.read(path), "ended": _now(), "answers": answers})


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _answered(path: Path, progress: Listener) -> dict[PairKey, int]:
    """The pairs that were answered with their grades; a last line that is not whole is cut off."""
    if not path.is_file():
        return {}
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        progress.note(Note.of("torn_answer", str(path)))
        with path.open("r+b") as file:
            file.truncate(whole)
    answers = [parse_answer(line, str(path), n)[0] for n, line in enumerate(data[:whole].split(b"\n"), 1) if line]
    return {(answer.topic, answer.document): answer.grade for answer in answers}


class _Conversation:
    """Pairs go to a program and answers come back, each side in a thread of its own."""

    def __init__(
        self,
        program: JudgeProgram,
        wanted: Sequence[PairKey],
        topics: Mapping[str, Topic],
        texts: Callable[[Sequence[str]], Mapping[str, str]],
        path: Path,
        progress: Listener,
    ) -> None:
        self.program, self.wanted, self.topics, self.texts = program, wanted, topics, texts
        self.path, self.progress = path, progress
        self.open: set[PairKey] = set()
        self.answered, self.heard = 0, time.monotonic()
        self.changed = threading.Condition()
        self.over = self.silent = False
        self.wrong: BaseException | None = None

    def hold(self) -> int:
        process = child_process.start(list(self.program.command))
        # Who writes to the pipe has it to himself and closes it: closed by another, its number could be that of the
        # next file that is opened, and a question would go there.
        pipe = os.dup(process.stdin.fileno())  # type: ignore[union-attr]
        process.stdin.close()  # type: ignore[union-attr]
        others = [
            threading.Thread(target=self._feed, args=(process, pipe), daemon=True),
            threading.Thread(target=self._watch, args=(process,), daemon=True),
        ]
        with (
            self.path.open("ab") as file,
            self.progress.work("ask_judge", self.program.name, len(self.wanted), "pairs") as step,
        ):

            def listen(stream: IO[bytes]) -> None:
                for number, line in enumerate(iter(lambda: stream.readline(LONGEST_ANSWER + 1), b""), 1):
                    if len(line) > LONGEST_ANSWER:
                        where, why = f"{self.program.name} (answer)", f"more than {LONGEST_ANSWER:,} bytes in a line"
                        raise DataError(at(where, number, why, line[:200]))
                    if line.strip():
                        self._hear(file, line, number)
                        step.advance()
                        if self.answered == len(self.wanted):
                            return

            self.heard = time.monotonic()
            for other in others:
                other.start()
            nonsense: list[AdjudgeError] = []
            try:
                ending = child_process.listen(process, listen)
            except DataError as error:  # an answer that cannot be read
                nonsense.append(error)
            finally:
                with self.changed:
                    self.over = True
                    self.changed.notify_all()
                child_process.end(process)
        are = plural(self.answered, "is", "are")
        kept = f"{self.answered:,} of {quantity(len(self.wanted), 'answer')} {are} kept; the same command goes on"
        if self.wrong is not None:
            raise self.wrong
        if nonsense:
            raise DataError(f"{nonsense[0]}; {kept}")
        if self.silent:
            raise DataError(f"{self.program.name}: no answer for {self.program.limit:g} s, ended: {kept}")
        if self.answered < len(self.wanted):
            why = ending.why or "ended without answering the rest"
            raise DataError(f"{self.program.name}: {why}: {kept}")
        return self.answered

    def _feed(self, process: Popen[bytes], pipe: int) -> None:
        """Hand out pairs, no faster than the rate allows and no more than ``ahead`` at a time."""
        waiting = deque(self.wanted)
        pause = 60 / self.program.rate if self.program.rate else 0.0
        try:
            while waiting:
                batch = [waiting.popleft() for _ in range(min(len(waiting), self.program.ahead))]
                texts = self.texts([document for _, document in batch])
                for pair in batch:
                    with self.changed:
                        self.changed.wait_for(lambda: self.over or len(self.open) < self.program.ahead)
                        if self.over:
                            return
                        if not self.open:
                            self.heard = time.monotonic()
                        self.open.add(pair)
                    question = memoryview(self._question(pair, texts))
                    while question:
                        question = question[os.write(pipe, question) :]
                    if pause:
                        with self.changed:
                            self.changed.wait_for(lambda: self.over, pause)
        except BaseException as error:
            if isinstance(error, AdjudgeError) or not isinstance(error, OSError):
                self.wrong = error
                child_process.end(process)
            # else it reads no more, which its ending explains
        finally:
            os.close(pipe)

    def _watch(self, process: Popen[bytes]) -> None:
        """End a program that is silent for too long while it owes answers."""
        while True:
            with self.changed:
                if self.changed.wait_for(lambda: self.over, min(1.0, self.program.limit / 4)):
                    return
                self.silent = bool(self.open) and time.monotonic() - self.heard > self.program.limit
            if self.silent:
                child_process.end(process)
                return

    def _question(self, pair: PairKey, texts: Mapping[str, str]) -> bytes:
        topic = self.topics.get(pair[0], Topic(pair[0]))
        if pair[1] not in texts:
            raise DataError(f"document {pair[1]} of topic {pair[0]} is not in the collection")
        parts = {name: getattr(topic, name) for name in ("title", "description", "narrative")}
        record: dict[str, Any] = {"topic": pair[0], "document": pair[1]}
        record |= {name: text for name, text in parts.items() if text}
        record["text"] = texts[pair[1]]
        if self.program.prompt:
            record["prompt"] = self.program.prompt
        return (json.dumps(record, ensure_ascii=False) + "\n").encode("utf-8", "replace")

    def _hear(self, file: IO[bytes], line: bytes, number: int) -> None:
        where = f"{self.program.name} (answer)"
        answer, _ = parse_answer(line, where, number)
        pair = answer.topic, answer.document
        with self.changed:
            if pair not in self.open:
                raise DataError(at(where, number, "an answer to a pair that was not asked, or was answered", line))
        file.write(answer_line(answer, self.program.name))
        file.flush()
        os.fsync(file.fileno())
        with self.changed:
            self.open.discard(pair)
            self.answered += 1
            self.heard = time.monotonic()
            self.changed.notify_all()


def join_answers(
    folder: Path,
    name: str,
    answers: Iterable[JudgeAnswer],
    *,
    source: str = "",
    prompt: str = "",
    version: str = "",
) -> int:
    """Add judgments made elsewhere to those of a named judge, with the file that they come from; how many were new."""
    check_judge_name(name)
    place = folder / FOLDER
    with writing(place), locked(place, f".{name}.lock", busy=f"the judge {name} is being asked already"):
        refuse_links(folder, [f"{FOLDER}/{name}{ending}" for ending in (".json", ".jsonl")])
        file = place / f"{name}.jsonl"
        known, fresh = _answered(file, SILENT), list[JudgeAnswer]()
        for answer in answers:
            before = known.get((answer.topic, answer.document))
            if before is None:
                fresh.append(answer)
            elif before != answer.grade:
                pair = f"document {answer.document} of topic {answer.topic}"
                grades = f"the grade {before} before, and {answer.grade} now"
                raise ConflictError(f"{name} gave {pair} {grades}: give the judge another name")
        now = {"command": [], "files": {source: digest_file(source)} if source and os.path.isfile(source) else {}}
        made_by = {**now, "judge_version": version, "prompt": prompt, "prompt_digest": digest_text(prompt)}
        _same_judge(name, made_by, place, bool(known) and (place / f"{name}.json").is_file())
        with file.open("ab") as stream:
            stream.write(b"".join(answer_line(answer, name) for answer in fresh))
            stream.flush()
            os.fsync(stream.fileno())
        _remember(name, place, len(known) + len(fresh))
    return len(fresh)
