"""Everything about the package is in pyproject.toml but this: compilers do not agree on their options."""

from __future__ import annotations

from setuptools import setup
from setuptools.command.build_ext import build_ext

OPTIONS = {
    "msvc": ["/O2", "/fp:precise"],  # not tried on Windows yet
    "other": ["-O3", "-ffp-contract=off"],
}
"""Fast, and with floating-point numbers rounded as written (no fused operations), so that results are the same to the
last bit everywhere."""


class BuildLoops(build_ext):
    """Builds the compiled loops with the options of the compiler that is there."""

    def build_extensions(self) -> None:
        options = OPTIONS.get(self.compiler.compiler_type, OPTIONS["other"])
        for extension in self.extensions:
            extension.extra_compile_args = [*options, *extension.extra_compile_args]
        super().build_extensions()


setup(cmdclass={"build_ext": BuildLoops})
