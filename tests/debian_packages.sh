#!/bin/sh
# The programs that tests use, from Debian's packages: installed if this is root on Debian, else named with the tests
# that will be skipped. Nothing is asked, and what is there stays as it is.
set -u

missing=""
need() { # what it is for, the packages, and a command that succeeds if they are there
    purpose=$1 packages=$2
    shift 2
    "$@" > /dev/null 2>&1 && return
    if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
        missing="$missing $packages"
    else
        echo "not installed: $packages. The tests $purpose will be skipped."
    fi
}

need "beside Lucene and on Spark" "default-jre-headless liblucene4.10-java" \
    sh -c 'command -v java && test -e /usr/share/java/lucene-core-4.10.4.jar'
need "with page images and OCR" "ocrad gocr tesseract-ocr fonts-texgyre fonts-liberation fonts-dejavu-core" \
    sh -c 'command -v ocrad && command -v gocr && command -v tesseract &&
        test -e /usr/share/texmf/fonts/opentype/public/tex-gyre/texgyretermes-regular.otf &&
        test -e /usr/share/fonts/truetype/liberation/LiberationSerif-Regular.ttf'
need "of the store in PostgreSQL" postgresql sh -c 'ls /usr/lib/postgresql/*/bin/initdb'
need "of formulas with LaTeXML" latexml sh -c 'command -v latexml'
need "of pages in a browser" chromium sh -c 'command -v chromium-headless-shell || command -v chromium'

if [ -z "$missing" ]; then
    # chromium does, at twice the processor time of its headless shell: that of the same version, if it is to be had
    if [ "$(id -u)" = 0 ] && command -v apt-get && ! command -v chromium-headless-shell; then
        own=$(dpkg-query -W -f '${Version}' chromium) &&
            DEBIAN_FRONTEND=noninteractive apt-get -qy install --no-install-recommends "chromium-headless-shell=$own"
    fi > /dev/null 2>&1
    exit 0
fi
echo "installing from Debian:$missing"
log=$(mktemp)
lighter() { # the packages, the headless shell in place of chromium where there is one
    if apt-cache show chromium-headless-shell > /dev/null 2>&1; then
        echo "$missing" | sed 's/ chromium$/ chromium-headless-shell/'
    else
        echo "$missing"
    fi
}
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086 # a list of words
if apt-get -q update > "$log" 2>&1 && apt-get -qy install --no-install-recommends $(lighter) >> "$log" 2>&1; then
    rm -f "$log"
else
    tail -n 20 "$log" >&2
    echo "apt-get failed (all it said is in $log); the tests that need these will be skipped" >&2
fi
