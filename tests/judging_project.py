"""A small pool with documents and topics for the tests of the judging desk; one document and one topic are hostile."""

from __future__ import annotations

import json
from pathlib import Path

import adjudge

SCRIPT = "<script>alert('xss')</script>"
TITLES = {"1": "heat pumps in winter", "2": "river floods", "3": f"solar panels {SCRIPT}"}


def make_pool_project(folder: Path, documents: int = 4, topics: int = 3) -> Path:
    """PROJECT with ``topics`` topics of ``documents`` documents each, judged in the order d1, d2, …"""
    folder.mkdir(parents=True, exist_ok=True)
    ids = [f"d{number}" for number in range(1, documents + 1)]
    texts = {id_: f"{id_} says: Heat Pumps warm houses.\nRivers flood towns." for id_ in ids}
    texts["d2"] = f"{SCRIPT} <img src=x onerror=alert(2)> pumped heat \u202eevil {{{{ 7*7 }}}}"
    lines = [json.dumps({"id": id_, "title": f"About {id_}", "text": text}) for id_, text in texts.items()]
    (folder / "docs.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    chosen = list(TITLES)[:topics]
    records = [
        {
            "id": id_,
            "title": TITLES[id_],
            "description": f"{TITLES[id_]}?",
            "narrative": "Say <b>what</b> counts.",
        }
        for id_ in chosen
    ]
    (folder / "topics.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    run = {topic: {id_: 100.0 - place for place, id_ in enumerate(ids)} for topic in chosen}
    adjudge.pool(
        {"a": run},
        folder / "project",
        topics=folder / "topics.jsonl",
        documents=folder / "docs.jsonl",
        priority="rank_order",
    )
    return folder / "project"
