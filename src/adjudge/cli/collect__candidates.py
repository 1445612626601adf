"""Find the threads of a dump whose accepted answer cites the corpus: candidates for topics.

    adjudge collect candidates mathoverflow/ -o project --corpus ids.txt
    adjudge collect candidates Posts.xml.zst -o project --cite arxiv
    adjudge collect candidates dump/ -o project --cite none --patterns wikipedia.toml

The dump is a folder with Posts.xml, and Comments.xml, PostLinks.xml and Votes.xml if there are, plain or as .xz, .gz,
.zst or .bz2. arXiv ids and DOIs are found in texts and links; a file of patterns ([[pattern]] with name, regex,
document) finds other documents. With --corpus, one id per line, only citations of these documents count. PROJECT then
holds candidates.jsonl, dropped.csv (everything that was not taken, and why) and report.json.

Exit code 0: all rows were read; 1: rows of the dump are damaged or odd, and dropped.csv has their lines; 2: no dump.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ..core.errors import SpecError, did_you_mean
from ..report.text_table import FORMS, TextTable
from ..words.summaries import candidates_dropped
from ._options import Parser, coloured, emit, format_of, note, split_names
from ._terminal import Terminal

ODD = 1


def parser() -> Parser:
    command = Parser(
        prog="adjudge collect candidates", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("dump", help="folder of a dump, or its Posts.xml")
    command.add_argument("-o", "--output", required=True, metavar="PROJECT", help="folder of the project")
    command.add_argument(
        "--cite",
        action="append",
        metavar="KIND,…",
        help="citations to look for: arxiv, doi, or none (default: arxiv,doi)",
    )
    command.add_argument("--patterns", metavar="FILE", help="TOML file with patterns of other citations")
    command.add_argument(
        "--corpus", metavar="FILE", help="file with the ids of the corpus, one per line (default: any document counts)"
    )
    command.add_argument("--no-dollars", action="store_true", help="treat $…$ as money, not as a formula")
    command.add_argument("--no-quoted", action="store_true", help="ignore citations in quotations")
    command.add_argument("--no-self-answers", action="store_true", help="ignore threads that the asker answered")
    command.add_argument("--replace", action="store_true", help="replace candidates on which there are decisions")
    command.add_argument("-f", "--format", choices=FORMS, help="format of the printed counts (default: table)")
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    from ..collection.qa.cited_corpus import read_corpus
    from ..collection.qa.passes import SoughtCitations
    from ..collection.qa.patterns import read_patterns
    from ..collection.qa.project import Project
    from ..collection.qa.thread_candidates import CandidateSettings, find_candidates

    form = format_of(options.format, None, "table")
    kinds = kinds_of(options.cite)
    patterns = () if options.patterns is None else read_patterns(options.patterns)
    if not kinds and not patterns:
        raise SpecError("nothing to look for: --cite none needs --patterns FILE")
    settings = CandidateSettings(
        SoughtCitations(kinds, patterns),
        dollars=not options.no_dollars,
        quoted=not options.no_quoted,
        self_answers=not options.no_self_answers,
    )
    corpus = None if options.corpus is None else read_corpus(options.corpus)
    project = Project(Path(options.output))
    outcome = find_candidates(
        options.dump, project, settings, corpus, progress=Terminal(), replace_decided=options.replace
    )
    rows = outcome.counted()
    table = TextTable(("what", "number"), [(name, str(n)) for name, n in rows], exact=rows)
    emit(table.form(form, colour=coloured(None)))
    note(outcome.notes)
    if outcome.dropped:
        note([candidates_dropped(str(project.dropped_path))])
    return ODD if outcome.damaged else 0


def kinds_of(words: Sequence[str] | None) -> tuple[str, ...]:
    from ..collection.qa.citations import KINDS

    if words is None:
        return KINDS
    asked = split_names(words)
    if asked == ["none"]:
        return ()
    for name in asked:
        if name not in KINDS:
            raise SpecError(f"--cite may be {', '.join(KINDS)} or none, not {name!r}{did_you_mean(name, list(KINDS))}")
    return tuple(kind for kind in KINDS if kind in asked)
