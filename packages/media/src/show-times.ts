/**
 * Filters that print each frame's time on standard error before the frame goes on, changed by `filters`, to `[output]`.
 * showinfo also computes checksums, hence it sees four pixels only. (`metadata=print` has no times in builds of 2018.)
 */
export function showTimes(output: string, filters: string): string {
  return [
    "settb=1/1000000,split[timed][seen]",
    "[timed]crop=2:2:0:0,showinfo,nullsink",
    `[seen]${filters}[${output}]`,
  ].join(";");
}

/** The time in seconds that a line printed by `showTimes` tells, or undefined for other lines. */
export function shownTime(line: string): number | undefined {
  const match = /^\[Parsed_showinfo_\d+ @ .*? n: *\d+ pts: *(-?\d+) /.exec(line);
  return match === null ? undefined : Number(match[1]) / 1e6;
}

/** Times from outside are rounded to milliseconds: a frame within this distance is the one meant. */
export const nearSeconds = 0.001;
