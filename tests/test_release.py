"""A release is made from a tag that is the version of the source, by workflows that know every supported Python."""

from __future__ import annotations

import importlib.util
import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]


def script(name: str) -> ModuleType:
    """A script of release/, which is no package."""
    described = importlib.util.spec_from_file_location(name, ROOT / "release" / f"{name}.py")
    assert described is not None
    assert described.loader is not None
    module = importlib.util.module_from_spec(described)
    sys.modules[name] = module
    described.loader.exec_module(module)
    return module


def versions_in(text: str) -> list[str]:
    return sorted(set(re.findall(r'"(3\.\d+)"', text)))


@pytest.mark.parametrize(
    ("tag", "source", "heading", "problem"),
    [
        ("v1.2.3", '__version__ = "1.2.3"\n', "## 1.2.3 (2026-11-17)", ""),
        ("v1.2.3rc1", '__version__ = "1.2.3rc1"\n', "## 1.2.3rc1 (2026-11-17)", ""),
        ("v1.2.4", '__version__ = "1.2.3"\n', "## 1.2.3 (2026-11-17)", "the tag is v1.2.4, and the source says 1.2.3"),
        ("1.2.3", '__version__ = "1.2.3"\n', "## 1.2.3 (2026-11-17)", "expected v1.2.3"),
        ("v1.2.3", '__version__ = "1.2.3"\n', "## 1.2.3 (unreleased)", "no heading '## 1.2.3 (YYYY-MM-DD)'"),
        ("v1.2.3", '__version__ = "1.2.3"\n', "## 1.2.2 (2026-11-17)", "no heading '## 1.2.3 (YYYY-MM-DD)'"),
        ("v1.2.3", "", "## 1.2.3 (2026-11-17)", "the source says no version"),
    ],
)
def test_a_tag_must_be_the_version(tag: str, source: str, heading: str, problem: str) -> None:
    reason = script("check_tag").problem_of(tag, source, f"# Changelog\n\n{heading}\n")
    assert problem in reason
    assert bool(problem) == bool(reason)


def test_workflows_build_and_test_every_supported_python() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    supported = [c.rpartition(" ")[2] for c in settings["project"]["classifiers"] if re.search(r"Python :: 3\.\d+$", c)]
    matrix = re.search(r"python: (\[.*\])", (ROOT / ".github/workflows/ci.yml").read_text("utf-8"))
    assert matrix is not None
    assert versions_in(matrix[1]) == supported
    wheels = settings["tool"]["cibuildwheel"]["build"].split()
    assert wheels == [f"cp{version.replace('.', '')}-*" for version in supported]


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.name)
def test_workflows_may_do_little_and_use_what_cannot_change(path: Path) -> None:
    text = path.read_text("utf-8")
    assert "\npermissions: {}\n" in text, "what a job may do is said in the job"
    assert "secrets." not in text
    for action in re.findall(r"uses: (\S+)", text):
        assert re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}", action), f"{action} can be replaced behind our back"
    assert text.count("timeout-minutes:") == text.count("runs-on:")


def test_what_is_checked_before_a_commit_is_what_make_check_checks() -> None:
    recipe = (ROOT / "Makefile").read_text("utf-8").partition("\ncheck:")[2].partition("\n\n")[0]
    checks = {" ".join(line.split()[:2]).removeprefix("$(BIN)/") for line in recipe.splitlines() if "$(BIN)/" in line}
    hooks = re.findall(r"entry: \.venv/bin/(.*)", (ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    programs = {check.split()[0] for check in checks} - {"pytest"}
    assert {hook.split()[0] for hook in hooks} == programs
    assert {"ruff format", "ruff check"} <= {" ".join(hook.split()[:2]) for hook in hooks} & checks


FILES = ["LICENSE", "pyproject.toml", "src/adjudge/__init__.py", "src/adjudge/py.typed", "src/adjudge/native/judging.c"]
WHEEL = ["adjudge/__init__.py", "adjudge/py.typed", "adjudge/_native.cpython-311-x86_64-linux-gnu.so",
         "adjudge-1.dist-info/METADATA", "adjudge-1.dist-info/licenses/LICENSE"]  # fmt: skip


def test_a_wheel_holds_the_package_and_nothing_else() -> None:
    problems = script("check_wheels").problems_of_wheel
    assert problems(WHEEL, FILES) == []
    assert problems([name for name in WHEEL if "py.typed" not in name], FILES) == [
        "missing in the wheel: adjudge/py.typed"
    ]
    assert problems([*WHEEL, "adjudge/native/judging.c", "tests/slow.py"], FILES) == [
        "superfluous in the wheel: adjudge/native/judging.c",
        "superfluous in the wheel: tests/slow.py",
    ]
    assert problems(WHEEL[:2] + WHEEL[3:4], FILES) == [
        "the wheel has 0 compiled modules, not one",
        "the wheel has no licence",
    ]


def test_an_sdist_holds_the_sources_and_nothing_that_nobody_wrote() -> None:
    checks = script("check_wheels")
    files = [*FILES, *checks.IN_SDIST]
    inside = [f"adjudge-1/{name}" for name in [*files, "PKG-INFO", "setup.cfg", "src/adjudge.egg-info/SOURCES.txt"]]
    assert checks.problems_of_sdist(inside, files) == []
    without = [name for name in inside if not name.endswith("judging.c")]
    assert checks.problems_of_sdist([*without, "adjudge-1/src/adjudge/_native.so"], files) == [
        "missing in the sdist: src/adjudge/native/judging.c",
        "superfluous in the sdist: src/adjudge/_native.so",
    ]


def test_all_files_of_the_package_that_are_no_python_are_declared() -> None:
    """What a wheel brings along is listed in pyproject.toml; a new kind of data file must be added there."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["package-data"]
    package = ROOT / "src" / "adjudge"
    declared = {path for pattern in settings["adjudge"] for path in package.glob(pattern)}
    unlisted = {".py", ".c", ".h", ".so", ".pyd", ".pyc"}
    there = {path for path in package.rglob("*") if path.is_file() and path.suffix not in unlisted}
    assert there == declared
