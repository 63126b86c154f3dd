import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMetricsServer } from "@koma/process/metrics";
import { readMetrics } from "@koma/testing";
import { expect, test } from "vitest";
import { createMeasures, readBotConfig } from "../src/index.ts";

test("serves health and metrics only", async () => {
  const measures = createMeasures("telegram");
  measures.take({ name: "lookup", label: "match", seconds: 0.4 });
  measures.watchQueue(() => ({ waiting: 3, running: 1 }));
  measures.count("rate-limited");
  let isHealthy = true;
  const server = await startMetricsServer({
    port: 0,
    host: "127.0.0.1",
    variable: "KOMA_BOT_PORT",
    registry: measures.registry,
    status: () => ({ isHealthy, details: { waiting: 3 } }),
  });
  const get = (path: string, method = "GET") => fetch(`http://127.0.0.1:${server.port}${path}`, { method });
  expect(await (await get("/health")).json()).toEqual({ status: "ok", waiting: 3 });
  isHealthy = false;
  expect((await get("/health")).status).toBe(503);
  const samples = readMetrics(await (await get("/metrics")).text());
  const platform = "telegram";
  expect(samples).toContainEqual({
    name: "koma_bot_operations_total",
    labels: { operation: "lookup", outcome: "match", platform },
    value: 1,
  });
  expect(samples).toContainEqual({
    name: "koma_bot_operation_duration_seconds_count",
    labels: { operation: "lookup", platform },
    value: 1,
  });
  expect(samples).toContainEqual({
    name: "koma_bot_queue",
    labels: { state: "waiting", platform },
    value: 3,
  });
  expect(samples).toContainEqual({
    name: "koma_bot_events_total",
    labels: { event: "rate-limited", platform },
    value: 1,
  });
  expect((await get("/other")).status).toBe(404);
  expect((await get("/health", "POST")).status).toBe(405);
  await server.close();
});

test("reads the configuration from the environment and the data folder, and names missing settings", async () => {
  const folder = await mkdtemp(join(tmpdir(), "koma-bot-config-"));
  const environment = { KOMA_DATA_DIR: folder, HOST: "0.0.0.0", PORT: "3100", KOMA_BOT_PORT: "9100" };
  const read = (more: Record<string, string>) => readBotConfig("telegram", { ...environment, ...more });
  await expect(read({})).rejects.toThrow(
    /TELEGRAM_TOKEN is required\n.*KOMA_BOT_KEY is required[^\n]*\n.*KOMA_VAULT_KEY/,
  );
  await writeFile(join(folder, "bot-key"), "koma_key\n");
  await writeFile(join(folder, "secret"), `${"s".repeat(40)}\n`);
  const config = await read({ TELEGRAM_TOKEN: "1:abc" });
  expect(config).toMatchObject({
    apiUrl: "http://127.0.0.1:3100",
    botKey: "koma_key",
    healthPort: 9101,
    configuration: { KOMA_TIME_ZONE: "UTC" },
  });
  expect(config.vaultKeys).toHaveLength(1);
  expect((await read({ TELEGRAM_TOKEN: "1:abc" })).vaultKeys).toEqual(config.vaultKeys);
  const own = await read({ TELEGRAM_TOKEN: "1:abc", KOMA_VAULT_KEY: `${"a".repeat(64)},${"b".repeat(64)}` });
  expect(own.vaultKeys.map((key) => key[0])).toEqual([0xaa, 0xbb]);
  for (const content of ["", "half-written-secret\n"]) {
    await writeFile(join(folder, "secret"), content);
    await expect(read({ TELEGRAM_TOKEN: "1:abc" })).rejects.toThrow(
      /secret must have at least 32 characters/,
    );
  }
  await rm(folder, { recursive: true });
});
