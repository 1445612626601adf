# make demo     the main job on the built-in collection, the page in out/
# make test     all tests
# make check    formatting, lint, types, spelling, workflows, which room may import which
# make sanitize the compiled loops under sanitizers: every step outside of an array, every undefined operation is reported
# make wheels   wheel and sdist in dist/, each tried in an empty environment without a compiler (WHEELS='--python python3.12 ...')
# make bench    adjudge beside its peers (make bench LARGE=--large for ten million lines)
# make docs     rebuild docs/ (generated pages, outputs of all examples), check it, website in site/
#
# Each target makes its own .venv and installs what is missing.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
LARGE ?=
WHEELS ?=

.PHONY: demo test test-cluster test-others check sanitize wheels bench docs clean

demo: $(READY)
	$(BIN)/adjudge demo --output out

test: $(READY)
	$(MAKE) --jobs 2 --output-sync=target test-others test-cluster

# A cluster waits more than it works, so its tests run beside the others.
test-cluster:
	$(BIN)/pytest tests/cluster

test-others:
	$(BIN)/pytest --ignore tests/cluster

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
NATIVE_TESTS := tests/native tests/core/test_kernel.py tests/core/test_columns.py tests/correlation/test_coefficients.py \
  tests/index/test_answers.py tests/index/test_searching.py tests/noise/test_channel.py tests/systems/test_correction.py \
  tests/systems/test_decipher.py tests/systems/test_decipher_answers.py tests/systems/test_double_dot.py \
  tests/systems/test_slots.py tests/systems/test_spans.py tests/terms/test_tally.py tests/text/test_tagging.py \
  tests/text/test_tagging_breaks.py tests/text/test_tagging_crf.py tests/text/test_tokenizers.py

sanitize: $(READY)
	rm -rf $(SANITIZED) && mkdir -p $(SANITIZED) && cp -R src/adjudge $(SANITIZED)
	find $(SANITIZED) -name '*.so' -delete
	$(CC) -shared -fPIC -g -O1 -fno-omit-frame-pointer -ffp-contract=off $(SANITIZER) -Wall -Wextra -Werror \
	  -I$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("include"))') src/adjudge/native/*.c \
	  -o $(SANITIZED)/adjudge/_native$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))') -lm
	PYTHONPATH=$(SANITIZED) LD_PRELOAD=$$($(CC) -print-file-name=libasan.so) \
	  ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
	  sh -c '$(BIN)/python -c "import adjudge._native as native; assert \"$(SANITIZED)\" in native.__file__" \
	    && $(BIN)/pytest --capture=sys $(NATIVE_TESTS)'

wheels:
	$(PYTHON) release/check_wheels.py $(WHEELS)

bench: $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[bench]'
	$(BIN)/python bench/scoring.py $(LARGE)
	$(BIN)/python bench/why_kernel.py
	$(BIN)/python bench/averages.py
	$(BIN)/python bench/comparison.py
	$(BIN)/python bench/retrieval.py
	$(BIN)/python bench/noise.py
	$(BIN)/python bench/experiments.py
	$(BIN)/python bench/cluster.py

docs: $(READY)
	$(BIN)/python docs/build.py

$(READY): pyproject.toml constraints.txt $(wildcard src/adjudge/native/*.[ch])
	@command -v cc > /dev/null || { [ "$$(id -u)" = 0 ] && apt-get -q update && apt-get -qy install gcc python3-dev; } \
	  || echo "no C compiler: adjudge will use its slow Python kernel"
	@[ -e /usr/share/java/lucene-core-4.10.4.jar ] && command -v java > /dev/null \
	  || { [ "$$(id -u)" = 0 ] && apt-get -q update \
	    && apt-get -qy install --no-install-recommends default-jre-headless liblucene4.10-java; } \
	  || echo "no Lucene 4.10: the tests beside it will be skipped"
	@command -v ocrad > /dev/null && command -v gocr > /dev/null && command -v tesseract > /dev/null \
	  && [ -e /usr/share/texmf/fonts/opentype/public/tex-gyre/texgyretermes-regular.otf ] \
	  && [ -e /usr/share/fonts/truetype/liberation/LiberationSerif-Regular.ttf ] \
	  || { [ "$$(id -u)" = 0 ] && apt-get -q update \
	    && apt-get -qy install --no-install-recommends ocrad gocr tesseract-ocr fonts-texgyre fonts-liberation fonts-dejavu-core; } \
	  || echo "no OCR programs or fonts: the tests with real page images will be skipped"
	@ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1 \
	  || { [ "$$(id -u)" = 0 ] && apt-get -q update && apt-get -qy install --no-install-recommends postgresql; } \
	  || echo "no PostgreSQL: the tests of the store in it will be skipped"
	@command -v latexml > /dev/null \
	  || { [ "$$(id -u)" = 0 ] && apt-get -q update && apt-get -qy install --no-install-recommends latexml; } \
	  || echo "no LaTeXML: the tests of formulas with it will be skipped"
	@command -v chromium > /dev/null \
	  || { [ "$$(id -u)" = 0 ] && apt-get -q update && apt-get -qy install --no-install-recommends chromium; } \
	  || echo "no chromium: the tests of the page in a browser will be skipped"
	@$(PYTHON) -c 'import ensurepip, venv' 2> /dev/null \
	  || { [ "$$(id -u)" = 0 ] && apt-get -q update && apt-get -qy install python3-venv; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	touch $@

clean:
	rm -rf .venv build dist out site src/*.egg-info $(shell find src -name '*.so')
