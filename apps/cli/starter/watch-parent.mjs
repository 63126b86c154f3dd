const intervalMs = 250;

/**
 * Ends this process as SIGTERM does when the shell that npm put between itself and us is gone: npm passes signals to
 * that shell alone, which dies without passing them on.
 */
export function watchParent() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, intervalMs);
  timer.unref();
}
