"""What figures are made of: ticks, places of labels, colours, files."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import page_findings
from adjudge.core.errors import DataError, MissingExtraError, SpecError
from adjudge.core.judged import Floats
from adjudge.core.visible import BREAKS, CONTROLS, HALVES, NONCHARACTERS, TURNS, UNSEEN
from adjudge.experiment.observations import SPOKEN, precision_leaders
from adjudge.report.figures import Figure, correlation_matrix_figure, css, ranks_of, scatter_figure
from adjudge.report.figures.palette import COLOURS, DARK, LIGHT, RULES, sheet
from adjudge.report.figures.scale import linear, logarithmic, number
from adjudge.report.figures.series import looks, spread_labels
from adjudge.report.figures.wording import fit_text, wide
from adjudge.report.page.paper import figures

reals = st.floats(-1e200, 1e200).map(lambda x: 0.0 if abs(x) < 1e-200 else x)


@given(reals, reals, st.integers(1, 12))
def test_ticks_are_round_few_and_inside(a: float, b: float, most: int) -> None:
    scale = linear(a, b, 0, 100, most=most)
    near = (scale.high - scale.low) * 1e-8
    assert scale.low <= min(a, b) + near
    assert scale.high >= max(a, b) - near
    assert scale.low < scale.high
    assert len(scale.ticks) <= most + 3
    assert list(scale.ticks) == sorted(set(scale.ticks))
    assert all(0 <= scale(tick) <= 100 for tick in scale.ticks)
    if len(scale.ticks) > 2:
        step = (scale.ticks[-1] - scale.ticks[0]) / (len(scale.ticks) - 1)
        leading = step / 10 ** math.floor(math.log10(step) + 1e-6)
        assert any(math.isclose(leading, one, rel_tol=1e-6) for one in (1, 2, 5, 10))


@given(st.floats(1e-100, 1e100), st.floats(1, 1e100), st.integers(2, 12))
def test_ticks_of_a_logarithm_are_inside(low: float, factor: float, most: int) -> None:
    scale = logarithmic(low, low * factor, 0, 100, most=most)
    assert 1 <= len(scale.ticks) <= max(most, 2)
    assert all(-1e-6 <= scale(tick) <= 100 + 1e-6 for tick in scale.ticks)
    assert all(scale.labels())


def test_numbers_on_axes() -> None:
    assert linear(0, 1, 0, 1, most=5).labels() == ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]
    assert linear(-1, 1, 0, 1, most=4).labels() == ["−1.0", "−0.5", "0", "0.5", "1.0"]
    assert linear(0, 20000, 0, 1, most=4).labels() == ["0", "5,000", "10,000", "15,000", "20,000"]
    assert logarithmic(1, 1000, 0, 1, most=4).labels() == ["1", "10", "100", "1,000"]
    assert number(1e300) == "10³⁰⁰"
    assert number(-2.5e-9) == "−2.5·10⁻⁹"


@given(st.lists(st.floats(0, 300), max_size=15), st.floats(1, 20))
def test_labels_keep_their_order_and_distance(places: list[float], gap: float) -> None:
    made = spread_labels(places, gap, 0, 300)
    assert len(made) == len(places)
    order = sorted(range(len(places)), key=lambda i: places[i])
    between = [made[b] - made[a] for a, b in pairwise(order)]
    least = min(gap, 300 / max(len(places) - 1, 1))
    assert all(d >= least - 1e-6 for d in between)
    assert all(-1e-6 <= y <= 300 + 1e-6 for y in made)


def test_labels_with_room_stay_where_they_are() -> None:
    assert spread_labels([10, 100, 50], 14, 0, 200) == [10, 100, 50]
    assert spread_labels([50, 50], 10, 0, 200) == [45, 55]


@given(st.text(max_size=80), st.floats(5, 400))
def test_shortened_labels_fit(text: str, room: float) -> None:
    label = fit_text(text, room)
    assert label == "…" or wide(label) <= room
    assert not re.search(f"[{CONTROLS}{BREAKS}{TURNS}{UNSEEN}{HALVES}{NONCHARACTERS}]", label)


@pytest.mark.slow
@given(st.lists(st.lists(st.sampled_from([0.1, 0.2, 0.3, math.nan]), min_size=4, max_size=4), min_size=1, max_size=3))
def test_ranks_are_those_of_scipy(figures: list[list[float]]) -> None:
    from scipy.stats import rankdata

    for way in ("high", "low"):
        made = ranks_of(figures, way)
        for row, own in zip(figures, made, strict=True):
            there = ~np.isnan(row)
            signed = np.array(row)[there] * (-1 if way == "high" else 1)
            assert own[there].tolist() == rankdata(signed).tolist()
            assert np.isnan(own[~there]).all()


def test_systems_look_the_same_wherever_the_same_ones_are_selected() -> None:
    one = looks(["a", "b", "c"], [0, 1, 2], selected=["c", "a"])
    two = looks(["c", "b", "a"], [2, 1, 0], selected=["c", "a"])
    assert (one[2], one[0], one[1].slot) == (two[0], two[2], 0)
    many = looks([f"s{n}" for n in range(40)], list(range(40)), baseline="s30")
    assert sum(look.slot > 0 for look in many) == 11
    assert len({(k.slot, k.dash) for k in many if k.slot}) == 11, "no two look the same"
    assert len({(k.slot, k.dash) for k in looks([str(n) for n in range(12)], list(range(12)))}) == 12


def luminance(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, two: str) -> float:
    dark, light = sorted((luminance(one), luminance(two)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_contrast(colours: dict[str, str]) -> None:
    paper = colours["paper"]
    for text in ("ink", "soft"):
        assert contrast(colours[text], paper) >= 4.5
    for cell in ("plus", "minus"):
        assert contrast(colours["ink"], colours[cell]) >= 4.5, "numbers stand in these cells"
    for line in ("axis", "rest", "won", "lost", *map(str, range(1, COLOURS + 1))):
        assert contrast(colours[line], paper) >= 3


BLIND = {
    "protanopia": [[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]],
    "deuteranopia": [[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]],
    "tritanopia": [[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]],
}
"""What such readers see, on linear RGB: Machado, Oliveira and Fernandes (2009), severity 1."""


def lab(colour: str, seen: list[list[float]]) -> Floats:
    rgb = np.array([int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)])
    light = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    light = np.clip(np.array(seen) @ light, 0, 1)
    to_xyz = np.array([[0.4125, 0.3576, 0.1804], [0.2127, 0.7152, 0.0722], [0.0193, 0.1192, 0.9503]])
    xyz = to_xyz @ light / np.array([0.95047, 1, 1.08883])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("kind", BLIND)
def test_colours_differ_for_colour_blind_readers(colours: dict[str, str], kind: str) -> None:
    seen = [lab(colours[str(n)], BLIND[kind]) for n in range(1, COLOURS + 1)]
    gaps = [float(np.linalg.norm(a - b)) for n, a in enumerate(seen) for b in seen[:n]]
    assert min(gaps) > 12


def test_sheets_know_every_class_and_no_variable_is_left() -> None:
    assert "var(" not in sheet()
    text = css()
    for name in RULES:
        assert f".{name}{{" in text
    assert all(f"--ad-{name}:" in text for name in LIGHT)
    assert set(LIGHT) == set(DARK)
    assert "prefers-color-scheme:dark" in text


FIGURE = correlation_matrix_figure(["α", "β − 5 %", "<γ>"], [[1, 0.5, -0.2], [0.5, 1, 0.1], [-0.2, 0.1, 1]])


def test_svg_file(tmp_path: Path) -> None:
    FIGURE.save(tmp_path / "x.svg")
    root = ElementTree.parse(tmp_path / "x.svg").getroot()  # noqa: S314
    assert root.get("width") == "720"
    assert [file.name for file in tmp_path.iterdir()] == ["x.svg"], "no temporary file is left"


def test_pdf_has_its_fonts_and_no_pixels(tmp_path: Path) -> None:
    pytest.importorskip("typst", reason="typst is not installed")
    FIGURE.save(tmp_path / "x.PDF")
    data = (tmp_path / "x.PDF").read_bytes()
    assert data.startswith(b"%PDF")
    assert b"/FontFile" in data
    assert not re.search(rb"/Subtype ?/Image", data)
    assert data == FIGURE.pdf(), "no time and no chance in it"


def test_png_has_the_size_asked_for(tmp_path: Path) -> None:
    pytest.importorskip("typst", reason="typst is not installed")
    data = FIGURE.png(scale=1.5)
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20]) == round(FIGURE.width * 1.5)
    with pytest.raises(SpecError, match="scale of a picture"):
        FIGURE.png(scale=1000)


def test_hostile_titles_become_pdf() -> None:
    pytest.importorskip("typst", reason="typst is not installed")
    title = '#panic() " \\ \ud800 \x00 <b>'
    figure = Figure('<text class="ad-text" x="5" y="20">x</text>', 200, 40, title, title)
    assert figure.pdf().startswith(b"%PDF")


def test_wrong_endings_and_places(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"saved as \.svg, \.pdf, \.png, not as '\.gif'"):
        FIGURE.save(tmp_path / "x.gif")
    with pytest.raises(SpecError, match="a file without ending"):
        FIGURE.save(tmp_path / "x")
    with pytest.raises(DataError, match="cannot be written"):
        FIGURE.save(tmp_path / "nowhere" / "x.svg")


def test_without_typst_what_to_install_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(MissingExtraError, match=r"adjudge\[figures\]"):
        FIGURE.pdf()


def test_notebooks_show_figures() -> None:
    assert FIGURE._repr_svg_() == FIGURE.svg()
    html = FIGURE._repr_html_()
    assert "<?xml" not in html
    ElementTree.fromstring(html)  # noqa: S314


def test_drawing_needs_no_library() -> None:
    code = (
        "import adjudge.report.figures as f, sys; f.systems_figure(['a'], [1.0]).svg(); "
        "print(*{'polars', 'scipy', 'typst', 'matplotlib', 'PIL'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


@pytest.mark.parametrize("systems", [2, 5, 13, 40])
def test_a_system_has_one_colour_in_every_chart_of_the_page(systems: int) -> None:
    """Every chart that marks systems, and every system that a sentence names: no other has the colour of the first."""
    rng = np.random.default_rng(systems)
    made = page_findings.large(systems, topics=8, measures=2, versions=2)
    precision = rng.random((systems, 11))  # so that many systems lead at some recall
    parts = {name: replace(part, precision=precision) for name, part in made.versions.items()}
    findings = replace(made, versions=parts)
    colours: dict[str, dict[str, set[str]]] = {}
    for chart, figure in figures(findings).items():
        for system, group in re.findall(r'<g [^>]*data-system="([^"]*)"[^>]*>(.*?)</g>', figure.body, re.S):
            own = {slot for slot in re.findall(r"\bad-[fs](\d+)", group) if slot != "0"}
            colours.setdefault(system, {}).setdefault(chart, set()).update(own)
    charts = {chart for seen in colours.values() for chart in seen}
    assert {"systems", "ranks-1", "ranks-cd-1", "distribution-1", "recall-precision-1", "noise"} <= charts
    for system, seen in colours.items():
        assert len(set().union(*seen.values())) <= 1, (system, seen)
    for part in findings.parts:
        for _, system in precision_leaders(part)[:SPOKEN]:
            if systems <= 13:
                assert all(colours[system].values()), (system, colours[system])
            assert colours[system]["recall-precision-1"], system


def test_a_point_that_stands_for_many_topics_names_all_of_them() -> None:
    """A known-item track has hundreds of topics on which both systems have 1: none is lost to who reads the file."""
    topics = [f"t{n}" for n in range(300)]
    values = [1.0] * 200 + [0.5] * 99 + [0.25]
    made = scatter_figure(topics, values, values, a="one", b="two")
    points = re.findall(r'data-topic="([^"]*)"[^>]*data-count="(\d+)"', made.body)
    assert sorted(int(count) for _, count in points) == [1, 99, 200]
    assert all(len(names.split()) == int(count) for names, count in points)
    assert sorted(name for names, _ in points for name in names.split()) == sorted(topics)
    assert "200 topics: t0, t1," in made.body, "what is pointed at says how many there are"
