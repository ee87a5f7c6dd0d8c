#!/bin/sh
# Remakes requirements/*.txt from pyproject.toml: exact pins with hashes, for Python 3.11 and later on Linux, macOS and Windows,
# and no address of any registry. Usage: scripts/lock.sh UV [extra uv arguments, such as --upgrade]
set -eu
cd "$(dirname "$0")/.."
uv=$1
shift
lock() {
    out=$1
    shift
    "$uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
        --no-annotate --custom-compile-command "make lock" -o "$out" "$@" pyproject.toml
}
lock requirements/base.txt "$@" --group build
lock requirements/dev.txt "$@" --group build --group dev -c requirements/base.txt
