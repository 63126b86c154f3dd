import { stat } from "node:fs/promises";
import { type FoundVideo, isBeingWritten } from "@koma/library";

/** Remembers the videos of --watch that are still being written; `report` receives a sentence for each. */
export function createUnfinished(report: (sentence: string) => void) {
  const paths = new Set<string>();
  const isUnfinished = (video: FoundVideo) => isBeingWritten(video, Date.now());
  return {
    async postpone(video: FoundVideo): Promise<boolean> {
      if (!(await isUnfinished(video))) return false;
      if (!paths.has(video.path)) report(`${video.path} ${unfinishedSentence}`);
      paths.add(video.path);
      return true;
    },

    /** Returns those that have ended, and those that cannot be read any more; the others stay. */
    async takeEnded(): Promise<string[]> {
      const ended: string[] = [];
      for (const path of paths) {
        if (
          !(await readFacts(path)
            .then(isUnfinished)
            .catch(() => false))
        )
          ended.push(path);
      }
      for (const path of ended) paths.delete(path);
      return ended;
    },
  };
}

const unfinishedSentence =
  "is still being written. It is indexed when it is complete, or when nothing was written to it for ten minutes.";

async function readFacts(path: string): Promise<FoundVideo> {
  const { size, mtimeMs } = await stat(path);
  return { path, sizeBytes: size, modifiedAtMs: mtimeMs };
}
