import { formatTable } from "@koma/cli/terminal/table";
import type { Latency } from "../measure-latency.ts";
import type { SizeCosts } from "./measure-search-cost.ts";
import { stages } from "./measure-stages.ts";

const DECIMALS = 2;
const [WIDTH, HEIGHT, MARGIN] = [520, 260, 52];
const COLOURS = ["#2563eb", "#d97706", "#059669"];

/** Returns the table of one size: a row per group of images and stage. */
export function describeSize(size: SizeCosts): string {
  const { frames, regions, isIndexAlone, bytesPerFrame, buildCpuSeconds, groups } = size;
  const rows = groups.flatMap(({ name, costs, limits }) => [
    ...stages.map((stage) => {
      const limit = stage in limits ? limits[stage as keyof typeof limits] : undefined;
      const cost = costs.stages[stage];
      const ratio = limit === undefined || limit === 0 ? "" : (cost / limit).toFixed(1);
      return [name, stage, cost.toFixed(DECIMALS), limit?.toFixed(DECIMALS) ?? "", ratio];
    }),
    [name, "total", costs.totalMs.toFixed(DECIMALS), "", ""],
  ]);
  const facts = groups.map(
    ({ name, costs }) =>
      `${name}: ${costs.images} images, ${costs.views.toFixed(1)} views, second pass ` +
      `${(100 * costs.secondPasses).toFixed(0)} %, found ${(100 * costs.found).toFixed(0)} %`,
  );
  const [ofFrame, ofRegions] = [bytesPerFrame.frames.toFixed(0), bytesPerFrame.regions.toFixed(0)];
  return [
    `## Cost of a search in ${frames} frames${isIndexAlone ? ", index alone" : ""}, ms of processor time\n`,
    `${regions} regions; ${ofFrame} bytes of memory per frame and ${ofRegions} for its regions`,
    `built in ${buildCpuSeconds.toFixed(1)} s of processor time`,
    ...facts,
    "",
    formatTable(["images", "stage", "cost", "limit", "ratio"], rows),
  ].join("\n");
}

/** Returns the cost of a search over HTTP, all processes included, and of a request without a search. */
export function describeServer({ searchMs, cpuMs, idleRequestCpuMs }: Latency): string {
  const perSearch = cpuMs / Math.max(1, searchMs.length);
  return `${perSearch.toFixed(1)} ms of processor time per search in all processes, ${idleRequestCpuMs.toFixed(2)} ms per request without a search`;
}

/** Renders one page without external files: the growth of the costs, then the tables. */
export function renderSearchCost(sizes: readonly SizeCosts[]): string {
  const tables = sizes.map((size) => `<pre>${describeSize(size)}</pre>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Cost of a search</title><style>body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; }</style></head>
<body><h1>Cost of a search by the size of the library</h1>
<p>Descriptors beyond those of the videos are generated. Both axes are logarithmic. An index alone is not plotted.</p>
${drawGrowth(sizes)}
${tables.join("\n")}
</body></html>
`;
}

/** Draws the processor time of a search by the number of frames as SVG, one line per group of images. */
function drawGrowth(all: readonly SizeCosts[]): string {
  const sizes = all.filter(({ isIndexAlone }) => !isIndexAlone);
  if (sizes.length === 0) return "";
  const names = sizes[0]?.groups.map(({ name }) => name) ?? [];
  const costOf = (size: SizeCosts, name: string) =>
    size.groups.find((group) => group.name === name)?.costs.totalMs ?? 1;
  const costs = sizes.flatMap((size) => names.map((name) => costOf(size, name)));
  const x = scaleOf(
    sizes.map(({ frames }) => frames),
    MARGIN,
    WIDTH - 90,
  );
  const y = scaleOf(costs, HEIGHT - 30, 12);
  const lines = names.map((name, at) => {
    const points = sizes.map((size) => [x(size.frames), y(costOf(size, name))] as const);
    const [endX = 0, endY = 0] = points.at(-1) ?? [];
    const path = points.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join(" ");
    const colour = COLOURS[at % COLOURS.length];
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/><text x="${endX + 6}" y="${endY + 4}" fill="${colour}">${name}</text>`;
  });
  const ticks = sizes.map(
    ({ frames }) => `<text x="${x(frames)}" y="${HEIGHT - 8}" text-anchor="middle">${frames}</text>`,
  );
  const marks = [Math.min(...costs), Math.max(...costs)].map(
    (cost) => `<text x="${MARGIN - 6}" y="${y(cost) + 4}" text-anchor="end">${cost.toFixed(0)} ms</text>`,
  );
  return `<svg width="${WIDTH}" height="${HEIGHT}" font-size="12">${lines.join("")}${ticks.join("")}${marks.join("")}</svg>`;
}

/** Returns a logarithmic scale from the range of some values to pixels. */
function scaleOf(values: readonly number[], from: number, to: number): (value: number) => number {
  const [low, high] = [Math.log(Math.min(...values)), Math.log(Math.max(...values))];
  return (value) => from + ((to - from) * (Math.log(value) - low)) / Math.max(1e-9, high - low);
}
