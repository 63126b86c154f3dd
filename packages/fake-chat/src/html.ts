/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Bytes as an address that contains them. */
export function toDataUrl(bytes: Uint8Array, type: string): string {
  return `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
}

/** A file below a message. */
export function renderFile(name: string, size: number): string {
  return `<div class="file"><i>↓</i><div>${escapeHtml(name)}<small>${(size / 1024).toFixed(1)} KB</small></div></div>`;
}
