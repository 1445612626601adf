"""What is fuzzed: every reader, with good files to begin from and with what is done to what was read.

A target makes a mutated input in a folder and uses it as the program would: it reads, computes and writes. An input is
accepted, or refused by an AdjudgeError of one line; anything else that is raised is a defect.
"""

from __future__ import annotations

import io
import json
import os
import random
import shutil
import tempfile
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from collection.dump_of import answer, comment, dump, file_of, question
from fuzzing.mutations import BINARY, TEXT, mutate, mutate_json

QRELS = "".join(f"{t} 0 d{d} {(t * d) % 3 - (d == 5)}\n" for t in range(1, 4) for d in range(1, 8))
RUN = "".join(f"{t} Q0 d{d} {d} {10 - d / 3} tag\n" for t in range(1, 4) for d in range(1, 9))
MEASURES = ["ap", "rr", "p@5", "bpref", "ndcg@10", "rbp(p=0.8)", "rprec", "recall@100", "infap", "gm_map", "num_rel"]
TEXTS = ["Solar power in Florida.", "Wind & waves: “energy”", "A third text, with\ttabs.", "", "<b>Not</b> HTML"]


class Target(NamedTuple):
    """A reader under test."""

    name: str
    make: Callable[[random.Random, Path], Path]
    """Writes a mutated input into an empty folder and says where."""
    use: Callable[[Path], object]
    """Reads it and does with it what users do."""


def _file(name: str, seeds: Callable[[], Sequence[bytes]], change: Callable[..., bytes]) -> Any:
    known = cache(seeds)

    def make(rng: random.Random, folder: Path) -> Path:
        path = folder / name
        path.write_bytes(change(rng, known()))
        return path

    return make


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
        _refusable(lambda kind=kind: run_bytes(run, kind))  # type: ignore[misc]
    measure(read_qrels(io.BytesIO(QRELS.encode())), run, MEASURES).mean()


def _use_qrels(path: Path) -> None:
    from adjudge import measure, read_qrels, read_run, write_qrels

    qrels = read_qrels(path)
    for ending in ("txt", "json", "parquet"):
        _refusable(lambda ending=ending: write_qrels(qrels, path.with_name(f"written.{ending}")))  # type: ignore[misc]
    for level in (1, 0, -1):
        _refusable(
            lambda level=level: measure(qrels, read_run(io.BytesIO(RUN.encode())), MEASURES, level=level).mean()  # type: ignore[misc]
        )


def _refusable(act: Callable[[], object]) -> None:
    """Something that may be refused while the rest goes on."""
    from adjudge.core.errors import AdjudgeError

    try:
        act()
    except AdjudgeError as error:
        one_line(error)


def one_line(error: Exception) -> None:
    """An error that users see is one line that says something."""
    words = str(error)
    assert words.strip(), f"{type(error).__name__} without a word"
    assert "\n" not in words, f"more than one line: {words!r}"
    assert len(words) < 2000, f"{len(words)} characters: {words[:200]!r}"


def _use_preferences(path: Path) -> None:
    from adjudge.formats.preferences import read_judgment_groups, read_preferences

    for layout in ("prefs", "qrels_prefs"):
        _refusable(lambda layout=layout: read_preferences(path, layout=layout))  # type: ignore[misc]
    _refusable(lambda: read_judgment_groups(path))


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
        _refusable(lambda layout=layout: topics_text(topics, layout))  # type: ignore[misc]


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


def _use_documents(path: Path) -> None:
    from adjudge import read_documents
    from adjudge.formats.documents.document_writing import jsonl_document, trec_document

    for document in read_documents(str(path)):
        _refusable(lambda document=document: jsonl_document(document).encode())  # type: ignore[misc]
        _refusable(lambda document=document: trec_document(document).encode())  # type: ignore[misc]


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
        _refusable(lambda ending=ending: write_terms(terms, path.with_name(f"written.{ending}")))  # type: ignore[misc]
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

        _refusable(there_and_back)
    _refusable(lambda: Analyzer.parse(spec))


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
            _refusable(lambda desk=desk, thread=thread: desk.accept(thread))  # type: ignore[misc]
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


# -- indexes ---------------------------------------------------------------------------------------------------------


@cache
def _good_index() -> Path:
    import atexit

    from adjudge.core.document import Document, InMemory
    from adjudge.index.building import build

    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    rng = np.random.default_rng(1)
    texts = [" ".join(f"w{w}" for w in rng.zipf(1.4, 30) % 40) for _ in range(20)]
    texts[3] += " big" * 300
    documents = InMemory(Document(f"d{i:02d}", words, f"title w{i}") for i, words in enumerate(texts))
    build(documents, folder / "index", analyzer="words|lower", positions=True, texts=True)
    return folder / "index"


def _index_folder(rng: random.Random, folder: Path) -> Path:
    """An index with one array of another type, length, order or with other numbers, and checksums that fit."""
    from adjudge.index.index_files import KIND, MANIFEST
    from adjudge.storage.digest import crc32

    target = folder / "index"
    shutil.copytree(_good_index(), target)
    body = KIND.read(target / MANIFEST)
    data = target / body["data"]
    for _ in range(rng.choice((1, 1, 2))):
        what = rng.random()
        if what < 0.2:
            from fuzzing.mutations import VALUES

            key = rng.choice([k for k in body if k != "files"])
            body[key] = rng.choice([*VALUES, "../index", 5, 19, 21, 10**12, "words|lower|x", True])
            continue
        name = rng.choice(sorted(body["files"]))
        entry = body["files"][name]
        if not isinstance(entry, dict):
            continue
        array = _array(data / name, entry["dtype"])
        changed = _changed(rng, array)
        changed.tofile(data / name)
        entry |= {"dtype": changed.dtype.str, "items": len(changed), "crc32": crc32((data / name).read_bytes())}
        if what > 0.95:
            entry[rng.choice(("dtype", "items", "crc32"))] = rng.choice((None, "O", "<f8", -1, 2**70, "x", [], 0))
    KIND.write(target / MANIFEST, body)
    return target


def _array(path: Path, dtype: Any) -> Any:
    try:
        return np.fromfile(path, dtype)
    except (TypeError, ValueError):
        return np.fromfile(path, np.uint8)


def _changed(rng: random.Random, array: Any) -> Any:
    what = rng.randrange(7)
    if what == 0:
        other = rng.choice(("<u4", "<u8", "<i4", "<i8", "<f8", "|u1", "|i1", ">u4"))
        return array.astype(other)
    if what == 1:
        return array[: rng.randrange(len(array) + 1)]
    if what == 2:
        return np.concatenate([array, array[: rng.choice((1, 2, 5))]])
    if what == 3:
        copy = array.copy()
        np.random.default_rng(rng.randrange(1000)).shuffle(copy)
        return copy
    if not len(array):
        return np.zeros(rng.choice((1, 5)), array.dtype)
    copy = array.copy()
    limits = np.iinfo(copy.dtype) if copy.dtype.kind in "iu" else None
    for _ in range(rng.choice((1, 1, 3))):
        values = [0, 1, 5] + ([int(limits.max), int(limits.min), int(limits.max) // 2] if limits else [])
        copy[rng.randrange(len(copy))] = rng.choice(values)
    return copy


def _use_index(path: Path) -> None:
    import warnings

    from adjudge.index.feedback import feedback
    from adjudge.index.index import Index
    from adjudge.index.searching import Searcher

    index = Index.open(path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        list(index.ids)
        index.most_frequent(5)
        for weighting in ("bm25", "cosine", "lucene_classic", "dirichlet"):

            def search(weighting: str = weighting) -> None:
                searcher = Searcher(index, weighting)
                hits = searcher.search(["w1 w2 big", "w3 w5 w7 w9 w11"], k=10)
                searcher.explain("w1 w2", "d03")
                feedback(searcher, hits[0], "w1 w2 big")

            _refusable(search)
        for term in range(min(index.manifest.terms, 60)):
            _refusable(lambda term=term: index.positions(term))  # type: ignore[misc]
        for number in range(min(len(index), 30)):
            _refusable(lambda number=number: index.document(number))  # type: ignore[misc]
        _refusable(index.verify)


TARGETS = (
    Target("run", _file("x.run", lambda: _text_seeds(RUN, 2, 4, "score"), text), _use_run),
    Target("run-json", _file("x.json", lambda: [json.dumps(_nested(RUN, 2, 4)).encode()], mutate_json), _use_run),
    Target(
        "run-parquet",
        _file("x.parquet", lambda: [_parquet(RUN, 2, 4, "score", **o) for o in PACKINGS], binary),
        _use_run,
    ),
    Target("qrels", _file("q.txt", lambda: _text_seeds(QRELS, 2, 3, "grade"), text), _use_qrels),
    Target("qrels-json", _file("q.json", lambda: [json.dumps(_nested(QRELS, 2, 3)).encode()], mutate_json), _use_qrels),
    Target(
        "qrels-parquet",
        _file("q.parquet", lambda: [_parquet(QRELS, 2, 3, "grade", **o) for o in PACKINGS], binary),
        _use_qrels,
    ),
    Target("preferences", _file("p.txt", lambda: PREFERENCES, text), _use_preferences),
    Target("scores", _file("s.csv", _score_seeds, text), _use_scores),
    Target("scores-json", _file("s.json", lambda: _score_seeds()[3:], mutate_json), _use_scores),
    Target("scores-parquet", _file("s.parquet", _score_parquet, binary), _use_scores),
    Target("ranking", _file("r.txt", lambda: RANKINGS, text), _use_ranking),
    Target("ranking-json", _file("r.json", lambda: RANKINGS[3:], mutate_json), _use_ranking),
    Target("topics", _file("t", lambda: TOPICS, text), _use_topics),
    Target("topics-json", _file("t.jsonl", lambda: TOPICS[2:3], mutate_json), _use_topics),
    Target("documents", _file("d", _document_seeds, text), _use_documents),
    Target("documents-json", _file("d.jsonl", lambda: _document_seeds()[:1], mutate_json), _use_documents),
    Target("documents-parquet", _file("d.parquet", _document_parquet, binary), _use_documents),
    Target("terms", _file("t.jsonl", _term_seeds(["jsonl", "csv"]), text), _use_terms),
    Target("terms-json", _file("t.jsonl", _term_seeds(["jsonl"]), mutate_json), _use_terms),
    Target("terms-parquet", _file("t.parquet", _term_seeds(["parquet"]), binary), _use_terms),
    Target("channel", _file("c.json", _channel_seeds, mutate_json), _use_channel),
    Target("plan", _file("plan.toml", lambda: PLANS, text), _use_plan),
    Target("spec", _spec_file, _use_spec),
    Target("dump", _dump_folder, _use_dump),
    Target("candidates", _file("candidates.jsonl", _candidate_seeds, mutate_json), _use_candidates),
    Target("patterns", _file("p.toml", lambda: PATTERNS, text), _use_patterns),
    Target("corpus", _file("c.txt", lambda: CORPUS, text), _use_corpus),
    Target("index", _index_folder, _use_index),
)
BY_NAME = {target.name: target for target in TARGETS}


def size_of(path: Path) -> int:
    """Bytes of a file, or of all files of a folder."""
    if path.is_file():
        return path.stat().st_size
    return sum(os.path.getsize(os.path.join(root, name)) for root, _, names in os.walk(path) for name in names)
