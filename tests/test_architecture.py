"""The table of rooms in ARCHITECTURE.md is the law: row by row it says what the source imports, no more and no less."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from adjudge.components import registries

CHECKOUT = Path(__file__).resolve().parents[1]
HOUSE = CHECKOUT / "src" / "adjudge"
PAGE = CHECKOUT / "ARCHITECTURE.md"

ROOMS_HEADER = "| folder | what lives here | takes → gives | may import |"
NAMED_HEADER = "| folder | opens by name | why |"
ALL_BELOW = "all below"
MAY_SAY_ALL = {"cli", "cluster"}
NOTHING = "–"

FRONT_DOOR = {"__version__"}
"""What rooms may ask of the package itself, which otherwise leads everywhere."""

COMPUTED = {
    "__init__.py": "public names, loaded when they are asked for",
    "cli/__init__.py": "commands, one module each",
    "core/registry.py": "components of the package that a registry is given",
    "words/conclusions.py": "its own modules, by the kind of result",
    "words/notes.py": "its own modules, by the subject of a note",
    "collection/python_docs/compiled.py": "the standard library",
    "noise/engines/_library.py": "tessdata",
    "systems/parts/own_code.py": "code that somebody brings along",
    "noise/engines/_tesserocr.py": "tesserocr",
}
"""Where modules are imported by a name that is computed, or that is not ours."""


@dataclass
class Room:
    """What the modules of a folder import of other rooms, each with one place where they do."""

    imports: dict[str, str] = field(default_factory=dict)
    by_name: dict[str, str] = field(default_factory=dict)
    of_front_door: dict[str, str] = field(default_factory=dict)


def modules_of(house: Path) -> Iterator[tuple[str, Path]]:
    """Every module with its room; the front door and ``python -m`` have none."""
    for path in sorted(house.rglob("*.py")):
        inner = path.relative_to(house)
        if inner.name not in ("__init__.py", "__main__.py") or len(inner.parts) > 1:
            yield inner.parts[0].removesuffix(".py"), path


def imports_of(node: ast.AST, package: list[str]) -> Iterator[tuple[str, ...]]:
    """The dotted names that a statement imports from the house, without the first part."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            first, *rest = alias.name.split(".")
            if first == "adjudge":
                yield tuple(rest)
    elif isinstance(node, ast.ImportFrom):
        base = package[: len(package) - node.level + 1] if node.level else []
        base = [*base, *(node.module.split(".") if node.module else [])]
        if base[:1] == ["adjudge"]:
            for alias in node.names:
                yield (*base[1:], alias.name)


def read_house(house: Path) -> tuple[dict[str, Room], set[str]]:
    """The rooms, and the modules that import by a name which is not written out."""
    modules = list(modules_of(house))
    rooms = {name: Room() for name, _ in modules}
    rooms |= {path.relative_to(house).parts[0]: Room() for path in house.glob("*/*.c")}
    computed = set()
    for name, path in [*modules, ("", house / "__init__.py")]:
        inner = path.relative_to(house).as_posix()
        package = ["adjudge", *path.relative_to(house).parent.parts]
        room = rooms.get(name, Room())
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            place = f"{inner}:{getattr(node, 'lineno', 0)}"
            for target in imports_of(node, package):
                if target[:1] and target[0] in rooms:
                    room.imports.setdefault(target[0], place)
                elif len(target) <= 1:
                    room.of_front_door.setdefault(target[0] if target else "adjudge", place)
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                match = re.fullmatch(r"adjudge\._?(\w+)[\w.]*", node.value)  # _native is what native/ is compiled to
                if match and match[1] in rooms:
                    room.by_name.setdefault(match[1], place)
            if isinstance(node, ast.Call) and _imports_by_name(node):
                argument = node.args[0] if node.args else None
                if not (isinstance(argument, ast.Constant) and str(argument.value).startswith("adjudge.")):
                    computed.add(inner)
        room.imports.pop(name, None)
        room.by_name.pop(name, None)
    return rooms, computed


def _imports_by_name(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name in ("import_module", "__import__")


def table(page: str, header: str) -> dict[str, list[str]]:
    """The rows below a header: the folder, and the other cells."""
    lines = page.splitlines()
    rows: dict[str, list[str]] = {}
    for line in lines[lines.index(header) + 2 :]:
        if not line.startswith("|"):
            break
        folder, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        assert folder not in rows, f"two rows for {folder}"
        rows[folder.strip("`").removesuffix(".py").removesuffix("/")] = cells
    return rows


def names_in(cell: str) -> list[str]:
    return [] if cell == NOTHING else [name.strip() for name in cell.split(",")]


def breaches(house: Path, page: str, may_compute: Collection[str] = COMPUTED.keys()) -> list[str]:
    """Every difference between the table and the source, one line each."""
    rooms, computed = read_house(house)
    rows = {folder: names_in(cells[-1]) for folder, cells in table(page, ROOMS_HEADER).items()}
    by_name = {folder: names_in(cells[0]) for folder, cells in table(page, NAMED_HEADER).items()}
    order = list(rows)
    lines = [f"{folder} has no row" for folder in rooms.keys() - rows.keys()]
    lines += [f"{folder} has a row and is not there" for folder in rows.keys() - rooms.keys()]
    for folder, row in rows.items():
        room, below = rooms.get(folder, Room()), order[order.index(folder) + 1 :]
        names = row
        if row == [ALL_BELOW]:
            if folder not in MAY_SAY_ALL:
                lines.append(f"{folder} must name the rooms that it may import")
            names = [name for name in below if name in room.imports]
        lines += [f"{place}: {folder} imports {name}, which its row does not have"
                  for name, place in room.imports.items() if name not in names]  # fmt: skip
        lines += [f"{folder} may import {name} and does not" for name in names if name not in room.imports]
        lines += [f"{folder} may import {name}, which does not stand below it" for name in names if name not in below]
    for folder, room in rooms.items():
        named = by_name.get(folder, [])
        lines += [f"{place}: {folder} opens {name} by name, which is not in the table"
                  for name, place in room.by_name.items() if name not in named]  # fmt: skip
        lines += [f"{folder} may open {name} by name and does not" for name in named if name not in room.by_name]
        lines += [f"{place}: {folder} asks the package for {name}"
                  for name, place in room.of_front_door.items() if name not in FRONT_DOOR]  # fmt: skip
    lines += [f"{folder} opens rooms by name and is not there" for folder in by_name.keys() - rooms.keys()]
    lines += [f"{module} imports by a name that is computed" for module in computed.difference(may_compute)]
    lines += [f"{module} no longer imports by a name that is computed" for module in set(may_compute) - computed]
    return sorted(lines)


@pytest.mark.slow
def test_the_table_says_what_the_source_imports() -> None:
    assert breaches(HOUSE, PAGE.read_text(encoding="utf-8")) == []


def test_modules_that_mean_different_things_have_different_names() -> None:
    """A command, a component and the files of a value are named after what they are; every other name occurs once."""
    components = {registry.package.replace(".", "/") for registry in registries()}
    places: dict[str, list[str]] = {}
    for _, path in modules_of(HOUSE):
        folder = path.parent.relative_to(HOUSE.parent).as_posix()
        if path.name != "__init__.py" and folder not in components | {"adjudge/cli", "adjudge/formats"}:
            places.setdefault(path.name, []).append(folder)
    assert {name: folders for name, folders in places.items() if len(folders) > 1} == {}


@pytest.mark.slow
def test_a_class_has_a_name_of_its_own() -> None:
    places: dict[str, list[str]] = {}
    for _, path in modules_of(HOUSE):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(path.relative_to(HOUSE).as_posix())
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


PLAN = f"""
{ROOMS_HEADER}
|---|---|---|---|
| cli | commands | – | all below |
| upper | work | – | lower |
| lower.py | values | – | – |

{NAMED_HEADER}
|---|---|---|
| lower | upper | its words |
"""
HOUSE_OF_THREE = {
    "__init__.py": "from importlib import import_module\nimport_module(f'.{__name__}')\n",
    "__main__.py": "from .cli import main\n",
    "cli/__init__.py": "from .. import __version__\n\ndef main() -> None:\n    from ..upper import work\n",
    "upper/__init__.py": "",
    "upper/inner/work.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ...lower import Value\n",
    "lower.py": "WORDS = 'adjudge.upper.inner.work'\n",
}


def build_house(folder: Path, **changed: str) -> Path:
    """A small house; changed files are named with __ where a path has a slash."""
    for name, source in (HOUSE_OF_THREE | {f"{k.replace('__', '/')}.py": v for k, v in changed.items()}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(source)
    return folder


def breaches_in(house: Path, page: str = PLAN) -> list[str]:
    return breaches(house, page, {"__init__.py"})


def test_a_house_that_keeps_the_law(tmp_path: Path) -> None:
    assert breaches_in(build_house(tmp_path)) == []


@pytest.mark.parametrize(
    ("name", "source", "says"),
    [
        ("lower", "from .upper.inner import work\n", "lower.py:1: lower imports upper, which its row does not have"),
        ("lower", "def f():\n    import adjudge.upper.inner.work\n", "lower.py:2: lower imports upper, which"),
        ("lower", "from adjudge import upper\n", "lower.py:1: lower imports upper, which"),
        ("lower", "x = 1\n", "lower may open upper by name and does not"),
        ("lower", "from . import measure\nWORDS = 'adjudge.upper'\n", "lower asks the package for measure"),
        ("lower", "import adjudge\nWORDS = 'adjudge.upper'\n", "lower asks the package for adjudge"),
        ("upper__inner__work", "x = 1\n", "upper may import lower and does not"),
        ("upper__more", "from ..cli import main\n", "upper/more.py:1: upper imports cli, which"),
        ("upper__more", "CLI = f'adjudge.cli.{1}'\n", "upper/more.py:1: upper opens cli by name"),
        ("upper__more", "import importlib\nimportlib.import_module(f())\n", "upper/more.py imports by a name that is"),
        ("attic__dust", "", "attic has no row"),
    ],
)
def test_what_breaks_the_law_is_seen(tmp_path: Path, name: str, source: str, says: str) -> None:
    assert any(says in line for line in breaches_in(build_house(tmp_path, **{name: source})))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("| upper | work | – | lower |", "| upper | work | – | all below |", "upper must name the rooms"),
        ("| upper | work | – | lower |", "| upper | work | – | lower, numpy |", "upper may import numpy and does not"),
        (
            "| upper | work | – | lower |",
            "| upper | work | – | – |",
            "upper imports lower, which its row does not have",
        ),
        ("| cli | commands | – | all below |\n", "", "cli has no row"),
        ("| lower.py | values", "| cellar | wine | – | – |\n| lower.py | values", "cellar has a row and is not there"),
        ("| lower | upper | its words |", "| lower | upper, cli | its words |", "lower may open cli by name and does"),
    ],
)
def test_a_table_that_says_something_else_is_seen(tmp_path: Path, old: str, new: str, says: str) -> None:
    assert old in PLAN
    assert any(says in line for line in breaches_in(build_house(tmp_path), PLAN.replace(old, new)))


def test_rooms_stand_below_those_that_import_them(tmp_path: Path) -> None:
    upper, lower = "| upper | work | – | lower |\n", "| lower.py | values | – | – |\n"
    turned = PLAN.replace(upper + lower, lower + upper)
    assert breaches_in(build_house(tmp_path), turned) == ["upper may import lower, which does not stand below it"]


def test_a_folder_of_c_is_a_room(tmp_path: Path) -> None:
    house = build_house(tmp_path, lower="WORDS, LOOPS = 'adjudge.upper', 'adjudge._loops'\n")
    (house / "loops").mkdir()
    (house / "loops" / "sort.c").write_text("")
    assert breaches_in(house) == [
        "loops has no row",
        "lower.py:1: lower opens loops by name, which is not in the table",
    ]
