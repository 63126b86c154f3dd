import { Match } from "@koma/contract";
import { expect, test } from "vitest";
import { formatSearchLine } from "../src/search/search-table.ts";

const [example] = (Match.meta()?.examples ?? []) as unknown[];
const match = Match.parse(example);
const show = (times: Partial<Match>) =>
  formatSearchLine({ query: "a.jpg", outcome: "found", matches: [{ ...match, ...times }] });

test("names the other service that found a scene", () => {
  expect(show({ source: { name: "trace.moe", url: "https://trace.moe" } })).toContain("from trace.moe");
});

test("names the part of the episode", () => {
  expect(show({ label: "opening" })).toContain("opening");
  expect(show({ label: "pv" })).toContain("PV");
});

test("names the times of a held picture, which are one second apart or more", () => {
  expect(show({ looksSameFrom: 753, looksSameTo: 755.5 })).toContain("looks the same 12:33–12:35");
  expect(show({ looksSameFrom: 753, looksSameTo: 753.9 })).not.toContain("looks the same");
  expect(show({ looksSameFrom: null, looksSameTo: null })).not.toContain("looks the same");
});
