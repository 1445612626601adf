"""Readers of chunks, spans, nuggets and headers of runs, and what users do with what was read."""

from __future__ import annotations

import json
from pathlib import Path

from fuzzing.mutations import mutate, mutate_json
from fuzzing.target import Target, file_maker, refusable

SPANS = [
    b"1 a 0 10\n1 a 20 35 2 90\n# more\n2 b 5 25 0\n",
    b"topic\tdocument\tfrom\tto\tgrade\n1\ta\t0\t10\t1\n2\tb\t5\t9\t2\n",
]
SPANS_JSON = [json.dumps({"1": {"a": [[0, 10], [20, 35, 2]]}, "2": {"b": [[5, 25, 0]]}}).encode()]
PASSAGES = {"1": {"a:0-20": 2.0, "a:5-30": 1.0, "c:0-9": 0.5}, "2": {"b:0-6": 1.0}}
CHUNKS = [b"a#1 a\na#2\ta\n# more\nb#1 b\n", b"chunk,document\na#1,a\na#2,a\nb#1,b\n"]
ANSWER = {
    "qid": "1",
    "run_id": "mine",
    "nuggets": [
        {"text": "one", "importance": "vital", "assignment": "support"},
        {"text": "two", "importance": "okay", "assignment": "partial_support"},
    ],
}
NUGGETS = [
    (json.dumps(ANSWER) + "\n" + json.dumps(ANSWER | {"qid": "2"}) + "\n").encode(),
    b"system\ttopic\tnugget\timportance\tassignment\nx\t1\tn1\tvital\tsupport\nx\t1\tn2\tokay\tnot_support\n",
]
HEADED = [
    b'# ir_metadata.start\n# tag: x\n# platform:\n#   cpu: {model: "a: b", cores: 4}\n#   ram: 32 GB\n# method:\n'
    b"#   retrieval:\n#   - name: bm25\n#     b: 0.4\n#   - [1, 'two']\n#   note: |\n#     lines\n# ir_metadata.end\n"
    b"1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n"
]


def _use_spans(path: Path) -> None:
    from adjudge import measure, read_spans, write_spans

    spans = read_spans(path)
    for ending in ("txt", "json", "parquet"):
        refusable(lambda ending=ending: write_spans(spans, path.with_name(f"written.{ending}")))  # type: ignore[misc]
    names = ["char_f", "char_ap", "char_iou@1(repeats=true)", "char_recall(chars=7)", "span_ndcg@2", "span_ap(iou=0)"]
    refusable(lambda: measure(spans, {"x": PASSAGES}, names, complete=True).mean())


def _use_chunks(path: Path) -> None:
    from adjudge import collapse

    for keep in ("first", "max", "sum"):
        refusable(lambda keep=keep: collapse({"1": {"a#1": 2.0, "a#2": 1.0, "b#1": 3.0}}, keep, table=path))  # type: ignore[misc]


def _use_nuggets(path: Path) -> None:
    from adjudge import nuggets, read_scores

    for note in nuggets(path).notes:
        str(note)
    refusable(lambda: read_scores(path).mean())


def _use_headed(path: Path) -> None:
    from adjudge import read_run, write_run

    run = read_run(path)
    for note in run.notes:
        str(note)
    refusable(lambda: write_run(run, path.with_name("written.run"), metadata=True))
    if run.metadata:
        assert json.dumps(read_run(path.with_name("written.run")).metadata) == json.dumps(run.metadata)


PASSAGE_TARGETS = (
    Target("spans", file_maker("s.txt", lambda: SPANS, mutate), _use_spans),
    Target("spans-json", file_maker("s.json", lambda: SPANS_JSON, mutate_json), _use_spans),
    Target("chunks", file_maker("c.txt", lambda: CHUNKS, mutate), _use_chunks),
    Target("nuggets", file_maker("n.jsonl", lambda: NUGGETS, mutate), _use_nuggets),
    Target("nuggets-json", file_maker("n.jsonl", lambda: NUGGETS[:1], mutate_json), _use_nuggets),
    Target("run-header", file_maker("h.run", lambda: HEADED, mutate), _use_headed),
)
