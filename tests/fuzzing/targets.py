"""What is fuzzed: every reader, with good files to begin from and with what is done to what was read.

A target makes a mutated input in a folder and uses it as the program would: it reads, computes and writes. An input is
accepted, or refused by an AdjudgeError of one line; anything else that is raised is a defect.
"""

from __future__ import annotations

import io
import json
import random
import tempfile
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from collection.dump_of import answer, comment, dump, file_of, question
from fuzzing.folder_targets import FOLDERS
from fuzzing.mutations import BINARY, TEXT, mutate, mutate_json
from fuzzing.passage_targets import PASSAGE_TARGETS
from fuzzing.plain_file_targets import PLAIN_FILE_TARGETS
from fuzzing.pool_targets import POOL_TARGETS
from fuzzing.scan_targets import SCAN_TARGETS
from fuzzing.small_targets import SMALL_TARGETS
from fuzzing.target import Target, file_maker, one_line, refusable, size_of

__all__ = ["BY_NAME", "TARGETS", "Target", "one_line", "size_of"]

QRELS = "".join(f"{t} 0 d{d} {(t * d) % 3 - (d == 5)}\n" for t in range(1, 4) for d in range(1, 8))
RUN = "".join(f"{t} Q0 d{d} {d} {10 - d / 3} tag\n" for t in range(1, 4) for d in range(1, 9))
MEASURES = ["ap", "rr", "p@5", "bpref", "ndcg@10", "rbp(p=0.8)", "rprec", "recall@100", "infap", "gm_map", "num_rel"]
TEXTS = ["Solar power in Florida.", "Wind & waves: “energy”", "A third text, with\ttabs.", "", "<b>Not</b> HTML"]


text = partial(mutate, mutations=TEXT)
binary = partial(mutate, mutations=BINARY)

# -- runs and judgments ----------------------------------------------------------------------------------------------


def _rows(lines: str) -> list[list[str]]:
    return [line.split() for line in lines.splitlines()]


def _nested(lines: str, document: int, value: int) -> dict[str, dict[str, float]]:
    nested: dict[str, dict[str, float]] = {}
    for row in _rows(lines):
        nested.setdefault(row[0], {})[row[document]] = float(row[value])
    return nested


def _delimited(lines: str, document: int, value: int, what: str, separator: str) -> bytes:
    rows = [["topic", "document", what], *([row[0], row[document], row[value]] for row in _rows(lines))]
    return "".join(separator.join(row) + "\n" for row in rows).encode()


def _parquet(lines: str, document: int, value: int, what: str, **options: Any) -> bytes:
    import polars as pl

    rows, buffer = _rows(lines), io.BytesIO()
    numbers: Any = [float(row[value]) for row in rows]
    if what == "grade":
        numbers = [int(number) for number in numbers]
    frame = pl.DataFrame({"topic": [r[0] for r in rows], "document": [r[document] for r in rows], what: numbers})
    frame.write_parquet(buffer, **options)
    return buffer.getvalue()


PACKINGS: list[dict[str, Any]] = [
    {},
    {"compression": "uncompressed"},
    {"compression": "snappy", "use_pyarrow": False, "row_group_size": 5},
]


def _text_seeds(lines: str, document: int, value: int, what: str) -> list[bytes]:
    import gzip

    plain = lines.encode()
    tables = [_delimited(lines, document, value, what, s) for s in ",\t"]
    return [plain, plain, plain.replace(b"\n", b"\r\n"), b"# note\n" + plain, *tables, gzip.compress(plain, mtime=0)]


def _use_run(path: Path) -> None:
    from adjudge import measure, read_qrels, read_run
    from adjudge.formats.runs import run_bytes

    run = read_run(path)
    for kind in ("text", "json", "parquet"):
        refusable(lambda kind=kind: run_bytes(run, kind))  # type: ignore[misc]
    measure(read_qrels(io.BytesIO(QRELS.encode())), run, MEASURES).mean()


def _use_qrels(path: Path) -> None:
    from adjudge import measure, read_qrels, read_run, write_qrels

    qrels = read_qrels(path)
    for ending in ("txt", "json", "parquet"):
        refusable(lambda ending=ending: write_qrels(qrels, path.with_name(f"written.{ending}")))  # type: ignore[misc]
    for level in (1, 0, -1):
        refusable(
            lambda level=level: measure(qrels, read_run(io.BytesIO(RUN.encode())), MEASURES, level=level).mean()  # type: ignore[misc]
        )


def _use_preferences(path: Path) -> None:
    from adjudge.formats.preferences import read_judgment_groups, read_preferences

    for layout in ("prefs", "qrels_prefs"):
        refusable(lambda layout=layout: read_preferences(path, layout=layout))  # type: ignore[misc]
    refusable(lambda: read_judgment_groups(path))


SUBTOPICS = [
    b"".join(b"%d %d d%d %d\n" % (t, s, d, (t + d + s) % 3) for t in (1, 2) for s in (1, 2, 3) for d in range(5)),
    json.dumps({"1": {"a": {"d1": 1, "d2": 0}, "b": {"d1": 2}}}).encode(),
]


def _use_subtopics(path: Path) -> None:
    from adjudge import measure, read_run
    from adjudge.formats.subtopics import read_subtopics, write_subtopics

    judgments = read_subtopics(path)
    refusable(lambda: write_subtopics(judgments, path.with_name("written.txt")))
    run = read_run(io.BytesIO(RUN.encode()))
    refusable(lambda: measure(judgments, run, ["alpha_ndcg@5", "err_ia@5", "st_recall@5", "nrbp"]).mean())


PREFERENCES = [
    b"".join(b"1 g%d s%d d%d %d\n" % (g, s, d, d % 3) for g in (1, 2) for s in (1, 2) for d in range(5)),
    b"".join(b"1 g%d d%d %d\n" % (g, d, d % 3) for g in (1, 2) for d in range(5)),
]

# -- scores, rankings, topics ----------------------------------------------------------------------------------------


def _score_seeds() -> list[bytes]:
    from adjudge import measure, read_qrels, read_run

    rows = [("system", "topic", "measure", "value")]
    rows += [(s, t, "ap", f"0.{i}{j}") for i, s in enumerate("abc") for j, t in enumerate(("1", "2", "10"))]
    long = "".join(",".join(row) + "\n" for row in rows).encode()
    matrix = b"topic\ta\tb\tc\n1\t0.1\t0.2\t0.3\n2\t0.5\t\tNA\n10\t1\t0\t0.25\n"
    scores = measure(read_qrels(io.BytesIO(QRELS.encode())), read_run(io.BytesIO(RUN.encode())), ["ap", "rr"])
    values = {s: {t: {"ap": 0.5, "rr": 1} for t in scores.topics} for s in scores.systems}
    return [long, matrix, matrix.replace(b"\t", b";"), json.dumps({"topics": values}).encode()]


def _use_scores(path: Path) -> None:
    from adjudge.formats.scores import read_scores

    scores = read_scores(path)
    scores.mean()


def _score_parquet() -> list[bytes]:
    import polars as pl

    packed = []
    for options in PACKINGS:
        buffer = io.BytesIO()
        frame = pl.DataFrame({"system": ["a", "a", "b", "b"], "topic": ["1", "2"] * 2, "value": [0.1, 0.2, 0.3, None]})
        frame.write_parquet(buffer, **options)
        packed.append(buffer.getvalue())
    return packed


RANKINGS = [
    b"a\nb\nc\nd\n",
    b"id,score\na,0.5\nb,0.25\nc,0.1\n",
    b"0.5\n0.25\n0.75\n",
    b'["a", "b", "c"]',
    b'{"a": 1, "b": 2.5}',
]


def _use_ranking(path: Path) -> None:
    from adjudge.correlation.coefficient import coefficients
    from adjudge.correlation.rankings import paired
    from adjudge.formats.rankings import read_ranking

    ranking = read_ranking(path)
    if ranking is not None:
        pair = paired(ranking, ranking)
        for name in ("tau_b", "tau_ap"):
            coefficients.parse(name)(pair)


TOPICS = [
    b"<top>\n<num> Number: 1\n<title> solar power\n<desc> Description:\nWhat of it?\n<narr> Narrative:\nAll.\n</top>\n"
    * 2,
    b'<topics><topic number="1"><query>solar power</query><question>Is it?</question></topic></topics>',
    b'{"id": "1", "title": "solar", "sentences": ["a", "b"]}\n{"id": 2, "query": "wind"}\n',
    b"qid\ttitle\n1\tsolar power\n2\twind\n",
    b".I 1\n.W\nwhat similarity laws\n.I 2\n.W\nwhat are\n",
]


def _use_topics(path: Path) -> None:
    from adjudge import read_topics
    from adjudge.formats.topics import topics_text

    topics = read_topics(path)
    for layout in ("jsonl", "sgml"):
        refusable(lambda layout=layout: topics_text(topics, layout))  # type: ignore[misc]


# -- documents -------------------------------------------------------------------------------------------------------


def _document_seeds() -> list[bytes]:
    import gzip
    import tarfile

    jsonl = "".join(json.dumps({"id": str(i), "title": t[:5], "text": t}) + "\n" for i, t in enumerate(TEXTS)).encode()
    trec = "".join(
        f"<DOC>\n<DOCNO> d{i} </DOCNO>\n<TEXT>\n{t}\n</TEXT>\n</DOC>\n" for i, t in enumerate(TEXTS)
    ).encode()
    html = b"<!DOCTYPE html><html><head><title>T</title></head><body><p>One &amp; two<br>three</p></body></html>"
    xhtml = b'<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"><body>'
    xhtml += b'<p>One <math alttext="x_1"><mi>x</mi></math></p></body></html>'
    latex = (
        b"\\documentclass{article}\n\\begin{document}\n\\section{One} $x_1$ and \\emph{two} % note\n\\end{document}\n"
    )
    tsv = "".join(f"{i}\t{t.strip() or 'x'}\n".replace("with\t", "") for i, t in enumerate(TEXTS)).encode()
    smart = b".I 1\n.T\ntitle\n.W\nsolar power\n.I 2\n.T\nother\n.W\nwind\n"
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for name, data in (("a.jsonl", jsonl), ("b.jsonl", jsonl.replace(b'"id": "', b'"id": "b'))):
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return [jsonl, trec, html, xhtml, latex, tsv, smart, packed.getvalue(), gzip.compress(jsonl, mtime=0)]


def _document_parquet() -> list[bytes]:
    import polars as pl

    packed = []
    for options in PACKINGS:
        buffer = io.BytesIO()
        pl.DataFrame(
            {"id": [f"d{i}" for i in range(5)], "title": ["t", None] * 2 + ["x"], "text": TEXTS}
        ).write_parquet(buffer, **options)
        packed.append(buffer.getvalue())
    return packed


def _use_documents(path: Path, layout: str | None = None) -> None:
    from adjudge import read_documents
    from adjudge.formats.documents.document_writing import DocumentWriter

    for document in read_documents(str(path), layout=layout):
        for ending in ("jsonl", "trec"):

            def write(ending: str = ending, document: Any = document) -> None:
                with DocumentWriter(path.with_name(f"written.{ending}")) as writer:
                    writer.add(document)

            refusable(write)


LAYOUTS = {"jsonl": 0, "trec": 1, "html": 2, "xhtml": 3, "latex": 4, "tsv": 5, "smart": 6, "text": 4, "parquet": 0}


def _laid_out(rng: random.Random, folder: Path) -> Path:
    """A mutated file, named for the layout that it is read as: its own, now and then another."""
    names = list(LAYOUTS)
    name = rng.choice(names)
    seeds = _document_seeds()
    path = folder / f"x.{name}"
    path.write_bytes(text(rng, [seeds[LAYOUTS[name if rng.random() < 0.8 else rng.choice(names)]]]))
    return path


def _use_laid_out(path: Path) -> None:
    _use_documents(path, path.suffix[1:])


# -- terms, channels, plans, specs -----------------------------------------------------------------------------------


@cache
def _terms() -> Any:
    from adjudge.terms.terms import Term, Terms

    rows = [Term("solar power", 5, 4.5, float("nan"), {"solar power": 3, "Solar powers": 2})]
    rows.append(Term("wind farm", 2, 2.0, float("nan"), {"wind farms": 2}))
    return Terms.of(rows, "terms")


def _term_seeds(endings: Sequence[str]) -> Callable[[], list[bytes]]:
    def seeds() -> list[bytes]:
        from adjudge.terms.term_files import write_terms

        with tempfile.TemporaryDirectory() as folder:
            packed = []
            for ending in endings:
                path = Path(folder) / f"terms.{ending}"
                write_terms(_terms(), path)
                packed.append(path.read_bytes())
            return packed

    return seeds


def _use_terms(path: Path) -> None:
    from adjudge.terms.matching import Matcher
    from adjudge.terms.term_files import read_terms, write_terms

    terms = read_terms(path)
    for ending in ("jsonl", "csv", "parquet"):
        refusable(lambda ending=ending: write_terms(terms, path.with_name(f"written.{ending}")))  # type: ignore[misc]
    Matcher.of(terms)


def _channel_seeds() -> list[bytes]:
    from adjudge.noise.channel.channel_files import dumps
    from adjudge.noise.channel.model import Bursts, Channel, Rule

    rules = (Rule("e", "c", 0.05, 12.0), Rule("rn", "m", 0.1, 8.0), Rule("l", "", 0.01, 3.0))
    alphabet = "abcdefghijklmnopqrstuvwxyz "
    return [dumps(Channel(rules, alphabet, 0.01, 0.01, 0.001, (), Bursts(), (), {"engine": "x"})).encode()]


def _use_channel(path: Path) -> None:
    from adjudge.core.document import Document
    from adjudge.noise.channel import ChannelNoise
    from adjudge.noise.channel.channel_files import dumps, load

    channel = load(str(path))
    dumps(channel).encode()
    ChannelNoise(channel, None, 1).degrade(Document("d", "the rain in spain, well, returns early"))


PLANS = [
    b"""topics = "topics.jsonl"
judgments = "qrels.txt"
systems = ["bm25", "lucene", "fusion(of=[bm25, lucene])"]
measures = ["ap", "ndcg@10"]
depth = 100
seed = 3

[versions]
clean = "documents.jsonl"
noisy = { random = 0.05, seed = 2 }
""",
    b"""judgments = "qrels.txt"
runs = "runs"
measures = ["ap"]
baselines = ["a"]
samples = 200
averages = ["gm", "median"]
""",
]


def _use_plan(path: Path) -> None:
    from adjudge.experiment.plan import Plan

    plan = Plan.read(path)
    json.dumps(plan.to_json()).encode()


SPECS = [
    *(
        b"ap",
        b"ndcg@10",
        b"ndcg@10(gains=exp)",
        b"rbp(p=0.8)",
        b"utility(prices=[1, -1, 0, 0])",
        b"success@10",
        b"zscore",
    ),
    *(
        b"bm25(k1=0.9, b=0.4)",
        b"bm25(analyzer=words|lower|stop(smart)|porter)",
        b"fusion(of=[gmu961, bm25])",
        b"gm(epsilon=1e-5)",
    ),
    *(
        b"lucene(weighting=lucene_bm25)",
        b"technical_terms(terms=terms.jsonl)",
        b"dirichlet(mu=2500)",
        b"tau_ap",
        b"rbo(p=0.9)",
    ),
    *(
        b"jsonl(text=[title, body])",
        b"power(p=2)",
        b"bootstrap",
        b"holm",
        b"ngrams(n=3)",
        b"decipher",
        b"eth(gram=3)",
        b"t",
    ),
]
SPEC_VALUES = [
    b"5",
    b"1.5",
    b"-1",
    b"true",
    b"none",
    b'"a, b"',
    b"[1, 2]",
    b"[]",
    b"x|y",
    b"f(x=1)",
    b"1e400",
    b"0.30000000000000004",
]


def _spec_file(rng: random.Random, folder: Path) -> Path:
    """A spec with a parameter of a component and a value of any kind, or a mutated one."""
    import dataclasses

    from adjudge.components import registries

    path = folder / "spec"
    if rng.random() < 0.6:
        component = rng.choice(rng.choice(registries()).all())
        names = [field.name for field in dataclasses.fields(component) if not field.name.startswith("_")]
        given = [f"{name}={rng.choice(SPEC_VALUES).decode()}" for name in names if name != "k" and rng.random() < 0.7]
        cutoff = f"@{rng.choice(('10', '0', '-1', '1.5', 'x', '0.5'))}" if "k" in names and rng.random() < 0.8 else ""
        path.write_text(component.name + cutoff + (f"({', '.join(given)})" if given else ""))
    else:
        path.write_bytes(mutate(rng, SPECS))
    return path


def _use_spec(path: Path) -> None:
    from adjudge.components import registries
    from adjudge.text.analyzer import Analyzer

    spec = path.read_bytes().decode("utf-8", "replace")
    for registry in registries():

        def there_and_back(registry: Any = registry) -> None:
            component = registry.parse(spec)
            again = registry.parse(str(component))
            assert again == component, f"{spec!r} is printed as {str(component)!r}, which is {again!r}"
            assert str(again) == str(component)

        refusable(there_and_back)
    refusable(lambda: Analyzer.parse(spec))


# -- collections -----------------------------------------------------------------------------------------------------


@cache
def _dump_seeds() -> list[bytes]:
    posts = file_of(
        "posts", question(1, "<p>What is $x_1$? Is it <b>known</b>? See &lt;i&gt;.</p>", accepted=2), answer(2, 1)
    )
    quoted = file_of(
        "posts",
        question(3, "<p>How?</p><pre><code>x</code></pre>", accepted=4),
        answer(4, 3, "<blockquote>doi:10.1000/182</blockquote>"),
    )
    return [posts.encode(), quoted.encode(), (posts + quoted).encode()]


def _dump_folder(rng: random.Random, folder: Path) -> Path:
    dump(folder, "", comments=file_of("comments", comment(9, 2)))
    (folder / "Posts.xml").write_bytes(text(rng, _dump_seeds()))
    return folder


def _use_dump(path: Path) -> None:
    from adjudge.collection.qa.project import Project, open_project
    from adjudge.collection.qa.thread_candidates import CandidateSettings, find_candidates

    project = Project(path / "project")
    find_candidates(path, project, CandidateSettings())
    _ = open_project(project.folder).candidates


@cache
def _candidate_seeds() -> list[bytes]:
    with tempfile.TemporaryDirectory() as name:
        folder = dump(Path(name), _dump_seeds()[0].decode(), comments=file_of("comments", comment(9, 2)))
        _use_dump(folder)
        return [(folder / "project" / "candidates.jsonl").read_bytes()]


def _use_candidates(path: Path) -> None:
    from adjudge.collection.qa.project import open_project
    from adjudge.collection.workbench.board import Board
    from adjudge.collection.workbench.desk import Desk
    from adjudge.collection.workbench.state import decisions_on
    from adjudge.collection.workbench.store.open_store import open_store

    project = open_project(path.parent)
    with open_store(str(project.store_path)) as store:
        board = Board(store, project.candidates)
        for thread in project.candidates:
            desk = Desk(board, "Ada", "assessor")
            refusable(lambda desk=desk, thread=thread: desk.accept(thread))  # type: ignore[misc]
            desk.sheet(thread)
        decisions_on(Board(store, project.candidates))


PATTERNS = [
    b"[[pattern]]\nname = \"wikipedia\"\nregex = 'https?://en[.]wikipedia[.]org/wiki/(?P<page>[^\\s?#]+)'\n"
    b'document = "{page}"\nin = ["href", "text"]\nlower = false\n'
]
CORPUS = [b"0704.0001\nmath/0406343v3\n_10.1000_182.xhtml\nhttp://arxiv.org/abs/0710.5549\n"]


def _use_patterns(path: Path) -> None:
    from adjudge.collection.qa.patterns import read_patterns

    for pattern in read_patterns(path):
        list(pattern.find("see https://en.wikipedia.org/wiki/Qubit and http://x.y/z?a=b"))


def _use_corpus(path: Path) -> None:
    from adjudge.collection.qa.cited_corpus import read_corpus

    read_corpus(path).find("0704.0001")


TARGETS = (
    Target("run", file_maker("x.run", lambda: _text_seeds(RUN, 2, 4, "score"), text), _use_run),
    Target("run-json", file_maker("x.json", lambda: [json.dumps(_nested(RUN, 2, 4)).encode()], mutate_json), _use_run),
    Target(
        "run-parquet",
        file_maker("x.parquet", lambda: [_parquet(RUN, 2, 4, "score", **o) for o in PACKINGS], binary),
        _use_run,
    ),
    Target("qrels", file_maker("q.txt", lambda: _text_seeds(QRELS, 2, 3, "grade"), text), _use_qrels),
    Target(
        "qrels-json", file_maker("q.json", lambda: [json.dumps(_nested(QRELS, 2, 3)).encode()], mutate_json), _use_qrels
    ),
    Target(
        "qrels-parquet",
        file_maker("q.parquet", lambda: [_parquet(QRELS, 2, 3, "grade", **o) for o in PACKINGS], binary),
        _use_qrels,
    ),
    Target("preferences", file_maker("p.txt", lambda: PREFERENCES, text), _use_preferences),
    Target("subtopics", file_maker("s.txt", lambda: SUBTOPICS, text), _use_subtopics),
    Target("scores", file_maker("s.csv", _score_seeds, text), _use_scores),
    Target("scores-json", file_maker("s.json", lambda: _score_seeds()[3:], mutate_json), _use_scores),
    Target("scores-parquet", file_maker("s.parquet", _score_parquet, binary), _use_scores),
    Target("ranking", file_maker("r.txt", lambda: RANKINGS, text), _use_ranking),
    Target("ranking-json", file_maker("r.json", lambda: RANKINGS[3:], mutate_json), _use_ranking),
    Target("topics", file_maker("t", lambda: TOPICS, text), _use_topics),
    Target("topics-json", file_maker("t.jsonl", lambda: TOPICS[2:3], mutate_json), _use_topics),
    Target("documents", file_maker("d", _document_seeds, text), _use_documents),
    Target("documents-layout", _laid_out, _use_laid_out),
    Target("documents-json", file_maker("d.jsonl", lambda: _document_seeds()[:1], mutate_json), _use_documents),
    Target("documents-parquet", file_maker("d.parquet", _document_parquet, binary), _use_documents),
    Target("terms", file_maker("t.jsonl", _term_seeds(["jsonl", "csv"]), text), _use_terms),
    Target("terms-json", file_maker("t.jsonl", _term_seeds(["jsonl"]), mutate_json), _use_terms),
    Target("terms-parquet", file_maker("t.parquet", _term_seeds(["parquet"]), binary), _use_terms),
    Target("channel", file_maker("c.json", _channel_seeds, mutate_json), _use_channel),
    Target("plan", file_maker("plan.toml", lambda: PLANS, text), _use_plan),
    Target("spec", _spec_file, _use_spec),
    Target("dump", _dump_folder, _use_dump),
    Target("candidates", file_maker("candidates.jsonl", _candidate_seeds, mutate_json), _use_candidates),
    Target("patterns", file_maker("p.toml", lambda: PATTERNS, text), _use_patterns),
    Target("corpus", file_maker("c.txt", lambda: CORPUS, text), _use_corpus),
    *PASSAGE_TARGETS,
    *PLAIN_FILE_TARGETS,
    *SCAN_TARGETS,
    *POOL_TARGETS,
    *SMALL_TARGETS,
    *FOLDERS,
)
BY_NAME = {target.name: target for target in TARGETS}
