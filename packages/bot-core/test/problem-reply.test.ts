import { ApiProblem, NetworkFailure } from "@koma/client";
import type { ErrorCode } from "@koma/contract";
import { createTranslator } from "@koma/messages";
import { expect, test } from "vitest";
import { createAccountOffer } from "../src/api/account-offer.ts";
import { describeProblem } from "../src/replies/problem-reply.ts";

const now = new Date("2026-11-22T08:00:00Z");

function describe(error: unknown, hasMoreWithAccount?: boolean) {
  const { title, lines, retryAt } = describeProblem(error, {
    translator: createTranslator("en"),
    person: { id: "1", displayName: "Ann" },
    now,
    ...(hasMoreWithAccount === undefined ? {} : { hasMoreWithAccount }),
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

test("a guest at the limit is promised more searches with an account only where accounts have more", () => {
  const limit = refuse("guest_limit_reached", 429, 90);
  expect(describe(limit, true).text).toContain("Connect a free Koma account with /link to get more");
  for (const hasMore of [false, undefined])
    expect(describe(limit, hasMore).text).toMatch(/^New free searches arrive every day at midnight\./);
});

test("the numbers of the installation decide, which are asked for once in ten minutes", async () => {
  let [calls, guestSearchesPerDay, isAway, atMs] = [0, 5, false, 0];
  const getSite = async () => {
    calls += 1;
    if (isAway) throw new NetworkFailure("unreachable", { cause: undefined });
    return { limits: { guestSearchesPerDay, freeCreditsPerDay: 10 } };
  };
  const api = { bot: { getSite }, measured: (_: string, call: () => unknown) => call() };
  const hasMore = createAccountOffer({ api: api as never, now: () => new Date(atMs) });
  expect([await hasMore(), await hasMore(), calls]).toEqual([true, true, 1]);
  guestSearchesPerDay = 50;
  atMs += 600_000;
  expect([await hasMore(), calls]).toEqual([false, 2]);
  isAway = true;
  atMs += 600_000;
  expect(await hasMore()).toBe(false);
});
