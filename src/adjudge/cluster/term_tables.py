"""Tables of terms where Spark reads and writes, and their way to the memory of this machine."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from ..core.errors import DataError
from ..terms.term_files import COLUMNS, read_terms
from ..terms.terms import Terms
from .folders import escape_pattern, has_scheme
from .session import Cluster

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark import Broadcast
    from pyspark.sql import Column, DataFrame

KINDS = ("string", "bigint", "double", "double", "array<struct<form:string,frequency:bigint>>")
SCHEMA = ", ".join(f"{name} {kind}" for name, kind in zip(COLUMNS, KINDS, strict=True))
T = TypeVar("T")


@contextmanager
def broadcasting(cluster: Cluster, value: T) -> Iterator[Broadcast[T]]:
    """A value that every worker has, as long as it is needed."""
    variable = cluster.spark.sparkContext.broadcast(value)
    try:
        yield variable
    finally:
        variable.unpersist()


def order() -> list[Column]:
    """By NC-value if there is one, by C-value else; equal values by frequency and name."""
    from pyspark.sql import functions as f

    return [f.desc(f.coalesce("nc_value", "c_value")), f.desc("frequency"), f.asc("class")]


def collect_terms(table: DataFrame, most: int | None = None) -> Terms:
    """The best terms of a table, or all, in the order of their rank."""
    ordered = table.orderBy(*order())
    return _of_arrow((ordered if most is None else ordered.limit(most)).toArrow())


def _of_arrow(table: pa.Table) -> Terms:
    names, frequencies, values, nc, forms = (table.column(name).combine_chunks() for name in COLUMNS)
    flat = forms.flatten()
    sizes = forms.value_lengths().to_numpy(zero_copy_only=False)
    return Terms(
        names.to_pylist(),
        frequencies.to_numpy(zero_copy_only=False).astype(np.int64),
        values.to_numpy(zero_copy_only=False).astype(np.float64),
        None if nc.null_count == len(nc) else nc.fill_null(math.nan).to_numpy(zero_copy_only=False),
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        flat.field("form").to_pylist(),
        flat.field("frequency").to_numpy(zero_copy_only=False).astype(np.int64),
    )


def distribute_terms(cluster: Cluster, terms: Terms) -> DataFrame:
    """Terms of this machine as a table of Spark."""
    import pyarrow as pa

    pairs = pa.StructArray.from_arrays(
        [pa.array(terms.forms, pa.string()), pa.array(terms.form_frequencies, pa.int64())], ["form", "frequency"]
    )
    nc = np.full(len(terms), math.nan) if terms.nc_values is None else terms.nc_values
    columns = [
        pa.array(terms.names, pa.string()),
        pa.array(terms.frequencies, pa.int64()),
        pa.array(terms.c_values, pa.float64()),
        pa.array(nc, pa.float64(), mask=np.isnan(nc)),
        pa.ListArray.from_arrays(pa.array(terms.offsets, pa.int32()), pairs),
    ]
    return cluster.spark.createDataFrame(pa.Table.from_arrays(columns, list(COLUMNS)), SCHEMA)


def read_terms_on(cluster: Cluster, path: str) -> Terms:
    """Terms from a file of this machine, or from a table that Spark wrote."""
    if not has_scheme(path) and not os.path.isdir(path):
        return read_terms(path)
    with cluster.work("read_terms"):
        table = cluster.spark.read.parquet(escape_pattern(path))
        for name, kind in zip(COLUMNS, KINDS, strict=True):
            if dict(table.dtypes).get(name) != kind:
                raise DataError(f"{path}: no column {name} with {kind}: a table of terms has {', '.join(COLUMNS)}")
        if (
            table.where(" or ".join(f"{name} is null" for name in ("class", "frequency", "c_value", "forms")))
            .limit(1)
            .count()
        ):
            raise DataError(f"{path}: a term without a name, a frequency, a C-value or forms")
        return collect_terms(table).validate(path)
