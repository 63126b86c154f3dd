const again = "then start again.";

const reasons: { pattern: RegExp; explain: (output: string) => string }[] = [
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
 */
export function explainInstallFailure(output: string): string {
  const reason = reasons.find(({ pattern }) => pattern.test(output));
  return reason?.explain(output) ?? `npm could not install the packages:\n\n${lastLines(output)}`;
}

function lastLines(output: string): string {
  return output.trim().split("\n").slice(-15).join("\n");
}
