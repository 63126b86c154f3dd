import { z } from "zod";
import { splitList } from "./values.ts";

/** Another service that searches images: a Koma, or one with the API of trace.moe. */
export type Upstream = {
  kind: "koma" | "tracemoe";
  /** The address without the key and without a slash at its end. */
  url: string;
  key?: string;
};

/**
 * Services in the order in which they are asked: `koma+https://host/path`, `tracemoe+https://KEY@host`. Entries can
 * contain keys, so the errors name none; empty by default.
 */
export function upstreamList() {
  return z
    .string()
    .default("")
    .transform((written, context) => {
      const entries = splitList(written);
      const upstreams = entries.flatMap((entry) => parseUpstream(entry) ?? []);
      if (upstreams.length < entries.length) context.addIssue({ code: "custom", message });
      if (new Set(upstreams.map(({ url }) => url)).size < upstreams.length)
        context.addIssue({ code: "custom", message: "names an address twice" });
      return upstreams;
    });
}

const message = "must have addresses like koma+https://koma.example or tracemoe+https://KEY@api.trace.moe";

function parseUpstream(entry: string): Upstream | undefined {
  const [, kind, address = ""] = /^(koma|tracemoe)\+(https?:\/\/.+)$/.exec(entry) ?? [];
  if (kind === undefined || !URL.canParse(address)) return undefined;
  const { protocol, host, pathname, search, hash, username, password } = new URL(address);
  if (search !== "" || hash !== "" || password !== "" || !/^[\w.~-]*$/.test(username)) return undefined;
  return {
    kind: kind === "koma" ? "koma" : "tracemoe",
    url: `${protocol}//${host}${pathname.replace(/\/+$/, "")}`,
    ...(username !== "" && { key: username }),
  };
}
