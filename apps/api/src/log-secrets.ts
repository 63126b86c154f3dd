import { linkLine } from "@koma/accounts";

/**
 * Removes secrets in addresses from a log line of any library: the signature of a preview and the rest of its
 * path, the token of a guest's search, the code of a link.
 */
export function hideAddressSecrets(line: string): string {
  if (isLinkLine(line)) return line;
  return line
    .replace(/(\/previews\/\w+\/)(?!:)[^\s"'\\]+/g, "$1…")
    .replace(/(\/api\/links\/)(?!token\b|:)[^\s"'\\/?]+/g, "$1…")
    .replace(/([?&](?:confirmToken|key|token)=)[^\s"'\\&#]*/gi, "$1…");
}

/** Whether the message of a line is a mail for the log, on a server without a mail server. */
function isLinkLine(line: string): boolean {
  return line.includes(`"msg":"${linkLine} `) && !line.includes('"err":');
}

/** Describes an unknown path by its first segment: enough to recognize a scan, and too short for a secret. */
export function describeUnknownPath(url: string): string {
  const [, first = "", rest] = /^\/([^/?#]{0,40})(.)?/.exec(url) ?? [];
  return rest === undefined ? `/${first}` : `/${first}…`;
}
