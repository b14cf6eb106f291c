#!/bin/sh
# Run the notebook and write it as slides: _build/explorer.slides.html, with all that it needs beside it.
set -eu
cd "$(dirname "$0")"
mkdir -p _build
cp explorer.ipynb _build/
if [ ! -d _build/package ]; then
  (cd _build && tar xzf "$(npm pack --silent reveal.js@6.0.2)")
fi
jupyter nbconvert _build/explorer.ipynb --execute --to slides --no-input \
  --ExecutePreprocessor.store_widget_state=False \
  --TemplateExporter.extra_template_basedirs=templates --template=explorer_slides \
  --SlidesExporter.reveal_url_prefix=package --SlidesExporter.reveal_theme=white
