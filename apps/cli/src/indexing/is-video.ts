import { extname } from "node:path";
import { videoExtensions } from "@koma/library";

/** Whether a file is a video by the ending of its name. */
export function isVideo(file: string): boolean {
  return videoExtensions.has(extname(file).toLowerCase());
}
