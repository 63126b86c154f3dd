import { extname } from "node:path";
import { videoExtensions } from "@koma/library";

/** Whether a file counts as a film by its name. */
export function isVideo(file: string): boolean {
  return videoExtensions.has(extname(file).toLowerCase());
}
