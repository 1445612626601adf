"""What a verb returns: a value that becomes a frame, a dict, a table in a notebook and, where there is one, a chart.

A result holds facts. What its table, its data and its charts are is known to the rooms above, which are asked through
core/presentation.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from .encoding import escaped
from .errors import MissingExtraError, SpecError, did_you_mean
from .presentation import chart_of, charts_of, columns_of, data_of, html_of

if TYPE_CHECKING:
    import os

    import pandas
    import polars


T = TypeVar("T")


class Drawing(Protocol):
    """A chart, which a notebook shows and which can be saved; see report/figures/figure.py."""

    def svg(self, *, standalone: bool = True) -> str:
        """The drawing as SVG."""

    def pdf(self) -> bytes:
        """The drawing as a page of PDF."""

    def png(self, scale: float = 2.0) -> bytes:
        """The drawing as pixels."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it as the ending of the path says: .svg, .pdf or .png."""


def framed(make: Callable[[dict[str, Any]], T], columns: Mapping[str, Any]) -> T:
    """A frame of columns; names with bytes that are no UTF-8 are escaped in it, because libraries refuse them."""
    try:
        return make(dict(columns))
    except UnicodeEncodeError:
        return make({name: [escaped(x) if isinstance(x, str) else x for x in of] for name, of in columns.items()})


class Result:
    """A value that can be taken elsewhere."""

    __slots__ = ()

    def to_polars(self) -> polars.DataFrame:
        """The result as a polars frame, one row for each thing that it says something of."""
        import polars as pl

        return framed(lambda columns: pl.DataFrame(columns, strict=False), columns_of(self))

    def to_pandas(self) -> pandas.DataFrame:
        """The result as a pandas frame, with the same rows and columns."""
        try:
            import pandas as pd
        except ImportError:
            raise MissingExtraError("to_pandas needs pandas: pip install 'adjudge[pandas]'") from None
        return framed(pd.DataFrame, columns_of(self))

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, as the command prints it with ``--format json``."""
        data: dict[str, Any] = data_of(self)
        return data

    def _repr_html_(self) -> str:
        return html_of(self)


class Plottable(Result):
    """A result of which there are charts."""

    __slots__ = ()

    def plot(self, kind: str = "", **options: Any) -> Drawing:
        """Draw a chart of the result; a notebook shows it, and ``.save("x.svg")`` (.pdf, .png) writes it.

        Args:
            kind: which chart, see :meth:`plots`; the first one if none is named.
            options: what the chart asks for, such as ``measure="ap"`` or ``a="mine", b="bm25"``; ``width`` and
                ``title`` for all.
        """
        known = self.plots()
        if kind and kind not in known:
            raise SpecError(f"no plot {kind!r}{did_you_mean(kind, known)}: there are {', '.join(known)}")
        figure: Drawing = chart_of(self, kind or known[0], **options)
        return figure

    def plots(self) -> list[str]:
        """The charts that there are, the first one being drawn if none is named."""
        return charts_of(self)
