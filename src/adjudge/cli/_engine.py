"""The options of commands that can do their work on one machine or on a Spark cluster."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..core.errors import SpecError
from ..core.progress import Progress
from ._options import between, note

if TYPE_CHECKING:
    from ..cluster.engine import Cluster, Engine

ENGINES = ("local", "spark")


def engine_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("where the work is done")
    group.add_argument("--engine", choices=ENGINES, default="local", help="this machine, or a Spark cluster (local)")
    group.add_argument("--master", metavar="URL", help="spark://HOST:PORT, yarn, k8s://…, local[N] (local[*])")
    group.add_argument("--conf", action="append", metavar="NAME=VALUE", help="a setting of Spark, may be repeated")
    group.add_argument(
        "--partitions", type=between(1, 10**7), metavar="N", help="parts that the data is cut into (as Spark reads it)"
    )


def engine_of(options: argparse.Namespace) -> Engine | None:
    """The cluster that was asked for; None for this machine."""
    if options.engine == "local":
        for name in ("master", "conf", "partitions"):
            if getattr(options, name) is not None:
                raise SpecError(f"--{name} is for --engine spark")
        return None
    from ..cluster.engine import Engine, settings_of

    return Engine(options.master or "local[*]", settings_of(options.conf or ()), options.partitions)


@contextmanager
def on_cluster(engine: Engine) -> Iterator[Cluster]:
    """A session with Spark that shows how far it is."""
    from ..cluster.engine import cluster

    with Progress("starting Spark", 2) as progress:

        def say(doing: str, done: int, whole: int) -> None:
            progress.what, progress.total = doing, whole
            progress.reach(done, f"{done:,} of {whole:,} tasks")

        with cluster(engine, say) as made:
            note(made.notes)
            yield made
