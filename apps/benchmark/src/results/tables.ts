import type { TimeShares } from "../times/times-report.ts";
import type { TimesResult } from "./stored-result.ts";

/** The name of an edit in documents. */
const edits: Record<string, string> = {
  clean: "as they are",
  "low resolution": "200 to 280 pixels wide",
  subtitles: "with subtitles",
  "cropped edges": "with cropped edges (3 to 14 % each)",
  tone: "with other brightness, contrast and colours",
};

/** The tables of the documents by their names. */
export const tables: Record<string, (result: TimesResult) => string> = {
  "times-short": shortTimes,
  times: allTimes,
};

/** Returns all shares as a table of Markdown. */
export function formatTimes(shares: readonly TimeShares[]): string {
  const titles = Object.keys(shares[0] ?? {}) as (keyof TimeShares)[];
  return toTable(
    titles,
    shares.map((one) => titles.map((title) => String(one[title]))),
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
  const { commit, date, machine, load, command } = result;
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
    `Commit ${commit}, ${date.slice(0, 10)}, ${machine}, load ${load[0]}: \`${command}\``,
  ].join("\n");
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
