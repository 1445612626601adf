"""ir_metadata headers: what a run file says of how the run was made, in comments before its lines.

    # ir_metadata.start
    # schema-version: 0.1
    # tag: bm25
    # platform:
    #   hardware:
    ...
    # ir_metadata.end

The schema is that of Breuer, Keller and Schaer (SIGIR 2022): platform, research goal, implementation, method, actor,
data (PRIMAD). What we write ourselves is what we know: platform, implementation, method, and what it cost.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core.energy import EnergyMeter
from ..core.machine import peak_memory, platform_facts
from ..core.note import Note
from . import small_yaml
from .source import Source

START, END = b"ir_metadata.start", b"ir_metadata.end"
SCHEMA, VERSION = "0.1", "1.0"
COMPONENTS = ("platform", "research goal", "implementation", "method", "actor", "data")
LIBRARIES = ("numpy", "polars", "pyarrow")
LONGEST = 10_000
"""Lines of a header."""


def read_header(source: Source) -> tuple[Mapping[str, Any], tuple[Note, ...]]:
    """The metadata before the lines of a run, empty if there are none; a note if they cannot be read.

    A header is a comment: one that is wrong is no reason to refuse the run.
    """
    first = bytes(source.text[source.begin : source.begin + 200]).split(b"\n")[0]
    if _comment(first).strip() != START:
        return {}, ()
    lines: list[str] = []
    begin = source.begin
    for number in range(1, LONGEST + 2):
        end = source.text.find(b"\n", begin)
        raw = bytes(source.text[begin : len(source.text) if end < 0 else end]).rstrip(b"\r")
        if number > 1:
            if not raw.startswith(b"#"):
                break
            if _comment(raw).strip() == END:
                return _parse("\n".join(lines), source.name)
            lines.append(_comment(raw).decode("utf-8", "replace").rstrip())
        if end < 0:
            break
        begin = end + 1
    return {}, (Note.of("metadata_unreadable", source.name, line=1, why="there is no ir_metadata.end"),)


def _comment(raw: bytes) -> bytes:
    return raw.strip(b"\r").removeprefix(b"#").removeprefix(b" ")


def _parse(text: str, name: str) -> tuple[Mapping[str, Any], tuple[Note, ...]]:
    try:
        value = small_yaml.parse(text)
    except small_yaml.SmallYamlError as error:  # the header begins on the line before
        return {}, (Note.of("metadata_unreadable", name, line=error.line + 1, why=error.why),)
    if not isinstance(value, dict):
        why = "it is not a mapping of platform, method and so on"
        return {}, (Note.of("metadata_unreadable", name, line=2, why=why),)
    try:
        header_bytes(value)
    except UnicodeEncodeError:  # \ud800 in a text between quotation marks
        return {}, (Note.of("metadata_unreadable", name, line=2, why="a text in it is not valid Unicode"),)
    return value, ()


def header_bytes(metadata: Mapping[str, Any]) -> bytes:
    """Metadata as comments that stand before the lines of a run."""
    lines = small_yaml.dump(metadata).removesuffix("\n").split("\n")  # splitlines would cut at U+2028 too
    return "".join(f"# {line}\n" for line in (START.decode(), *lines, END.decode())).encode("utf-8", "surrogateescape")


def describe_run(
    tag: str,
    *,
    system: str,
    depth: int,
    analyzer: str = "",
    data: Mapping[str, Any] | None = None,
    resources: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The metadata of a run that adjudge made: platform, implementation and method, as far as they are known."""
    from importlib.metadata import PackageNotFoundError, version

    from .. import __version__

    libraries = []
    for name in LIBRARIES:
        try:
            libraries.append(f"{name}=={version(name)}")
        except PackageNotFoundError:
            continue
    facts = platform_facts()
    python = f"Python {facts.pop('python')}"
    software = {"libraries": {"python": libraries}, "retrieval toolkit": [f"adjudge=={__version__}"]}
    indexing = {"indexing": {"analyzer": analyzer}} if analyzer else {}
    return {
        "schema-version": SCHEMA,
        "run-version": VERSION,
        "tag": tag,
        "platform": {**facts, "software": software},
        "implementation": {"lang": [python, "C"]},
        "method": {
            "automatic": True,
            "score ties": "reverse byte order of document ids, as trec_eval",
            **indexing,
            "retrieval": [{"name": tag, "method": system, "documents per topic": depth}],
        },
        **({"data": dict(data)} if data else {}),
        **({"resources": dict(resources)} if resources else {}),
    }


def resources_of(meter: EnergyMeter) -> dict[str, Any]:
    """What a run cost, with units, as TIREx's tracker names it; energy only where the machine tells it."""
    energy = {} if meter.joules is None else {"cpu": {"energy": f"{meter.joules:.1f} J"}}
    used = {"used process": f"{peak_memory()} MB"}
    return {"runtime": {"wallclock": f"{meter.seconds:.3f} s"}, "ram": used, **energy}
