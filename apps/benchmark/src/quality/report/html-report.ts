import type { Reliability } from "../scoring/reliability.ts";
import type { Summary } from "../scoring/summary.ts";
import { drawReliability } from "./reliability-curve.ts";
import { formatShare } from "./terminal-report.ts";

/** A failure with the images that explain it; a location without an image is described in words. */
export type ShownFailure = {
  system: string;
  transformation: string;
  question: Buffer;
  found: { image: Buffer | undefined; caption: string } | undefined;
  truth: { image: Buffer | undefined; caption: string } | undefined;
};

export type HtmlReport = {
  facts: readonly (readonly [name: string, value: string])[];
  summaries: readonly Summary[];
  titles: ReadonlyMap<string, string>;
  reliability: readonly { system: string; curve: Reliability }[];
  examples: readonly { transformation: string; thumbnail: Buffer }[];
  failures: readonly ShownFailure[];
};

/** Renders one page without external files. */
export function renderHtmlReport(report: HtmlReport): string {
  const systems = [...new Set(report.summaries.map((summary) => summary.system))];
  const title = (transformation: string) => report.titles.get(transformation) ?? transformation;
  const facts = report.facts.map(
    ([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`,
  );
  const curves = report.reliability.map(
    ({ system, curve }) =>
      `<figure>${drawReliability(curve)}<figcaption>${escapeHtml(system)}: calibration error ${formatShare(curve.calibrationError)}</figcaption></figure>`,
  );
  const examples = report.examples.map(
    ({ transformation, thumbnail }) =>
      `<figure><img src="${dataAddress(thumbnail)}" alt=""><figcaption>${escapeHtml(title(transformation))}</figcaption></figure>`,
  );
  const failures = systems.map((system) => {
    const own = report.failures.filter((failure) => failure.system === system);
    return `<h2>What ${escapeHtml(system)} got wrong (${own.length})</h2>${own.map((failure) => renderFailure(failure, title)).join("")}`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Quality of matching</title><style>${style}</style></head><body>
<h1>Quality of matching</h1><dl>${facts.join("")}</dl>
${systems.map((system) => renderTable(system, report.summaries, title)).join("")}
<h2>Reliability</h2><p>Of the matches given at a similarity, the share that was right; on the line, the promise is kept.</p>
<div class="row">${curves.join("")}</div>
<h2>One picture of each family</h2><div class="row">${examples.join("")}</div>
${failures.join("")}
</body></html>
`;
}

function renderTable(
  system: string,
  summaries: readonly Summary[],
  title: (transformation: string) => string,
): string {
  const rows = summaries
    .filter((summary) => summary.system === system)
    .map((summary) => {
      const time = summary.medianTimeErrorSeconds;
      const cells = [
        `${summary.known} + ${summary.negatives}`,
        formatShare(summary.rank1),
        formatShare(summary.rank5),
        time === null ? "" : `${time.toFixed(2)} s`,
        formatShare(summary.meanSimilarity),
        formatShare(summary.confident),
        formatShare(summary.confidentlyWrong),
        formatShare(summary.falseConfident),
        summary.medianMilliseconds === null ? "" : `${summary.medianMilliseconds.toFixed(0)} ms`,
      ];
      const mark = summary.rank1 !== null && summary.rank1 < 0.9 ? ' class="low"' : "";
      return `<tr${mark}><th>${escapeHtml(title(summary.transformation))}</th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
    });
  const head = [
    "images known + not",
    "rank 1",
    "rank 5",
    "time error",
    "similarity",
    "confident",
    "confident, wrong",
    "false confident",
    "search",
  ];
  return `<h2>${escapeHtml(system)}</h2><table><tr><th></th>${head.map((cell) => `<th>${cell}</th>`).join("")}</tr>${rows.join("")}</table>`;
}

function renderFailure(failure: ShownFailure, title: (transformation: string) => string): string {
  const cell = (shown: ShownFailure["found"], none: string) =>
    shown === undefined
      ? `<figure><figcaption>${none}</figcaption></figure>`
      : `<figure>${shown.image === undefined ? "" : `<img loading="lazy" src="${dataAddress(shown.image)}" alt="">`}<figcaption>${escapeHtml(shown.caption)}</figcaption></figure>`;
  return `<div class="failure"><figure><img loading="lazy" src="${dataAddress(failure.question)}" alt=""><figcaption>${escapeHtml(title(failure.transformation))}</figcaption></figure>${cell(failure.found, "nothing found")}${cell(failure.truth, "not in the library")}</div>`;
}

function dataAddress(jpeg: Buffer): string {
  return `data:image/jpeg;base64,${jpeg.toString("base64")}`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

const style = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color: #1b1f24; background: #fff; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #e3e6ea; }
th:first-child { text-align: left; font-weight: 500; }
tr.low td:nth-child(3) { background: #ffe3df; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; } dt { color: #5b6570; } dd { margin: 0; }
.row { display: flex; flex-wrap: wrap; gap: 1rem; align-items: end; }
figure { margin: 0; max-width: 240px; } img { display: block; max-width: 100%; } figcaption { font-size: 13px; color: #5b6570; overflow-wrap: anywhere; }
.failure { display: grid; grid-template-columns: repeat(3, 240px); gap: 1rem; padding: .8rem 0; border-bottom: 1px solid #e3e6ea; }`;
