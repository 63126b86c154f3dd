import { readFileSync } from "node:fs";
import { parser } from "@prometheus-io/lezer-promql";
import { parse } from "yaml";

type Rule = { alert: string; expr: string; for?: string };

/** The alert rules of Prometheus. */
export function listAlerts(): { name: string; expression: string; rule: Rule }[] {
  const { groups } = readYaml("prometheus/alerts.yaml") as { groups: { rules: Rule[] }[] };
  return groups.flatMap(({ rules }) =>
    rules.map((rule) => ({ name: rule.alert, expression: rule.expr, rule })),
  );
}

/** The expressions of the dashboard, with values for Grafana's variables. */
export function listPanels(): { name: string; expression: string }[] {
  const file = new URL("../../../deploy/grafana/koma.json", import.meta.url);
  const { panels } = JSON.parse(readFileSync(file, "utf8")) as {
    panels: { title: string; targets?: { expr: string }[] }[];
  };
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ name: title, expression: expr.replaceAll("$__rate_interval", "5m") })),
  );
}

/** A file of `deploy`. */
export function readYaml(file: string) {
  return parse(readFileSync(new URL(`../../../deploy/${file}`, import.meta.url), "utf8"));
}

/** The metrics that an expression selects, and the labels that it matches. Throws for invalid PromQL. */
export function readSelectors(expression: string) {
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
