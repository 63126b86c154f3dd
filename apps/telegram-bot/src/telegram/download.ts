import { ImageTooLargeError, readBounded } from "@koma/bot-core";
import type { Api } from "grammy";
import { isTooBig } from "./errors.ts";

/**
 * A file of Telegram could not be downloaded. Its address contains the bot's token, so the error omits it.
 */
class DownloadError extends Error {
  override readonly name = "DownloadError";
}

/** Downloads files stored by Telegram. */
export type Download = (
  fileId: string,
  options: { limitBytes: number; signal: AbortSignal },
) => Promise<Uint8Array>;

/** Telegram's download limit for bots. */
export const telegramFileBytes = 20 * 1024 * 1024;

/**
 * Creates a download by file id that follows no redirect and stops at `limitBytes` and `timeoutMs`. Throws
 * DownloadError, ImageTooLargeError and the signal's reason.
 */
export function createDownload(options: { api: Api; apiUrl: string; token: string }): Download {
  const { api, apiUrl, token } = options;

  return async (fileId, { limitBytes, signal }) => {
    const path = await findPath(fileId, signal);
    for (let attempt = 1; ; attempt++) {
      try {
        return await fetchBytes(`${apiUrl}/file/bot${token}/${encodePath(path)}`, limitBytes, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ImageTooLargeError) throw error;
        if (attempt === 3) throw new DownloadError("A file of Telegram could not be downloaded.");
      }
    }
  };

  async function findPath(fileId: string, signal: AbortSignal): Promise<string> {
    try {
      const { file_path: path } = await api.getFile(fileId);
      if (path !== undefined) return path;
    } catch (error) {
      signal.throwIfAborted();
      if (isTooBig(error)) throw new ImageTooLargeError(telegramFileBytes);
    }
    throw new DownloadError("Telegram does not report the path of a file.");
  }
}

async function fetchBytes(address: string, limitBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  const response = await fetch(address, {
    redirect: "error",
    signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new DownloadError(`Telegram responded to a download with ${response.status}.`);
  }
  return await readBounded(response, limitBytes);
}

function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
