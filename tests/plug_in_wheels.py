"""The packages in tests/plug_ins as wheels, built without a network or a build tool: a wheel is a zip file."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

PACKAGES = Path(__file__).resolve().parent / "plug_ins"


def build_wheel(name: str, folder: Path) -> Path:
    """The wheel of one of the packages."""
    source = PACKAGES / name
    project = tomllib.loads((source / "pyproject.toml").read_text())["project"]
    title = project["name"].replace("-", "_")
    info = f"{title}-{project['version']}.dist-info"
    groups = [
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in entries.items())
        for group, entries in project["entry-points"].items()
    ]
    files = {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": "\n".join(groups),
    }
    files |= {path.relative_to(source / "src").as_posix(): path.read_text() for path in (source / "src").rglob("*.py")}
    wheel = folder / f"{title}-{project['version']}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
        archive.writestr(f"{info}/RECORD", "".join(f"{path},,\n" for path in (*files, f"{info}/RECORD")))
    return wheel


def install(wheel: Path, site: Path) -> None:
    """Install a wheel into a folder of its own, as pip does it."""
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--disable-pip-version-check"]
    subprocess.run([*command, "--target", str(site), str(wheel)], check=True, capture_output=True, text=True)


def unpack(wheel: Path, site: Path) -> None:
    """The same without pip, which takes a second: a wheel is unpacked."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
