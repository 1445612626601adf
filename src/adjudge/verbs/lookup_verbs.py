"""Verbs that look components up: what there is, and what each says of itself."""

from __future__ import annotations

from ..components import registries
from ..core.errors import SpecError, did_you_mean


def components(kind: str = "") -> dict[str, dict[str, str]]:
    """List the components: {kind: {name: summary}}.

    Args:
        kind: one kind, such as ``measure``, ``test``, ``average`` or ``system``; all of them if none is named.

    >>> list(components("correction")["correction"])
    ['bh', 'bonferroni', 'holm', 'none']
    """
    known = {registry.kind: registry for registry in registries()}
    if kind and kind not in known:
        raise SpecError(f"no kind {kind!r}{did_you_mean(kind, list(known))}: there are {', '.join(known)}")
    chosen = {kind: known[kind]} if kind else known
    return {name: {cls.name: cls.summary() for cls in registry.all()} for name, registry in chosen.items()}
