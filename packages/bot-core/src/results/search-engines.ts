import type { Button } from "../model/reply.ts";
import { linkButton } from "../replies/build-reply.ts";

/** Discord rejects longer addresses in buttons. */
const addressLimit = 512;

const engines = [
  { name: "SauceNAO", start: "https://saucenao.com/", search: "https://saucenao.com/search.php?url=" },
  { name: "trace.moe", start: "https://trace.moe/", search: "https://trace.moe/?url=" },
  { name: "iqdb", start: "https://iqdb.org/", search: "https://iqdb.org/?url=" },
  { name: "ascii2d", start: "https://ascii2d.net/", search: "https://ascii2d.net/search/url/" },
  {
    name: "Google Lens",
    start: "https://lens.google.com/",
    search: "https://lens.google.com/uploadbyurl?url=",
  },
] as const;

/**
 * Buttons that open other image search engines, with the image where its address is public. Without such an
 * address they open the engine's start page: Koma does not host query images.
 */
export function listEngineButtons(imageUrl: string | undefined): Button[] {
  return engines.map(({ name, start, search }) => {
    const address = imageUrl === undefined ? start : `${search}${encodeURIComponent(imageUrl)}`;
    return linkButton("open", name, address.length > addressLimit ? start : address);
  });
}
