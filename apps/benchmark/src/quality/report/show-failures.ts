import { basename } from "node:path";
import { formatTime } from "@koma/cli/terminal/format";
import type { VideoAccess } from "../images/video-access.ts";
import type { QualityResult } from "../run-quality.ts";
import type { ShownFailure } from "./html-report.ts";
import { createThumbnail } from "./thumbnail.ts";

/** Draws failures with stills of the found and of the true location. Drawn frames have no still. */
export async function showFailures(
  access: VideoAccess,
  failures: QualityResult["failures"],
  videos: ReadonlySet<string>,
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
    image: videos.has(file) ? await stillOf(file, atSeconds).catch(() => undefined) : undefined,
    caption: videos.has(file) ? `${note}${basename(file)} ${formatTime(atSeconds)}` : `${note}a drawn frame`,
  });
  const shown: ShownFailure[] = [];
  for (const [done, { result: questionResult, thumbnail }] of failures.entries()) {
    const [found, truth] = [questionResult.found[0], questionResult.truths[0]];
    const note =
      found === undefined ? "" : `${found.similarity.toFixed(2)}${found.isConfident ? " sure" : ""}: `;
    shown.push({
      system: questionResult.system,
      transformation: questionResult.transformation,
      question: thumbnail,
      found: found && (await show(found.file, found.timestamp, note)),
      truth: truth && (await show(truth.file, truth.atSeconds, "")),
    });
    onProgress(done + 1, failures.length);
  }
  return shown;
}
