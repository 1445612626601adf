"""Folders that are fuzzed: indexes, kept systems, lexicons, results, noise jobs, projects; and requests to a workbench.

A stranger can make checksums fit, so they are made to fit here: what is refused must be refused for what it is.
"""

from __future__ import annotations

import atexit
import json
import random
import shutil
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from fuzzing.mutations import BINARY, TEXT, VALUES, mutate, mutate_json, mutate_value
from fuzzing.target import Target, refusable
from fuzzing.web_requests import asked, request_maker
from workbench_people import accept
from workbench_project import make, plain, quintic


def scratch() -> Path:
    """A folder that goes with this process."""
    folder = Path(tempfile.mkdtemp(prefix="adjudge-fuzz-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


# -- indexes ---------------------------------------------------------------------------------------------------------


def _texts() -> list[str]:
    rng = np.random.default_rng(1)
    texts = [" ".join(f"w{w}" for w in rng.zipf(1.4, 30) % 40) for _ in range(20)]
    texts[3] += " big" * 300
    return texts


def _documents() -> Any:
    from adjudge.core.document import Document, InMemory

    return InMemory(Document(f"d{i:02d}", words, f"title w{i}") for i, words in enumerate(_texts()))


@cache
def _good_index() -> Path:
    from adjudge.index.building import build

    folder = scratch()
    build(_documents(), folder / "index", analyzer="words|lower", positions=True, texts=True)
    return folder / "index"


def _index_folder(rng: random.Random, folder: Path) -> Path:
    """An index with one array of another type, length, order or with other numbers, and checksums that fit."""
    target = folder / "index"
    shutil.copytree(_good_index(), target)
    change_index(rng, target)
    return target


@cache
def _good_parts() -> Path:
    """The same documents in three parts, with one more that was removed."""
    from adjudge.core.document import Document, InMemory
    from adjudge.index.building import build
    from adjudge.index.index_changes import add_documents, remove_documents

    folder, every = scratch() / "index", list(_documents())
    build(InMemory(every[:10]), folder, analyzer="words|lower", positions=True, texts=True)
    add_documents(folder, InMemory([*every[10:15], Document("gone", "w1 w2 w1 vanished")]))
    add_documents(folder, InMemory(every[15:]))
    remove_documents(folder, ["gone"])
    return folder


def _parted_index(rng: random.Random, folder: Path) -> Path:
    """An index in parts with an array, of the whole or of a part, that is not as it was."""
    target = folder / "index"
    shutil.copytree(_good_parts(), target)
    change_index(rng, target)
    return target


def _use_parted_index(path: Path) -> None:
    from adjudge.index.index_changes import merge_index, remove_documents

    _use_index(path)
    refusable(lambda: remove_documents(path, ["d03"]))
    refusable(lambda: merge_index(path))


def change_index(rng: random.Random, target: Path) -> None:
    from adjudge.index.index_files import KIND, MANIFEST, PARTED
    from adjudge.storage.digest import crc32

    kind = PARTED if (KIND.peek(target / MANIFEST) or {}).get("version") == PARTED.version else KIND
    whole = kind.read(target / MANIFEST)
    body = rng.choice([whole, whole, *whole.get("parts", ())])
    data = target / body["data"]
    for _ in range(rng.choice((1, 1, 2))):
        what = rng.random()
        if what < 0.2:
            key = rng.choice([k for k in body if k != "files"])
            body[key] = rng.choice([*VALUES, "../index", "/etc", 5, 19, 21, 10**12, "words|lower|x", True])
            continue
        name = rng.choice(sorted(body["files"]))
        entry = body["files"][name]
        if not isinstance(entry, dict):
            continue
        array = _array(data / name, entry["dtype"])
        changed = changed_array(rng, array)
        changed.tofile(data / name)
        entry |= {"dtype": changed.dtype.str, "items": len(changed), "crc32": crc32((data / name).read_bytes())}
        if what > 0.95:
            entry[rng.choice(("dtype", "items", "crc32"))] = rng.choice((None, "O", "<f8", -1, 2**70, "x", [], 0))
    kind.write(target / MANIFEST, whole)


def _array(path: Path, dtype: Any) -> Any:
    try:
        return np.fromfile(path, dtype)
    except (TypeError, ValueError):
        return np.fromfile(path, np.uint8)


def changed_array(rng: random.Random, array: Any) -> Any:
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

            refusable(search)
        for term in range(min(index.manifest.terms, 60)):
            refusable(lambda term=term: index.positions(term))  # type: ignore[misc]
        for number in range(min(len(index), 30)):
            refusable(lambda number=number: index.document(number))  # type: ignore[misc]
        refusable(index.verify)


# -- what systems keep -----------------------------------------------------------------------------------------------


def _scanned() -> Any:
    """Documents with common words and the errors of a scanner, so that there is something to decipher."""
    from adjudge.core.document import Document, InMemory
    from adjudge.text.stopwords import words_of

    rng = random.Random(1)
    words = [*sorted(words_of("smart"))[:150], "register", "modern", "w1", "w2", "big"]
    errors = (("m", "rn"), ("e", "c"), ("l", "1"), ("o", "0"))
    documents = []
    for number in range(40):
        chosen = [rng.choice(words) for _ in range(80)]
        for place in rng.sample(range(80), 12):
            chosen[place] = chosen[place].replace(*rng.choice(errors))
        documents.append(Document(f"d{number:02d}", " ".join(chosen)))
    return InMemory(documents)


@cache
def _good_kept(spec: str) -> Path:
    from adjudge.systems.parts.kept import keep
    from adjudge.systems.system import systems

    folder = scratch()
    keep(systems.parse(spec), _scanned(), folder / "kept")
    return folder / "kept"


def _kept_folder(rng: random.Random, folder: Path) -> Path:
    """What a system keeps, with another value in system.json, an index or an array that is not as it was."""
    target = folder / "kept"
    shutil.copytree(_good_kept(rng.choice(("bm25", "decipher", "decipher", "weighted(by=dirichlet)"))), target)
    about = json.loads((target / "system.json").read_text())
    what = rng.random()
    if what < 0.15:
        about[rng.choice(list(about))] = rng.choice(
            [*VALUES, "..", "/etc", "bm25(k1=nan)", "command(run=[touch, x])", "eth", "decipher(x=1)"]
        )
        (target / "system.json").write_text(json.dumps(about))
        return target
    data = target / about["data"]
    indexes = sorted(path for path in data.glob("index-*") if path.is_dir())
    if what < 0.35 and indexes:
        change_index(rng, rng.choice(indexes))
        return target
    files = sorted(path for path in data.rglob("*") if path.is_file() and not path.parent.name.startswith("index-"))
    if not files:
        change_index(rng, indexes[0])
        return target
    change_file(rng, rng.choice(files))
    return target


def change_file(rng: random.Random, path: Path) -> None:
    """Another array, another value, other bytes; and the checksums of its folder made to fit."""
    if path.suffix == ".npy" and rng.random() < 0.8:
        array = np.load(path)
        changed = changed_array(rng, array.reshape(-1))
        if rng.random() < 0.1 and len(changed):
            changed = changed.reshape(1, -1)
        np.save(path, changed)
    elif path.suffix == ".json":
        path.write_bytes(mutate_json(rng, [path.read_bytes()]))
    else:
        path.write_bytes(mutate(rng, [path.read_bytes()], BINARY))
    sign(path)


def sign(path: Path) -> None:
    """Let the manifest beside a file have its checksum, and the manifest its own."""
    from adjudge.storage.digest import crc32
    from adjudge.storage.manifest import ManifestKind

    for manifest in path.parent.glob("*.json"):
        try:
            body = json.loads(manifest.read_bytes())
            files = body["files"]
        except (ValueError, KeyError, TypeError):
            continue
        if isinstance(files, dict) and path.name in files and isinstance(files[path.name], int):
            files[path.name] = crc32(path.read_bytes())
        kind = ManifestKind(str(body.pop("kind", "")), body.pop("version", 0), "x", "x")
        body.pop("crc32", None)
        kind.write(manifest, body)


def _use_kept(path: Path) -> None:
    from adjudge.systems.parts.kept import open_kept, verify_kept

    kept = open_kept(path)
    for question in ("modern big w1", "register", "bug"):
        refusable(lambda question=question: kept.answerer.search(question, 10))  # type: ignore[misc]
        refusable(lambda question=question: kept.answerer.explain(question, "d03"))  # type: ignore[misc]
        refusable(lambda question=question: kept.answerer.observed_strings(question))  # type: ignore[misc]
    refusable(lambda: kept.run({"1": "modern register", "2": "big"}, 5))
    refusable(lambda: verify_kept(path))


@cache
def _good_lexicon() -> Path:
    from adjudge.systems.parts.correction.word_lexicon import make as make_lexicon

    folder = scratch()
    make_lexicon(_scanned(), folder / "lexicon")
    return folder / "lexicon"


def _lexicon_folder(rng: random.Random, folder: Path) -> Path:
    target = folder / "lexicon"
    shutil.copytree(_good_lexicon(), target)
    change_file(rng, rng.choice(sorted(path for path in target.iterdir() if path.is_file())))
    return target


def _use_lexicon(path: Path) -> None:
    from adjudge.core.document import Document
    from adjudge.noise.channel.channel_files import channel_of
    from adjudge.systems.parts.correction.correcting import Corrector
    from adjudge.systems.parts.correction.word_lexicon import CorrectionLexicon

    lexicon = CorrectionLexicon.open(path)
    for word in ("w1", "<n>", "none"):
        lexicon.count(word)
        lexicon.pair(word, "w2")
    Corrector(str(path), channel_of("ocrad-5")).degrade(Document("d", "tbe modem rcgister w1 b1g after a11"))


# -- results ---------------------------------------------------------------------------------------------------------


@cache
def _good_results() -> Path:
    import adjudge
    from adjudge.experiment.plan import AnalysisSettings, Plan
    from adjudge.experiment.running import conduct
    from adjudge.report.result_files import result_files

    folder, example = scratch(), Path(adjudge.__file__).parent / "example"
    (folder / "runs").mkdir()
    for name in ("dense.run", "fused.run"):
        shutil.copy(example / name, folder / "runs")
    shutil.copy(example / "qrels.txt", folder)
    analysis = AnalysisSettings(measures=("ap", "rr"), tests=("t",), samples=50, averages=("median",))
    plan = Plan(judgments="qrels.txt", runs={"runs": "runs"}, folder=folder, analysis=analysis)
    conduct(plan, folder / "results", result_files)
    return folder / "results"


def _results_folder(rng: random.Random, folder: Path) -> Path:
    target = folder / "results"
    shutil.copytree(_good_results(), target)
    run = sorted((target / "runs").rglob("*.run.zst"))[0]
    what = rng.random()
    if what < 0.6:
        path = target / "plan.json"
        data = json.loads(path.read_text())
        if rng.random() < 0.5:
            data["results"] = mutate_value(rng, data["results"])
        else:
            data["results"]["analysis"] = mutate_value(rng, data["results"]["analysis"])
        if rng.random() < 0.1 and isinstance(data["results"], dict):
            runs = data["results"].get("runs")
            version = next(iter(runs), "x") if isinstance(runs, dict) else "x"
            data["results"]["runs"] = {version: {"x": rng.choice(("/etc/passwd", "../../x.run.zst", "", "."))}}
        path.write_text(json.dumps(data))
    elif what < 0.7:
        path = target / "judgments.txt"
        path.write_bytes(mutate(rng, [path.read_bytes()], TEXT))
    elif what < 0.85:
        path = run.with_name(run.name.removesuffix(".run.zst") + ".json")
        path.write_bytes(mutate_json(rng, [path.read_bytes()]))
    else:
        run.write_bytes(mutate(rng, [run.read_bytes()], BINARY))
    return target


def _use_results(path: Path) -> None:
    import warnings

    from adjudge.experiment.analysis import findings_of
    from adjudge.experiment.completed_runs import CompletedRuns
    from adjudge.report.result_files import result_files

    results = CompletedRuns.load(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result_files(findings_of(results))


# -- noise jobs ------------------------------------------------------------------------------------------------------


@cache
def _good_job() -> Path:
    from adjudge.noise.degrading import degrade
    from adjudge.noise.random_noise import RandomNoise

    folder = scratch()
    degrade(_documents(), RandomNoise(0.1), folder / "job", workers=1)
    return folder / "job"


def _job_folder(rng: random.Random, folder: Path) -> Path:
    target = folder / "job"
    shutil.copytree(_good_job(), target)
    path = rng.choice(sorted(path for path in target.rglob("*") if path.is_file()))
    data = path.read_bytes()
    path.write_bytes(mutate_json(rng, [data]) if path.suffix == ".json" else mutate(rng, [data], BINARY))
    return target


def _use_job(path: Path) -> None:
    from adjudge import read_documents

    for document in read_documents(str(path)):
        _ = document.text


# -- projects and the workbench --------------------------------------------------------------------------------------


@cache
def _good_project() -> Path:
    from adjudge.collection.workbench.board import Board
    from adjudge.collection.workbench.desk import Desk
    from adjudge.collection.workbench.store.open_store import open_store

    folder = scratch()
    project = make(folder / "project", quintic(), plain(101))
    with open_store(str(project.store_path)) as store:
        accept(Desk(Board(store, project.candidates), "Ada", "assessor"), "14655")
    return folder / "project"


def _project_folder(rng: random.Random, folder: Path) -> Path:
    """A project whose store has other bytes, or rows that somebody else wrote."""
    import sqlite3

    target = folder / "project"
    shutil.copytree(_good_project(), target)
    path = target / "store.sqlite"
    if rng.random() < 0.5:
        path.write_bytes(mutate(rng, [path.read_bytes()], BINARY))
        return target
    with sqlite3.connect(path) as database:
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {name}")
        columns = [row[1] for row in database.execute("PRAGMA table_info(events)")]
        column = rng.choice([name for name in columns if name != "id"])
        value: Any = rng.choice([None, "", "x", 5, 1.5, b"\xff", "\x00", "[" * 2000, "9" * 5000, "\u202e"])
        if column == "changes" and rng.random() < 0.7:
            (before,) = database.execute("SELECT changes FROM events LIMIT 1").fetchone()
            value = mutate_json(rng, [before.encode()]).decode("utf-8", "replace")
        with suppress(sqlite3.Error, OverflowError):  # the store itself does not take everything
            database.execute(f"UPDATE events SET {column} = ? WHERE id = 2", (value,))  # noqa: S608  a known column
    database.close()
    return target


def _use_project(path: Path) -> None:
    from adjudge.collection.qa.project import open_project
    from adjudge.collection.workbench.board import Board
    from adjudge.collection.workbench.state import decisions_on
    from adjudge.collection.workbench.store.open_store import open_store
    from adjudge.collection.workbench.store_check import check_store

    project = open_project(path)
    with open_store(str(project.store_path), create=False) as store:
        check_store(project, store, repair=True)
        decisions_on(Board(store, project.candidates))


REQUESTS: list[dict[str, Any]] = [
    {"method": "GET", "path": "/", "query": "show=open&find=group&page=1"},
    {"method": "GET", "path": "/thread", "query": "id=14655"},
    {"method": "GET", "path": "/document", "query": "thread=14655&id=math/0406343"},
    {"method": "GET", "path": "/history", "query": "id=14655"},
    {"method": "GET", "path": "/next", "query": "role=adjudicator&after=101"},
    {"method": "GET", "path": "/static/workbench.js", "query": ""},
    {"method": "POST", "path": "/decide", "form": {"thread": "101", "kind": "clear", "value": "yes", "key": "k1"}},
    {
        "method": "POST",
        "path": "/decide",
        "form": {"thread": "101", "kind": "label", "sentence": "2", "value": "query 1"},
    },
    {
        "method": "POST",
        "path": "/decide",
        "form": {
            "thread": "14655",
            "kind": "totality",
            "micro_topic": "1",
            "document": "math/0406343",
            "value": "total",
        },
    },
    {"method": "POST", "path": "/decide", "form": {"thread": "14655", "kind": "note", "value": "a note"}},
    {"method": "POST", "path": "/accept", "form": {"thread": "101"}},
    {"method": "POST", "path": "/undo", "form": {"thread": "14655", "event": "3"}},
    {"method": "POST", "path": "/finish", "form": {"thread": "101"}},
    {"method": "POST", "path": "/sign-in", "form": {"name": "Bob", "next": "/thread?id=101"}},
    {"method": "POST", "path": "/export", "form": {"all_grades": "yes", "source": "x"}},
]


def _use_request(path: Path) -> None:
    """Ask a workbench: it answers, without an error of its own, and its store can be read afterwards."""
    from adjudge.collection.qa.project import open_project
    from adjudge.collection.workbench.board import Board
    from adjudge.collection.workbench.state import decisions_on
    from adjudge.collection.workbench.store.open_store import open_store
    from adjudge.collection.workbench.web.application import application
    from adjudge.collection.workbench.web.visitors import WebSettings

    request = json.loads(path.read_text())
    folder = path.parent / "project"
    shutil.copytree(_good_project(), folder)
    project = open_project(folder)
    with open_store(str(project.store_path)) as store:
        settings = WebSettings(name="Ada", adjudicators=frozenset({"Ada"}))
        board = Board(store, project.candidates)
        status, _ = asked(application(project, board, settings), request, _token(settings))
        assert 200 <= status < 500, f"{status} for {request}"
        fresh = Board(store, project.candidates)
        decisions_on(fresh)
        assert not fresh.bad, f"an event that cannot be read: {fresh.bad}"


def _token(settings: Any) -> str:
    return str(settings.signer.csrf(settings.signer.same("Ada", settings.role_of("Ada"))))


# -- the Cambridge collection ----------------------------------------------------------------------------------------

SENTENCES = (
    b'<p><s id="1" type="p">Let <math alttext="G"><mi>G</mi></math> be a group.</s></p>\n'
    b'<p><s id="2" type="q" qid="1">Is it amenable?</s></p>\n'
)


def _cumtc_folder(rng: random.Random, folder: Path) -> Path:
    (folder / "topics").mkdir()
    table = b"seqid,postid,doc_arxivid,citationid,subtopic\n1,14655,math/0406343,9,1\n"
    (folder / "judgements.csv").write_bytes(mutate(rng, [table], TEXT) if rng.random() < 0.5 else table)
    (folder / "topics" / "1.txt").write_bytes(mutate(rng, [SENTENCES], TEXT))
    return folder


def _use_cumtc(path: Path) -> None:
    from adjudge.collection.qa.cumtc import read_cumtc

    read_cumtc(path)


FOLDERS = (
    Target("index", _index_folder, _use_index, share=0.1),
    Target("index-in-parts", _parted_index, _use_parted_index, share=0.1),
    Target("kept", _kept_folder, _use_kept, share=0.1),
    Target("lexicon", _lexicon_folder, _use_lexicon, share=0.1),
    Target("results", _results_folder, _use_results, share=0.1),
    Target("noise-job", _job_folder, _use_job),
    Target("project", _project_folder, _use_project),
    Target("request", request_maker(REQUESTS), _use_request, share=0.1),
    Target("cumtc", _cumtc_folder, _use_cumtc),
)
