/** Rounds a time to whole milliseconds. */
export function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}

/** Returns the time of a frame of a strip whose frames are equally far apart, in whole milliseconds. */
export function expectTime(number: number, count: number, first: number, last: number): number {
  return count < 2 ? first : first + Math.round(((last - first) * number) / (count - 1));
}
