"""A plan made of values: what somebody has in a notebook becomes what a plan names.

Documents, topics, judgments and runs that are not files are written to ``given/`` in the folder of results, so that all
that follows is the same as for a plan in a file. Functions and objects stay in this process.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.arguments import is_frame, type_name
from ..core.errors import SpecError, WrongTypeError
from ..core.run import Run
from ..formats.documents import read_documents
from ..formats.documents.document_writing import DocumentWriter
from ..formats.qrels import read_qrels, write_qrels
from ..formats.runs import read_run, write_run
from ..formats.topics import read_topics, write_topics
from ..systems.parts.own_live import LiveSystem
from ..systems.system import System
from .completed_runs import refuse_same_files, slug
from .named_systems import KINDS, OWN, named_specs
from .plan import CLEAN, GIVEN, AnalysisSettings, Plan

GIVEN_FOLDER = "given"


def split_systems(systems: Any) -> tuple[dict[str, str], dict[str, System], dict[str, Any]]:
    """What is a spec, what lives in this process, and what is a run that somebody made."""
    if systems is None:
        return {}, {}, {}
    if isinstance(systems, str):
        systems = [systems]
    if not isinstance(systems, Mapping):
        if not isinstance(systems, Sequence):
            raise WrongTypeError(
                f"systems must be a list of specs, or a dict of systems by name, not {type_name(systems)}"
            )
        return named_specs(list(systems)), {}, {}
    specs, live, runs = dict[str, str](), dict[str, System](), dict[str, Any]()
    for label, what in systems.items():
        name = str(label)
        if isinstance(what, System) and not isinstance(what, LiveSystem):
            specs[name] = str(what)
        elif isinstance(what, LiveSystem):
            live[name] = what
        elif isinstance(what, str) or (_is_table(what) and isinstance(what.get("python", ""), str)):
            specs |= named_specs({name: what})
        elif _is_table(what):
            live[name] = live_system(what["python"], {key: value for key, value in what.items() if key != "python"})
        elif isinstance(what, Run | Mapping) or is_frame(what):
            runs[name] = what
        elif callable(what) or any(callable(getattr(what, way, None)) for way in ("answer", "transform")):
            live[name] = live_system(what, {})
        else:
            raise WrongTypeError(
                f"system {name} must be a spec, a function, an object with answer or transform, a run, or a dict with "
                f"one of {', '.join(KINDS)}, not {type_name(what)}"
            )
    return specs, live, runs


def _is_table(what: Any) -> bool:
    return isinstance(what, Mapping) and any(kind in what for kind in KINDS)


def live_system(code: Any, more: Mapping[str, Any]) -> LiveSystem:
    """Code of this process as a system, with its settings and its description."""
    if "reads" in more:
        raise SpecError("reads is for code in files: give a version to code of this process")
    options = {name: value for name, value in more.items() if name in OWN}
    if "version" in options:
        options["version"] = str(options["version"])
    return LiveSystem(code, {name: value for name, value in more.items() if name not in OWN}, **options)


def plan_of_values(
    folder: Path,
    *,
    systems: Any = None,
    documents: Any = None,
    topics: Any = None,
    qrels: Any = None,
    runs: Mapping[str, Any] | None = None,
    analysis: AnalysisSettings,
    **more: Any,
) -> Plan:
    """The plan for values, those that are no files written below a folder."""
    if qrels is None:
        raise SpecError("an experiment needs qrels: judgments of documents")
    specs, live, made = split_systems(systems)
    made |= dict(runs or {})
    if not specs and not live and not made and more.get("tune") is None:
        raise SpecError("an experiment needs a system or a run")
    given = folder / GIVEN_FOLDER
    if made:
        _write_runs(made, given / "runs", chunks=bool(more.get("collapse")))
    return Plan(
        topics="" if topics is None else _topics(topics, given),
        judgments=_qrels(qrels, given),
        documents="" if documents is None else _documents(documents, given),
        systems=specs,
        live=live,
        runs={} if not made else {GIVEN if documents is None else CLEAN: str((given / "runs").resolve())},
        analysis=analysis,
        **more,
    )


def _path(what: Any) -> str:
    """The path of a file or folder that is there; empty for anything else."""
    return os.path.abspath(what) if isinstance(what, str | os.PathLike) and os.fspath(what) != "-" else ""


def _documents(documents: Any, folder: Path) -> str:
    if path := _path(documents):
        return path
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / "documents.jsonl.zst"
    with DocumentWriter(target) as writer:
        for document in read_documents(documents):
            writer.add(document)
    return str(target.resolve())


def _topics(topics: Any, folder: Path) -> str:
    if path := _path(topics):
        return path
    folder.mkdir(parents=True, exist_ok=True)
    write_topics(read_topics(topics), folder / "topics.jsonl")
    return str((folder / "topics.jsonl").resolve())


def _qrels(qrels: Any, folder: Path) -> str:
    if path := _path(qrels):
        return path
    folder.mkdir(parents=True, exist_ok=True)
    write_qrels(read_qrels(qrels), folder / "qrels.txt")
    return str((folder / "qrels.txt").resolve())


def _write_runs(runs: Mapping[str, Any], folder: Path, *, chunks: bool) -> None:
    """Runs as files whose names are those of the runs; files of earlier ones go."""
    folder.mkdir(parents=True, exist_ok=True)
    refuse_same_files(runs)
    wanted = {f"{slug(name)}.run" for name in runs}
    for path in folder.iterdir():
        if path.name not in wanted:
            path.unlink()
    for name, run in runs.items():
        if slug(name) != name:
            raise SpecError(f"run {name!r}: name it with letters, digits and the signs . = + - _ only")
        read = read_run(run, name="".join(name.split()), chunks=chunks)
        write_run(read, folder / f"{name}.run", metadata=True)
