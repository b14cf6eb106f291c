#!/bin/sh
# Serve the notebook as a page: ./serve.sh [more options of voila, such as --port=8866]
set -eu
cd "$(dirname "$0")"
JUPYTER_PATH="$PWD/share" exec voila explorer.ipynb --no-browser "$@"
