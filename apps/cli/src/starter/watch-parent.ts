const intervalMs = 250;

/**
 * Sends SIGTERM to this process when the shell of npm has ended: npm sends signals only to that shell, which
 * ends without forwarding them.
 */
export function watchParent(): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, intervalMs);
  timer.unref();
}
