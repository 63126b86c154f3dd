const again = "then start again.";

/** @type {{ pattern: RegExp, explain: (output: string) => string }[]} */
const reasons = [
  {
    pattern: /ENOSPC|no space left/i,
    explain: () => `The disk is full, so the packages could not be installed: make room, ${again}`,
  },
  {
    pattern:
      /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ECONNRESET|ENOTCACHED|ERR_SOCKET_TIMEOUT/,
    explain: () =>
      `npm could not reach the package registry: check the network or the proxy settings (\`npm config get registry\`), ${again}`,
  },
  {
    pattern: /EACCES|EPERM|EROFS/,
    explain: () =>
      `The packages could not be written into node_modules: make this folder writable for you, ${again}`,
  },
  {
    pattern: /EUSAGE.*(in sync|lock file)|can only install packages when your package\.json/is,
    explain: () =>
      "package.json and package-lock.json do not fit together: restore both with `git checkout package.json package-lock.json` (or, when you changed dependencies, run `npm install`).",
  },
];

/**
 * The reason and the remedy of a failed `npm ci`.
 * @param {string} output
 */
export function explainInstallFailure(output) {
  const reason = reasons.find(({ pattern }) => pattern.test(output));
  return reason?.explain(output) ?? `npm could not install the packages:\n\n${lastLines(output)}`;
}

/** @param {string} output */
function lastLines(output) {
  return output.trim().split("\n").slice(-15).join("\n");
}
