"""Built-in collections: laid out in the folder of results, so that a plan finds them as it finds any other."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from ..formats.writing import write
from .noise import Noise
from .plan import Plan

FILES = ("topics.jsonl", "qrels.txt", "outside.jsonl.zst")
DOCUMENTS = "documents.jsonl.zst"


def laid_out(plan: Plan, results: Path) -> Plan:
    """The plan with the files of its collection; the plan itself if it has its own."""
    if not plan.collection:
        return plan
    from .. import __version__
    from ..collection import python_docs

    folder = (results / "collection").resolve()
    stamp = f"{plan.collection}, adjudge {__version__}, Python {sys.version}\n".encode()
    target = folder / "made"
    if not target.exists() or target.read_bytes() != stamp:
        target.unlink(missing_ok=True)
        python_docs.write(folder)
        write(target, stamp)  # last: what it stands for is whole
    versions = {name: of if isinstance(of, Noise) else str(folder / DOCUMENTS) for name, of in plan.versions.items()}
    topics, judgments, outside = (str(folder / file) for file in FILES)
    return replace(plan, collection="", versions=versions, topics=topics, judgments=judgments, outside=outside)
