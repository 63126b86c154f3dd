import { signal } from "@preact/signals";

/** The last announcement for screen readers; `isShown` also shows it for a few seconds. */
export const announcement = signal<{ text: string; isShown: boolean; number: number }>({
  text: "",
  isShown: false,
  number: 0,
});

/** Announces an event to screen readers. */
export function announce(text: string): void {
  announcement.value = { text, isShown: false, number: announcement.value.number + 1 };
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Announces an event to screen readers and shows it for a few seconds. */
export function notify(text: string): void {
  const number = announcement.value.number + 1;
  announcement.value = { text, isShown: true, number };
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (announcement.value.number === number) announcement.value = { text: "", isShown: false, number };
  }, 6000);
}
