/** Shows a task on standard error: on a terminal with the elapsed seconds, elsewhere as one line. */
export function announce(text: string) {
  const stream = process.stderr;
  const startedMs = Date.now();
  const seconds = () => Math.round((Date.now() - startedMs) / 1000);
  const draw = () => stream.write(`\r${text} … ${seconds()} s\u001b[K`);
  let timer: NodeJS.Timeout | undefined;
  if (stream.isTTY) {
    draw();
    timer = setInterval(draw, 1000);
  } else stream.write(`${text} …\n`);
  return {
    /** Ends the task; on a terminal the line of a successful task stays with its duration. */
    end(isSuccess: boolean) {
      clearInterval(timer);
      if (stream.isTTY) stream.write(isSuccess ? `\r${text}: done in ${seconds()} s\u001b[K\n` : "\n");
    },
  };
}
