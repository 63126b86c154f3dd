import { createHash } from "node:crypto";
import type { FakeState, StoredFile } from "./fake-state.ts";

/** The signed address of a file, valid until it expires. */
export function signAddress(state: FakeState, file: StoredFile): string {
  const issued = Date.now();
  const expires = issued + state.settings.attachmentTtlMs;
  const path = `/attachments/${file.channelId}/${file.id}/${encodeURIComponent(file.name)}`;
  return `${state.origin}${path}?ex=${expires.toString(16)}&is=${issued.toString(16)}&hm=${seal(file.id, expires, issued)}&`;
}

/** True if an address of this file has a valid signature and is not expired. */
export function isSigned(
  state: FakeState,
  file: StoredFile,
  query: Readonly<Record<string, string>>,
): boolean {
  const expires = Number.parseInt(query.ex ?? "", 16);
  const issued = Number.parseInt(query.is ?? "", 16);
  return (
    query.hm === seal(file.id, expires, issued) && expires > Date.now() && issued >= state.signaturesFrom
  );
}

function seal(id: string, expires: number, issued: number): string {
  return createHash("sha256").update(`${id}:${expires}:${issued}`).digest("hex");
}
