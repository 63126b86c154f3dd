import { MultiBar, Presets, type SingleBar } from "cli-progress";

const plainIntervalMs = 10_000;

/** The progress of one task. */
export type Bar = {
  /** `done` of `total`, followed by a short note. */
  update(done: number, total: number, note?: string): void;
  /** Removes the bar. */
  end(): void;
};

/** Progress on standard error: bars on a terminal, elsewhere a line every 10 seconds. */
type Progress = ReturnType<typeof createProgress>;

export function createProgress(stream: NodeJS.WriteStream = process.stderr) {
  const bars = stream.isTTY ? createMultiBar(stream) : undefined;
  return {
    /** Prints a permanent line. */
    line(text: string): void {
      if (bars?.isActive) {
        bars.log(`${text}\n`);
        bars.update();
      } else stream.write(`${text}\n`);
    },
    /** Starts a bar with that label. Without a terminal, tasks of less than 10 seconds print nothing. */
    open: (label: string): Bar =>
      bars === undefined ? openPlainBar(stream, label) : openTerminalBar(bars, label),
    /** Removes all bars. */
    close(): void {
      if (bars?.isActive) bars.stop();
    },
  };
}

/** Shows a bar with that label during the work, which may also print lines. */
export async function withBar<Result>(
  label: string,
  work: (bar: Bar, progress: Progress) => Promise<Result>,
): Promise<Result> {
  const progress = createProgress();
  const bar = progress.open(label);
  try {
    return await work(bar, progress);
  } finally {
    bar.end();
    progress.close();
  }
}

/** Returns a listener that shows the progress as a fraction: `3/12`. */
export function showCounts(bar: Bar): (progress: { done: number; total: number }) => void {
  return ({ done, total }) => bar.update(done, total, `${done}/${total}`);
}

/** Returns a listener that shows a fraction. */
export function showFraction(bar: Bar): (fraction: number) => void {
  return (fraction) => bar.update(fraction, 1);
}

function createMultiBar(stream: NodeJS.WriteStream): MultiBar {
  return new MultiBar(
    {
      stream,
      format: "{label} {bar} {share} {note}",
      barsize: 24,
      clearOnComplete: true,
      hideCursor: true,
      fps: 5,
      gracefulExit: false,
    },
    Presets.shades_classic,
  );
}

function openTerminalBar(bars: MultiBar, label: string): Bar {
  const width = 34;
  const shown = label.length > width ? `${label.slice(0, width - 1)}…` : label.padEnd(width);
  // A total of 1000 shows fractions of a unit that the caller counts.
  const bar: SingleBar = bars.create(1000, 0, { label: shown, note: "", share: "" });
  return {
    update(done, total, note = "") {
      const fraction = total > 0 ? Math.min(1, done / total) : 0;
      bar.update(Math.floor(fraction * 1000), {
        note,
        share: `${String(Math.floor(fraction * 100)).padStart(3)} %`,
      });
    },
    end() {
      bars.remove(bar);
    },
  };
}

function openPlainBar(stream: NodeJS.WriteStream, label: string): Bar {
  let lastMs = Date.now();
  return {
    update(done, total, note = "") {
      if (Date.now() - lastMs < plainIntervalMs || total === 0) return;
      lastMs = Date.now();
      stream.write(`${label}: ${Math.floor((done / total) * 100)} % ${note}`.trimEnd().concat("\n"));
    },
    end() {},
  };
}
