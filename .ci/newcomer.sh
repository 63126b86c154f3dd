#!/bin/bash
# The README's two commands in a fresh clone: `npm start` until it answers a search, then `npm test`.
set -euo pipefail
cd ~/koma
node --version
began=$SECONDS
PORT=0 npm start >~/start-log 2>&1 &
starter=$!
until url=$(sed -n 's/^ready on //p' ~/start-log) && [ -n "$url" ]; do
  if ! kill -0 $starter 2>/dev/null; then
    cat ~/start-log
    exit 1
  fi
  sleep 1
done
echo "== ready $((SECONDS - began)) s after npm start"
node -e '
const { readFileSync } = require("node:fs");
const [url, file] = process.argv.slice(1);
const body = new FormData();
body.append("image", new Blob([readFileSync(file)]), "example.jpg");
fetch(`${url}/api/anime/search`, { method: "POST", body }).then(async (response) => {
  const answer = await response.json();
  console.log(`== the example image: ${answer.outcome}`);
  process.exitCode = answer.outcome === "found" ? 0 : 1;
});' "$url" .koma/sample/example.jpg
kill -TERM $starter
wait $starter || true
rm -r apps/web/dist # the tests must also pass before the first start
began=$SECONDS
KOMA_COUNTS_FILE=~/counts.jsonl npm test 2>&1 | tee ~/test-log
echo "== npm test ended after $((SECONDS - began)) s"
grep -q ', 0 failed, 0 skipped' ~/test-log || { echo "FAILED: npm test skipped tests"; exit 1; }
