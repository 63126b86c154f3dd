import { effect } from "@preact/signals";
import { toHref } from "../routing/router.ts";
import { t } from "./language.ts";
import { theme } from "./theme.ts";

/**
 * Stores the two pages that the service worker answers with when it cannot load a page: the device has no network, or
 * Koma does not answer. They are in the reader's language and colours, and have no scripts.
 */
export function startOfflinePages(): void {
  if (!("caches" in window)) return;
  effect(() => {
    const pages = [
      ["offline", write(t("web.errors.noConnection.title"), t("web.errors.noConnection.text"))],
      ["unreachable", write(t("error.offline.title"))],
    ] as const;
    void store(pages).catch(() => undefined);
  });
}

async function store(pages: readonly (readonly [name: string, html: string])[]): Promise<void> {
  const cache = await caches.open("koma:offline");
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
  };
  for (const [name, html] of pages) await cache.put(toHref(`/${name}`), new Response(html, { headers }));
}

/** The document as text: a style element that this page creates would violate its policy. */
function write(title: string, text = ""): string {
  const { lang, dir } = document.documentElement;
  const scheme = theme.value === "auto" ? "light dark" : theme.value;
  // A link to its own address loads the page again, without a script.
  return `<!doctype html><html lang="${lang}" dir="${dir}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeText(title)}</title>
<style>:root{color-scheme:${scheme}}${style}</style>
<main><h1>${escapeText(title)}</h1>${text && `<p>${escapeText(text)}</p>`}<a href="">${escapeText(t("web.common.retry"))}</a></main>`;
}

function escapeText(text: string): string {
  return new XMLSerializer().serializeToString(new Text(text));
}

const style = `
body{margin:0;background:light-dark(#f5f2ea,#121114);color:light-dark(#1b191d,#f3efe6);
font:1rem/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:34rem;margin:12vh auto;padding:0 1.2rem}
a{display:inline-block;padding:.6rem 1.2rem;border-radius:10px;font-weight:650;text-decoration:none;
background:light-dark(#bd3a15,#ff8459);color:light-dark(#fff,#26100a)}`;
