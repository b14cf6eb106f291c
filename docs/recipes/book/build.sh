#!/bin/sh
# Build the book into _build/html.
set -eu
cd "$(dirname "$0")"
rm -rf _build && mkdir -p _build/source
cp -R _config.yml _toc.yml _static ./*.md _build/source/
mkdir _build/source/live
jupyter-book build _build/source --path-output . --warningiserror --keep-going
