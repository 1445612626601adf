"""Colours and the style sheet of figures: for light and dark backgrounds, safe for colour-blind readers.

The first two hues are Okabe and Ito's blue and vermilion; the others were chosen so that any two differ (by 12 in
CIELAB and more) for readers with either kind of red-green blindness and with blue-yellow blindness, on white and on
black, with a contrast of 3:1 at least. Text has 4.5:1. Only the lines of systems that do not stand out are fainter.

Figures name classes (``ad-s1``, the first colour as stroke; ``ad-f1``, as fill) and never colours, so that one sheet
decides: ``css()`` for a page, with variables that follow its mode, ``sheet()`` with the light colours written out for a
file of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

COLOURS = 8
"""Different hues; further systems have them again with another dash and marker."""

LIGHT: Mapping[str, str] = {
    "paper": "#ffffff",
    "ink": "#1f2328",
    "soft": "#59636e",
    "axis": "#818b96",
    "grid": "#e6e9ed",
    "rest": "#8a939e",
    "haze": "#b4bcc5",
    "1": "#0072b2",
    "2": "#d55e00",
    "3": "#2a6b35",
    "4": "#b0246e",
    "5": "#7a4b00",
    "6": "#0a9bcb",
    "7": "#3b2a8f",
    "8": "#1f1f1f",
    "won": "#0072b2",
    "lost": "#d55e00",
    "plus": "#4f9bd0",
    "minus": "#e58a48",
}

DARK: Mapping[str, str] = {
    "paper": "#14171c",
    "ink": "#e9edf2",
    "soft": "#a3adb9",
    "axis": "#6f7a87",
    "grid": "#292f37",
    "rest": "#7c8794",
    "haze": "#4a535e",
    "1": "#4aa8e8",
    "2": "#ff8a3d",
    "3": "#8fe3a4",
    "4": "#ee7fb8",
    "5": "#ffd27a",
    "6": "#46e0ff",
    "7": "#8f86ff",
    "8": "#f2f2f2",
    "won": "#4aa8e8",
    "lost": "#ff8a3d",
    "plus": "#2c6da3",
    "minus": "#a0561f",
}

FONT = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Liberation Sans",sans-serif'

RULES: Mapping[str, str] = {
    "ad-figure": f"font-family:{FONT};font-size:12px",
    "ad-paper": "fill:var(--ad-paper)",
    "ad-text": "fill:var(--ad-ink)",
    "ad-soft": "fill:var(--ad-soft)",
    "ad-small": "font-size:11px",
    "ad-tiny": "font-size:10px",
    "ad-bold": "font-weight:600",
    "ad-start": "text-anchor:start",
    "ad-middle": "text-anchor:middle",
    "ad-end": "text-anchor:end",
    "ad-axis": "stroke:var(--ad-axis);stroke-width:1;fill:none",
    "ad-grid": "stroke:var(--ad-grid);stroke-width:1;fill:none",
    "ad-dashed": "stroke-dasharray:4 3",
    "ad-line": "fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round",
    "ad-thin": "fill:none;stroke-width:1;stroke-linejoin:round",
    "ad-thick": "fill:none;stroke-width:4;stroke-linejoin:round",
    "ad-hair": "stroke:var(--ad-paper);stroke-width:1",
    "ad-halo": "stroke:var(--ad-paper);stroke-width:1.5",
    "ad-hollow": "fill:var(--ad-paper);stroke-width:1.6",
    "ad-band": "fill-opacity:.14;stroke:none",
    "ad-box": "fill-opacity:.22;stroke:none",
    "ad-dot": "fill-opacity:.75;stroke:none",
    "ad-catch": "fill:var(--ad-paper);fill-opacity:0;stroke:none",
    "ad-cell": "shape-rendering:crispEdges",
    "ad-through": "pointer-events:none",
    "ad-won": "fill:var(--ad-won)",
    "ad-lost": "fill:var(--ad-lost)",
    "ad-level": "fill:var(--ad-rest)",
    "ad-plus": "fill:var(--ad-plus)",
    "ad-minus": "fill:var(--ad-minus)",
    "ad-plus-run": "fill:none;stroke:var(--ad-plus);stroke-width:1",
    "ad-minus-run": "fill:none;stroke:var(--ad-minus);stroke-width:1",
    "ad-glyph": "fill:var(--ad-ink);stroke:none",
    "ad-f0": "fill:var(--ad-rest)",
    "ad-s0": "stroke:var(--ad-rest)",
    "ad-haze": "stroke:var(--ad-haze)",
    **{f"ad-f{n}": f"fill:var(--ad-{n})" for n in range(1, COLOURS + 1)},
    **{f"ad-s{n}": f"stroke:var(--ad-{n})" for n in range(1, COLOURS + 1)},
}
"""What each class means; every rule is of one class only, which any program that reads SVG understands."""


def css() -> str:
    """The sheet for a page with figures in it, light and dark.

    Dark colours hold where the reader prefers them or ``<html data-theme="dark">`` asks for them;
    ``<html data-theme="light">`` keeps the light ones.
    """
    light, dark = (";".join(f"--ad-{name}:{colour}" for name, colour in way.items()) for way in (LIGHT, DARK))
    return (
        f":root{{{light}}}\n"
        f'@media (prefers-color-scheme:dark){{:root:not([data-theme="light"]){{{dark}}}}}\n'
        f':root[data-theme="dark"]{{{dark}}}\n'
        f"@media print{{:root:root:root{{{light}}}}}\n" + _rules()
    )


def sheet(colours: Mapping[str, str] = LIGHT) -> str:
    """The same rules with the colours written out, for a file that stands alone."""
    text = _rules()
    for name, colour in colours.items():
        text = text.replace(f"var(--ad-{name})", colour)
    return text


def _rules() -> str:
    return "\n".join(f".{name}{{{rule}}}" for name, rule in RULES.items()) + "\n"
