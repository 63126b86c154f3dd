/**
 * The text after the start: a `curl` command for an example search, and how to index videos.
 */
export function invitation({ address, example }: { address: string; example: string | null }): string {
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
 */
export function reachableAddress(address: string): string {
  return address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

/**
 * curl interprets `;` and `,` in a file name without quotes.
 */
function curlFile(file: string): string {
  return /[;,"\\]/.test(file) ? `"${file.replace(/["\\]/g, "\\$&")}"` : file;
}

function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
