/**
 * The text after the start: a `curl` command for an example search, and how to index videos.
 * @param {{ address: string, example: string | null }} library
 */
export function invitation({ address, example }) {
  const reachable = reachableAddress(address);
  const search = example
    ? `Find the scene of an image:\n  curl -F ${shellQuote(`image=@${curlFile(example)}`)} ${reachable}/api/anime/search\n\n`
    : "The library is empty.\n";
  return `
${search}Index videos:
  npm run koma -- index /path/to/videos

Open ${reachable} in a browser to search; ${reachable}/docs describes the API. Ctrl-C stops Koma.
`;
}

/**
 * The address under which this machine reaches a server that listens on `address`.
 * @param {string} address
 */
export function reachableAddress(address) {
  return address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

/**
 * curl interprets `;` and `,` in a file name without quotes.
 * @param {string} file
 */
function curlFile(file) {
  return /[;,"\\]/.test(file) ? `"${file.replace(/["\\]/g, "\\$&")}"` : file;
}

/** @param {string} text */
function shellQuote(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
