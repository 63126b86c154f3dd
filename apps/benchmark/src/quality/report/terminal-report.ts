import { formatTable } from "@koma/cli/terminal/table";
import type { Summary } from "../scoring/summary.ts";

const head = [
  "",
  "n",
  "rank 1",
  "rank 5",
  "µAP",
  "R@P90",
  "conf.",
  "wrong",
  "false",
  "absent",
  "missed",
  "time: mean",
  "p90",
  "CPU ms",
] as const;

/**
 * Formats a table of transformations for the terminal: the first system in full, the comparable columns of
 * the others.
 */
export function formatSummaries(summaries: readonly Summary[]): string {
  const systems = [...new Set(summaries.map((summary) => summary.system))];
  const transformations = [...new Set(summaries.map((summary) => summary.transformation))];
  const find = (system: string | undefined, transformation: string) =>
    summaries.find((summary) => summary.system === system && summary.transformation === transformation);
  const [first, ...others] = systems;
  const rows = transformations.map((transformation) => {
    const own = find(first, transformation);
    return [
      transformation,
      ...(own === undefined ? [] : fullCells(own)),
      ...others.flatMap((system) => {
        const other = find(system, transformation);
        return other === undefined
          ? ["", "", "", ""]
          : [other.rank1, other.microAp, other.foundAtPrecision90, other.falseConfident].map(formatShare);
      }),
    ];
  });
  const compared = others.flatMap((system) => [`${system}: rank 1`, "µAP", "R@P90", "false"]);
  return `${first ?? ""}\n${formatTable([...head, ...compared], rows)}`;
}

/** Formats `0.95`, or nothing without a value. */
function formatShare(share: number | null): string {
  return share === null ? "" : share.toFixed(2);
}

function fullCells(summary: Summary): string[] {
  const { rank1, rank5, microAp, foundAtPrecision90, confident, confidentlyWrong } = summary;
  const { falseConfident, absent, rightAbsent } = summary;
  const { meanTimeErrorSeconds, timeErrorP90Seconds, cpuMilliseconds } = summary;
  return [
    String(summary.known + summary.negatives),
    ...[rank1, rank5, microAp, foundAtPrecision90, confident, confidentlyWrong].map(formatShare),
    ...[falseConfident, absent, rightAbsent, meanTimeErrorSeconds, timeErrorP90Seconds].map(formatShare),
    cpuMilliseconds === null ? "" : cpuMilliseconds.toFixed(0),
  ];
}
