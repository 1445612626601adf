"""Small readers: factors, classic judgments, standards, concepts, formulas, assessments, archives of runs."""

from __future__ import annotations

import io
import json
import random
import tarfile
import zipfile
from pathlib import Path

from fuzzing.mutations import BINARY, TEXT, mutate, mutate_json
from fuzzing.target import Target, file_maker, refusable

QRELS = {"1": {"d1": 1, "d2": 0, "d3": 2}, "2": {"d1": 1}}
RUN = {"1": {"d1": 3.0, "d2": 2.0}, "2": {"d2": 1.0, "d1": 0.5}}
FACTORS = [
    b"system,stemmer,k1\na,porter,0.9\nb,none,0.9\nc,porter,1.2\nd,none,1.2\n",
    b"run\tstemmer\na\tporter\nb\tnone\n",
    b'{"a": {"stemmer": "porter", "k1": 0.9}, "b": {"stemmer": null, "k1": true}}',
]
SCORES = {name: {str(topic): 0.1 * (topic + place) for topic in range(5)} for place, name in enumerate("abcd")}
SMART = [b"1 184 2\n1 29 -1\n2 12 4\n", b"1 28 0 0\n1 35 0 0\n", b"1 0 13 1\n1 0 14 1\n", b"1\n 1 2 3\n/\n2\n 5\n/\n"]
STANDARDS = [b"1 map 0.3 0.1\n2 map 0.2 0\n1 P_5 0.4 0.2\n"]
CONCEPTS = [b"# concepts\n1 solar power | photovoltaic*\n1 florida\n2 wind farm* | wind park\n"]
FORMULAS = [b'{"tex": "x_1", "display": false, "mathml": "<math><mi>x</mi></math>", "problem": "", "by": "latexml"}\n']
ASSESSMENTS = [
    b'{"thread": "1", "assessor": "Ada", "clear": true, "answered": true, "confirmed": null, "labels": '
    b'[{"sentence": 1, "kind": "query", "micro_topic": 1}], "judgments": [{"micro_topic": 1, "document": "d", '
    b'"totality": "total", "directness": "direct"}], "breaks": []}\n'
]


def _use_factors(path: Path) -> None:
    from adjudge import factor_effects
    from adjudge.formats.factors import read_factors

    table = read_factors(path)
    refusable(lambda: factor_effects(SCORES, factors=table))


def _use_smart(path: Path) -> None:
    from adjudge.formats.classic_collections import looks_like_smart_qrels, read_smart_qrels
    from adjudge.formats.source import open_source

    looks_like_smart_qrels(open_source(path))
    read_smart_qrels(path)


def _use_standards(path: Path) -> None:
    from adjudge import trec_eval

    trec_eval(QRELS, RUN, "official", zscores=path).text()


def _use_concepts(path: Path) -> None:
    from adjudge.systems.parts.concepts import read_concepts

    read_concepts(path)


def _use_formulas(path: Path) -> None:
    from adjudge.collection.qa.formulas import read_formulas, write_formulas

    write_formulas(read_formulas(path).values(), path.with_name("written.jsonl"))


def _use_assessments(path: Path) -> None:
    from adjudge.collection.qa.agreement import agreement_of
    from adjudge.collection.qa.project import read_assessments

    agreement_of(read_assessments(path))


def _archive(rng: random.Random, folder: Path) -> Path:
    """Runs in a zip or a tar, with a changed run or other bytes."""
    lines = "".join(
        f"{topic} Q0 {document} 1 {score} t\n" for topic, row in RUN.items() for document, score in row.items()
    )
    files = {name: lines.replace(" t\n", f" {name}\n").encode() for name in ("a", "b")}
    name = rng.choice(("a", "b", "../c", "d/e", "/f", ".g"))
    files[name] = mutate(rng, [lines.encode()], TEXT)
    out = io.BytesIO()
    ending = rng.choice(("zip", "tar", "tar.gz"))
    if ending == "zip":
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for inner, data in files.items():
                archive.writestr(zipfile.ZipInfo(f"{inner}.run"), data)
    else:
        with tarfile.open(fileobj=out, mode="w:gz" if ending == "tar.gz" else "w") as packed:
            for inner, data in files.items():
                member = tarfile.TarInfo(f"{inner}.run")
                member.size = len(data)
                packed.addfile(member, io.BytesIO(data))
    path = folder / f"runs.{ending}"
    path.write_bytes(mutate(rng, [out.getvalue()], BINARY) if rng.random() < 0.5 else out.getvalue())
    return path


def _use_archive(path: Path) -> None:
    from adjudge import measure

    measure(QRELS, str(path), ["ap", "p@5"], complete=True).mean()
    assert [each.name for each in path.parent.iterdir()] == [path.name], "something was unpacked"


TUNE = b"""topics = "topics.jsonl"
judgments = "qrels.txt"
measures = ["ap"]
[versions]
clean = "documents.jsonl"
[tune]
system = "bm25"
folds = 5
search = "grid"
[tune.parameters]
k1 = [0.5, 1.2]
b = { low = 0.0, high = 1.0, steps = 3 }
"""


def _use_tune(path: Path) -> None:
    from adjudge.experiment.plan import Plan

    json.dumps(Plan.read(path).to_json()).encode()


SMALL_TARGETS = (
    Target("factors", file_maker("f.csv", lambda: FACTORS, mutate), _use_factors),
    Target("smart-qrels", file_maker("q.txt", lambda: SMART, mutate), _use_smart),
    Target("standards", file_maker("z.txt", lambda: STANDARDS, mutate), _use_standards),
    Target("concepts", file_maker("c.txt", lambda: CONCEPTS, mutate), _use_concepts),
    Target("formulas", file_maker("formulas.jsonl", lambda: FORMULAS, mutate_json), _use_formulas),
    Target("assessments", file_maker("a.jsonl", lambda: ASSESSMENTS, mutate_json), _use_assessments),
    Target("run-archive", _archive, _use_archive),
    Target("tune", file_maker("plan.toml", lambda: [TUNE], mutate), _use_tune),
)
