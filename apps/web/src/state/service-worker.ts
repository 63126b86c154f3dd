import { basePath, toHref } from "../routing/router.ts";
import { startOfflinePages } from "./offline-page.ts";

declare global {
  interface Window {
    /** Not in all browsers (https://w3c.github.io/trusted-types/). */
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createScriptURL(text: string): string },
      ): { createScriptURL(text: string): string };
    };
  }
}

/** Registers the service worker, which receives shared files and answers where a page cannot be loaded. */
export function startServiceWorker(): void {
  if (!("serviceWorker" in navigator)) return;
  const address = toHref("/service-worker.js");
  const policy = window.trustedTypes?.createPolicy("service-worker", { createScriptURL: () => address });
  const script = policy?.createScriptURL(address) ?? address;
  const register = async () => {
    try {
      await navigator.serviceWorker.register(script, { scope: basePath });
      startOfflinePages();
    } catch {
      // Some private windows reject it, and the page works without it.
    }
  };
  // It must not compete with the first load. Not in all browsers (https://w3c.github.io/requestidlecallback/).
  if ("requestIdleCallback" in window) requestIdleCallback(register);
  else setTimeout(register, 2000);
}
