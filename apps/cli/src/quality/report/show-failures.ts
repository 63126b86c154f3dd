import { basename } from "node:path";
import { formatTime } from "../../terminal/format.ts";
import type { FilmAccess } from "../pictures/film-access.ts";
import type { QualityResult } from "../run-quality.ts";
import type { ShownFailure } from "./html-report.ts";
import { createThumbnail } from "./thumbnail.ts";

/** Failures with stills of what was found and of what was true. Places in no film (drawn frames) have no still. */
export async function showFailures(
  access: FilmAccess,
  failures: QualityResult["failures"],
  films: ReadonlySet<string>,
  onProgress: (done: number, total: number) => void,
): Promise<ShownFailure[]> {
  const stills = new Map<string, Promise<Buffer>>();
  const stillOf = (file: string, atSeconds: number): Promise<Buffer> => {
    const key = JSON.stringify([file, atSeconds]);
    const known = stills.get(key) ?? access.still(file, atSeconds, 240).then(createThumbnail);
    stills.set(key, known);
    return known;
  };
  const show = async (file: string, atSeconds: number, note: string) => ({
    picture: films.has(file) ? await stillOf(file, atSeconds).catch(() => undefined) : undefined,
    caption: films.has(file) ? `${note}${basename(file)} ${formatTime(atSeconds)}` : `${note}a drawn frame`,
  });
  const shown: ShownFailure[] = [];
  for (const [done, { answer, thumbnail }] of failures.entries()) {
    const [found, truth] = [answer.found[0], answer.truths[0]];
    const note =
      found === undefined ? "" : `${found.similarity.toFixed(2)}${found.isConfident ? " sure" : ""}: `;
    shown.push({
      system: answer.system,
      family: answer.family,
      question: thumbnail,
      found: found && (await show(found.file, found.at, note)),
      truth: truth && (await show(truth.file, truth.atSeconds, "")),
    });
    onProgress(done + 1, failures.length);
  }
  return shown;
}
