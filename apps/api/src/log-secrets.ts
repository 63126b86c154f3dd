/**
 * A line of the log without what addresses have in them that is nobody's business, whichever library wrote it there: the
 * signature of a preview and all behind it, the token of a guest's search, the code of a link.
 */
export function hideAddressSecrets(line: string): string {
  return line
    .replace(/(\/previews\/\w+\/)(?!:)[^\s"'\\]+/g, "$1…")
    .replace(/(\/api\/links\/)(?!token\b|:)[^\s"'\\/?]+/g, "$1…")
    .replace(/([?&](?:confirmToken|key|token)=)[^\s"'\\&#]*/gi, "$1…");
}

/** Where nothing is: enough to tell a mistyped address from a scan, and nothing that could have been meant to be secret. */
export function describeUnknownPath(url: string): string {
  const [, first = "", rest] = /^\/([^/?#]{0,40})(.)?/.exec(url) ?? [];
  return rest === undefined ? `/${first}` : `/${first}…`;
}
