import type { Site } from "@koma/contract";
import { createTranslator } from "@koma/messages";
import { expect, test } from "vitest";
import { createExplanations } from "../src/info/explanations.ts";
import { createReplyWriters } from "../src/replies/reply-writers.ts";
import type { Shared } from "../src/shared.ts";

const requester = {
  person: { id: "1", displayName: "Ann" },
  chat: { kind: "direct", id: "1", isAgeRestricted: false } as const,
};

test.each([
  [
    "names the services that get an image, and what is stored of it",
    async () => ({ upstreams: [{ name: "trace.moe", url: "x" }], missingDays: 30 }),
    true,
  ],
  ["names none where there is none", async () => ({ upstreams: [], missingDays: 0 }), false],
  ["names none for an earlier server", async () => ({}), false],
  ["names none while the API is away", () => Promise.reject(new Error("away")), false],
])("the privacy statement %s", async (_name, getSite, isNamed) => {
  const api = {
    measured: async (_endpoint: string, call: () => Promise<Partial<Site>>) => await call(),
    bot: { getSite },
  } as unknown as Shared["api"];
  const translatorFor = async () => createTranslator("en");
  const settings = {} as Shared["settings"];
  const { replyPrivately } = createReplyWriters({ settings, translatorFor, guard: (_, work) => work() });
  const shared = { platform: "telegram", translatorFor, replyPrivately, api } as const;
  const reply = await createExplanations(shared).privacy(requester);
  const text = reply.lines.map(({ spans }) => spans.map((span) => span.text).join("")).join("\n");
  expect(text).toContain("Your pictures");
  expect(text.includes("also goes to trace.moe")).toBe(isNamed);
  expect(text.includes("keeps 128 numbers for 30 days")).toBe(isNamed);
});
