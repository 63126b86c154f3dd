import type { TimeRow } from "./measure-times.ts";
import type { TimeResult } from "./score-times.ts";
import { timeEdits } from "./time-edits.ts";

const columns = {
  right: "isRight",
  "within 1 s": "isNear",
  scene: "isInScene",
  file: "isFileRight",
  "confident, wrong": "isConfidentlyWrong",
} as const satisfies Record<string, keyof TimeResult>;

/** The shares of one system and edit; `images` is their number. */
export type TimeShares = { system: string; edit: string; images: number } & Record<
  keyof typeof columns,
  number
>;

/** Sums up rows by system and edit; the last rows of a system have all edits. */
export function sumUpTimes(rows: readonly TimeRow[]): TimeShares[] {
  const systems = Object.keys(rows[0]?.results ?? {});
  return systems.flatMap((system) =>
    [...timeEdits.map(({ name }) => name), "all"].map((edit): TimeShares => {
      const results = rows.flatMap((row) =>
        edit === "all" || row.edit === edit ? (row.results[system] ?? []) : [],
      );
      const share = (name: keyof TimeResult) =>
        Math.round((results.filter((result) => result[name]).length / Math.max(1, results.length)) * 1000) /
        1000;
      const shares = Object.entries(columns).map(([title, name]) => [title, share(name)]);
      return { system, edit, images: results.length, ...Object.fromEntries(shares) };
    }),
  );
}
