/** What to do next, once Koma is ready: a `curl` line that works as it stands, or how to index films. */
export function invitation({ address, example }) {
  const reachable = reachableAddress(address);
  const search = example
    ? `Find the scene of a picture:\n  curl -F ${shellQuote(`image=@${curlFile(example)}`)} ${reachable}/api/anime/search\n\n`
    : "The library is empty.\n";
  return `
${search}Index films of your own:
  npm run koma -- index /path/to/films

Open ${reachable} in a browser to search there; the API is described at ${reachable}/docs. Ctrl-C ends Koma.
`;
}

/** The address under which this machine itself reaches what listens on `address`. */
export function reachableAddress(address) {
  return address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

/** curl reads `;` and `,` in a bare file name as its own syntax. */
function curlFile(file) {
  return /[;,"\\]/.test(file) ? `"${file.replace(/["\\]/g, "\\$&")}"` : file;
}

function shellQuote(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
