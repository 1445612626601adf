"""Figures as plain SVG: one file per chart, each a function of names and arrays that returns a Figure.

A page puts ``palette.css()`` into its style sheet and ``figure.svg(standalone=False)`` into its text; a paper takes
``figure.save("x.pdf")``. Marks carry ``data-system``, ``data-topic``, ``data-value`` (as far as they apply) and a
``<title>`` that browsers show on hover. Names and topics may hold anything.
"""

from __future__ import annotations

from .critical_distance import critical_distance_figure
from .distribution import distribution_figure
from .figure import Figure
from .histogram import histogram_figure
from .leaderboard import leaderboard_figure
from .noise_curves import noise_figure
from .operating_curves import characteristic_figure
from .palette import css
from .rank_moves import rank_moves_figure, ranks_of
from .recall_precision import recall_precision_figure
from .scatter import scatter_figure
from .stability_lines import stability_figure
from .system_matrix import correlation_matrix_figure, significance_matrix_figure
from .system_means import systems_figure
from .topic_bars import topic_bars_figure
from .worth_lines import value_figure

PAPER = 720.0
"""The width of a figure in a paper, and wherever no other is asked for."""

__all__ = [
    "PAPER",
    "Figure",
    "characteristic_figure",
    "correlation_matrix_figure",
    "critical_distance_figure",
    "css",
    "distribution_figure",
    "histogram_figure",
    "leaderboard_figure",
    "noise_figure",
    "rank_moves_figure",
    "ranks_of",
    "recall_precision_figure",
    "scatter_figure",
    "significance_matrix_figure",
    "stability_figure",
    "systems_figure",
    "topic_bars_figure",
    "value_figure",
]
