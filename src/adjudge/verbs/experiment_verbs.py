"""Verbs on experiments: run a plan, make its page again, reproduce the Confusion Track, the built-in demonstration."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..comparison.verdict import ALPHA
from ..core.arguments import listed, type_name
from ..core.errors import DataError, SpecError, WrongTypeError
from ..core.likes import PathLike, Seed, number_of
from ..core.progress import SILENT, Listener
from ..experiment.completed_runs import CompletedRuns, lock_results
from ..experiment.plan import USUAL_VERSIONS, AnalysisSettings, Noise, Plan
from ..experiment.results_history import ResultsHistory, results_history
from ..experiment.running import Execution, conclude, conduct
from ..experiment.track import Track, conduct_track, track_plan
from ..formats.writing import make_folder, write
from ..report.confusion_table import track_files
from ..report.result_files import result_files

PlanLike = Plan | str | os.PathLike[str] | Mapping[str, Any]
"""A plan, the path of a TOML file, or what such a file holds as a dict."""

SCANNED: dict[str, str | Noise] = {
    "true": "",
    "5 %": Noise(engine="ocrad", factor=1.668),
    "20 %": Noise(engine="ocrad", factor=2.236),
}
"""Factors at which ocrad misreads so much of the Federal Register; the page tells how much it is here."""

ENDINGS = {"latex": "tex", "md": "md", "csv": "csv"}


def read_plan(plan: PlanLike) -> Plan:
    """Read the plan of an experiment.

    Args:
        plan: the path of a TOML file, what such a file holds as a dict (paths in it are from the working folder), or a
            plan.

    >>> read_plan({"collection": "python-docs", "systems": {"run": ["bm25"]}}).systems  # doctest: +SKIP
    """
    if isinstance(plan, Plan):
        return plan
    if isinstance(plan, Mapping):
        return Plan.of(plan, Path("plan.toml"))
    if not isinstance(plan, str | os.PathLike):
        raise WrongTypeError(f"plan must be a path, a dict or a Plan, not {type_name(plan)}")
    return Plan.read(Path(plan))


def run(plan: PlanLike, output: PathLike = "results", *, workers: int = 0, progress: Listener = SILENT) -> Execution:
    """Run an experiment from a plan: every system on every corpus, scores, tests, tables and the page.

    What is done already is not done again.

    Args:
        plan: the path of a TOML file, what such a file holds as a dict, or a plan.
        output: the folder for results.
        workers: systems at a time, each in a process of its own; 0 works in this process.
        progress: hears how far it is.

    >>> run("plan.toml", "results").page  # doctest: +SKIP
    """
    return conduct(read_plan(plan), Path(output), result_files, workers=workers, progress=progress)


def report(
    results: PathLike,
    *,
    figures: PathLike | None = None,
    tables: PathLike | None = None,
    pdf: bool = False,
    progress: Listener = SILENT,
) -> Execution:
    """Make the page of an experiment again, and its figures and tables for a paper.

    Args:
        results: the folder of an experiment; it may have been moved.
        figures: a folder for the charts, as SVG.
        tables: a folder for the tables, as LaTeX, Markdown and CSV.
        pdf: write the charts as PDF too.
        progress: hears how far it is.

    >>> report("results", figures="figures", pdf=True).page  # doctest: +SKIP
    """
    if pdf and figures is None:
        raise SpecError("pdf is for figures: give a folder for them")
    completed = CompletedRuns.load(os.fspath(results))
    with lock_results(completed.folder):
        execution = conclude(completed, result_files, progress, anew=True)
    write_paper(execution, figures, tables, pdf=pdf)
    return execution


def history(
    folders: Sequence[PathLike],
    measure: str = "",
    *,
    version: str = "",
    pair: Sequence[str] = (),
    alpha: float = ALPHA,
    least_coverage: float = 0.0,
    page: PathLike | None = None,
) -> ResultsHistory:
    """Put folders of results one after the other: the history of a figure, what changed in the plan, and tests.

    Args:
        folders: the folders of experiments, the oldest first.
        measure: the measure; the main one of the last folder if none is named.
        version: of the documents; each folder's clean one if none is named.
        pair: two of the folders, by the end of their paths, to compare; each with the next if none are named.
        alpha: the level of the tests.
        least_coverage: systems whose runs answer less than this share of the judged topics have no verdict.
        page: a file for the page, HTML.

    >>> history(["results-may", "results-june"], "ndcg@10", page="history.html").conclusion()  # doctest: +SKIP
    """
    result = results_history(folders, measure, version=version, pair=pair, alpha=alpha, least_coverage=least_coverage)
    if page is not None:
        from ..report.page.history_page import history_page

        place = os.path.dirname(os.path.abspath(os.fspath(page)))
        write(page, history_page(result, place).encode())
    return result


def write_paper(
    execution: Execution, figures: PathLike | None = None, tables: PathLike | None = None, *, pdf: bool = False
) -> list[Path]:
    """Write the charts and tables of an experiment into folders; the paths of all files."""
    from ..report.page import figures as charts
    from ..report.page import tables as page_tables

    if execution.findings is None:
        raise DataError(f"{execution.results.folder}: nothing was found")
    written: list[Path] = []
    if figures is not None:
        for name, figure in charts(execution.findings).items():
            for ending in ("svg", "pdf") if pdf else ("svg",):
                written.append(make_folder(figures) / f"{name}.{ending}")
                figure.save(written[-1])
    if tables is not None:
        for name, table in page_tables(execution.findings).items():
            for form, ending in ENDINGS.items():
                written.append(make_folder(tables) / f"{name}.{ending}")
                write(written[-1], table.form(form).encode("utf-8", "replace"))
    return written


def confusion(
    versions: Sequence[PathLike],
    topics: PathLike,
    qrels: PathLike,
    output: PathLike,
    *,
    systems: str | Sequence[str] = (),
    names: Sequence[str] = (),
    outside: PathLike = "",
    aligned: int = 40,
    training: int = 100,
    depth: int = 1000,
    samples: int = 1000,
    seed: Seed = 0,
    workers: int = 0,
    progress: Listener = SILENT,
) -> Track:
    """Reproduce the TREC-5 Confusion Track: systems on the clean and the degraded versions of a corpus.

    Args:
        versions: paths of the documents, the clean version first.
        topics: the path of the questions.
        qrels: the path of the judgments, with one relevant document for each question.
        output: the folder for results.
        systems: runs of the track or any systems; those of the track if none are named.
        names: of the versions, in their order.
        outside: clean text that is not searched, from which lexica are made.
        aligned: documents from which errors are learned.
        training: documents for regression.
        depth: how many documents for a question.
        samples: bootstrap samples of the questions.
        seed: a whole number or a generator.
        workers: systems at a time, each in a process of its own; 0 works in this process.
        progress: hears how far it is.

    >>> confusion(["true.jsonl", "noisy.jsonl"], "questions.tsv", "qrels.txt", "results")  # doctest: +SKIP
    """
    plan, left_out = track_plan(
        [os.fspath(version) for version in versions],
        os.fspath(topics),
        os.fspath(qrels),
        names=list(names),
        systems=listed(systems, "systems"),
        outside=os.fspath(outside),
        samples=samples,
        aligned=aligned,
        training=training,
        depth=depth,
        seed=number_of(seed),
    )
    for note in left_out:
        progress.note(note)
    return conduct_track(
        plan, os.fspath(output), result_files, track_files, notes=left_out, workers=workers, progress=progress
    )


def demo_plan(*, ocr: bool = False) -> Plan:
    """The plan of the demonstration: known-item search in Python's own documentation, clean and scanned."""
    return Plan(
        collection="python-docs",
        title="Finding one page of Python's documentation, clean and scanned",
        systems=("all",),
        versions=SCANNED if ocr else USUAL_VERSIONS,
        analysis=AnalysisSettings(measures=("rr", "success@1", "success@10", "all")),
    )


def demo(output: PathLike = "out", *, ocr: bool = False, workers: int = 0, progress: Listener = SILENT) -> Execution:
    """Run the demonstration: known-item search in Python's own documentation, clean and scanned.

    Args:
        output: the folder for results.
        ocr: scan pages instead of simulating what a scanner does.
        workers: systems at a time, each in a process of its own; 0 works in this process.
        progress: hears how far it is.

    >>> demo("out").page  # doctest: +SKIP
    """
    return run(demo_plan(ocr=ocr), output, workers=workers, progress=progress)


def write_example(folder: PathLike) -> list[Path]:
    """Write the small files that the documentation uses; those that are there already stay as they are.

    Args:
        folder: where they go.

    >>> [path.name for path in write_example("example")]  # doctest: +SKIP
    """
    from importlib.resources import as_file, files

    place, written = make_folder(folder), []
    with as_file(files("adjudge") / "example") as example:
        for source in sorted(example.iterdir()):
            target = place / source.name
            if source.is_file() and not target.exists():
                write(target, source.read_bytes())
                written.append(target)
    return written
