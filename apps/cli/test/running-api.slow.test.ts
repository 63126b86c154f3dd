import { readFile, writeFile } from "node:fs/promises";
import { createMeasures } from "@koma/bot-core";
import { type Match, problems, SearchOutcome } from "@koma/contract";
import { readMetrics } from "@koma/testing";
import { createKey, startApi } from "@koma/testing/start-koma";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLibraryWorkplace, expectError, parseLines, type ServerWorkplace } from "./koma.ts";
import { listAlerts, listPanels, readSelectors } from "./monitoring.ts";

let api: Awaited<ReturnType<typeof startApi>>;
let workplace: ServerWorkplace;
let key: string;
beforeAll(async () => {
  workplace = await createLibraryWorkplace();
  await writeFile(workplace.path("text.jpg"), "this is not an image");
  api = await startApi(workplace.path("data"), {
    DATABASE_URL: workplace.databaseUrl,
    KOMA_METRICS_PORT: "0",
    KOMA_BACKUP_FOLDER: workplace.path("backups"),
    KOMA_FREE_CREDITS_PER_DAY: "2",
    KOMA_GUEST_SEARCHES_PER_DAY: "1",
  });
  key = await createKey(api.url);
}, 300_000);
afterAll(async () => {
  await api?.stop();
  await workplace?.remove();
});

const search = (args: readonly string[], environment: Record<string, string> = {}) =>
  workplace.run(["search", ...args], { KOMA_API_URL: api.url, ...environment });

test("searches the remote Koma with a personal key, which is charged", async () => {
  const { code, stdout } = await search(["--json", "-n", "1", "card.jpg", "text.jpg"], {
    KOMA_API_KEY: key,
  });
  const [found, failed] = parseLines(stdout);
  expect(found).toMatchObject({ query: "card.jpg", matches: [{ rank: 1, isConfident: true }] });
  expect(found.matches).toHaveLength(1);
  expect(found.matches[0].videoUrl).toContain(`${api.url}/previews/clip/`);
  expect(failed).toMatchObject({ query: "text.jpg", error: { code: "unsupported_image_type" } });
  expect(code).toBe(1);
  const quota = await fetch(`${api.url}/api/anime/quota`, { headers: { authorization: `Bearer ${key}` } });
  expect(await quota.json()).toMatchObject({ kind: "credits", remaining: 1 });
});

test("searches in one anime by its title", async () => {
  const { code, stdout } = await search(["--json", "--anime", "Apple Man", "card.jpg"], {
    KOMA_API_KEY: key,
  });
  expect(code).toBe(0);
  const [{ matches }] = parseLines(stdout);
  const titles = matches.map((match: Match) => match.anime.title.romaji);
  expect(new Set(titles)).toEqual(new Set(["Apple Man"]));
});

test("prints the errors of the remote Koma", async () => {
  const invalid = await search(["--json", "card.jpg"], { KOMA_API_KEY: "x" });
  expect([invalid.code, parseLines(invalid.stdout)]).toMatchObject([
    1,
    [{ error: { code: "invalid_api_key" } }],
  ]);
  expectError(
    await search(["card.jpg"], { KOMA_API_URL: "http://127.0.0.1:1" }),
    "koma: KOMA_API_URL: The API cannot be reached.\n",
  );
});

test("`koma bot key create` creates a key that may act for chat users", async () => {
  const args = ["bot", "key", "create", "--title", "Host", "--days", "30", "--json"];
  const created = JSON.parse((await workplace.koma(...args)).stdout);
  expect(created).toMatchObject({ title: "Host" });
  expect(Date.parse(created.expiresAt) - Date.parse(created.createdAt)).toBe(30 * 86_400_000);
  const asChatUser = async (secret: string) => {
    const headers = { authorization: `Bearer ${secret}`, "x-koma-chat-user": "discord:1" };
    return (await fetch(`${api.url}/api/anime/quota`, { headers })).status;
  };
  expect(await asChatUser(created.key)).toBe(200);
  expect(await asChatUser(key)).toBe(403);
});

test("the dashboard and the alert rules use metrics and labels that exist", async () => {
  const emitted = new Map<string, Set<string>>();
  const add = (text: string) => {
    for (const [, name = ""] of text.matchAll(/^# TYPE (\S+) /gm)) emitted.set(name, new Set());
    for (const { name, labels } of readMetrics(text)) {
      emitted.set(name, new Set([...(emitted.get(name) ?? []), ...Object.keys(labels)]));
    }
  };
  const body = new FormData();
  body.append("image", new Blob([new Uint8Array(await readFile(workplace.path("apple.png")))]));
  const response = await fetch(`${api.url}/api/anime/search`, { method: "POST", body });
  expect(response.status).toBe(200);
  add(await (await fetch(/metrics: (http:[^\s"]+)/.exec(api.log())?.[1] ?? "")).text());
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
