# make demo     the main job on the built-in collection, the page in out/
# make quick    the tests that need nothing but Python, on all cores; under three minutes
# make test     all tests
# make check    formatting, lint, types, spelling, workflows, which room may import which
# make sanitize the compiled loops under sanitizers: every step outside of an array, every undefined operation is reported
# make fuzz     mutated inputs through every reader, loops under sanitizers (FUZZ='--inputs 1000000 --seed 2 --ledger fuzz.jsonl',
#               PLAIN=1 without sanitizers); tests replay what was found before
# make chaos    jobs killed at any moment, starved and raced (CHAOS='--trials 1000 --seed 1 --ledger chaos.jsonl')
# make wheels   wheel and sdist in dist/, each tried in an empty environment without a compiler (WHEELS='--python python3.12 ...')
# make bench    adjudge beside its peers (make bench LARGE=--large for ten million lines)
# make docs     rebuild docs/ (generated pages, outputs of all examples), check it, website in site/
#
# Each target makes .venv or adds to it what is missing: a small set for the demo, more for the quick tests, and for
# the rest all that developers need, Debian's packages included where this is root.

PYTHON ?= python3
BIN := .venv/bin
DEMO := .venv/has-demo
QUICK := .venv/has-quick
READY := .venv/has-all
LARGE ?=
WHEELS ?=
# Without it every process that a test starts would compile the package anew.
unexport PYTHONDONTWRITEBYTECODE
BUILT := pyproject.toml setup.py constraints.txt $(wildcard src/adjudge/native/*.[ch])

.PHONY: demo quick test check sanitize fuzz chaos wheels bench docs clean

demo: $(DEMO)
	$(BIN)/adjudge demo --output out

# Tests wait now and then, for what they started and for the disk, so there is one process more than there are cores.
PROCESSES = $$(($$($(BIN)/python -c 'from adjudge.core.machine import cores; print(cores())') + 1))

# What needs nothing but Python, and less than a second for each.
LIGHT := not slow and not cluster and not browser and not ocr and not database and not lucene and not data
quick: $(QUICK)
	$(BIN)/pytest -n $(PROCESSES) -m "$(LIGHT)"

# Coverage, branches included, is that of the quick tests without those that go over the same lines again and take twice
# as long when they are traced: hypothesis's, the later cases of a parametrised test, and those in tests/untraced.txt. Its
# floor is in pyproject.toml.
test: $(READY)
	$(BIN)/pytest --cov --cov-light --cov-report= -n $(PROCESSES)

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/codespell *.md CITATION.cff .github docs src tests bench release
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-forms $(filter-out %/config.yml,$(wildcard .github/ISSUE_TEMPLATE/*.yml))
	$(BIN)/zizmor --offline --quiet .github/workflows
	$(BIN)/pytest tests/test_architecture.py

# A copy of the package with loops of its own, so that the installed ones stay as they are.
SANITIZED := $(CURDIR)/build/sanitize
SANITIZER := -fsanitize=address,undefined -fno-sanitize-recover=all
NATIVE_TESTS := tests/native tests/evaluation/test_judged_lines.py tests/measures/test_loops.py tests/core/test_kernel.py tests/core/test_columns.py \
  tests/correlation/test_coefficients.py tests/index/test_answers.py tests/index/test_packed_postings.py \
  tests/index/test_pruning.py tests/index/test_saturation.py tests/index/test_inversion.py tests/index/test_searching.py \
  tests/index/test_term_places.py tests/index/test_segments.py tests/text/test_hostile.py \
  tests/formats/test_run_lines.py tests/noise/test_channel.py tests/noise/test_pages_rendering.py \
  tests/noise/test_pages_scanning.py tests/report/test_json_text.py \
  tests/comparison/test_significance.py tests/comparison/test_rank_groups.py \
  tests/systems/test_correction.py tests/systems/test_decipher.py tests/systems/test_decipher_answers.py \
  tests/systems/test_decipher_near.py tests/systems/test_decipher_closer.py \
  tests/systems/test_double_dot.py tests/systems/test_slots.py tests/systems/test_spans.py tests/terms/test_tally.py \
  tests/text/test_tagging.py tests/text/test_tagging_breaks.py tests/text/test_tagging_crf.py \
  tests/text/test_tokenizers.py

SANITIZED_LOOPS := $(SANITIZED)/made
$(SANITIZED_LOOPS): $(READY) $(shell find src/adjudge -name '*.py' -o -name '*.[ch]')
	rm -rf $(SANITIZED) && mkdir -p $(SANITIZED) && cp -R src/adjudge $(SANITIZED)
	find $(SANITIZED) -name '*.so' -delete
	$(CC) -shared -fPIC -g -O1 -fno-omit-frame-pointer -ffp-contract=off $(SANITIZER) -Wall -Wextra -Werror \
	  -I$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("include"))') src/adjudge/native/*.c \
	  -o $(SANITIZED)/adjudge/_native$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))') -lm
	touch $@

UNDER_SANITIZER = LD_PRELOAD=$$($(CC) -print-file-name=libasan.so) UBSAN_OPTIONS=print_stacktrace=1 \
  ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:quarantine_size_mb=16

sanitize: $(SANITIZED_LOOPS)
	PYTHONPATH=$(SANITIZED) $(UNDER_SANITIZER) \
	  sh -c '$(BIN)/python -c "import adjudge._native as native; assert \"$(SANITIZED)\" in native.__file__" \
	    && $(BIN)/pytest --capture=sys $(NATIVE_TESTS)'

# With a ledger a million inputs can be tried in several sittings; PLAIN=1 takes the loops as they are installed.
FUZZ ?= --inputs 100000 --seed 1
PLAIN ?=
ifeq ($(PLAIN),)
fuzz: $(SANITIZED_LOOPS)
	PYTHONPATH=$(SANITIZED):tests $(UNDER_SANITIZER) $(BIN)/python -m fuzzing.drive $(FUZZ)
else
fuzz: $(READY)
	PYTHONPATH=tests $(BIN)/python -m fuzzing.drive $(FUZZ)
endif

CHAOS ?= --trials 100 --seed 1
chaos: $(READY)
	PYTHONPATH=tests $(BIN)/python -m chaos.drive $(CHAOS)

wheels:
	$(PYTHON) release/check_wheels.py $(WHEELS)

bench: $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[bench]'
	$(BIN)/python bench/scoring.py $(LARGE)
	$(BIN)/python bench/many_measures.py
	$(BIN)/python bench/why_kernel.py
	$(BIN)/python bench/averages.py
	$(BIN)/python bench/comparison.py
	$(BIN)/python bench/retrieval.py
	$(BIN)/python bench/noise.py
	$(BIN)/python bench/experiments.py
	$(BIN)/python bench/cluster.py

docs: $(READY)
	$(BIN)/python docs/build.py

# pip and apt-get are heard only when they fail.
INSTALL := $(BIN)/pip install -qq --disable-pip-version-check --constraint constraints.txt --editable

.venv/made:
	@command -v cc > /dev/null || command -v cl > /dev/null \
	  || { [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null && echo "installing a C compiler" \
	    && apt-get -qq update > /dev/null && apt-get -qqy install gcc python3-dev > /dev/null; } \
	  || echo "no C compiler: adjudge will use its loops in Python, which are slow"
	@$(PYTHON) -c 'import ensurepip, venv' 2> /dev/null \
	  || { [ "$$(id -u)" = 0 ] && echo "installing Python's module venv" \
	    && apt-get -qq update > /dev/null && apt-get -qqy install python3-venv > /dev/null; }
	@echo "making .venv"
	@$(PYTHON) -m venv .venv
	@touch $@

$(DEMO): .venv/made $(BUILT)
	@echo "installing adjudge and what the demo needs: numpy, polars, scipy and some small ones (.venv: 390 MB)"
	@$(INSTALL) '.[demo]' --no-compile
	@$(BIN)/pip uninstall -qq --yes setuptools # some Pythons put it there, and nothing needs it
	@touch $@

$(QUICK): .venv/made $(BUILT)
	@echo "installing adjudge and what the quick tests need"
	@$(INSTALL) '.[test]'
	@touch $@

$(READY): .venv/made $(BUILT) tests/debian_packages.sh
	@tests/debian_packages.sh
	@echo "installing adjudge and what developers need: Spark, Playwright, type checker and more (.venv: 1.9 GB)"
	@$(INSTALL) '.[dev]'
	@touch $@ $(QUICK) $(DEMO)

clean:
	rm -rf .venv build dist out site src/*.egg-info $(shell find src -name '*.so')
