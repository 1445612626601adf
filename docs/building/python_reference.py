"""The reference of the Python API: every name of ``import adjudge``, from what it says of itself."""

from __future__ import annotations

import inspect
import re
from types import ModuleType
from typing import Any

import adjudge

GROUPS = {
    "Evaluate": ("measure", "trec_eval", "average", "judge"),
    "Compare": (
        "compare",
        "correlate",
        "sensitivity",
        "boost_halves",
        "swap_rate",
        "discriminative_power",
        "pseudo_judgments",
        "known_item",
        "complementarity",
        "predict",
        "guard",
    ),
    "Search": (
        "index",
        "search",
        "retrieve",
        "explain",
        "fuse",
        "prepare_system",
        "add_to_index",
        "remove_from_index",
        "merge_index",
        "verify_index",
        "build_index",
    ),
    "Experiments": ("run", "experiment", "tune", "report", "confusion", "demo", "write_example"),
    "Scanned text": ("degrade", "calibrate", "learn_channel", "corrupt", "error_rates", "correct"),
    "Technical terms": ("extract_terms", "apply_terms", "technical_terms"),
    "Test collections": (),
    "Look up": ("components",),
}
"""Verbs by what they are for; those that begin with collect_, read_ or write_ find their place by themselves."""


def unwrapped(name: str) -> Any:
    """What a name stands for; of a room with the name of a verb the verb."""
    value = getattr(adjudge, name)
    return getattr(value, "__wrapped__", value) if isinstance(value, ModuleType) else value


def groups() -> dict[str, list[str]]:
    """The headings of the page and the names below each; every public name is below one."""
    names = [name for name in adjudge.__all__ if not name.startswith("__")]
    placed: dict[str, list[str]] = {title: [name for name in known if name in names] for title, known in GROUPS.items()}
    placed["Test collections"] = [name for name in names if name.startswith("collect_")]
    placed["Read and write"] = [
        name for name in names if name.startswith(("read_", "write_")) and name not in GROUPS["Experiments"]
    ]
    done = {name for known in placed.values() for name in known}
    rest = [name for name in names if name not in done]
    placed["Other verbs"] = [name for name in rest if inspect.isfunction(unwrapped(name))]
    classes = [name for name in rest if inspect.isclass(unwrapped(name))]
    placed["Errors"] = [name for name in classes if issubclass(unwrapped(name), Exception)]
    placed["Values"] = [name for name in classes if name not in placed["Errors"]]
    placed["Rooms"] = [name for name in rest if isinstance(unwrapped(name), ModuleType)]
    done = {name for known in placed.values() for name in known}
    placed["Types"] = [name for name in names if name not in done]
    return {title: known for title, known in placed.items() if known}


def signature(name: str, value: Any) -> str:
    """How it is called, one parameter on a line if it does not fit on one."""
    try:
        own = inspect.signature(value)
    except ValueError:  # an error of Python's own kind
        return f"adjudge.{name}(message)"
    parts = [part for part in map(str, own.parameters.values()) if part != "self"]
    kinds = [parameter.kind for parameter in own.parameters.values()]
    if inspect.Parameter.KEYWORD_ONLY in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        parts.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
    parts = [re.sub(r"<adjudge\.core\.progress\.Listener object at \w+>", "SILENT", part) for part in parts]
    parts = [re.sub(r"(: )'([^']*)'", r"\1\2", part) for part in parts]
    back = own.return_annotation
    end = "" if back is inspect.Signature.empty or inspect.isclass(value) else f" -> {back}"
    line = f"adjudge.{name}({', '.join(parts)}){end}"
    return line if len(line) <= 100 else f"adjudge.{name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){end}"


def explained(text: str) -> list[str]:
    """A docstring as Markdown: arguments as a list, examples as code."""
    lines: list[str] = []
    code = listed = False
    for line in inspect.cleandoc(text).splitlines():
        if line.startswith((">>>", "...")) or (code and line.strip()):
            lines += [] if code else ["```python"]
            code = True
            lines.append(line.replace("  # doctest: +SKIP", ""))
            continue
        if code:
            lines.append("```")
            code = False
        if line == "Args:":
            listed = True
            lines += ["Arguments:", ""]
        elif listed and (match := re.match(r"    (\w+): (.*)", line)):
            lines.append(f"- `{match[1]}`: {_literal(match[2])}")
        elif listed and line.startswith("      "):
            lines.append(f"  {_literal(line.strip())}")
        else:
            listed = listed and not line
            lines.append(_literal(line))
    return [*lines, *(["```"] if code else [])]


def _literal(line: str) -> str:
    """Text with nothing that Markdown takes for mark-up; roles of Sphinx become code."""
    line = re.sub(r":\w+:`~?([^`]+)`", r"``\1``", line)
    parts = re.split(r"(``[^`]+``)", line)
    parts[::2] = [re.sub(r"[<*_\[\]]", r"\\\g<0>", part) for part in parts[::2]]
    return "".join(part.replace("``", "`") for part in parts)


def entry(name: str) -> list[str]:
    """A name with its signature and what it says of itself."""
    value = unwrapped(name)
    lines = [f"### `{name}`", ""]
    if inspect.isfunction(value):
        return [*lines, "```python", signature(name, value), "```", "", *explained(value.__doc__ or ""), ""]
    if inspect.isclass(value):
        lines += [*explained(value.__doc__ or ""), ""]
        for method, function in sorted(vars(value).items()):
            documented = inspect.getdoc(getattr(function, "__func__", getattr(function, "fget", function)))
            known = inspect.isfunction(function) or isinstance(function, property | classmethod | staticmethod)
            if known and not method.startswith("_") and documented:
                call = "" if isinstance(function, property) else "()"
                lines.append(f"- `{method}{call}`: {_literal(documented.splitlines()[0])}")
        return [*lines, ""]
    if isinstance(value, ModuleType):
        summary = (value.__doc__ or "").strip().splitlines()[0]
        return [*lines, _literal(summary), ""]
    return [*lines, f"`{_union(value)}`", ""]


def _union(value: object) -> str:
    """A union without the names of modules."""
    return re.sub(r"\b(?:\w+\.)+(?=\w)", "", str(value).replace("typing.", ""))


def python_page() -> str:
    lines = [
        "# Python",
        "",
        "Made by `make docs` from `import adjudge` itself. Every verb takes paths, pandas and polars frames, dicts and",
        "values of adjudge, and returns a value with `to_polars()`, `to_pandas()`, `to_dict()`, a table in a notebook",
        "and, where there is a chart, `plot()`, which can be saved as SVG, PDF and PNG. `level` is a relevance grade,",
        "`confidence` that of an interval, `seed` a whole number or a numpy generator, `measures` a list.",
        "[newcomer.md](newcomer.md) shows the verbs at work.",
        "",
    ]
    for title, names in groups().items():
        lines += [f"## {title}", ""]
        for name in names:
            lines += entry(name)
    return "\n".join(lines).rstrip() + "\n"
