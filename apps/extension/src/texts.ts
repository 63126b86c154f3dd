import { browser } from "wxt/browser";
import type english from "../public/_locales/en/messages.json";

/** A text of the extension itself. */
export type TextKey = keyof typeof english;

/** A text in the language of the browser; `$1`, `$2` in it stand for the substitutions. */
export function text(key: TextKey, ...substitutions: string[]): string {
  return browser.i18n.getMessage(key, substitutions);
}
