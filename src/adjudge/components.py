"""Every kind of component there is: the one list of registries, from which help, documentation and tests are made."""

from __future__ import annotations

from typing import Any

from .core.registry import Registry


def registries() -> tuple[Registry[Any], ...]:
    """All registries. Nothing is imported before this is called, and no component before it is asked for."""
    from .comparison.equivalence import equivalence_methods
    from .comparison.paired import corrections, paired_tests
    from .core.average import averages, transformations, zero_treatments
    from .core.measure import measures
    from .correlation.coefficient import coefficients
    from .formats.documents.layout import layouts
    from .index.predictor import predictors
    from .noise.engines.engine import engines
    from .pools.pooling import poolings
    from .pools.priority import priorities
    from .systems.system import systems
    from .terms.linguistic_filter import linguistic_filters
    from .text.tagging.tagger import taggers
    from .text.token_filter import filters
    from .text.tokenizer import tokenizers
    from .weighting.scheme import weightings

    return (
        measures,
        averages,
        transformations,
        zero_treatments,
        coefficients,
        paired_tests,
        corrections,
        equivalence_methods,
        layouts,
        tokenizers,
        filters,
        taggers,
        linguistic_filters,
        weightings,
        predictors,
        engines,
        systems,
        poolings,
        priorities,
    )
