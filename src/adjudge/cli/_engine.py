"""The options of commands that can do their work on one machine or on a Spark cluster."""

from __future__ import annotations

import argparse
import os
import re
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..core.errors import DataError, SpecError
from ._options import between, note, refuse_inputs
from ._terminal import Terminal

if TYPE_CHECKING:
    from ..cluster.session import Cluster, SparkEngine

ENGINES = ("local", "spark")


def engine_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("where the work is done")
    group.add_argument(
        "--engine", choices=ENGINES, default="local", help="run on this machine or on a Spark cluster (default: local)"
    )
    group.add_argument(
        "--master", metavar="URL", help="Spark master: spark://HOST:PORT, yarn, k8s://…, local[N] (default: local[*])"
    )
    group.add_argument("--conf", action="append", metavar="NAME=VALUE", help="setting of Spark, may be repeated")
    group.add_argument(
        "--partitions",
        type=between(1, 10**7),
        metavar="N",
        help="number of partitions of the data (default: as Spark reads it)",
    )


def engine_of(options: argparse.Namespace) -> SparkEngine | None:
    """The cluster that was asked for; None for this machine."""
    if options.engine == "local":
        for name in ("master", "conf", "partitions"):
            if getattr(options, name) is not None:
                raise SpecError(f"--{name} needs --engine spark")
        return None
    from ..cluster.session import SparkEngine, settings_of

    return SparkEngine(
        "local[*]" if options.master is None else options.master, settings_of(options.conf or ()), options.partitions
    )


def refuse_read(output: str, sources: Sequence[str]) -> None:
    """An error if a file of this machine would replace one that Spark reads, or be read the next time."""
    from glob import glob

    from ..storage.access import is_within

    for source in (re.sub("^file:/+", "/", source) for source in sources):
        if os.path.isdir(source) and is_within(output, source):
            raise DataError(f"{output}: output must not be inside the input folder {source}")
        refuse_inputs(output, [source, *glob(re.sub(r"\{[^}]*\}", "*", source))])


@contextmanager
def _terminable() -> Iterator[None]:
    """A command that is asked to end, by timeout or a scheduler, cleans up as it does after Ctrl-C."""

    asked: list[int] = []

    def end(number: int, frame: object) -> None:  # noqa: ARG001  signal calls it so
        asked.append(number)
        signal.raise_signal(signal.SIGINT)  # for which PySpark stops its jobs

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    former = signal.signal(signal.SIGTERM, end)
    try:
        yield
    except KeyboardInterrupt:
        raise (SystemExit(128 + asked[0]) if asked else KeyboardInterrupt) from None
    finally:
        signal.signal(signal.SIGTERM, former)


@contextmanager
def on_cluster(engine: SparkEngine) -> Iterator[Cluster]:
    """A session with Spark that shows how far it is."""
    from ..cluster.session import cluster

    with _terminable(), cluster(engine, Terminal()) as session:
        note(session.notes)
        yield session
