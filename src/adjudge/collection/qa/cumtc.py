"""The Cambridge University MathIR Test Collection, read from its own files: topics/*.txt and judgements.csv.

Its sentences were marked by hand and the marks are not all well-formed: a mark that is not closed ends where the next
begins, an end without a beginning means nothing, a number that occurs twice is counted on. Each is noted. Text that is
in no sentence (headings, thanks) is left out as the authors left it out.
"""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

from ...core.errors import ConflictError, DataError, at
from ...core.note import Note
from .collection import CollectionTopic, Counts, JudgedDocument, TopicCollection, TypedSentence
from .post_markup import blocks
from .threads import NEITHER, PRELUDE, QUERY, Part

MARK = re.compile(r"<s\b([^<>]*)>|</s\s*>", re.IGNORECASE)
FIELD = re.compile(r"""(\w+)\s*=\s*"([^"]*)\"""")
COLUMNS = ["seqid", "postid", "doc_arxivid", "citationid", "subtopic"]
NUMBER = re.compile(r"[0-9]{1,6}")


def read_cumtc(folder: str | Path) -> TopicCollection:
    """The collection in a folder, or in the folder ``cumtc`` of it."""
    root = Path(folder)
    for place in (root, root / "cumtc"):
        if (place / "judgements.csv").is_file():
            root = place
            break
    else:
        raise DataError(f"{folder}: no judgements.csv here")
    rows = _judgments(root / "judgements.csv")
    notes: list[Note] = []
    topics = []
    paths = {path.stem: path for path in (root / "topics").glob("*.txt")}
    for id_ in sorted({row[0] for row in rows} | set(paths), key=lambda name: (len(name), name)):
        judged = [row for row in rows if row[0] == id_]
        if id_ not in paths:
            raise DataError(f"{root / 'topics'}: no {id_}.txt, which judgements.csv judges")
        if not judged:
            notes.append(Note.of("topic_without_judgment", id_))
            continue
        sources = {row[1] for row in judged}
        if len(sources) > 1:
            raise ConflictError(f"topic {id_}: two questions, {' and '.join(sorted(sources))}")
        sentences = _sentences(paths[id_], notes)
        topics.append(
            CollectionTopic(id_, judged[0][1], "", sentences, tuple(JudgedDocument(r[3], r[2]) for r in judged))
        )
    if not topics:
        raise DataError(f"{root}: no topic with a judgment")
    return TopicCollection("CUMTC", tuple(topics), tuple(notes)).validate()


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not UTF-8 at byte {error.start}") from None
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from None


def _judgments(path: Path) -> list[tuple[str, str, str, int]]:
    """(topic, question, document, micro-topic) in the order of the file."""
    rows = list(csv.reader(io.StringIO(_read(path))))
    if not rows or [name.strip() for name in rows[0]] != COLUMNS:
        raise DataError(
            at(str(path), 1, f"expected the columns {','.join(COLUMNS)}", ",".join(rows[0]) if rows else "")
        )
    judgments = []
    for number, row in enumerate(rows[1:], 2):
        if not any(row):
            continue
        if (
            len(row) != len(COLUMNS)
            or not NUMBER.fullmatch(row[0])
            or not NUMBER.fullmatch(row[4])
            or not row[2].strip()
        ):
            raise DataError(
                at(str(path), number, "expected topic, question, document, citation, sub-topic", ",".join(row))
            )
        judgments.append((row[0], row[1], row[2].strip(), int(row[4])))
    return judgments


def _sentences(path: Path, notes: list[Note]) -> tuple[TypedSentence, ...]:
    text = _read(path)
    marks = list(MARK.finditer(text))
    sentences: list[TypedSentence] = []
    numbers: set[int] = set()
    paragraph, open_ = 1, False
    for place, mark in enumerate(marks):
        if mark[1] is None:
            if not open_:
                notes.append(Note.of("sentence_not_begun", path.name))
            open_ = False
            continue
        open_ = True
        following = marks[place + 1] if place + 1 < len(marks) else None
        if following is None or following[1] is not None:
            notes.append(Note.of("sentence_not_closed", path.name, sentence=len(sentences) + 1))
        inner = text[mark.end() : len(text) if following is None else following.start()]
        before = marks[place - 1].end() if place else 0
        if place and re.search(r"<(?:p|li|h\d|ul|ol|blockquote)\b", text[before : mark.start()], re.IGNORECASE):
            paragraph += 1
        fields = dict(FIELD.findall(mark[1]))
        number = int(fields["id"]) if NUMBER.fullmatch(fields.get("id", "")) else 0
        if number in numbers or not number:
            notes.append(Note.of("sentence_number_wrong", path.name, number=fields.get("id", "")))
            number = max(numbers, default=0) + 1
        numbers.add(number)
        kind = {"p": PRELUDE, "q": QUERY, "": NEITHER}.get(fields.get("type", ""))
        micro_topics = tuple(int(word) for word in fields.get("qid", "").split() if NUMBER.fullmatch(word))
        if kind is None or (kind == QUERY) != bool(micro_topics):
            raise DataError(
                at(str(path), text.count("\n", 0, mark.start()) + 1, "a sentence of no known type", mark[0])
            )
        sentences.append(TypedSentence(number, _parts(inner), kind, micro_topics, paragraph))
    if not sentences:
        raise DataError(f"{path}: no sentence in it")
    return tuple(sentences)


def _parts(html: str) -> tuple[Part, ...]:
    parts: list[Part] = []
    for block in blocks(html, dollars=False):
        if parts:
            parts.append(Part("text", "\n"))
        parts += block.parts
    return tuple(parts)


PAPER: tuple[tuple[str, int], ...] = (
    ("topics", 120),
    ("micro-topics", 160),
    ("judgments", 184),
    ("documents", 224),
    ("topics with 1 micro-topic", 88),
    ("topics with 2 micro-topics", 24),
    ("topics with 3 micro-topics", 8),
    ("topics with 1 relevant document", 97),
    ("topics with 2 relevant documents", 21),
    ("topics with 3 relevant documents", 1),
    ("topics with 4 relevant documents", 1),
    ("micro-topics with 1 relevant document", 140),
    ("micro-topics with 2 relevant documents", 17),
    ("micro-topics with 3 relevant documents", 2),
    ("micro-topics with 4 relevant documents", 1),
)
"""What section 2 and Table 2 print."""


def compare_with_paper(counts: Counts) -> list[tuple[str, int, int]]:
    """(what, in the paper, counted) for every figure that the paper prints."""
    here = {
        "topics": counts.topics,
        "micro-topics": counts.micro_topics,
        "judgments": counts.judgments,
        "documents": counts.documents,
    }
    tables = {
        "topics with {} micro-topic": counts.topics_by_micro_topics,
        "topics with {} relevant document": counts.topics_by_documents,
        "micro-topics with {} relevant document": counts.micro_topics_by_documents,
    }
    for form, table in tables.items():
        here |= {form.format(n) + "s" * (n > 1): number for n, number in table.items()}
    return [(what, printed, here.get(what, 0)) for what, printed in PAPER]
