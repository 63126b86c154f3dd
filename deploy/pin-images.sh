#!/usr/bin/env bash
# Pins the images of registries in the Dockerfiles and Compose files to the digests that their tags have now, so
# that a release builds from the same images later. It needs docker with buildx and access to the registries.
# Run it on the branch of a release, and commit the change: deploy/pin-images.sh && git diff
set -euo pipefail
cd "$(dirname "$0")/.."

files=(Dockerfile compose.yaml deploy/cluster/compose.yaml deploy/cluster/postgres.Dockerfile)

# The images that Koma builds have no registry in their names.
images=$(sed -nE 's/^(FROM|[[:space:]]+image:)[[:space:]]+([a-z0-9-]+(\.[a-z0-9-]+)+\/[^@[:space:]]+).*/\2/p' "${files[@]}" | sort -u)

for image in $images; do
  digest=$(docker buildx imagetools inspect "$image" --format '{{.Manifest.Digest}}')
  if [[ ! $digest =~ ^sha256:[0-9a-f]{64}$ ]]; then
    echo "$image has no digest: $digest" >&2
    exit 1
  fi
  pattern=${image//./\\.}
  sed -i -E "s#^(FROM|[[:space:]]+image:)([[:space:]]+)$pattern(@sha256:[0-9a-f]{64})?([[:space:]]|\$)#\1\2$image@$digest\4#" "${files[@]}"
  echo "$image@$digest"
done
