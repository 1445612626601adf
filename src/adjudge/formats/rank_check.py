"""Ranks and scores of a run that contradict each other: trec_eval goes by scores, and so do we, with a note."""

from __future__ import annotations

from ..core.encoding import decode

TYPE_CHECKING = False  # as typing has it, without the milliseconds that typing takes
if TYPE_CHECKING:
    from ..core.note import Note
    from .raw_file import RawFile
    from .source import Source

HEAD = 4096
"""Bytes of a file in which ranks are compared with scores: where they contradict each other, they do so everywhere."""


def contradiction(source: Source | RawFile, name: str) -> tuple[Note, ...]:
    """A note on the first line whose rank and score contradict those of the line before."""
    found = contradicted(source)
    if found is None:
        return ()
    from ..core.note import Note

    return (Note.of("ranks_contradict_scores", name, line=found[0], topic=found[1]),)


def contradicted(source: Source | RawFile) -> tuple[int, str] | None:
    """The first line whose rank and score contradict those of the line before, and its topic."""
    lines = bytes(source.text[source.begin : source.begin + HEAD]).split(b"\n")[:-1]
    before: tuple[bytes, float, float] | None = None
    for number, line in enumerate(lines, 1):
        fields = line.split()
        if len(fields) < 6 or line.startswith(b"#"):
            continue
        try:
            here = fields[0], float(fields[3]), float(fields[4])
        except ValueError:  # a rank that is none means nothing
            return None
        if before is not None and before[0] == here[0] and (here[1] - before[1]) * (here[2] - before[2]) > 0:
            return number, decode(here[0])
        before = here
    return None
