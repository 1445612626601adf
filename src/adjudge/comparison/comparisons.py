"""Systems compared by several measures at once: one comparison for each, and the tables that papers print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arguments import listed
from ..core.english import quantity
from ..core.errors import SpecError, UnknownNameError, did_you_mean
from ..core.likes import Measures
from ..core.note import Note
from ..core.presentation import conclusion_of, paper_table_of
from ..core.result import Plottable
from ..core.scores import Scores
from .compare import compare
from .verdict import Comparison, Difference


@dataclass(frozen=True, eq=False, repr=False)
class Comparisons(Plottable, Sequence[Comparison]):
    """Systems compared two by two by one measure or several; ``result["ap"]`` is the comparison by ap.

    p-values are corrected for the number of pairs within each measure, not across measures.
    """

    scores: Scores
    """The values that were compared."""
    comparisons: tuple[Comparison, ...]

    def __repr__(self) -> str:
        measures = ", ".join(self.measures)
        return f"Comparisons({quantity(len(self.systems), 'system')}, {quantity(self.topics, 'topic')}: {measures})"

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures by which systems are compared."""
        return tuple(comparison.measure for comparison in self.comparisons)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that are compared."""
        return self.comparisons[0].systems

    @property
    def topics(self) -> int:
        """The number of topics."""
        return self.comparisons[0].topics

    @property
    def baselines(self) -> tuple[str, ...]:
        """The systems that all others are compared with; none if all pairs are compared."""
        return self.comparisons[0].baselines

    @property
    def differences(self) -> tuple[Difference, ...]:
        """The pairs, measure by measure."""
        return tuple(d for comparison in self.comparisons for d in comparison.differences)

    @property
    def significant(self) -> tuple[Difference, ...]:
        """The pairs that the first test finds to differ at 5 %, measure by measure."""
        return tuple(d for comparison in self.comparisons for d in comparison.significant)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a reader of the figures should know."""
        return tuple(dict.fromkeys(note for comparison in self.comparisons for note in comparison.notes))

    def __getitem__(self, key):  # type: ignore[no-untyped-def]
        """The comparison by a measure, or by its place."""
        if not isinstance(key, str):
            return self.comparisons[key]
        for comparison in self.comparisons:
            if comparison.measure == key:
                return comparison
        raise UnknownNameError(f"no measure {key!r} was compared{did_you_mean(key, list(self.measures))}")

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.comparisons)

    def __len__(self) -> int:
        return len(self.comparisons)

    def conclusion(self) -> str:
        """What the first test says at 5 %, in a sentence or two for each measure."""
        several = len(self) > 1
        lines = (f"{c.measure}: {conclusion_of(c)}" if several else conclusion_of(c) for c in self.comparisons)
        return "\n".join(lines)

    def to_latex(self, *, digits: int = 4, marks: str = "letters", p_values: bool = False) -> str:
        r"""A LaTeX table (booktabs) of the averages, with marks of significance.

        Args:
            digits: decimals of the averages.
            marks: ``letters`` give every system a letter, and a figure carries the letters of the systems that it is
                significantly better than; ``symbols`` mark figures that are significantly better (▲) or worse (▼) than
                the baseline, and need exactly one baseline.
            p_values: add a table of the pairs with raw p beside corrected p.
        """
        return paper_table_of(self, "latex", digits=digits, marks=marks, p_values=p_values)

    def to_markdown(self, *, digits: int = 4, marks: str = "letters", p_values: bool = False) -> str:
        """The table of :meth:`to_latex` in Markdown."""
        return paper_table_of(self, "md", digits=digits, marks=marks, p_values=p_values)

    def to_html(self, *, digits: int = 4, marks: str = "letters", p_values: bool = False) -> str:
        """The table of :meth:`to_latex` in HTML."""
        return paper_table_of(self, "html", digits=digits, marks=marks, p_values=p_values)


def compare_measures(
    scores: Scores,
    measures: Measures,
    *,
    baselines: Sequence[str] = (),
    tests: Sequence[str] = ("t",),
    correction: str = "holm",
    by: str = "mean",
    confidence: float = 0.95,
    least_coverage: float = 0.0,
    rng: np.random.Generator | None = None,
) -> Comparisons:
    """Compare systems by each of the measures, each as :func:`compare` does it with the same random draws."""
    wanted = listed(measures)
    if not wanted:
        raise SpecError("no measure was named")
    return Comparisons(
        scores,
        tuple(
            compare(
                scores,
                measure,
                baselines=baselines,
                tests=tests,
                correction=correction,
                by=by,
                confidence=confidence,
                least_coverage=least_coverage,
                rng=rng,
            )
            for measure in wanted
        ),
    )
