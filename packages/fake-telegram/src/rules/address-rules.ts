import type { Rejecter } from "../http/call.ts";

/** The problems of an address in a button or a link; the payloads of deep links are validated. */
export function checkAddress(reject: Rejecter, username: string, address: string, where: string) {
  const isUser = /^tg:\/\/user\?id=\d+$/.test(address);
  if (isUser) return;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    reject.refuse("address", `${where}: "${address}" is no address that Telegram opens`);
  }
  if (isLocal(url.hostname)) reject.warn("address", `${where}: ${url.origin} is not public`);
  checkDeepLink(reject, username, url, where);
}

/** True if an address leads to this machine or its local network. */
export function isLocal(host: string): boolean {
  return /^(localhost|127\.|10\.|192\.168\.|\[::1\])/.test(host);
}

/** The payload of a deep link to the bot; undefined for other addresses. */
export function readDeepLink(
  username: string,
  address: string,
): { payload: string; isGroup: boolean } | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.hostname !== "t.me" || url.pathname.slice(1).toLowerCase() !== username.toLowerCase())
    return undefined;
  const group = url.searchParams.get("startgroup");
  return { payload: group ?? url.searchParams.get("start") ?? "", isGroup: group !== null };
}

function checkDeepLink(reject: Rejecter, username: string, url: URL, where: string) {
  const link = readDeepLink(username, url.href);
  if (!link || (!url.searchParams.has("start") && !url.searchParams.has("startgroup"))) return;
  if (!/^[\w-]{0,64}$/.test(link.payload) || (link.payload === "" && !link.isGroup))
    reject.blame(
      "deep-link",
      `${where}: the payload "${link.payload}" is not 1-64 characters of A-Z, a-z, 0-9, _ and -`,
    );
}
