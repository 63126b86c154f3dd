import { MultiBar, Presets, type SingleBar } from "cli-progress";

const plainIntervalMs = 10_000;

/** One piece of work under way. */
export type Bar = {
  /** `done` of `total`, with a short note behind it. */
  update(done: number, total: number, note?: string): void;
  /** Takes the bar away. */
  end(): void;
};

/** Progress on standard error: bars on a terminal, elsewhere plain lines now and then. */
export type Progress = ReturnType<typeof createProgress>;

export function createProgress(stream: NodeJS.WriteStream = process.stderr) {
  const bars = stream.isTTY ? createMultiBar(stream) : undefined;
  return {
    /** Prints a line that stays. */
    line(text: string): void {
      if (bars?.isActive) {
        bars.log(`${text}\n`);
        bars.update();
      } else stream.write(`${text}\n`);
    },
    /** Starts a bar with that label; elsewhere than on a terminal only what takes long is heard of. */
    open: (label: string): Bar =>
      bars === undefined ? openPlainBar(stream, label) : openTerminalBar(bars, label),
    /** Takes all bars away. */
    close(): void {
      if (bars?.isActive) bars.stop();
    },
  };
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
  // A total of 1000 shows fractions finely whatever the caller counts.
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
