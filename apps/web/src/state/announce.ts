import { signal } from "@preact/signals";

type Announcement = { text: string; number: number };

/** The last announcement for screen readers. */
export const announcement = signal<Announcement>({ text: "", number: 0 });

/** The text that is shown for a few seconds; other announcements do not replace it. */
export const toast = signal<Announcement>({ text: "", number: 0 });

/** Announces an event to screen readers. */
export function announce(text: string): void {
  announcement.value = { text, number: announcement.value.number + 1 };
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Announces an event to screen readers and shows it for a few seconds. */
export function notify(text: string): void {
  toast.value = { text, number: toast.value.number + 1 };
  clearTimeout(timer);
  timer = setTimeout(() => {
    toast.value = { ...toast.value, text: "" };
  }, 6000);
}
