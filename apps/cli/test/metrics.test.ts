import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { listAlerts, listPanels, readSelectors, readYaml } from "./monitoring.ts";

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

test("on Kubernetes each pod with metrics has the job of the alerts", () => {
  const [{ relabel_configs }] = readYaml("prometheus/kubernetes.yaml").scrape_configs;
  type Rule = { regex: string; target_label?: string; replacement: string };
  const rules = relabel_configs.filter(({ target_label }: Rule) => target_label === "job") as Rule[];
  const jobs = listPods().map(({ metadata }) => {
    const component = metadata.labels["app.kubernetes.io/component"] ?? "";
    const matching = rules.filter(({ regex }) => new RegExp(`^(?:${regex})$`).test(component));
    return [component, ...matching.map(({ replacement }) => replacement)];
  });
  expect(jobs.sort()).toEqual([
    ["api", "koma-api"],
    ["bot", "koma-bots"],
    ["bot", "koma-bots"],
    ["worker", "koma-index"],
  ]);
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

type Pod = { metadata: { annotations?: { [name: string]: string }; labels: { [name: string]: string } } };

/** The templates of the pods that Prometheus collects from. */
function listPods(): Pod[] {
  const { resources } = readYaml("kubernetes/kustomization.yaml");
  const texts = resources.map((name: string) =>
    readFileSync(new URL(`../../../deploy/kubernetes/${name}`, import.meta.url), "utf8"),
  );
  return texts
    .flatMap((text: string) => parseAllDocuments(text).map((document) => document.toJS().spec?.template))
    .filter((pod?: Pod) => pod?.metadata.annotations?.["prometheus.io/scrape"] === "true");
}
