import { expect, test } from "vitest";
import { createUploadBudget, type UploadLimits } from "../../src/search/upload-budget.ts";

const busy = expect.objectContaining({ code: "search_busy" });
const tooSlow = expect.objectContaining({ code: "upload_too_slow" });

/** A budget of 100 bytes with its own clock. The tests set the received bytes of uploads. */
function openBudget(limits: Partial<UploadLimits> = {}) {
  const clock = { nowMs: 0 };
  const defaults = { poolBytes: 100, networkBytes: 100, callerBytes: 100, idleMs: 10_000 };
  const budget = createUploadBudget(
    { ...defaults, minimumBytesPerSecond: 64 * 1024, ...limits },
    () => clock.nowMs,
  );
  const upload = (network: string) => {
    const received = { bytes: 0 };
    const share = budget.open({ caller: `${network} caller`, network });
    return { share, received, signal: share.start(() => received.bytes) };
  };
  return { budget, clock, upload };
}

test("shares take from one pool and release it", () => {
  const { budget } = openBudget();
  const [first, second] = ["a", "b"].map((name) => budget.open({ caller: name, network: name }));
  first?.take(60);
  second?.take(40);
  expect(() => second?.take(1)).toThrow(busy);
  first?.close();
  first?.close();
  second?.take(60);
  expect(() => first?.take(1)).toThrow(busy);
});

test.each([
  ["caller", { callerBytes: 50 }],
  ["network", { networkBytes: 50 }],
])("one %s takes no more than its part, however many shares it opens", (kind, limits) => {
  const { budget } = openBudget(limits);
  const open = (name: string) =>
    budget.open({ caller: kind === "caller" ? "one" : name, network: kind === "network" ? "one" : name });
  const [first, second] = [open("a"), open("b")];
  first.take(30);
  second.take(20);
  expect(() => second.take(1)).toThrow(busy);
  budget.open({ caller: "other", network: "other" }).take(50);
  first.close();
  second.take(30);
});

test("an upload without new data ends after ten seconds, one with data continues", () => {
  const { budget, clock, upload } = openBudget();
  const [stalled, alive] = [upload("a"), upload("b")];
  for (clock.nowMs = 1000; clock.nowMs < 10_000; clock.nowMs += 1000) {
    alive.received.bytes += 1;
    budget.checkProgress();
  }
  expect([stalled.signal.aborted, alive.signal.aborted]).toEqual([false, false]);
  alive.received.bytes += 1;
  clock.nowMs = 10_000;
  budget.checkProgress();
  expect([stalled.signal.reason, alive.signal.aborted]).toEqual([tooSlow, false]);
  expect(() => stalled.share.take(1)).toThrow(tooSlow);
});

test("above half of the pool, an upload that is slow after five seconds ends", () => {
  const { budget, clock, upload } = openBudget();
  const [slow, fast] = [upload("a"), upload("b")];
  slow.share.take(30);
  fast.share.take(20);
  clock.nowMs = 6000;
  slow.received.bytes = 6 * 64 * 1024 - 1;
  fast.received.bytes = 6 * 64 * 1024;
  budget.checkProgress();
  expect(slow.signal.aborted).toBe(false);
  fast.share.take(1);
  budget.checkProgress();
  expect([slow.signal.reason, fast.signal.aborted]).toEqual([tooSlow, false]);
});

test("a full pool ends the slowest upload of the network that holds most, and admits the new one", () => {
  const { clock, upload } = openBudget();
  const attack = [upload("attacker"), upload("attacker")] as const;
  const honest = upload("honest");
  attack[0].share.take(40);
  attack[1].share.take(30);
  honest.share.take(30);
  attack[0].received.bytes = 40;
  attack[1].received.bytes = 30;
  clock.nowMs = 1000;
  const next = upload("next");
  next.share.take(20);
  expect(attack.map(({ signal }) => signal.aborted)).toEqual([false, true]);
  expect([honest.signal.aborted, next.signal.aborted]).toEqual([false, false]);
});

test("a completed upload is no longer ended", () => {
  const { budget, clock, upload } = openBudget();
  const complete = upload("a");
  complete.share.take(100);
  complete.share.finish();
  clock.nowMs = 60_000;
  budget.checkProgress();
  expect(complete.signal.aborted).toBe(false);
  expect(() => upload("b").share.take(1)).toThrow(busy);
});
