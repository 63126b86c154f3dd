const noteIntervalMs = 10_000;

/**
 * Shows a task on standard error: on a terminal with the elapsed seconds, elsewhere as one line and a line
 * with the note every 10 seconds.
 * @param {string} text
 */
export function announce(text, stream = process.stderr) {
  const startedMs = Date.now();
  let note = "";
  let lastNoteMs = startedMs;
  const seconds = () => Math.round((Date.now() - startedMs) / 1000);
  const draw = () => stream.write(`\r${text} … ${note === "" ? "" : `${note}, `}${seconds()} s\u001b[K`);
  let timer = /** @type {NodeJS.Timeout | undefined} */ (undefined);
  if (stream.isTTY) {
    draw();
    timer = setInterval(draw, 1000);
  } else stream.write(`${text} …\n`);
  return {
    /** @param {string} progress such as "3 of 20" */
    note(progress) {
      note = progress;
      if (stream.isTTY || Date.now() - lastNoteMs < noteIntervalMs) return;
      lastNoteMs = Date.now();
      stream.write(`${text}: ${note}\n`);
    },
    /**
     * Ends the task; on a terminal the line of a successful task stays with its duration.
     * @param {boolean} isSuccess
     */
    end(isSuccess) {
      clearInterval(timer);
      if (stream.isTTY) stream.write(isSuccess ? `\r${text}: done in ${seconds()} s\u001b[K\n` : "\n");
    },
  };
}
