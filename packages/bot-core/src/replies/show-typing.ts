/** Shows "Koma is typing" after a time until it is stopped. Errors are ignored. */
export function showTyping(
  show: () => Promise<unknown>,
  { repeatMs, afterMs = 0 }: { repeatMs: number; afterMs?: number | undefined },
): { end(): void } {
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
