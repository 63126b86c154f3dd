import { signal } from "@preact/signals";

/** The time now, moving on every second while somebody looks. */
export const clock = signal(Date.now());

setInterval(() => {
  if (!document.hidden) clock.value = Date.now();
}, 1000);
