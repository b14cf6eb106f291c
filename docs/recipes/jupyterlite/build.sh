#!/bin/sh
# Build the site from the wheel of dlperf_widgets, which this environment has installed too: ./build.sh WHEEL
set -eu
wheel=$(realpath "$1")
cd "$(dirname "$0")"
mkdir -p _build/lite
npm install --prefix _build --no-save --no-audit --no-fund --loglevel=error pyodide@314.0.6
cp -R content jupyter_lite_config.json _build/lite/
python runtime.py "$wheel"
cd _build/lite
jupyter lite build
du -sh ../site
