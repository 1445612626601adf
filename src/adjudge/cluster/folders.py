"""Folders wherever Hadoop's file systems reach, and tables that are there whole or not at all."""

from __future__ import annotations

import os
import re
import uuid
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from ..core.errors import DataError, MissingFileError
from .session import Cluster, translate_failures

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
SIGNS = "*?[{"
"""What makes a pattern of a path."""
SUCCESS = "_SUCCESS"
"""What Spark puts into a folder when all parts of a table are there."""


def has_scheme(path: str) -> bool:
    """Whether a path says of what file system it is, as hdfs://host/x and file:/x do."""
    return SCHEME.match(path) is not None


def escape_pattern(path: str) -> str:
    """A path that Spark takes as it is and not as a pattern."""
    return "".join(f"\\{sign}" if sign in r"*?[]{}\\" else sign for sign in path)


def fixed_part(pattern: str) -> str:
    """The folder that a pattern begins with."""
    first = min(pattern.find(sign) for sign in SIGNS if sign in pattern)
    return pattern[:first].rpartition("/")[0] or "."


def is_pattern(cluster: Cluster, path: str) -> bool:
    """Whether a path is to be taken as a pattern: one that is there under this very name is not."""
    if not any(sign in path for sign in SIGNS):
        return False
    here = not has_scheme(path) and Folder(cluster, ".").qualified.startswith("file:")
    return not (here and os.path.exists(path))


def binary(cluster: Cluster, paths: list[str]) -> DataFrame:
    """Files as rows: path, length, content. There is no row for an empty file."""
    return cluster.spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(paths)


def names_of(files: DataFrame) -> list[str]:
    """The paths of files as their rows have them, those of empty files too, folder by folder."""
    return sorted(map(_name, files.inputFiles()), key=lambda name: name.split("/"))


def _name(address: str) -> str:
    path = unquote(address)
    return f"file:{path.removeprefix('file://')}" if path.startswith("file:///") else path


class Folder:
    """A path as Spark sees it."""

    def __init__(self, cluster: Cluster, path: str) -> None:
        self.cluster, self.path = cluster, path
        jvm: Any = cluster.spark._jvm
        with translate_failures(cluster.log):
            self._place: Any = jvm.org.apache.hadoop.fs.Path(path)
            self._system: Any = self._place.getFileSystem(cluster.spark.sparkContext._jsc.hadoopConfiguration())
        self._path: Any = jvm.org.apache.hadoop.fs.Path

    @property
    def qualified(self) -> str:
        """The path with its file system, as Spark writes it."""
        return str(self._system.makeQualified(self._place).toString())

    def is_folder(self) -> bool:
        """Whether a folder is there; an error if nothing is."""
        with translate_failures(self.cluster.log):
            if not self._system.exists(self._place):
                raise MissingFileError(f"{self.path}: no such file", str(self.path))
            return bool(self._system.getFileStatus(self._place).isDirectory())

    def refuse_used(self) -> None:
        """An error if something is there that a new table would mix with."""
        with translate_failures(self.cluster.log):
            if not self._system.exists(self._place):
                return
            there = list(self._system.listStatus(self._place))
            if not self._system.getFileStatus(self._place).isDirectory():
                raise DataError(f"{self.path}: a file, not a folder: give a new one")
            names = sorted(status.getPath().getName() for status in there)
            if names and SUCCESS not in names:
                raise DataError(f"{self.path}: holds {names[0]} and no finished table: remove it, or give a new folder")
            if names:
                raise DataError(f"{self.path}: holds a table already: remove it, or give a new folder")

    def write(self, table: DataFrame) -> None:
        """Write a table as Parquet, under another name until it is whole; if that fails, nothing is left.

        So two that write to one place do not mix: the second is refused.
        """
        self.refuse_used()
        with translate_failures(self.cluster.log):
            target = self._system.makeQualified(self._place)
            hidden = self._path(target.getParent(), f".{target.getName()}.{uuid.uuid4().hex}")
            try:
                table.write.mode("errorifexists").parquet(hidden.toString())
                self.refuse_used()
                self._system.delete(target, False)  # an empty folder, into which it would be moved
                moved = self._system.rename(hidden, target)
                if self._system.delete(self._path(target, hidden.getName()), True):  # another one came in between
                    raise DataError(f"{self.path}: holds a table already: remove it, or give a new folder")
                if not moved:
                    raise DataError(f"{self.path}: cannot be written")
            except BaseException:
                with suppress(Exception):
                    self._system.delete(hidden, True)
                raise

    def put(self, name: str, content: bytes) -> None:
        """Write a small file into the folder."""
        with translate_failures(self.cluster.log):
            out = self._system.create(self._path(self._place, name), True)
            try:
                out.write(bytearray(content))
            finally:
                out.close()
