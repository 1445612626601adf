"""Small plain files through the readers that the commands take first: the quick way must say what the other says."""

from __future__ import annotations

import random
from pathlib import Path

from fuzzing.mutations import mutate
from fuzzing.target import Target, file_maker, refusable

QRELS = b"".join(b"%d 0 d%d %d\n" % (t, d, (t * d) % 3 - (d == 5)) for t in range(1, 4) for d in range(1, 8))
RUN = b"".join(b"%d Q0 d%d %d %.3f tag\n" % (t, d, d, 10 - d / 3) for t in range(1, 4) for d in range(1, 9))
MEASURES = ["ap", "rr", "p@5", "bpref", "ndcg@10", "rprec", "recall@100", "gm_map", "num_rel"]
SPELLING = [b"# asked, written\nshow\tshew\nj\ti\nmusic\tmusick\n"]
STOP_LIST = [b"# a list\nthe\nof\nand # too\n", b"\xef\xbb\xbfthe\r\nof\r\n"]


def _plain_pair(rng: random.Random, folder: Path) -> Path:
    """Judgments and a run, one of them or both mutated."""
    which = rng.random()
    (folder / "q.txt").write_bytes(mutate(rng, [QRELS]) if which > 0.4 else QRELS)
    (folder / "x.run").write_bytes(mutate(rng, [RUN]) if which < 0.6 else RUN)
    return folder


def _use_plain_pair(folder: Path) -> None:
    """Measure without arrays where that is possible, and the usual way: both come to the same, to the last bit."""
    from adjudge import measure, trec_eval
    from adjudge.core.judging import Judging
    from adjudge.evaluation.plain_files import evaluate_plain, scores_of_plain
    from adjudge.evaluation.plain_names import official, plain_columns

    qrels, run = str(folder / "q.txt"), str(folder / "x.run")
    columns = plain_columns(MEASURES)
    assert columns is not None
    for judging in (Judging(), Judging(level=2, complete=True)):
        small = scores_of_plain(qrels, [("", run)], columns, level=judging.level, complete=judging.complete)
        if small is not None:
            whole = measure(qrels, run, MEASURES, judging=judging)
            assert repr(small.summary()) == repr(whole.summary()), "other figures without arrays"
            assert sorted(map(str, small.notes)) == sorted(map(str, whole.notes)), "other notes without arrays"
    evaluate_plain(qrels, run, official())
    refusable(lambda: measure(qrels, run, MEASURES))
    trec_eval(qrels, run, "official").text()


def _use_run_check(path: Path) -> None:
    from adjudge.formats.run_check import check_run
    from adjudge.words.run_issues import check_lines, check_summary

    result = check_run(path, topics={"1", "2"}, documents={"d1", "d2"}, most=5)
    for line in (*check_lines(result, 5, 1), check_summary(result)):
        assert "\n" not in line, line
        assert len(line) < 2000, line


def _use_spelling(path: Path) -> None:
    from adjudge.systems.parts.deciphering.spelling import read_spelling

    assert all(asked != written for asked, written in read_spelling(path))


def _use_stop_list(path: Path) -> None:
    from adjudge.text.analyzer import Analyzer

    assert Analyzer.parse(f'words|lower|stop("{path}")').terms("a word of the list") is not None


PLAIN_FILE_TARGETS = (
    Target("plain-pair", _plain_pair, _use_plain_pair),
    Target("run-check", file_maker("x.run", lambda: [RUN], mutate), _use_run_check),
    Target("spelling", file_maker("s.txt", lambda: SPELLING, mutate), _use_spelling),
    Target("stop-list", file_maker("s.txt", lambda: STOP_LIST, mutate), _use_stop_list),
)
