"""The files of SMART's classic collections."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from ....core.document import Document
from ....core.spec import require
from ...classic_collections import records
from ..layout import Layout, ReadingTally
from ..streams import Stream


@dataclass(frozen=True)
class SmartLayout(Layout):
    """SMART's files of the classic collections: .I and a number, then fields .T .A .B .W; NPL's with slashes.

    The title is .T. The text is .T, .K and .W, one after the other; a .T with which .W begins is not repeated.
    A number may be broken over two lines, as 2856 is in CACM.

    Parameters: ``fields``, letters of the fields that make the text, in their order (TKW).

    No value: a document without these fields has no text and is kept.

    Example: .I 1 / .T / Wings / .W / Lift grows. → 1, "Wings\\nLift grows.".
    """

    name: ClassVar[str] = "smart"

    fields: str = "TKW"

    def __post_init__(self) -> None:
        fine = isinstance(self.fields, str) and re.fullmatch("[A-HJ-Z]+", self.fields) is not None
        require(self, "fields", fine, "be letters of fields such as TW")

    @classmethod
    def shows(cls, head: bytes) -> bool:
        return re.match(rb"\s*\.I\s*[0-9]+\s*\n\.[A-Z]\s", head) is not None or _npl(head)

    def read(self, stream: Stream, tally: ReadingTally) -> Iterator[Document]:
        for record in records(stream.lines(), stream.name):
            text = tally.decode(record.text(self.fields), f"{stream.name}:{record.line}")
            title = tally.decode(record.text("T"), f"{stream.name}:{record.line}")
            yield Document(str(record.number), text, " ".join(title.split()))


def _npl(head: bytes) -> bool:
    """NPL's texts, and not its lists of numbers, which look the same."""
    return re.match(rb"\s*1\s*\n(?:[a-zA-Z][^\n]*\n)+\s*/\s*\n2\s*\n", head) is not None
