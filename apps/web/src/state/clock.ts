import { signal } from "@preact/signals";

/** The current time, updated each second while the tab is visible. */
export const clock = signal(Date.now());

setInterval(() => {
  if (!document.hidden) clock.value = Date.now();
}, 1000);
