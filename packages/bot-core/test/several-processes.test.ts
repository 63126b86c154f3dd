import type { BotStore } from "@koma/database/bots";
import { expect, test } from "vitest";
import type { BotCore } from "../src/index.ts";
import { describeWithStore, newRequest } from "./fixtures/describe-core.ts";

describeWithStore("requests of several processes", (open) => {
  /** A core in the middle of a request; `setLease` changes how long its lease is valid. */
  async function startRequest(requestId: string) {
    const { store, openCore } = open();
    const owners: string[] = [];
    const claim: typeof store.requests.claim = async (request, options) => {
      owners.push(options.owner);
      return await store.requests.claim(request, options);
    };
    const requests: BotStore["requests"] = { ...store.requests, claim, renew: async () => undefined };
    const core = await openCore({ store: { ...store, requests } });
    const started = Promise.withResolvers<void>();
    const finished = Promise.withResolvers<void>();
    const sent: string[] = [];
    const handled = core.requests.handle({ requestId, resume: { channel: 7 } }, async ({ sending }) => {
      started.resolve();
      await finished.promise;
      await sending();
      sent.push(requestId);
      return undefined;
    });
    await started.promise;
    const setLease = (seconds: number) => store.requests.renew(owners, seconds);
    return { core, sent, handled, finish: finished.resolve, setLease };
  }

  const listIds = async (core: BotCore) =>
    (await core.requests.listExpired()).map(({ requestId }) => requestId);

  test("are found at the second look after their lease expired, and not while it is valid", async () => {
    const requestId = newRequest();
    const { core: other, handled, finish, setLease } = await startRequest(requestId);
    const { core } = open();
    expect([await listIds(core), await listIds(core)].flat()).not.toContain(requestId);
    await setLease(-1);
    expect(await listIds(core)).not.toContain(requestId);
    await setLease(10);
    expect(await listIds(core)).not.toContain(requestId);
    await setLease(-1);
    expect([await listIds(other), await listIds(other)].flat()).not.toContain(requestId);
    expect(await listIds(core)).not.toContain(requestId);
    expect(await listIds(core)).toContain(requestId);
    finish();
    expect(await handled).toBe(true);
    expect([await listIds(core), await listIds(core)].flat()).not.toContain(requestId);
  });

  test("get no reply of a process that lost its lease to another one", async () => {
    const requestId = newRequest();
    const { sent, handled, finish, setLease } = await startRequest(requestId);
    await setLease(-1);
    const replies: string[] = [];
    const isHandled = await open().core.requests.handle({ requestId }, async ({ sending }) => {
      finish();
      expect(await handled).toBe(false);
      await sending();
      replies.push(requestId);
      return undefined;
    });
    expect([isHandled, sent, replies]).toEqual([true, [], [requestId]]);
  });

  test("that failed in one process are left to the others", async () => {
    const { core, openCore } = open();
    const other = await openCore();
    const requestId = newRequest();
    const fail = () => Promise.reject(new Error("no connection"));
    await expect(core.requests.handle({ requestId }, fail)).rejects.toThrow("no connection");
    expect([await listIds(core), await listIds(core)].flat()).not.toContain(requestId);
    expect([await listIds(other), await listIds(other)]).toEqual([[], expect.arrayContaining([requestId])]);
  });

  test("an outage of the database between two looks counts as no look", async () => {
    const { store, openCore } = open();
    const requestId = newRequest();
    const { finish, setLease } = await startRequest(requestId);
    let isAway = false;
    const listOpen: typeof store.requests.listOpen = async (...query) => {
      if (isAway) throw new Error("the database is gone");
      return await store.requests.listOpen(...query);
    };
    const core = await openCore({ store: { ...store, requests: { ...store.requests, listOpen } } });
    await setLease(-1);
    expect(await listIds(core)).not.toContain(requestId);
    isAway = true;
    expect(await listIds(core)).toEqual([]);
    isAway = false;
    expect(await listIds(core)).not.toContain(requestId);
    expect(await listIds(core)).toContain(requestId);
    finish();
  });
});
