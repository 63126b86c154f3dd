import { readFolder, readText } from "./processor-time.ts";

const intervalMs = 200;
/** Linux reports processor time in hundredths of a second. */
const MILLISECONDS_PER_TICK = 10;

/** Peak resident memory of a process and of its ffmpeg processes; zeros without /proc. */
export type PeakBytes = { indexer: number; ffmpeg: number };

/**
 * Reads /proc five times a second until `stop`, which returns the peaks; concurrent ffmpeg processes are
 * added up.
 */
export function watchMemory(rootPid: number | undefined): { stop(): PeakBytes } {
  const peak: PeakBytes = { indexer: 0, ffmpeg: 0 };
  const timer = setInterval(sample, intervalMs);

  function sample(): void {
    const now: PeakBytes = { indexer: 0, ffmpeg: 0 };
    for (const { pid, name, bytes } of descendants(rootPid)) {
      if (pid === rootPid) now.indexer += bytes;
      else if (name.startsWith("ff")) now.ffmpeg += bytes;
    }
    for (const kind of ["indexer", "ffmpeg"] as const) peak[kind] = Math.max(peak[kind], now[kind]);
  }

  return {
    stop() {
      clearInterval(timer);
      return peak;
    },
  };
}

/**
 * Returns the processor time of a process, of its descendants, and of the processes that have `argument` in
 * their command line, as the embedded database of a data folder; 0 without /proc.
 */
export function processorMs(rootPid: number | undefined, argument: string): number {
  const tree = new Set(descendants(rootPid).map(({ pid }) => pid));
  const own = listProcesses().filter(
    ({ pid }) => tree.has(pid) || readText(`/proc/${pid}/cmdline`).includes(argument),
  );
  return own.reduce((sum, { pid }) => {
    // Fields after the name, which may contain spaces: user and system time are the 14th and 15th of all.
    const fields = readText(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
    return sum + (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * MILLISECONDS_PER_TICK;
  }, 0);
}

function descendants(rootPid: number | undefined) {
  const processes = listProcesses();
  const processTree = new Set([rootPid]);
  // Children start after their parents, and lists have the order of ids, but ids wrap around.
  for (let before = 0; before !== processTree.size; ) {
    before = processTree.size;
    for (const { pid, parent } of processes) if (processTree.has(parent)) processTree.add(pid);
  }
  return processes.filter(({ pid }) => processTree.has(pid));
}

function listProcesses(): { pid: number; parent: number; name: string; bytes: number }[] {
  return readFolder("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      const status = readText(`/proc/${entry}/status`);
      const parent = /^PPid:\t(\d+)/m.exec(status)?.[1];
      const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
      if (parent === undefined || kilobytes === undefined) return [];
      const name = /^Name:\t(.*)/m.exec(status)?.[1] ?? "";
      return [{ pid: Number(entry), parent: Number(parent), name, bytes: Number(kilobytes) * 1024 }];
    });
}
