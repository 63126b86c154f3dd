/**
 * A filter graph that takes the frames of stream `input` that the filters `choose` let through, prints each one's time
 * on standard error, then hands it on to `[output]`, changed by the filters `pixels`.
 */
export function showTimes(graph: { input: number; choose: string; pixels: string; output: string }): string {
  return [
    // Microseconds before anything is chosen: trim would round its limits to the film's own time base.
    `[0:${graph.input}]settb=1/1000000,${graph.choose},split[timed][seen]`,
    // showinfo also computes checksums, hence on four pixels. (`metadata=print` has no times in builds of 2018.)
    "[timed]crop=2:2:0:0,showinfo,nullsink",
    `[seen]${graph.pixels}[${graph.output}]`,
  ].join(";");
}

/** The time in seconds that a line printed by `showTimes` tells, or undefined for other lines. */
export function shownTime(line: string): number | undefined {
  const match = /^\[Parsed_showinfo_\d+ @ .*? n: *\d+ pts: *(-?\d+) /.exec(line);
  return match === null ? undefined : Number(match[1]) / 1e6;
}

/** Seconds as filters read a time: they know no exponent, as in the 1e-18 that is left of a difference. */
export function filterTime(seconds: number): string {
  return seconds.toFixed(6);
}

/** Times from outside are rounded to milliseconds: a frame within this distance is the one meant. */
export const nearSeconds = 0.001;
