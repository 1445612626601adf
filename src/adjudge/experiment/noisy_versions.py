"""Versions that an experiment makes itself: the true text through a learned channel, blind noise or a scanner."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.document import Documents
from ..core.errors import SpecError, did_you_mean
from ..core.machine import peak_memory
from ..core.progress import SILENT, Listener
from ..core.spec import is_number
from ..formats.writing import write
from ..storage.digest import digest_texts

if TYPE_CHECKING:
    from ..noise.degrader import Degrader


@dataclass(frozen=True)
class Noise:
    """One of ``channel`` (a name or a file), ``random`` (a rate) and ``engine`` (with a ``factor``)."""

    channel: str = ""
    rate: float | None = None
    """Character errors of a channel; its own if none is given."""
    random: float | None = None
    engine: str = ""
    factor: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        kinds = [kind for kind in ("channel", "random", "engine") if getattr(self, kind) not in {"", None}]
        if len(kinds) != 1:
            raise SpecError(f"give one of channel, random and engine, not {' and '.join(kinds) or 'none'}")
        for name in ("rate", "random", "factor"):
            value = getattr(self, name)
            if value is not None and not is_number(value):
                raise SpecError(f"{name} must be a number, not {value!r}")
        if not isinstance(self.seed, int) or isinstance(self.seed, bool) or self.seed < 0:
            raise SpecError(f"seed must be a whole number of at least 0, not {self.seed!r}")
        if self.rate is not None and not self.channel:
            raise SpecError("rate is for a channel")
        if self.factor != 1.0 and not self.engine:
            raise SpecError("factor is for an engine")

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Noise:
        known = [f.name for f in fields(cls)]
        for key in data:
            if key not in known:
                raise SpecError(f"no setting {key!r}{did_you_mean(key, known)}")
        for key in ("channel", "engine"):
            if key in data and not isinstance(data[key], str):
                raise SpecError(f"{key} must be a text, not {data[key]!r}")
        return cls(**data)

    def degrader(self, folder: Path) -> Degrader:
        """What does it; a channel that is no name is a file, beside the plan."""
        if self.random is not None:
            from ..noise.random_noise import RandomNoise

            return RandomNoise(self.random, seed=self.seed)
        if self.channel:
            from ..noise.channel import ChannelNoise, channel_of

            own = folder / self.channel
            return ChannelNoise(channel_of(str(own) if own.is_file() else self.channel), self.rate, self.seed)
        from ..noise.engines.engine import engines
        from ..noise.pages.scanning import Scan
        from ..noise.scanner import Scanner

        scanner = Scanner(scan=Scan(factor=self.factor), engine=engines.parse(self.engine), seed=self.seed)
        scanner.engine.version()  # one that is missing is told before anything is done
        return scanner

    def told(self) -> dict[str, Any]:
        """The settings that are not as they would be anyway."""
        return {f.name: v for f in fields(self) if (v := asdict(self)[f.name]) != f.default}


def degraded(
    noise: Noise,
    documents: Documents,
    fingerprint: str,
    work: Path,
    folder: Path,
    *,
    workers: int,
    progress: Listener = SILENT,
) -> Path:
    """The documents of a version that is made of others, by the content of all that it depends on; made at need."""
    from ..noise.degrading import degrade

    degrader = noise.degrader(folder)
    target = work / f"made-{digest_texts(fingerprint, json.dumps(degrader.settings, sort_keys=True, default=str))}"
    degrade(documents, degrader, target, workers=workers, formats=("jsonl.zst",), progress=progress)
    cost = target / "cost.json"
    if not cost.exists():
        write(cost, (json.dumps({"megabytes": peak_memory()}) + "\n").encode())
    return target / "documents.jsonl.zst"
