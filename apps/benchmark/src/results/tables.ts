import type { TimeShares } from "../times/times-report.ts";
import type { IndexMeasurement } from "../vector-index/measure-index.ts";
import type { RunFacts, StoredResults, TimesResult } from "./stored-result.ts";

/** The name of an edit in documents. */
const edits: Record<string, string> = {
  clean: "as they are",
  "low resolution": "200 to 280 pixels wide",
  subtitles: "with subtitles",
  "cropped edges": "with cropped edges (3 to 14 % each)",
  tone: "with other brightness, contrast and colours",
};

/** The tables of the documents by their names. */
export const tables: Record<string, (results: StoredResults) => string> = {
  "times-short": ({ times }) => shortTimes(times),
  times: ({ times }) => allTimes(times),
  index: ({ index }) => [formatIndexes(index.indexes), "", describeFacts(index)].join("\n"),
};

/** Returns all shares as a table of Markdown. */
export function formatTimes(shares: readonly TimeShares[]): string {
  const titles = Object.keys(shares[0] ?? {}) as (keyof TimeShares)[];
  return toTable(
    titles,
    shares.map((one) => titles.map((title) => String(one[title]))),
  );
}

/** Returns the costs and the recall of indexes as a table of Markdown. */
export function formatIndexes(indexes: readonly IndexMeasurement[]): string {
  return toTable(
    ["frames", "index", "memory per frame", "build", "per view", "recall@10", "recall@100", "start"],
    indexes.map((one) => [
      one.frames.toLocaleString("en"),
      one.implementation === "lists" ? "`embedded`" : "`hnsw`",
      `${Math.round(one.bytesPerFrame)} B`,
      `${one.buildSeconds.toFixed(1)} s`,
      `${one.msPerView.toFixed(2)} ms`,
      one.foundOf10.toFixed(3),
      one.foundOf100.toFixed(3),
      `${one.startSeconds.toFixed(1)} s`,
    ]),
  );
}

/** The right seconds of Koma and of colour layout, for the README. */
function shortTimes(result: TimesResult): string {
  return toTable(
    ["screenshots whose second is right", "Koma", "colour layout (MPEG-7), the descriptor of trace.moe"],
    editsOf(result).map((edit) => [
      nameOf(edit),
      format(find(result, "Koma", edit).right),
      format(find(result, "colour layout", edit).right),
    ]),
  );
}

/** All shares, and the conditions of the run. */
function allTimes(result: TimesResult): string {
  const columns = ["right", "within 1 s", "scene", "file", "confident, wrong"] as const;
  const rows = editsOf(result).map((edit) => {
    const koma = find(result, "Koma", edit);
    return [
      nameOf(edit),
      String(koma.images),
      ...columns.map((column) => format(koma[column])),
      format(find(result, "colour layout", edit).right),
    ];
  });
  return [
    toTable(
      [
        "images",
        "number",
        "right",
        "within 1 s",
        "in the stated scene",
        "right file",
        "confident and wrong",
        "colour layout: right",
      ],
      rows,
    ),
    "",
    describeFacts(result),
  ].join("\n");
}

function describeFacts({ commit, date, machine, load, command }: RunFacts): string {
  return `Commit ${commit}, ${date.slice(0, 10)}, ${machine}, load ${load[0]}: \`${command}\``;
}

function editsOf({ shares }: TimesResult): string[] {
  return [...new Set(shares.map(({ edit }) => edit))];
}

function nameOf(edit: string): string {
  return edits[edit] ?? edit;
}

function find({ shares }: TimesResult, system: string, edit: string): TimeShares {
  const found = shares.find((one) => one.system === system && one.edit === edit);
  if (found === undefined) throw new Error(`The stored result has no row of ${system} for ${edit}.`);
  return found;
}

function format(share: number): string {
  return share.toFixed(3);
}

function toTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(titles), `|${"---|".repeat(titles.length)}`, ...rows.map(line)].join("\n");
}
