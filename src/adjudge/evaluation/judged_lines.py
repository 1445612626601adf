"""A file of TREC lines judged block by block: what is kept is what measures see, and never the run.

A block has all lines of some topics, so it can be read, ranked and judged by itself, by one of several threads, and its
memory is used again for the next one. So memory depends on the judgments and on the longest topic, not on the file, if
the lines of a topic follow one another; a file in which a topic comes back is not judged so.

Nothing but the standard library is used, because loading numpy takes longer than evaluating a small run.
"""

from __future__ import annotations

from array import array
from itertools import pairwise

from ..core.encoding import decode
from ..core.kernel import native, parts_for, slots_for, together
from ..formats.raw_file import drop_pages

TYPE_CHECKING = False  # as typing has it, without the milliseconds that typing takes
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..formats.raw_file import RawFile
    from ..formats.source import Source

BLOCK = 4 << 20
"""Bytes of a block, unless the lines of one topic take more."""
WORTHWHILE = 4 << 20
"""Bytes for which a second thread pays off."""
LONG = 3
"""Documents of a list in which equal scores are odd, as for :class:`adjudge.core.run.Run`."""

RUN_SHAPE = (4, 5, 6, 1, 0)
QRELS_SHAPE = (3, -1, 4, 0, 1)
"""Columns of runs and judgments, as ``Shape.numbers`` of formats/trec_columns.py has them."""


class JudgmentTables:
    """Judgments with hash tables of their documents, as the loop that judges takes them."""

    __slots__ = (
        "grades",
        "ids",
        "lengths",
        "offsets",
        "position",
        "sizes",
        "slot_offsets",
        "slots",
        "starts",
        "topics",
    )

    def __init__(self, topics: Sequence[bytes], columns: Sequence[Any], tables: Sequence[Any]) -> None:
        self.topics = topics
        self.ids, self.starts, self.lengths, self.grades, self.offsets = columns
        self.slots, self.slot_offsets = tables
        self.position = {topic: number for number, topic in enumerate(topics)}
        bounds = self.offsets.tolist()
        self.sizes = [after - before for before, after in pairwise(bounds)]

    @property
    def arrays(self) -> tuple[Any, ...]:
        """What the loop takes."""
        return self.ids, self.starts, self.lengths, self.grades, self.offsets, self.slots, self.slot_offsets


class JudgedLines:
    """The documents in the pool of each topic of a run, topics in the order of the file.

    Topic ``t`` has ``counts[t]`` ranks and grades from ``firsts[t]`` on, in the order of the ranks, and is number
    ``which[t]`` of the judgments, or -1.
    """

    __slots__ = ("counts", "firsts", "grades", "ranks", "retrieved", "tag", "tied", "topics", "which")

    def __init__(self) -> None:
        self.topics: list[bytes] = []
        self.retrieved, self.firsts = array("q"), array("q")
        self.which, self.counts, self.ranks, self.grades = array("i"), array("i"), array("i"), array("i")
        self.tag: bytes | None = None
        self.tied: list[str] = []
        """Topics of three and more documents that all have the same score."""

    def add(self, other: JudgedLines) -> None:
        """Put what follows in the file behind this."""
        base = len(self.ranks)
        self.topics += other.topics
        self.tied += other.tied
        self.tag = other.tag
        self.firsts.extend([first + base for first in other.firsts])
        for name in ("retrieved", "which", "counts", "ranks", "grades"):
            getattr(self, name).extend(getattr(other, name))


def zeros(kind: str, length: int) -> Any:
    """An array of the standard library, which the compiled loops take as they take numpy's."""
    return array(kind, [0]) * length


class BlockColumns:
    """Memory for the columns of a block, used again for the next one."""

    def __init__(self) -> None:
        self.ids = bytearray()
        self.rows, self.slots = 0, zeros("i", 0)
        self.starts = self.lengths = self.numbers = zeros("q", 0)

    def for_rows(self, size: int, rows: int) -> None:
        if size > len(self.ids):
            self.ids = bytearray(size)
        if rows > self.rows:
            self.rows = rows
            self.starts, self.lengths, self.numbers = zeros("q", rows), zeros("i", rows), zeros("d", rows)

    def for_topic(self, rows: int) -> None:
        if slots_for(rows) > len(self.slots):
            self.slots = zeros("i", slots_for(rows))


def judge_lines(source: RawFile | Source, pool: JudgmentTables, *, single: bool = False) -> JudgedLines | None:
    """A run judged; None if a line is not as it should be, a document occurs twice, a topic comes back or is nowhere.

    With ``single`` scores are compared as 32-bit floats.
    """
    import _thread

    text = source.text
    last = text.rfind(b"\n") + 1
    parts = parts_for(len(text), WORTHWHILE)
    step = min(BLOCK, -(-len(text) // parts))
    topic_end = native("lines").topic_end
    lock = _thread.allocate_lock()
    done: dict[int, JudgedLines | None] = {}
    begin = source.begin

    def next_block() -> tuple[int, Any, int, int] | None:
        """The number of the next block, the text it is in, and where; None behind the last one and after a failure."""
        nonlocal begin
        with lock:
            if begin >= len(text) or None in done.values():
                return None
            first, begin = begin, len(text)
            if first + step < last:
                line = text.find(b"\n", first + step) + 1
                begin = topic_end(text, line, last) if line < last else last
            if begin >= last and last < len(text):  # the last line has no end
                begin = len(text)
                block: tuple[Any, int, int] = (bytes(text[first:]) + b"\n", 0, len(text) - first + 1)
            else:
                block = text, first, begin
            number = len(done)
            done[number] = JudgedLines()
            return number, *block

    def work(_: int) -> None:
        room = BlockColumns()
        while (block := next_block()) is not None:
            number, piece, first, end = block
            done[number] = _judge_block(piece, first, end, pool, single, room)
            drop_pages(piece, first, end)

    together(work, parts, arrays=False)
    whole = JudgedLines()
    for number in range(len(done)):
        judged = done.pop(number)
        if judged is None:
            return None
        whole.add(judged)
    return whole if whole.topics and len(set(whole.topics)) == len(whole.topics) else None


def _judge_block(
    text: Any, begin: int, end: int, pool: JudgmentTables, single: bool, room: BlockColumns
) -> JudgedLines | None:
    lines, judging = native("lines"), native("judging")
    room.for_rows(end - begin, lines.count_lines(text, begin, end))
    columns = room.ids, room.starts, room.lengths
    count, topics, firsts, codes, _, tag, fault = lines.scan(
        text, begin, end, RUN_SHAPE, room.ids, 0, room.starts, room.lengths, room.numbers, 0
    )
    if fault[0] or len(topics) * 4 != len(codes):
        return None
    offsets = array("q", firsts)
    offsets.append(count)
    judged = JudgedLines()
    judged.topics, judged.tag = topics, tag
    sizes = [after - before for before, after in pairwise(offsets)]
    room.for_topic(max(sizes, default=0))
    if judging.index(*columns, offsets, room.slots, None, 0, len(topics)) is not None:
        return None
    which = [pool.position.get(topic, -1) for topic in topics]
    places = [0]
    for topic, rows in zip(which, sizes, strict=True):
        places.append(places[-1] + (min(rows, pool.sizes[topic]) if topic >= 0 else 0))
    judged.which, judged.retrieved, judged.counts = array("i", which), array("q", sizes), zeros("i", len(topics))
    judged.ranks, judged.grades = zeros("i", places[-1]), zeros("i", places[-1])
    judging.judge(
        *(*columns, room.numbers, offsets, judged.which, *pool.arrays),
        *(judged.ranks, judged.grades, array("q", places), judged.counts, single, 0, len(topics)),
    )
    judged.firsts = array("q", places[:-1])
    for topic, rows, first in zip(topics, sizes, offsets, strict=False):
        if rows >= LONG and room.numbers[first] == room.numbers[first + rows - 1]:
            scores = room.numbers[first : first + rows]
            if min(scores) == max(scores):
                judged.tied.append(decode(topic))
    return judged


def read_pool(source: RawFile | Source) -> JudgmentTables | None:
    """Judgments; None if a line is not as it should be, a document is judged twice, or a topic comes back."""
    lines, text, begin = native("lines"), source.text, source.begin
    if text[-1:] != b"\n":
        text = bytes(text) + b"\n"
    parts = parts_for(len(text), WORTHWHILE)
    cuts = [
        begin,
        *(text.find(b"\n", begin + (len(text) - begin) * i // parts) + 1 for i in range(1, parts)),
        len(text),
    ]
    counts = together(lambda part: lines.count_lines(text, cuts[part], cuts[part + 1]), parts, arrays=False)
    base = [sum(counts[:part]) for part in range(parts)]
    rows = sum(counts)
    ids, starts, lengths, numbers = bytearray(len(text)), zeros("q", rows), zeros("i", rows), zeros("d", rows)

    def scan(part: int) -> Any:
        block = text, cuts[part], cuts[part + 1], QRELS_SHAPE
        return lines.scan(*block, ids, cuts[part], starts, lengths, numbers, base[part])

    topics: list[bytes] = []
    offsets = array("q")
    for part, (_, names, firsts, codes, skipped, _, fault) in enumerate(together(scan, parts, arrays=False)):
        if fault[0] or skipped or len(names) * 4 != len(codes):
            return None
        here = [base[part] + first for first in array("q", firsts)]
        again = bool(topics) and topics[-1] == names[0]  # the cut went through a topic
        topics += names[1:] if again else names
        offsets.extend(here[1:] if again else here)
    offsets.append(rows)
    if not topics or len(set(topics)) < len(topics):
        return None
    grades = zeros("i", rows)
    lines.whole(numbers, grades)
    slot_offsets = array("q", [0])
    for first, after in pairwise(offsets):
        slot_offsets.append(slot_offsets[-1] + slots_for(after - first))
    slots = zeros("i", slot_offsets[-1])
    halves = [len(topics) * part // parts for part in range(parts + 1)]

    def fill(part: int) -> Any:
        columns = ids, starts, lengths, offsets, slots, slot_offsets
        return native("judging").index(*columns, halves[part], halves[part + 1])

    if any(together(fill, parts, arrays=False)):
        return None
    return JudgmentTables(topics, (ids, starts, lengths, grades, offsets), (slots, slot_offsets))
