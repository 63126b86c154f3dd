/**
 * Returns a filter graph that selects the frames of stream `input` with the filters `choose`, prints the time
 * of each on standard error, and passes it to `[output]` through the filters `pixels`.
 */
export function showTimes(graph: { input: number; choose: string; pixels: string; output: string }): string {
  return [
    // Microseconds are set before the selection: trim would round its limits to the time base of the video.
    `[0:${graph.input}]settb=1/1000000,${graph.choose},split[timed][seen]`,
    // showinfo also computes checksums, so it gets four pixels only. (`metadata=print` has no times in builds
    // of 2018.)
    "[timed]crop=2:2:0:0,showinfo,nullsink",
    `[seen]${graph.pixels}[${graph.output}]`,
  ].join(";");
}

/** Returns the time in seconds in a line that `showTimes` prints; undefined for other lines. */
export function shownTime(line: string): number | undefined {
  const match = /^\[Parsed_showinfo_\d+ @ .*? n: *\d+ pts: *(-?\d+) /.exec(line);
  return match === null ? undefined : Number(match[1]) / 1e6;
}

/** Formats seconds for filters, which accept no exponent, as in the 1e-18 of a rounding error. */
export function filterTime(seconds: number): string {
  return seconds.toFixed(6);
}

/** External times are rounded to milliseconds: a frame within this distance is the requested one. */
export const nearSeconds = 0.001;
