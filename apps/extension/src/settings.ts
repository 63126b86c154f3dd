import { browser } from "wxt/browser";

/** The Koma server that the extension uses, and the API key. */
export type Settings = {
  /** The base address of the server, without a trailing slash; a path prefix is allowed. */
  address: string;
  /** The API key; undefined searches as a guest. */
  apiKey?: string | undefined;
};

/** Reads the saved settings; undefined until a server is chosen. */
export async function readSettings(): Promise<Settings | undefined> {
  const { settings } = await browser.storage.local.get("settings");
  return isSettings(settings) ? settings : undefined;
}

/** Saves the settings on this device only: `storage.sync` would copy the key to other devices. */
export async function saveSettings(settings: Settings): Promise<void> {
  await browser.storage.local.set({ settings });
}

/**
 * Parses the address of a server as a person types it; undefined where it is not an http or https address.
 */
export function parseAddress(typed: string): string | undefined {
  const trimmed = typed.trim();
  // Browsers differ in whether a host name may contain a space.
  if (/\s/.test(trimmed)) return undefined;
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `${chooseScheme(trimmed)}://${trimmed}`;
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return undefined;
  if (url.hostname === "" || url.username !== "" || url.password !== "") return undefined;
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

/** The match pattern that covers an address. Patterns have no port, so it covers every port of the host. */
export function toPattern(address: string): string {
  const { protocol, hostname } = new URL(address);
  return `${protocol}//${hostname}/*`;
}

/** True where a key would cross a network unencrypted. */
export function isUnencrypted(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && !isLoopback(hostname);
}

function chooseScheme(typed: string): "http" | "https" {
  const hostname = URL.parse(`http://${typed}`)?.hostname ?? "";
  return isLoopback(hostname) ? "http" : "https";
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
}

function isSettings(value: unknown): value is Settings {
  return (
    typeof value === "object" && value !== null && "address" in value && typeof value.address === "string"
  );
}
