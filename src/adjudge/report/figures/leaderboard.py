"""A leaderboard: the ranks that each system may have."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.errors import DataError
from ...words import chart_texts
from .canvas import Canvas, nothing
from .figure import Figure
from .legend import legend
from .scale import linear
from .series import looks
from .wording import fit_text, longest

LABELLED = 60
"""So many systems all have a label; of more the best ten do."""

BEST = 10
TALL, THIN = 18.0, 5.0
"""The height of a row with a label, and without one."""


def leaderboard_figure(
    names: Sequence[str],
    ranks: Sequence[tuple[int, int]],
    inner: Sequence[tuple[int, int]] = (),
    *,
    letters: Sequence[str] = (),
    selected: Sequence[str] = (),
    width: float = 720,
    title: str = "",
) -> Figure:
    """A row for each system, best first, from the first to the last rank that it may have.

    ``ranks`` are simultaneous intervals, ``inner`` those of each system alone, drawn thicker; ``letters`` are written
    after the rows. Colours are those of other figures for which the same systems are selected.
    """
    count = len(names)
    for what, given in (("ranks", ranks), ("inner", inner), ("letters", letters)):
        if len(given) != count and (given or what == "ranks"):
            raise DataError(f"{what} of a leaderboard must be {count}, one for each system, not {len(given)}")
    title = title or f"Ranks of {count:,} systems"
    if not count:
        return nothing(width, title, "no system has a rank")
    labelled = count if count <= LABELLED else BEST
    canvas = Canvas(width)
    own = looks(names, range(count), selected=selected)
    left = min(longest([fit_text(name, width) for name in names[:labelled]]) + 14, width * 0.36)
    right = width - max(14.0, min(longest(list(letters[:labelled]), 11) + 16, width * 0.24) if letters else 14.0)
    top = 8.0
    if inner:
        top += legend(canvas, [("all systems at once, 95%", "square", "ad-f0", ""),
                               ("each system alone, 95%", "line", "ad-line ad-s0", "")])  # fmt: skip
    heights = [TALL if i < labelled else THIN for i in range(count)]
    bottom = top + sum(heights) + 4
    scale = linear(1, max(count, 2), left, right, most=max(3, int((right - left) / 80)), bounds=(1, max(count, 2)))
    below = canvas.x_axis(scale, top, bottom, "rank")
    y = top + 2
    for i, (name, (low, high)) in enumerate(zip(names, ranks, strict=True)):
        middle = y + heights[i] / 2
        alone = inner[i] if inner else None
        hover = chart_texts.rank_hover(name, (low, high), alone, letters[i] if letters else "")
        canvas.group({"system": name, "value": float(i + 1), "low": float(low), "high": float(high)}, hover)
        canvas.rect(scale.start, y, scale.stop - scale.start, heights[i], "ad-catch")
        ends, thick = (scale(low) - 4, scale(high) + 4), heights[i] * 0.55
        canvas.rect(ends[0], middle - thick / 2, ends[1] - ends[0], thick, "ad-f0", opacity=0.3)
        if alone is not None:
            canvas.line(scale(alone[0]) - 2, middle, scale(alone[1]) + 2, middle, f"ad-line ad-s{own[i].slot}")
        canvas.circle(scale(i + 1), middle, 4.0 if i < labelled else 1.7, own[i].fill)
        canvas.close()
        if i < labelled:
            canvas.text(left - 10, middle + 4, fit_text(name, left - 14), "ad-text ad-end", title=name)
            if letters:
                canvas.text(right + 10, middle + 4, fit_text(letters[i], width - right - 12, 11), "ad-soft ad-small")
        y += heights[i]
    return canvas.figure(bottom + below, title, chart_texts.rank_intervals(count))
