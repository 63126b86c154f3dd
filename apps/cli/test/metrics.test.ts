import { readFileSync } from "node:fs";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { createMeasures } from "@koma/bot-core";
import { problems, SearchOutcome } from "@koma/contract";
import { readMetrics } from "@koma/testing";
import { startApi } from "@koma/testing/start-koma";
import { parser } from "@prometheus-io/lezer-promql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { createWorkplace, drawVideo, takeFrame } from "./koma.ts";

const metricsLine = /metrics: (http:[^\s"]+)/;

let workplace: Awaited<ReturnType<typeof createWorkplace>>;
beforeAll(async () => {
  workplace = await createWorkplace();
  await drawVideo(workplace.path("card.mp4"), { source: "testsrc2", seconds: 4 });
  await takeFrame(workplace.path("card.mp4"), 2, workplace.path("frame.png"));
  await mkdir(workplace.path("watched"));
  await copyFile(workplace.path("card.mp4"), workplace.path("watched/Card - 01.mp4"));
  await writeFile(workplace.path("watched/Broken - 01.mp4"), "not a video");
});
afterAll(() => workplace.remove());

test("`koma index --watch` serves its metrics on the port after that of the API", async () => {
  const apiPort = await findPortBeforeFreeOne();
  const environment = { KOMA_METRICS_PORT: String(apiPort) };
  const run = workplace.start(["index", "--watch", "--json", "watched"], environment);
  const [, address = ""] = await run.printed(metricsLine);
  expect(new URL(address)).toMatchObject({ hostname: "127.0.0.1", port: String(apiPort + 1) });
  await run.printed(/"kind":"summary"/);
  const samples = readMetrics(await (await fetch(address)).text());
  const valuesOf = (name: string) =>
    Object.fromEntries(
      samples
        .filter((sample) => sample.name === name)
        .map(({ labels, value }) => [Object.values(labels).join(), value]),
    );
  const videos = { indexed: 1, failed: 1, moved: 0, updated: 0, skipped: 0 };
  expect(valuesOf("koma_index_videos_total")).toEqual(videos);
  expect(valuesOf("koma_index_video_seconds_total")[""]).toBeCloseTo(4, 0);
  expect(valuesOf("koma_index_work_seconds_total")[""]).toBeGreaterThan(0);
  expect(valuesOf("koma_index_frames_total")[""]).toBeGreaterThan(0);
  expect(valuesOf("koma_index_queue")).toEqual({ waiting: 0, running: 0 });

  const second = await workplace.start(["index", "--watch", "watched"], environment).ended;
  expect(second).toMatchObject({ code: 78, stderr: expect.stringContaining("KOMA_METRICS_PORT") });
  run.child.kill("SIGTERM");
  await run.ended;
});

test("a worker serves its own metrics and those of the shared queue", async () => {
  await mkdir(workplace.path("queued"));
  await copyFile(workplace.path("card.mp4"), workplace.path("queued/Queued - 01.mp4"));
  await writeFile(workplace.path("queued/Queued - 02.mp4"), "not a video");
  await workplace.koma("index", "--queue", "queued");
  const port = await findPortBeforeFreeOne();
  const run = workplace.start(["worker", "--json", "--jobs", "1"], { KOMA_METRICS_PORT: String(port) });
  const [, address = ""] = await run.printed(metricsLine);
  const read = async () => readMetrics(await (await fetch(address)).text());
  const readValue = async (name: string, ...labels: string[]) =>
    (await read()).find((sample) => sample.name === name && `${Object.values(sample.labels)}` === `${labels}`)
      ?.value;
  await expect.poll(() => readValue("koma_queue_videos", "dead"), { timeout: 60_000 }).toBe(1);
  await expect.poll(() => readValue("koma_queue_videos", "waiting"), { timeout: 60_000 }).toBe(0);
  await expect.poll(() => readValue("koma_queue_videos", "running"), { timeout: 60_000 }).toBe(0);
  expect(await readValue("koma_queue_workers")).toBe(1);
  expect(await readValue("koma_index_videos_total", "indexed")).toBe(1);
  await expect.poll(() => readValue("koma_index_videos_total", "failed")).toBe(1);
  expect(await readValue("koma_index_queue", "waiting")).toBe(0);
  run.child.kill("SIGTERM");
  await run.ended;
});

test("the dashboard and the alert rules use metrics and labels that exist", async () => {
  await workplace.koma("index", "watched");
  const api = await startApi(workplace.path("data"), { KOMA_METRICS_PORT: "0" });
  const emitted = new Map<string, Set<string>>();
  const add = (text: string) => {
    for (const [, name = ""] of text.matchAll(/^# TYPE (\S+) /gm)) emitted.set(name, new Set());
    for (const { name, labels } of readMetrics(text)) {
      emitted.set(name, new Set([...(emitted.get(name) ?? []), ...Object.keys(labels)]));
    }
  };
  try {
    const body = new FormData();
    body.append("image", new Blob([new Uint8Array(await readFile(workplace.path("frame.png")))]));
    const response = await fetch(`${api.url}/api/anime/search`, { method: "POST", body });
    expect(response.status).toBe(200);
    add(await (await fetch(metricsLine.exec(api.log())?.[1] ?? "")).text());
  } finally {
    await api.stop();
  }
  // The registry that a bot serves.
  const measures = createMeasures("telegram");
  measures.take({ name: "lookup", label: "match", seconds: 0.4 });
  measures.count("failure");
  add(await measures.registry.metrics());

  const used = [...listAlerts(), ...listPanels()].flatMap(({ name, expression }) =>
    readSelectors(expression).map((selector) => ({ name, ...selector })),
  );
  expect(used.length).toBeGreaterThan(60);
  for (const { name, metric, matchers } of used) {
    // Prometheus adds `up`, and the labels `job` and `instance`.
    if (metric === "up") continue;
    expect([...emitted.keys()], `${name}: ${metric}`).toContain(metric);
    for (const { label, value } of matchers) {
      expect([...(emitted.get(metric) ?? []), "job", "instance"], `${name}: ${metric}`).toContain(label);
      if (metric !== "koma_searches_total" || label !== "outcome") continue;
      const outcomes = [...SearchOutcome.options, "aborted", ...Object.keys(problems)];
      for (const outcome of value.split("|")) expect(outcomes).toContain(outcome);
    }
  }
  // A metric of Koma that neither shows is an oversight.
  const own = [...emitted.keys()].filter(
    (name) => /^koma_/.test(name) && !/_(?:bucket|sum|count)$/.test(name),
  );
  const names = used.map(({ metric }) => metric.replace(/_(?:bucket|sum|count)$/, ""));
  expect(own.filter((name) => !names.includes(name))).toEqual([]);
});

test("the alert rules and the scrape configuration are complete", () => {
  const alerts = listAlerts();
  expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length);
  for (const { name, rule } of alerts) {
    expect(rule, name).toMatchObject({
      labels: { severity: expect.stringMatching(/^(?:warning|critical)$/) },
      annotations: { summary: expect.stringMatching(/\.$/) },
    });
    expect(rule.for ?? "1m").toMatch(/^\d+[mh]$/);
  }
  const { rule_files, scrape_configs } = readYaml("prometheus/prometheus.yaml");
  expect(rule_files).toEqual(["alerts.yaml"]);
  const jobs = scrape_configs.map(({ job_name }: { job_name: string }) => job_name);
  const matched = [...listAlerts(), ...listPanels()].flatMap(({ expression }) =>
    readSelectors(expression).flatMap(({ matchers }) =>
      matchers.filter(({ label }) => label === "job").map(({ value }) => value),
    ),
  );
  for (const job of matched) expect(jobs).toContain(job);
  // The targets are services of compose.yaml at the ports that it sets.
  const { services } = parse(readFileSync(new URL("../../../compose.yaml", import.meta.url), "utf8"), {
    merge: true,
  });
  const targets = scrape_configs.flatMap((job: { static_configs: { targets: string[] }[] }) =>
    job.static_configs.flatMap(({ targets }) => targets),
  );
  expect(targets).toEqual(
    ["koma", "index", "discord", "telegram"].map((service) => {
      const { KOMA_METRICS_PORT, KOMA_METRICS_HOST, KOMA_BOT_PORT } = services[service].environment;
      expect(KOMA_METRICS_HOST).toBe("0.0.0.0");
      const offset = service === "index" || service === "telegram" ? 1 : 0;
      return `${service}:${Number(KOMA_METRICS_PORT ?? KOMA_BOT_PORT) + offset}`;
    }),
  );
});

test("the test of the alert rules fires each alert", () => {
  type Sample = { labels: string };
  type Case = { promql_expr_test: { exp_samples: Sample[] }[] };
  const { tests } = readYaml("prometheus/alerts.test.yaml") as { tests: Case[] };
  const samples = tests.flatMap((one) => one.promql_expr_test.flatMap(({ exp_samples }) => exp_samples));
  const fired = new Set(samples.map(({ labels }) => labels.match(/"(\w+)"/)?.[1]));
  expect([...fired].sort()).toEqual(
    listAlerts()
      .map(({ name }) => name)
      .sort(),
  );
});

test("a selector of an unknown metric and an invalid expression are found", () => {
  const [selector] = readSelectors('sum(rate(koma_other_total{outcome!="found"}[5m])) by (outcome)');
  expect(selector).toEqual({ metric: "koma_other_total", matchers: [{ label: "outcome", value: "found" }] });
  expect(() => readSelectors("sum(rate(koma_other_total[5m])")).toThrow("PromQL");
});

type Rule = { alert: string; expr: string; for?: string };

function listAlerts(): { name: string; expression: string; rule: Rule }[] {
  const { groups } = readYaml("prometheus/alerts.yaml") as { groups: { rules: Rule[] }[] };
  return groups.flatMap(({ rules }) =>
    rules.map((rule) => ({ name: rule.alert, expression: rule.expr, rule })),
  );
}

/** The expressions of the dashboard, with values for Grafana's variables. */
function listPanels(): { name: string; expression: string }[] {
  const file = new URL("../../../deploy/grafana/koma.json", import.meta.url);
  const { panels } = JSON.parse(readFileSync(file, "utf8")) as {
    panels: { title: string; targets?: { expr: string }[] }[];
  };
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ name: title, expression: expr.replaceAll("$__rate_interval", "5m") })),
  );
}

function readYaml(file: string) {
  return parse(readFileSync(new URL(`../../../deploy/${file}`, import.meta.url), "utf8"));
}

/** The metrics that an expression selects, and the labels that it matches. Throws for invalid PromQL. */
function readSelectors(expression: string) {
  const selectors: { metric: string; matchers: { label: string; value: string }[] }[] = [];
  parser.parse(expression).iterate({
    enter({ name, type, from, to }) {
      const text = expression.slice(from, to);
      if (type.isError) throw new Error(`This is no PromQL at ${from}: ${expression}`);
      if (name === "VectorSelector") selectors.push({ metric: "", matchers: [] });
      const selector = selectors.at(-1);
      if (name === "Identifier" && selector !== undefined) selector.metric = text;
      if (name !== "UnquotedLabelMatcher") return;
      const [, label = "", value = ""] = /^(\w+)\s*[=!~]+\s*"(.*)"$/.exec(text) ?? [];
      selector?.matchers.push({ label, value });
    },
  });
  return selectors;
}

/** A port that is followed by a free one. */
async function findPortBeforeFreeOne(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port - 1;
}
