import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { parseConfiguration } from "@koma/config";
import { SearchResult } from "@koma/contract";
import { runAsAdmin } from "@koma/database/testing/databases";
import type { LibrarySearch } from "@koma/library";
import { type MetricSample, readMetrics } from "@koma/testing";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiMetrics } from "../src/metrics/api-metrics.ts";
import { openServer, type Server } from "../src/open-server.ts";
import { openFake } from "./fixtures/fake-library.ts";
import {
  copyLibrary,
  createTestClient,
  nextGuest,
  openTestLibrary,
  readImage,
  type TestClient,
} from "./fixtures/open-test-api.ts";
import { makeBot, makeKey, signUp } from "./fixtures/test-users.ts";

const library = await openTestLibrary();

describe("a server with a port for metrics", () => {
  let copy: Awaited<ReturnType<typeof copyLibrary>>;
  let server: Server;
  let client: TestClient & { origin: string };
  beforeAll(async () => {
    copy = await copyLibrary();
    // An episode of an earlier model, which the index does not contain.
    await runAsAdmin(
      copy.databaseUrl,
      `INSERT INTO "Episode" SELECT (json_populate_record(e, '{"id": "earlier", "path": "earlier"}')).*
         FROM "Episode" e LIMIT 1;
       INSERT INTO "DescriptorSet" SELECT (json_populate_record(s,
         '{"id": "earlier", "episodeId": "earlier", "modelId": "earlier", "seq": 1000}')).*
         FROM "DescriptorSet" s LIMIT 1`,
    );
    server = await openServer(
      parseConfiguration({
        PORT: "0",
        KOMA_METRICS_PORT: "0",
        KOMA_DATA_DIR: copy.dataDir,
        DATABASE_URL: copy.databaseUrl,
        KOMA_TRUSTED_PROXIES: "127.0.0.1",
        KOMA_ENGINE_WORKERS: "1",
        LOG_LEVEL: "fatal",
      }),
    );
    await server.ready;
    client = { ...createTestClient(server.url), origin: server.url };
  });
  afterAll(() => server?.close());

  const scrape = async (): Promise<MetricSample[]> => {
    const response = await fetch(server.metricsUrl ?? "");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    return readMetrics(await response.text());
  };

  test("counts searches by outcome, caller and protocol, and times their stages", async () => {
    const image = await readImage("Alpha Show 2.jpg");
    const found = await client.search({ image });
    expect(SearchResult.parse(found.body).outcome).toBe("found");
    // The image is not in the other anime.
    const anime = await client.call("/api/anime?query=BETA");
    const animeId = (anime.body as { items: { id: string }[] }).items[0]?.id ?? "";
    const user = await signUp(client);
    const testCard = await readImage("Alpha Show 6.jpg");
    const other = await client.search({ image: testCard, animeId }, { headers: user.session });
    const { outcome } = SearchResult.parse(other.body);
    expect(outcome).not.toBe("found");
    const key = await makeKey(client, user);
    const unreadable = await client.search({ image: new Blob(["no image"]) }, { headers: key.headers });
    expect(unreadable.status).toBe(415);
    expect((await client.search({}, { headers: key.headers })).status).toBe(400);
    const traceMoe = await fetch(`${server.url}/trace.moe/search`, {
      method: "POST",
      headers: { "x-forwarded-for": nextGuest() },
      body: image,
    });
    expect(traceMoe.status).toBe(200);

    const samples = await scrape();
    const searches = samples.filter(({ name }) => name === "koma_searches_total");
    expect(searches.map(({ labels, value }) => ({ ...labels, value }))).toEqual(
      expect.arrayContaining([
        { outcome: "found", caller: "guest", protocol: "koma", value: 1 },
        { outcome, caller: "session", protocol: "koma", value: 1 },
        { outcome: "unsupported_image_type", caller: "key", protocol: "koma", value: 1 },
        { outcome: "image_required", caller: "key", protocol: "koma", value: 1 },
        { outcome: "found", caller: "guest", protocol: "trace_moe", value: 1 },
      ]),
    );
    expect(searches).toHaveLength(5);
    const stageOf = (suffix: string, stage: string) =>
      readValue(samples, `koma_search_stage_duration_seconds_${suffix}`, { stage });
    for (const stage of ["queue", "decode", "describe", "index", "verification", "database"]) {
      expect(stageOf("count", stage), stage).toBeGreaterThanOrEqual(3);
      expect(stageOf("sum", stage), stage).toBeGreaterThan(0);
    }
    // The form without an image is rejected after it was received.
    expect(stageOf("count", "receive")).toBe(4);
    expect(readValue(samples, "koma_search_duration_seconds_count", { protocol: "koma" })).toBe(2);
    // The stages are parts of the search.
    const stages = ["receive", "queue", "decode", "describe", "index", "verification", "database"];
    const total = ["koma", "trace_moe"]
      .map((protocol) => readValue(samples, "koma_search_duration_seconds_sum", { protocol }) ?? 0)
      .reduce((sum, seconds) => sum + seconds, 0);
    const successful = stages.slice(2).reduce((sum, stage) => sum + (stageOf("sum", stage) ?? 0), 0);
    expect(successful).toBeLessThan(total);
    expect(readValue(samples, "koma_credits_spent_total", { kind: "guest" })).toBe(2);
    expect(readValue(samples, "koma_credits_spent_total", { kind: "free" })).toBe(1);
  });

  test("reports the index, the workers, the limits, the database and the disk", async () => {
    const samples = await scrape();
    const value = (name: string, labels = {}) => readValue(samples, name, labels);
    expect(value("koma_search_index_ready")).toBe(1);
    expect(value("koma_search_index_episodes")).toBe(2);
    expect(value("koma_library_episodes")).toBe(2);
    const { frameCount } = (await client.call("/readyz")).body as { frameCount: number };
    expect(value("koma_search_index_frames")).toBe(frameCount);
    expect(value("koma_search_index_bytes")).toBeGreaterThan(0);
    expect(value("koma_engine_workers")).toBe(1);
    expect(value("koma_search_queue", { state: "running" })).toBe(0);
    expect(value("koma_search_queue_limit", { state: "running" })).toBe(2);
    expect(value("koma_upload_bytes")).toBe(0);
    expect(value("koma_upload_limit_bytes")).toBe(256 * 1024 ** 2);
    expect(value("koma_database_up")).toBe(1);
    expect(value("koma_database_connections", { state: "idle" })).toBeGreaterThan(0);
    expect(value("koma_database_free_connections")).toBeGreaterThan(0);
    expect(value("koma_data_free_bytes")).toBeGreaterThan(0);
    expect(value("koma_data_free_bytes")).toBeLessThanOrEqual(value("koma_data_size_bytes") ?? 0);
    expect(value("koma_credits_booked_total", { kind: "purchase" })).toBeGreaterThanOrEqual(0);
    expect(value("process_resident_memory_bytes")).toBeGreaterThan(0);
    expect(value("nodejs_eventloop_lag_seconds")).toBeGreaterThanOrEqual(0);
  });

  test("has no label with an address, an id or another value of a caller", async () => {
    const visit = async () => {
      const id = randomUUID();
      const from = nextGuest();
      for (const path of [
        `/${id}`,
        `/api/${id}`,
        `/api/searches/${id}`,
        `/api/preview/${id}/1.jpg`,
        `/trace.moe/${id}`,
      ]) {
        await fetch(`${server.url}${path}?q=${id}`, { headers: { "x-forwarded-for": from } });
      }
      await fetch(`${server.url}/api/anime/search`, {
        method: "POST",
        headers: { "idempotency-key": id, "x-forwarded-for": from },
      });
      return id;
    };
    const seriesOf = (samples: MetricSample[]) =>
      samples.map(({ name, labels }) => JSON.stringify([name, Object.entries(labels).sort()])).sort();
    const first = await visit();
    const before = await scrape();
    await visit();
    const after = await scrape();
    // Only the metrics of Node.js change their series, by the kinds of garbage collection and handles.
    const isOwn = ({ name }: MetricSample) => name.startsWith("koma_");
    expect(seriesOf(after.filter(isOwn))).toEqual(seriesOf(before.filter(isOwn)));
    const requests = after.filter(({ name }) => name === "koma_http_request_duration_seconds_count");
    expect(requests.map(({ labels }) => labels)).toContainEqual({
      method: "any",
      route: "unknown",
      status: "4xx",
    });
    expect(requests.map(({ labels }) => labels)).toContainEqual({
      method: "POST",
      route: "/api/anime/search",
      status: "2xx",
    });
    for (const { labels } of after.filter(isOwn)) {
      for (const value of Object.values(labels)) {
        expect(value).not.toContain(first);
        expect(value).toMatch(/^[\w.:/*+-]{1,80}$/);
      }
    }
  });

  test("does not serve metrics on the public port, and nothing else on theirs", async () => {
    const response = await fetch(`${server.url}/metrics`);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain("koma_searches_total");
    const other = (path: string) => fetch(new URL(path, server.metricsUrl));
    expect((await other("/health")).status).toBe(404);
    expect((await other("/api/anime?query=a")).status).toBe(404);
    expect((await fetch(server.metricsUrl ?? "", { method: "POST" })).status).toBe(405);
  });

  test("names the variable if the port of the metrics is in use", async () => {
    const KOMA_METRICS_PORT = new URL(server.metricsUrl ?? "").port;
    const opening = openServer(
      parseConfiguration({
        PORT: "0",
        KOMA_METRICS_PORT,
        KOMA_DATA_DIR: copy.dataDir,
        DATABASE_URL: copy.databaseUrl,
        LOG_LEVEL: "fatal",
      }),
    );
    await expect(opening).rejects.toThrow(/EADDRINUSE.*KOMA_METRICS_PORT/);
  });
});

describe("the metrics of searches", () => {
  test("count aborted searches and those of bots, and show the queue", async () => {
    const fake = await openFake(library.database);
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    // The first search runs until its caller has disconnected.
    const search: LibrarySearch["search"] = async (bytes, options) => {
      const { signal } = options;
      if (fake.searches === 0 && signal !== undefined && !signal.aborted) {
        begin();
        await once(signal, "abort");
      }
      return await fake.library.search(bytes, options);
    };
    const metrics = createApiMetrics(new Registry());
    const api = await library.openApi({}, { getSearch: () => ({ ...fake.library, search }), metrics });
    const value = async (name: string, labels: MetricSample["labels"]) =>
      readValue(readMetrics(await metrics.registry.getSingleMetricAsString(name)), name, labels) ?? 0;
    const image = await readImage("Alpha Show 2.jpg");
    const bot = await makeBot(api);
    const leaving = new AbortController();
    const left = expect(api.search({ image }, { signal: leaving.signal })).rejects.toThrow();
    await begun;
    expect(await value("koma_search_queue", { state: "running" })).toBe(1);
    expect(await value("koma_upload_bytes", {})).toBeGreaterThan(0);
    leaving.abort();
    await left;
    const aborted = { outcome: "aborted", caller: "guest", protocol: "koma" };
    await expect.poll(() => value("koma_searches_total", aborted), { timeout: 60_000 }).toBe(1);
    expect(await value("koma_search_queue", { state: "running" })).toBe(0);
    const chat = { "x-koma-chat-user": `discord:${"1".repeat(18)}` };
    expect((await api.search({ image }, { headers: { ...bot.headers, ...chat } })).status).toBe(200);
    expect((await api.search({ image }, { headers: bot.headers })).status).toBe(200);
    expect(await value("koma_searches_total", { outcome: "found", caller: "bot", protocol: "koma" })).toBe(2);
  });

  test("cached previews are counted, hits and misses, and their bytes", async () => {
    const metrics = createApiMetrics(new Registry());
    const api = await library.openApi({}, { metrics });
    const value = async (name: string, labels: MetricSample["labels"] = {}) =>
      readValue(readMetrics(await metrics.registry.getSingleMetricAsString(name)), name, labels) ?? 0;
    const countRequests = (result: string) => value("koma_preview_cache_requests_total", { result });
    const image = await readImage("Alpha Show 6.jpg");
    const { matches } = SearchResult.parse((await api.search({ image })).body);
    const address = `${matches[0]?.imageUrl}?size=l`;
    const [hits, misses] = [await countRequests("hit"), await countRequests("miss")];
    for (let i = 0; i < 3; i++) expect((await fetch(address)).status).toBe(200);
    // The first is a hit where another file of this worker has asked for the same still.
    const newMisses = (await countRequests("miss")) - misses;
    expect((await countRequests("hit")) - hits).toBe(3 - newMisses);
    expect(newMisses).toBeLessThanOrEqual(1);
    expect(await countRequests("miss")).toBeGreaterThan(0);
    expect(await value("koma_preview_cache_bytes")).toBeGreaterThan(0);
  });
});

/** The value of the sample with exactly these labels. */
function readValue(
  samples: MetricSample[],
  name: string,
  labels: MetricSample["labels"] = {},
): number | undefined {
  const expected = JSON.stringify(Object.entries(labels).sort());
  return samples.find(
    (sample) => sample.name === name && JSON.stringify(Object.entries(sample.labels).sort()) === expected,
  )?.value;
}
