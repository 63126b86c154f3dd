import { ImageTooLargeError, readBounded } from "@koma/bot-core";

/** An image of Discord could not be downloaded. */
export class DownloadError extends Error {
  override readonly name = "DownloadError";
  readonly reason: "not-allowed" | "gone" | "failed";

  constructor(reason: DownloadError["reason"], options?: { cause: unknown }) {
    super(`The image could not be downloaded (${reason}).`, options);
    this.reason = reason;
  }
}

/** Downloads files from Discord's own hosts only. */
export type Download = (
  url: string,
  options: { limitBytes: number; signal: AbortSignal },
) => Promise<Uint8Array>;

/**
 * Creates a download that contacts only Discord's hosts (and the host of `apiUrl`, if that is another
 * server), follows no redirect, and stops at `limitBytes` and `timeoutMs`. Throws DownloadError,
 * ImageTooLargeError and the signal's reason.
 */
export function createDownload(options: {
  apiUrl: string;
  timeoutMs?: number;
  fetch?: typeof globalThis.fetch;
}): Download {
  const send = options.fetch ?? globalThis.fetch;
  const ownHost = new URL(options.apiUrl).hostname;

  return async (url, { limitBytes, signal }) => {
    if (!isAllowed(url, ownHost)) throw new DownloadError("not-allowed");
    const stop = AbortSignal.any([AbortSignal.timeout(options.timeoutMs ?? 30_000), signal]);
    try {
      const response = await send(url, { signal: stop, redirect: "error" });
      if (response.status !== 200) {
        await response.body?.cancel();
        throw new DownloadError([403, 404, 410].includes(response.status) ? "gone" : "failed");
      }
      return await readBounded(response, limitBytes);
    } catch (cause) {
      signal.throwIfAborted();
      if (cause instanceof DownloadError || cause instanceof ImageTooLargeError) throw cause;
      throw new DownloadError("failed", { cause });
    }
  };
}

const discordHosts = ["discordapp.com", "discordapp.net", "discord.com"];

function isAllowed(url: string, ownHost: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== "" || password !== "") return false;
  const isDiscord = discordHosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  if (isDiscord) return protocol === "https:";
  const isOwn = hostname === ownHost || (isLoopback(hostname) && isLoopback(ownHost));
  return isOwn && (protocol === "http:" || protocol === "https:");
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
