"""``measure`` and ``trec_eval`` as they are mostly called: plain files, a few options, measures that have loops.

Loading what reads all options and knows all measures takes longer than evaluating a small run, so the usual words of a
command line are read here. Anything else gives None, and the command itself is asked, which reads all its words anew.
"""

from __future__ import annotations

from ._output import coloured, note, show

TYPE_CHECKING = False  # as typing has it, without the milliseconds that typing takes
if TYPE_CHECKING:
    from collections.abc import Sequence

DEFAULT = ("ap", "ndcg@10", "p@10", "rr", "bpref", "recall@1000")
"""As evaluation/score_columns.py has it."""
LETTERS = {
    "trec_eval": {"-q": "per_topic", "-c": "complete", "-n": "no_summary", "-m": "measure=", "-l": "level="},
    "measure": {
        "-q": "per_topic",
        "--per-topic": "per_topic",
        "-c": "complete",
        "--complete": "complete",
        "-m": "measure=",
        "--measure": "measure=",
        "-l": "level=",
        "--level": "level=",
        "-f": "format=",
        "--format": "format=",
    },
}
FORMATS = ("table", "trec", "csv", "json", "md", "latex")


class Plain:
    """Words of a command line: files, names of measures, and what else was said."""

    def __init__(self) -> None:
        self.files: list[str] = []
        self.measures: list[str] = []
        self.given: dict[str, str] = {}


def read_words(command: str, words: Sequence[str]) -> Plain | None:
    """Read words that are all among the usual ones; None if one is not, or an option is given twice."""
    read = Plain()
    rest = iter(words)
    for word in rest:
        if not word.startswith("-"):
            read.files.append(word)
            continue
        meant = LETTERS[command].get(word)
        if meant is None:
            return None
        name, takes, _ = meant.partition("=")
        value = next(rest, "") if takes else "yes"
        if not value or value.startswith("-"):
            return None
        if name == "measure":
            read.measures.append(value)
        elif read.given.setdefault(name, value) != value:
            return None
    return read


def level_of(read: Plain) -> int | None:
    """The lowest relevant grade, in plain digits."""
    text = read.given.get("level", "1")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def evaluate(words: Sequence[str]) -> int | None:
    """Do what ``adjudge trec_eval`` or ``adjudge measure`` does; None if that is not plain."""
    from ..core.kernel import native

    command = words[0]
    read = read_words(command, words[1:])
    level = None if read is None else level_of(read)
    if read is None or level is None or native("measuring") is None:
        return None
    return (_trec_eval if command == "trec_eval" else _measure)(read, level)


def _trec_eval(read: Plain, level: int) -> int | None:
    from ..evaluation.plain_files import evaluate_plain
    from ..evaluation.plain_names import plain_lines
    from ..report.trec_output import trec_text

    lines = plain_lines(read.measures or ["official"])
    if lines is None or len(read.files) != 2:
        return None
    qrels, run = read.files
    found = evaluate_plain(qrels, run, lines, level=level, complete="complete" in read.given)
    if found is None:
        return None
    show(trec_text(found, per_topic="per_topic" in read.given, summary="no_summary" not in read.given))
    return 0


def _measure(read: Plain, level: int) -> int | None:
    from ..evaluation.plain_files import scores_of_plain
    from ..evaluation.plain_names import plain_columns
    from ..formats.raw_file import stem_of
    from ..report.score_table import as_text

    columns = plain_columns(read.measures or DEFAULT)
    form = read.given.get("format", "table")
    if columns is None or form not in FORMATS or len(read.files) < 2 or any("=" in file for file in read.files[1:]):
        return None
    runs = [(stem_of(file), file) for file in read.files[1:]]
    scores = scores_of_plain(read.files[0], runs, columns, level=level, complete="complete" in read.given)
    if scores is None:
        return None
    note(scores.notes)
    show(as_text(scores, form, per_topic="per_topic" in read.given, colour=coloured(None)))
    return 0
