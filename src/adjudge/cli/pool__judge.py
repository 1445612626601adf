"""Have a program judge the documents of a pool, or let judgments made elsewhere join as those of a named judge.

    adjudge pool judge project --name model --prompt prompt.txt --version 2026-05 -- python judge.py
    adjudge pool judge project --name model --rate 30 --limit 60 -- ./judge.sh
    adjudge pool judge project --name model --whole -- ./judge.sh
    adjudge pool judge project --name crowd --answers crowd.jsonl

The program reads lines of JSON (topic, title, description, narrative, document, text, prompt) on standard input and
writes, for each, a line {"topic": …, "document": …, "grade": 2, "probability": 0.9}; the probability may be left out.
Answers are kept one by one in judges/NAME.jsonl of the project, what the judge was asked in judges/NAME.json. The
same command goes on where it stopped. The answers are judgments for adjudge judges, adjudge estimate --machine and all
others. --answers takes judgments in any format that adjudge reads.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ..core.errors import SpecError
from ..storage.access import reading
from ..words.pool_summaries import judge_summary
from ._options import Parser, between, emit, finite
from ._terminal import Terminal


def parser() -> Parser:
    command = Parser(
        prog="adjudge pool judge", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("project", metavar="PROJECT", help="folder of the project")
    command.add_argument("command", nargs="*", metavar="COMMAND", help="after --: the program and its arguments")
    command.add_argument("--name", required=True, metavar="NAME", help="name of the judge")
    command.add_argument("--answers", metavar="FILE", help="judgments made elsewhere, instead of a command")
    command.add_argument("--documents", metavar="PATH", help="index or documents (default: those of the pool)")
    command.add_argument("--prompt", metavar="FILE", help="text that goes with every document, and is kept")
    command.add_argument("--version", default="", metavar="TEXT", help="version of the judge, which is kept")
    command.add_argument("--topic", metavar="ID", help="only documents of this topic")
    command.add_argument("--whole", action="store_true", help="also documents of the pool that were not drawn")
    command.add_argument("--most", type=between(1, 10**9), metavar="N", help="no more than N documents")
    command.add_argument(
        "--rate", type=finite, default=0.0, metavar="N", help="documents a minute at most (default: 0, no limit)"
    )
    command.add_argument(
        "--ahead",
        type=between(1, 10**6),
        default=8,
        metavar="N",
        help="documents handed out before answers (default: 8)",
    )
    command.add_argument(
        "--limit", type=finite, default=300.0, metavar="SECONDS", help="longest wait for an answer (default: 300)"
    )
    return command


def main(arguments: Sequence[str]) -> int:
    words = list(arguments)
    split = words.index("--") if "--" in words else len(words)
    options = parser().parse_args(words[:split])
    command = [*options.command, *words[split + 1 :]]
    from ..verbs.judge_verbs import pool_judge

    if not command and options.answers is None:
        raise SpecError("a judge is a command after --, or a file of --answers")
    prompt = ""
    if options.prompt is not None:
        with reading(options.prompt):
            prompt = Path(options.prompt).read_text("utf-8", "replace")
    outcome = pool_judge(
        options.project,
        options.name,
        command,
        answers=options.answers,
        documents=options.documents,
        prompt=prompt,
        version=options.version,
        topic=options.topic,
        whole=options.whole,
        most=options.most,
        rate=options.rate,
        ahead=options.ahead,
        limit=options.limit,
        progress=Terminal(),
    )
    emit(judge_summary(outcome) + "\n")
    return 0
