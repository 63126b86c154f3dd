import { copyFile, mkdir, readFile, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { createMeasures } from "@koma/bot-core";
import { problems, SearchOutcome } from "@koma/contract";
import { readMetrics } from "@koma/testing";
import { startApi } from "@koma/testing/start-koma";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLibraryWorkplace, type ServerWorkplace } from "./koma.ts";
import { listAlerts, listPanels, readSelectors } from "./monitoring.ts";

const metricsLine = /metrics: (http:[^\s"]+)/;

let workplace: ServerWorkplace;
beforeAll(async () => {
  workplace = await createLibraryWorkplace();
  await mkdir(workplace.path("watched"));
  await copyFile(workplace.path("films/Test Card - 01.mp4"), workplace.path("watched/Card - 01.mp4"));
  const broken = workplace.path("watched/Broken - 01.mp4");
  await writeFile(broken, "not a video");
  // The run would wait for the end of a video that was written to in the last ten minutes.
  const hourAgo = new Date(Date.now() - 3_600_000);
  await utimes(broken, hourAgo, hourAgo);
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
  expect(valuesOf("koma_index_video_seconds_total")[""]).toBeCloseTo(2, 0);
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
  await copyFile(workplace.path("films/Test Card - 01.mp4"), workplace.path("queued/Queued - 01.mp4"));
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
  const api = await startApi(workplace.path("data"), {
    DATABASE_URL: workplace.databaseUrl,
    KOMA_METRICS_PORT: "0",
    KOMA_BACKUP_FOLDER: workplace.path("backups"),
  });
  const emitted = new Map<string, Set<string>>();
  const add = (text: string) => {
    for (const [, name = ""] of text.matchAll(/^# TYPE (\S+) /gm)) emitted.set(name, new Set());
    for (const { name, labels } of readMetrics(text)) {
      emitted.set(name, new Set([...(emitted.get(name) ?? []), ...Object.keys(labels)]));
    }
  };
  try {
    const body = new FormData();
    body.append("image", new Blob([new Uint8Array(await readFile(workplace.path("apple.png")))]));
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
    // Prometheus adds `up`, and the labels `job` and `instance`; kube-state-metrics has those of Kubernetes.
    if (metric === "up" || metric.startsWith("kube_")) continue;
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

/** A port that is followed by a free one. */
async function findPortBeforeFreeOne(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port - 1;
}
