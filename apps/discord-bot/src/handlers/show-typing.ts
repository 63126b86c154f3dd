/** Discord removes the typing indicator after ten seconds. */
const repeatMs = 9_000;

/** Shows "Koma is typing" until it is stopped. Errors are ignored. */
export function showTyping(show: () => Promise<unknown>): { end(): void } {
  const showQuietly = () => void show().catch(() => {});
  showQuietly();
  const timer = setInterval(showQuietly, repeatMs);
  return { end: () => clearInterval(timer) };
}
