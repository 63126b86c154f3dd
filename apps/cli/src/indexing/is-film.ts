import { extname } from "node:path";
import { filmExtensions } from "@koma/library";

/** Whether a file counts as a film by its name. */
export function isFilm(file: string): boolean {
  return filmExtensions.has(extname(file).toLowerCase());
}
