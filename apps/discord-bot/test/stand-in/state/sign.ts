import { createHash } from "node:crypto";
import type { StoredFile, World } from "./world.ts";

/** The address of a file: signed, and good until it expires. */
export function signAddress(world: World, file: StoredFile): string {
  const issued = Date.now();
  const expires = issued + world.settings.attachmentLivesMs;
  const path = `/attachments/${file.channelId}/${file.id}/${encodeURIComponent(file.name)}`;
  return `${world.origin}${path}?ex=${expires.toString(16)}&is=${issued.toString(16)}&hm=${seal(file.id, expires, issued)}&`;
}

/** Whether an address of this file is signed and not expired. */
export function isSigned(world: World, file: StoredFile, query: Readonly<Record<string, string>>): boolean {
  const expires = Number.parseInt(query.ex ?? "", 16);
  const issued = Number.parseInt(query.is ?? "", 16);
  return (
    query.hm === seal(file.id, expires, issued) && expires > Date.now() && issued >= world.signaturesFrom
  );
}

function seal(id: string, expires: number, issued: number): string {
  return createHash("sha256").update(`${id}:${expires}:${issued}`).digest("hex");
}
