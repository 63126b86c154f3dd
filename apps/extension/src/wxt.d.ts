import type { TextKey } from "./texts.ts";

// WXT generates these types into `.wxt` when it builds; written here, the type check needs no build before
// it.
declare module "wxt/browser" {
  interface WxtRuntime {
    getURL(path: string): string;
  }
  interface WxtI18n {
    getMessage(key: TextKey, substitutions?: string[]): string;
  }
}
