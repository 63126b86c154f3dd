import { appendFile, mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { QuestionResult } from "./scoring/question-result.ts";

/** The results of a run, by key, as lines of JSON in a file. */
export type Checkpoint = {
  find(key: string): QuestionResult | undefined;
  add(key: string, result: QuestionResult): Promise<void>;
};

/** Opens the results of a folder: those of an interrupted run with `isResumed`, none otherwise. */
export async function openCheckpoint(folder: string, isResumed: boolean): Promise<Checkpoint> {
  const file = join(folder, "results.jsonl");
  await mkdir(folder, { recursive: true });
  if (!isResumed) await rm(file, { force: true });
  await appendFile(file, "");
  const results = new Map<string, QuestionResult>();
  const lines = (await readFile(file, "utf8")).split("\n");
  // A process that was killed during a write leaves a part of a line, which is never the start of a result.
  if (lines.at(-1) !== "") await appendFile(file, "\n");
  for (const line of lines) {
    const saved = parseLine(line);
    if (saved !== undefined) results.set(saved.key, saved.result);
  }
  return {
    find: (key) => results.get(key),
    async add(key, result) {
      results.set(key, result);
      await appendFile(file, `${JSON.stringify({ key, result })}\n`);
    },
  };
}

function parseLine(line: string): { key: string; result: QuestionResult } | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
