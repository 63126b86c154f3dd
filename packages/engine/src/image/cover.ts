import type { Cover } from "./image-description.ts";

/** Returns a function that is true for points of an image of this size, in pixels, that are covered. */
export function createCoverTest(
  { x, y, width, height, isRound = false }: Cover,
  image: { width: number; height: number },
): (atX: number, atY: number) => boolean {
  const [left, right] = [x * image.width, (x + width) * image.width];
  const [top, bottom] = [y * image.height, (y + height) * image.height];
  if (!isRound) return (atX, atY) => atX >= left && atX <= right && atY >= top && atY <= bottom;
  const [middleX, middleY] = [(left + right) / 2, (top + bottom) / 2];
  const [radiusX, radiusY] = [(right - left) / 2, (bottom - top) / 2];
  return (atX, atY) => ((atX - middleX) / radiusX) ** 2 + ((atY - middleY) / radiusY) ** 2 > 1;
}
