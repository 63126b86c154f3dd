import { type Client, createClient } from "@koma/client";
import { browser } from "wxt/browser";
import { type Settings, toPattern } from "./settings.ts";

/** A client of the chosen server. It sends no cookies: the extension is a guest or uses its own key. */
export function connect({ address, apiKey }: Settings): Client {
  return createClient({ baseUrl: address, apiKey, credentials: "omit" });
}

/** True if the browser lets the extension reach the server, whatever CORS and mixed content rules are. */
export async function isAllowed(address: string): Promise<boolean> {
  return await browser.permissions.contains({ origins: [toPattern(address)] });
}
