"""What tokenizers and filters have in common: how one is written in the spec of an analyzer."""

from __future__ import annotations

from ..core.spec import Component, parameters, spec_text


class AnalyzerPart(Component):
    """A component whose most important parameter is written without its name: ``stop(smart)``, ``ngrams(4, pad=_)``."""

    def __str__(self) -> str:
        given = []
        for field in parameters(type(self)):
            value = getattr(self, field.name)
            if value != field.default or field.name in self.always:
                text = spec_text(value)
                given.append(text if field.name == self.positional else f"{field.name}={text}")
        return type(self).name + (f"({', '.join(given)})" if given else "")
