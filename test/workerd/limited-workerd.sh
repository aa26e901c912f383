#!/bin/sh
# workerd with the memory that Cloudflare gives an isolate: the simulator runs this in its place, and hands its settings over on stdin.
# It becomes the runtime, so whoever ends it ends that.
settings=$(mktemp)
node "$(dirname "$0")/with-v8-flags.mjs" "--max-heap-size=$WORKERD_HEAP_MB" >"$settings"
exec "$WORKERD" "$@" <"$settings"
