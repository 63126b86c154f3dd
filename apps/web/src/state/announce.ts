import { signal } from "@preact/signals";

/** What was said last, for screen readers and, where it is news to all, for a moment on screen. */
export const announcement = signal<{ text: string; isShown: boolean; number: number }>({
  text: "",
  isShown: false,
  number: 0,
});

/** Says something that just happened to screen readers. */
export function announce(text: string): void {
  announcement.value = { text, isShown: false, number: announcement.value.number + 1 };
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Says something that just happened, on screen too. */
export function notify(text: string): void {
  const number = announcement.value.number + 1;
  announcement.value = { text, isShown: true, number };
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (announcement.value.number === number) announcement.value = { text: "", isShown: false, number };
  }, 6000);
}
