import { signal } from "@preact/signals";

/** The parameters of a page's path. */
export type PageProps = { id?: string | undefined };

/** The current path below the base path ("/rankings") and the query. */
export type PageLocation = { path: string; query: URLSearchParams };

/** The base path of the page: "/" or a prefix that ends in a slash. */
export const basePath = new URL(document.baseURI).pathname;

/** The current location. */
export const pageLocation = signal<PageLocation>(readLocation());

/** The number of navigations, for effects that run once per navigation (focus, scrolling). */
export const visit = signal(0);

/** Handles back and forward, and clicks on links within the page. */
export function startRouting(): void {
  window.addEventListener("popstate", show);
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null || isOther(event, link)) return;
    event.preventDefault();
    navigate(toPath(new URL(link.href)));
  });
}

/** Opens a path of the page, which may have a query. */
export function navigate(path: string, options: { isReplacing?: boolean } = {}): void {
  const address = toHref(path);
  if (options.isReplacing) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  show();
}

/** Replaces the query of the current location without a navigation. */
export function setQuery(query: Record<string, string | undefined>): void {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, value);
  const text = params.toString();
  history.replaceState(null, "", toHref(`${pageLocation.value.path}${text === "" ? "" : `?${text}`}`));
  pageLocation.value = readLocation();
}

/** The address of a path of the page, for links. */
export function toHref(path: string): string {
  return `${basePath}${path.replace(/^\//, "")}`;
}

/** The absolute URL of a path of the page. */
export function toAddress(path: string): string {
  return new URL(toHref(path), location.origin).href;
}

function show(): void {
  pageLocation.value = readLocation();
  visit.value += 1;
}

function readLocation(): PageLocation {
  const path = toPath(new URL(location.href)).split("?", 1)[0] ?? "/";
  return {
    path: path.length > 1 ? path.replace(/\/+$/, "") : path,
    query: new URLSearchParams(location.search),
  };
}

function toPath(address: URL): string {
  const below = address.pathname.startsWith(basePath) ? address.pathname.slice(basePath.length) : "";
  return `/${below}${address.search}`;
}

/** Whether the browser handles the link itself. */
function isOther(event: MouseEvent, link: HTMLAnchorElement): boolean {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!isPlain || event.defaultPrevented || link.target !== "" || link.hasAttribute("download")) return true;
  const { origin, pathname } = new URL(link.href);
  return origin !== location.origin || !pathname.startsWith(basePath) || link.dataset.outside !== undefined;
}
