"""A version of a corpus as one system may see it, and what a system may know beside it.

The rule of the Confusion Track is that no information flows between the true, the lightly and the heavily degraded
version when they are searched: document frequencies, stop grams and feedback come from the version itself. The groups
took three exceptions, and :class:`Aids` has a place for each and for nothing else. A system says in ``uses`` which of
them it takes, and is handed those only.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...core.document import Documents
from ...core.errors import DataError
from ...core.progress import SILENT, Listener, Step
from ...storage.digest import NAME, digest_text
from ...storage.replace import write_bytes

if TYPE_CHECKING:
    from ...index.index import Index


class Pair(NamedTuple):
    """A document in two forms: as it truly reads, and as the version has it."""

    true: str
    observed: str


@dataclass(frozen=True, eq=False)
class Aids:
    """What the groups knew beside the version they searched; an aid that is not there is None."""

    aligned: Sequence[Pair] | None = None
    """A small sample of the version beside the true text, from which characteristic errors are learned (ANU)."""
    training: Sequence[Pair] | None = None
    """A hundred documents in both forms, from which constants are learned by regression (ETH)."""
    outside: Documents | None = None
    """Clean text of the same kind that is not part of the corpus, for a lexicon (CLARIT)."""

    def only(self, names: Sequence[str]) -> Aids:
        """The aids of these names and no others."""
        return replace(Aids(), **{name: getattr(self, name) for name in names})

    def need(self, name: str, system: str) -> object:
        """An aid that a system cannot do without."""
        aid = getattr(self, name)
        if aid is None:
            raise DataError(f"{system} needs {name} text, and none was given")
        return aid


@dataclass(frozen=True, eq=False)
class Version:
    """The documents of one version, and a folder in which what is made of them is kept."""

    name: str
    documents: Documents
    folder: Path
    progress: Listener = SILENT
    texts: bool = False
    """Whether indexes store the documents too, so that what is found can be shown."""
    complete: bool = False
    """Whether all that is needed was made before: what is not there, or cannot be read, is damaged."""
    home: Path = Path()
    """The folder to which paths in a system's parameters are relative: that of the plan."""
    copies: Mapping[str, Path] = field(default_factory=dict)
    """Files that a system's parameters name and that are kept with what it made, by these names."""

    def file(self, name: str) -> Path:
        """A file that a system's parameters name."""
        return self.copies.get(name) or self.home / name

    def index(self, analyzer: str, *, positions: bool = False) -> Index:
        """The index of these documents under an analyzer; built when first asked for, and kept."""
        from ...index.building import build
        from ...index.index import Index
        from ...index.index_files import is_index

        folder = self._index_folder(analyzer, positions)
        if is_index(folder):
            try:
                return Index.open(folder)
            except DataError:  # damaged: it is made again
                if self.complete:
                    raise
        self.refuse_complete()
        return build(
            self.documents,
            folder,
            analyzer=analyzer,
            positions=positions,
            texts=self.texts,
            progress=self.progress,
        )

    def forget(self, analyzer: str, *, positions: bool = False) -> None:
        """Remove an index that turned out to be of no use, unless other systems may have it open: one with texts is of
        one system."""
        if self.texts:
            shutil.rmtree(self._index_folder(analyzer, positions), ignore_errors=True)

    def _index_folder(self, analyzer: str, positions: bool) -> Path:
        # Without the commas of lists, which were not always there: what was built then is found.
        plain = re.sub(r"\[[^]]*\]", lambda values: values[0].replace(", ", " "), analyzer)
        return self.folder_for("index", f"{plain} positions={positions}")

    def work(self, kind: str) -> AbstractContextManager[Step]:
        """The task of making something of the version; an error if it should be there."""
        self.refuse_complete()
        return self.progress.work(kind)

    def refuse_complete(self) -> None:
        """An error if all that is needed should be there already."""
        if self.complete:
            raise DataError(f"{self.name}: damaged, or made by another release: index the documents again")

    def folder_for(self, kind: str, settings: str) -> Path:
        """The folder for something made of this version with these settings, with its settings beside it."""
        key = digest_text(settings, NAME)
        note_file = self.folder / f"{kind}-{key}.txt"
        if not self.complete and not note_file.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            write_bytes(note_file, f"{settings}\n".encode("utf-8", "backslashreplace"), durable=False)
        return self.folder / f"{kind}-{key}"


def load_indexing() -> None:
    """Load what most indexes of a version need: a process that is copied for each system does so before."""
    from ...index import building, joined_index
    from ...text import many_batches
    from ...text.analyzer import Analyzer

    del joined_index, many_batches
    Analyzer.parse(building.DEFAULT)
