#!/bin/sh
# Run the notebook and write it as pages: _build/explorer.html, with layer.html and dlperf-live/ beside it.
set -eu
cd "$(dirname "$0")"
mkdir -p _build
cp explorer.ipynb _build/
# The live page needs no widget manager, so none is fetched from a CDN; nor are RequireJS and MathJax.
jupyter nbconvert _build/explorer.ipynb --execute --to html --no-input \
  --ExecutePreprocessor.store_widget_state=False \
  --HTMLExporter.require_js_url= --HTMLExporter.mathjax_url= --HTMLExporter.jquery_url=
