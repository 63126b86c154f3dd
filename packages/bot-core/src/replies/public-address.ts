import { isIP } from "node:net";

/** True if the host name of a web address can be public on the internet. */
export function isPublicAddress(address: string): boolean {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return false;
  const hostname = new URL(address).hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (isIP(hostname) === 6) return !/^(?:::|f[cd]|fe[89ab])/i.test(hostname);
  if (isIP(hostname) === 4)
    return !/^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./.test(
      hostname,
    );
  return hostname.includes(".") && !/\.(?:local|internal|localhost|lan|home\.arpa)$/i.test(hostname);
}

/** The address of a preview, or of another one at the same base address, if platforms can reach it. */
export function publicPreview(address: string | null, path?: string): string | undefined {
  if (address === null || !isPublicAddress(address)) return undefined;
  return path === undefined ? address : `${address.slice(0, address.lastIndexOf("/previews/"))}${path}`;
}
