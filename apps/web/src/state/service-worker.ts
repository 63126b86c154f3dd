import { basePath, toHref } from "../routing/router.ts";

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

/** Registers the service worker that receives shared files, in browsers that can install the page. */
export function startServiceWorker(): void {
  if (!("onbeforeinstallprompt" in window) || !("serviceWorker" in navigator)) return;
  const address = toHref("/service-worker.js");
  const policy = window.trustedTypes?.createPolicy("service-worker", { createScriptURL: () => address });
  const script = policy?.createScriptURL(address) ?? address;
  // It must not compete with the first load. Some private windows reject it, and the page works without it.
  requestIdleCallback(() =>
    navigator.serviceWorker.register(script, { scope: basePath }).catch(() => undefined),
  );
}
