import { expect, test } from "vitest";
import { describeWithStore, newRequest } from "./fixtures/describe-core.ts";

describeWithStore("requests", (open) => {
  test("are handled once, by the first handler only", async () => {
    const { core, store, openCore } = open();
    const refused = Promise.withResolvers<void>();
    const claim: typeof store.requests.claim = async (...request) => {
      const result = await store.requests.claim(...request);
      if (result.state === "busy") refused.resolve();
      return result;
    };
    const openOther = () => openCore({ store: { ...store, requests: { ...store.requests, claim } } });
    const [other, third] = [await openOther(), await openOther()];
    const requestId = newRequest();
    let runs = 0;
    const first = Promise.withResolvers<void>();
    const work = (until: Promise<void>) => async () => {
      runs++;
      await until;
      return {};
    };
    const one = core.requests.handle({ requestId }, work(first.promise));
    expect(await core.requests.handle({ requestId }, work(first.promise))).toBe(false);
    first.resolve();
    expect(await one).toBe(true);
    expect(await other.requests.handle({ requestId }, work(first.promise))).toBe(false);
    const another = newRequest();
    const apart = await Promise.all(
      [other, third].map((each) => each.requests.handle({ requestId: another }, work(refused.promise))),
    );
    expect(apart.filter((isHandled) => isHandled)).toHaveLength(1);
    expect(runs).toBe(2);
  });

  test("that were interrupted are listed with their context and their progress", async () => {
    const { core, openCore } = open();
    const [early, late] = [newRequest(), newRequest()];
    const resume = { token: "secret of the interaction", channel: 7 };
    const dies = () => Promise.reject(new Error("killed"));
    await expect(core.requests.handle({ requestId: early, resume }, dies)).rejects.toThrow("killed");
    await expect(
      core.requests.handle({ requestId: late, resume }, async ({ sending }) => {
        await sending();
        return await dies();
      }),
    ).rejects.toThrow("killed");
    const next = await openCore();
    const found = (await next.requests.listOpen()).filter(({ requestId }) =>
      [early, late].includes(requestId),
    );
    expect(found).toMatchObject([
      { requestId: early, resume, state: "working" },
      { requestId: late, resume, state: "sending" },
    ]);
    const attempts: unknown[] = [];
    for (const { requestId } of found) {
      await next.requests.handle({ requestId }, async ({ isUncertain }) => {
        attempts.push(isUncertain);
        return undefined;
      });
    }
    expect(attempts).toEqual([false, true]);
    const left = (await next.requests.listOpen()).map(({ requestId }) => requestId);
    expect(left).not.toContain(early);
    expect(await core.requests.handle({ requestId: late }, async () => undefined)).toBe(false);
  });

  test("get a reply without the database, which is not recorded", async () => {
    const { store, openCore, logs } = open();
    const fail = () => Promise.reject(new Error("the database is gone"));
    const core = await openCore({
      store: { ...store, requests: { ...store.requests, claim: fail, markDone: fail } },
    });
    let runs = 0;
    const isHandled = await core.requests.handle({ requestId: newRequest() }, async ({ sending }) => {
      await sending();
      runs++;
      return undefined;
    });
    expect([isHandled, runs]).toEqual([true, 1]);
    expect(logs.join("\n")).toContain("could not be recorded");
  });

  test("that were replied to while the database was away are recorded when it is back", async () => {
    const { store, openCore } = open();
    let isAway = true;
    const markDone: typeof store.requests.markDone = async (...request) => {
      if (isAway) throw new Error("the database is gone");
      await store.requests.markDone(...request);
    };
    const core = await openCore({ store: { ...store, requests: { ...store.requests, markDone } } });
    const requestId = newRequest();
    let runs = 0;
    const work = async ({ sending }: { sending(): Promise<void> }) => {
      await sending();
      runs++;
      return undefined;
    };
    expect(await core.requests.handle({ requestId }, work)).toBe(true);
    expect(await core.requests.handle({ requestId }, work)).toBe(false);
    const next = await openCore();
    const listOpen = async () => (await next.requests.listOpen()).map((request) => request.requestId);
    expect(await listOpen()).toContain(requestId);
    isAway = false;
    await expect.poll(listOpen).not.toContain(requestId);
    expect(await next.requests.handle({ requestId }, work)).toBe(false);
    expect(runs).toBe(1);
  });

  test("values of the platform are stored across a restart", async () => {
    const { core, openCore } = open();
    await core.memory.set("commands", "abc");
    expect(await (await openCore()).memory.get("commands")).toBe("abc");
    expect(await core.memory.get("nothing")).toBeUndefined();
  });
});
