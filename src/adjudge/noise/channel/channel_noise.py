"""Simulated noise: documents as a channel leaves them, where no OCR engine is at hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ...core.document import Document
from ...core.errors import SpecError
from ..degrader import Degraded, Degrader
from ..seeding import generator
from .model import Channel


@dataclass(frozen=True)
class ChannelNoise(Degrader):
    """Draws each document's errors from a channel; ``rate`` asks for another character error rate than it has."""

    channel: Channel
    rate: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        from .sampler import sampler_of
        from .sampling import gain_for

        if self.seed < 0:
            raise SpecError(f"a seed is 0 or more, not {self.seed}")
        gain_for(self.channel, sampler_of(self.channel), "a", self.rate)

    def degrade(self, document: Document) -> Degraded:
        """The text of the document with errors drawn by the seed and its id."""
        return Degraded(document.id, self.channel.sample(document.text, generator(self.seed, document.id), self.rate))

    @cached_property
    def _fingerprint(self) -> str:
        from ...storage.digest import digest_text
        from .channel_files import dumps

        return digest_text(dumps(self.channel))

    @property
    def settings(self) -> dict[str, object]:
        """The channel by its fingerprint, the rate and the seed."""
        return {"noise": "channel", "channel": self._fingerprint, "rate": self.rate, "seed": self.seed}
