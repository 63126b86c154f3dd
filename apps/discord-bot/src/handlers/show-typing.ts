/** Discord removes the typing indicator after ten seconds. */
const repeatMs = 9_000;

/** Shows "Koma is typing" after a time until it is stopped. Errors are ignored. */
export function showTyping(show: () => Promise<unknown>, { afterMs = 0 } = {}): { end(): void } {
  const showQuietly = () => void show().catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    showQuietly();
    timer = setInterval(showQuietly, repeatMs);
  };
  if (afterMs === 0) begin();
  else timer = setTimeout(begin, afterMs);
  return { end: () => clearTimeout(timer) };
}
