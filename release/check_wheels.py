"""Builds sdist and wheel and tries each in an empty environment, without compiler and without sources.

    python release/check_wheels.py
    python release/check_wheels.py --python python3.12 --python python3.13 --output dist

For each Python: the sdist is built from what is in version control, the wheel from the sdist. Both must hold all that
the package needs and nothing else. Then each is installed into an environment of its own where no compiler can be
found: the wheel brings the compiled loops, the sdist does without them. smoke_test.py says whether that works.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SMOKE_TEST = Path(__file__).with_name("smoke_test.py")

ONLY_SOURCE = (".c", ".h")
"""Files of the package that are compiled and not installed."""

IN_SDIST = ("LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff", "pyproject.toml", "setup.py", "tests/conftest.py")

VALIDATE = """
import sys
from packaging.metadata import Metadata
metadata = Metadata.from_email(sys.stdin.buffer.read(), validate=True)
assert metadata.summary and metadata.license_expression and metadata.requires_python and metadata.description
print(metadata.name, metadata.version, "has valid metadata")
"""


def say(text: str) -> None:
    print(f"== {text}", flush=True)


def call(*command: str | Path, environment: dict[str, str] | None = None, aloud: bool = False) -> None:
    """Run a program, with these values in its environment beside ours; its failure is ours, and then it is heard."""
    done = subprocess.run(
        [str(word) for word in command],
        env=os.environ | (environment or {}),
        stdout=None if aloud else subprocess.PIPE,
        stderr=None if aloud else subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{done.stdout or ''}{' '.join(map(str, command))}: exit code {done.returncode}")


def program(environment: Path, name: str) -> Path:
    folder = environment / ("Scripts" if os.name == "nt" else "bin")
    return folder / (f"{name}.exe" if os.name == "nt" else name)


def source_files() -> list[str]:
    """The files of the checkout that are in version control or would be; all of them where there is none."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    done = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return sorted(name for name in done.stdout.split("\0") if name and (ROOT / name).is_file())
    unwanted = {"__pycache__", "build", ".venv", "dist"}
    paths = (
        path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file() and path.suffix not in (".so", ".pyd")
    )
    return sorted(path.as_posix() for path in paths if not unwanted & set(path.parts))


def copy_sources(folder: Path) -> None:
    for name in source_files():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)


def wheel_files(files: list[str]) -> set[str]:
    """What of the source is installed: all of the package that is not compiled."""
    package = (name.removeprefix("src/") for name in files if name.startswith("src/adjudge/"))
    return {name for name in package if not name.endswith(ONLY_SOURCE)}


def problems_of_wheel(inside: list[str], files: list[str]) -> list[str]:
    """What is missing in a wheel, and what it should not have."""
    loops = [name for name in inside if name.startswith("adjudge/_native.")]
    own = {name for name in inside if ".dist-info/" not in name} - set(loops)
    expected = wheel_files(files)
    lines = [f"missing in the wheel: {name}" for name in sorted(expected - own)]
    lines += [f"superfluous in the wheel: {name}" for name in sorted(own - expected)]
    lines += [] if len(loops) == 1 else [f"the wheel has {len(loops)} compiled modules, not one"]
    return lines + ([] if any(name.endswith("/licenses/LICENSE") for name in inside) else ["the wheel has no licence"])


def problems_of_sdist(inside: list[str], files: list[str]) -> list[str]:
    """What is missing in an sdist, and what is in it that is in no version control."""
    own = {name.partition("/")[2] for name in inside}
    needed = {name for name in files if name.startswith("src/adjudge/")} | set(IN_SDIST)
    lines = [f"missing in the sdist: {name}" for name in sorted(needed - own)]
    generated = {"PKG-INFO", "setup.cfg", ""}
    others = (name for name in own - set(files) - generated if ".egg-info/" not in name)
    return lines + [f"superfluous in the sdist: {name}" for name in sorted(others)]


def build(python: str, work: Path) -> tuple[Path, Path]:
    """(sdist, wheel) of one Python, the wheel from the sdist."""
    call(python, "-m", "venv", "--clear", work / "builder")
    builder = program(work / "builder", "python")
    call(builder, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "build", "packaging")
    copy_sources(work / "source")
    call(builder, "-m", "build", "--outdir", work / "dist", work / "source")
    (sdist,), (wheel,) = (work / "dist").glob("*.tar.gz"), (work / "dist").glob("*.whl")
    check_contents(sdist, wheel)
    with zipfile.ZipFile(wheel) as archive:
        metadata = archive.read(next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA")))
    subprocess.run([str(builder), "-c", VALIDATE], input=metadata, check=True)
    return sdist, wheel


def check_contents(sdist: Path, wheel: Path) -> None:
    files = source_files()
    with zipfile.ZipFile(wheel) as archive:
        problems = problems_of_wheel(archive.namelist(), files)
    with tarfile.open(sdist) as archive:
        problems += problems_of_sdist([member.name for member in archive if member.isfile()], files)
    if problems:
        sys.exit("\n".join(problems))
    sizes = " and ".join(f"{path.name} ({path.stat().st_size:,} bytes)" for path in (sdist, wheel))
    say(f"{sizes} hold what they should")


def try_out(python: str, distribution: Path, environment: Path, expected: str) -> None:
    """Install into an empty environment where no compiler is found, and use it there.

    On Windows a compiler is not found by the path, so it cannot be hidden: there the sdist may have compiled loops.
    """
    call(python, "-m", "venv", "--clear", environment)
    own = program(environment, "python")
    nothing_else = {"PATH": str(own.parent), "CC": "false", "CXX": "false"} if os.name != "nt" else {}
    only = ["--only-binary", ":all:"] if distribution.suffix == ".whl" else ["--prefer-binary"]
    quiet = ["--quiet", "--disable-pip-version-check"]
    call(own, "-m", "pip", "install", *quiet, *only, distribution, environment=nothing_else)
    wanted = [] if expected == "--slow" and not nothing_else else [expected]
    call(own, "-I", SMOKE_TEST, *wanted, aloud=True, environment=nothing_else)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--python", action="append", help="a Python to build for and to try with; may be repeated")
    options.add_argument("--output", type=Path, default=ROOT / "dist", help="where sdist and wheels go (dist)")
    options.add_argument("--work", type=Path, default=ROOT / "build" / "wheels", help="for environments (build/wheels)")
    given = options.parse_args()
    given.output.mkdir(parents=True, exist_ok=True)
    for number, python in enumerate(given.python or [sys.executable]):
        work = given.work.resolve() / str(number)
        shutil.rmtree(work, ignore_errors=True)
        say(f"building with {python}")
        sdist, wheel = build(python, work)
        say("the wheel, without a compiler")
        try_out(python, wheel, work / "from-wheel", "--compiled")
        say("the sdist, without a compiler")
        try_out(python, sdist, work / "from-sdist", "--slow")
        for distribution in (sdist, wheel):
            shutil.copy2(distribution, given.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
