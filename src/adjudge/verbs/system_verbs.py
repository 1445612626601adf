"""Verbs on systems of your own: put them beside ours in an experiment, and tune their parameters."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.arguments import listed, type_name
from ..core.errors import WrongTypeError
from ..core.likes import DocumentsLike, Measures, PathLike, QrelsLike, RunLike, Seed, TopicsLike, number_of
from ..core.progress import SILENT, Listener
from ..experiment.in_memory import plan_of_values
from ..experiment.plan import AnalysisSettings, Plan
from ..experiment.running import Execution, conduct
from ..experiment.tune_settings import TuneSettings
from ..experiment.tuning import conduct_tuning
from ..report.result_files import result_files

SystemsLike = str | Sequence[str] | Mapping[str, Any]
"""Specs, or by name a spec, a function, an object with answer or transform, a run, or a table as in a plan."""

TESTS = ("randomisation", "t", "wilcoxon")


def experiment(
    systems: SystemsLike,
    documents: DocumentsLike | None = None,
    topics: TopicsLike | None = None,
    qrels: QrelsLike | None = None,
    *,
    runs: Mapping[str, RunLike] | None = None,
    measures: Measures = (),
    main: str = "",
    baselines: str | Sequence[str] = (),
    tests: str | Sequence[str] = TESTS,
    correction: str = "holm",
    level: int = 1,
    depth: int = 1000,
    samples: int = 1000,
    seed: Seed = 0,
    title: str = "",
    topic_ids: Sequence[str] = (),
    collapse: Mapping[str, str] | None = None,
    output: PathLike | None = None,
    workers: int = 0,
    progress: Listener = SILENT,
) -> Execution:
    """Compare systems, yours and ours, on the same topics: scores, tests, findings and a page.

    A system that fails is named in ``failures`` and left out; if none is left, that is an error.

    Args:
        systems: specs, as in ["bm25", "dirichlet"]; or by name a spec, a function of ``query``, ``queries`` or
            ``topics``, an object with ``answer`` (and ``prepare``) or ``transform`` (PyTerrier), a run, or a dict such
            as {"python": f, "k1": 1.2, "limit": 60} or {"command": "my-search {topics} {run}"}.
        documents: what is searched; not needed where all systems are runs.
        topics: the questions.
        qrels: the judgments.
        runs: runs made elsewhere, by name.
        measures: what is measured; by default what fits the judgments.
        main: the measure that systems are compared by; the first one if none is named.
        baselines: systems that all others are compared with; all pairs if none is named.
        tests: paired tests.
        correction: of p-values for the number of comparisons.
        level: the lowest grade that counts as relevant.
        depth: documents for each topic.
        samples: of topics, for intervals.
        seed: a whole number or a generator.
        title: stands on the page.
        topic_ids: the topics that count; all if none is named.
        collapse: how chunks that systems retrieve become documents, {"keep": "max", "separator": "#"}.
        output: the folder for results, where what is done already is not done again; without it they are kept until
            the program ends.
        workers: systems at a time, each in a process of its own; 0 works in this process.
        progress: hears how far it is.

    >>> found = experiment({"mine": my_search, "bm25": "bm25"}, docs, topics, qrels)  # doctest: +SKIP
    >>> found.save("report.html")  # doctest: +SKIP
    """
    folder = _folder(output)
    analysis = _analysis(measures, main, baselines, tests, correction, level, samples)
    plan = plan_of_values(
        folder,
        systems=systems,
        documents=documents,
        topics=topics,
        qrels=qrels,
        runs=runs,
        analysis=analysis,
        depth=depth,
        seed=number_of(seed),
        title=title,
        topic_ids=tuple(map(str, topic_ids)),
        collapse=collapse or {},
    )
    return conduct(plan, folder, result_files, workers=workers, progress=progress)


def tune(
    system: Any,
    parameters: Mapping[str, Any] | None = None,
    documents: DocumentsLike | None = None,
    topics: TopicsLike | None = None,
    qrels: QrelsLike | None = None,
    *,
    train: Measures = (),
    measures: Measures = (),
    search: str = "grid",
    trials: int = 50,
    folds: int = 5,
    splits: int = 20,
    default: Mapping[str, Any] | None = None,
    systems: SystemsLike | None = None,
    level: int = 1,
    depth: int = 1000,
    samples: int = 1000,
    seed: Seed = 0,
    title: str = "",
    output: PathLike | None = None,
    workers: int = 0,
    progress: Listener = SILENT,
) -> Execution:
    """Tune the parameters of a system by folds of the topics, and report what that gains on topics not seen.

    ``.tuning`` of the result has the matrix: trained on one measure, judged by another, with intervals, with the gain
    over the default, and with the optimism of what would have been claimed without the split.

    Args:
        system: a spec such as "bm25", a function or object, or a dict such as {"python": "rankers:search"}; or the path
            of a plan with a table [tune], and no other argument but output, workers and progress.
        parameters: for each parameter a list of values, or a range {"low": 0, "high": 1, "steps": 5}.
        documents: what is searched.
        topics: the questions.
        qrels: the judgments.
        train: the measures that settings are chosen by; the first of ``measures`` if none is named.
        measures: the measures that are reported.
        search: grid, random, or sequential (with optuna).
        trials: how many settings a random or sequential search tries.
        folds: parts into which the topics are dealt.
        splits: other ways to deal them, which show how much depends on that.
        default: the parameters to compare with, if not those that the system has by itself.
        systems: other systems to show beside it.
        level: the lowest grade that counts as relevant.
        depth: documents for each topic.
        samples: of topics, for intervals.
        seed: a whole number or a generator.
        title: stands on the page.
        output: the folder for results, where what is done already is not done again; without it they are kept until
            the program ends.
        workers: settings at a time, each in a process of its own; 0 works in this process.
        progress: hears how far it is.

    >>> grid = {"k1": [0.6, 0.9, 1.2], "b": [0.4, 0.75]}  # doctest: +SKIP
    >>> tune("bm25", grid, docs, topics, qrels, train=["ap", "ndcg@10"]).tuning.conclusion()  # doctest: +SKIP
    """
    folder = _folder(output)
    if parameters is None:
        if not isinstance(system, str | os.PathLike | Plan):
            raise WrongTypeError(f"parameters must be a dict such as {{'k1': [0.6, 0.9]}} for {type_name(system)}")
        plan = system if isinstance(system, Plan) else Plan.read(Path(system))
        return conduct_tuning(plan, folder, result_files, workers=workers, progress=progress)
    table = {
        "system": system,
        "parameters": parameters,
        "train": listed(train, "train"),
        "default": dict(default or {}),
    }
    settings = TuneSettings.of(table | {"search": search, "trials": trials, "folds": folds, "splits": splits})
    plan = plan_of_values(
        folder,
        systems=systems,
        documents=documents,
        topics=topics,
        qrels=qrels,
        analysis=_analysis(measures or train, "", (), TESTS, "holm", level, samples),
        depth=depth,
        seed=number_of(seed),
        title=title,
        tune=settings,
    )
    return conduct_tuning(plan, folder, result_files, workers=workers, progress=progress)


def _folder(output: PathLike | None) -> Path:
    """The folder for results; one that is removed when the program ends if none is named."""
    if output is not None:
        return Path(output)
    folder = tempfile.mkdtemp(prefix="adjudge-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def _analysis(
    measures: Measures,
    main: str,
    baselines: str | Sequence[str],
    tests: str | Sequence[str],
    correction: str,
    level: int,
    samples: int,
) -> AnalysisSettings:
    return AnalysisSettings(
        measures=tuple(listed(measures)),
        main=main,
        baselines=tuple(listed(baselines, "baselines")),
        tests=tuple(listed(tests, "tests")),
        correction=correction,
        level=level,
        samples=samples,
    )
