/**
 * Says on standard error what goes on now; on a terminal with the seconds it takes. Call the result when it is done:
 * with `true` the line stays and says how long it took.
 */
export function announce(text, stream = process.stderr) {
  const startedMs = Date.now();
  const seconds = () => Math.round((Date.now() - startedMs) / 1000);
  if (!stream.isTTY) {
    stream.write(`${text} …\n`);
    return () => {};
  }
  const draw = () => stream.write(`\r${text} … ${seconds()} s`);
  draw();
  const timer = setInterval(draw, 1000);
  return (isDone) => {
    clearInterval(timer);
    stream.write(isDone ? `\r${text}: done in ${seconds()} s\n` : "\n");
  };
}
