#!/bin/sh
# Starts the program of this name with the Node, the packages and the programs that lie beside this file.
here=$(dirname "$(readlink -f "$0")")
CAPPSTAN_CACHE=$here/programs
WORKFLOW_BUNDLE=$here/dist/workflow-bundle.js
export CAPPSTAN_CACHE WORKFLOW_BUNDLE
exec "$here/node_modules/.bin/node" "$here/dist/$(basename "$0")" "$@"
