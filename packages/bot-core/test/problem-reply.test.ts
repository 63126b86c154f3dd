import { ApiProblem, NetworkFailure } from "@koma/client";
import type { ErrorCode } from "@koma/contract";
import { createTranslator } from "@koma/messages";
import { expect, test } from "vitest";
import { describeProblem } from "../src/replies/problem-reply.ts";

const now = new Date("2026-11-22T08:00:00Z");

function describe(error: unknown) {
  const { title, lines, retryAt } = describeProblem(error, {
    translator: createTranslator("en"),
    person: { id: "1", displayName: "Ann" },
    now,
  });
  const text = lines.flatMap(({ spans }) => spans.map((span) => span.text)).join(" ");
  return { title, text, retryAt };
}

const refuse = (code: ErrorCode, status: number, retryAfterSeconds: number) =>
  new ApiProblem({ code, status, detail: "", requestId: "" }, retryAfterSeconds);

test.each(["search_busy", "not_ready"] as const)(
  "%s after an outage that was waited for states no time that does not hold",
  (code) => {
    const { text, retryAt } = describe(refuse(code, 503, 2));
    expect([retryAt, text]).toEqual([undefined, expect.not.stringContaining("works again")]);
    expect(text).toContain("try again");
  },
);

test("the time of a long outage or a limit holds, because no client waits for it", () => {
  for (const error of [refuse("not_ready", 503, 90), refuse("hourly_limit_reached", 429, 90)]) {
    const { text, retryAt } = describe(error);
    expect(retryAt).toEqual(new Date("2026-11-22T08:01:30Z"));
    expect(text).toContain("works again");
  }
});

test("an API that stays away cannot be reached", () => {
  const { title, retryAt } = describe(new NetworkFailure("unreachable", { cause: undefined }));
  expect([title, retryAt]).toEqual(["Koma can't be reached right now", undefined]);
});
