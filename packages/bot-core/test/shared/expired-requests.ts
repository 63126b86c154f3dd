import { expect, test } from "vitest";
import type { OpenRequest } from "../../src/index.ts";
import type { CoreCalls, Script } from "./scripted-core.ts";

/** The platform of a bot with requests of an earlier process. */
export type ExpiredRequestsPlatform = {
  calls: CoreCalls;
  violations(): readonly unknown[];
  /** Messages, the press of a button, and an image in a chat without a command. */
  requests: readonly Pick<OpenRequest, "requestId" | "resume">[];
  waitUntil(condition: () => boolean, what: string): Promise<void>;
  /** The messages of the bot. */
  notes(): readonly { text: string }[];
  /** The expected messages of the bot, apart from their text. */
  expected: readonly object[];
  close(): Promise<void>;
};

/** Tests what a bot replies to requests that waited for two hours. */
export function testExpiredRequests(
  open: (script: Pick<Script, "listExpired">) => Promise<ExpiredRequestsPlatform>,
): void {
  test("requests that waited too long get a note; a button and an unaddressed image none", async () => {
    const waiting: OpenRequest[] = [];
    const { calls, violations, requests, waitUntil, notes, expected, close } = await open({
      listExpired: async () => waiting.splice(0),
    });
    try {
      const startedAt = new Date(Date.now() - 2 * 3_600_000);
      waiting.push(...requests.map((request) => ({ ...request, state: "working" as const, startedAt })));
      await waitUntil(() => calls.done.length === requests.length, "the end of all requests");
      await waitUntil(() => notes().length >= expected.length, "the notes");
      expect(notes()).toHaveLength(expected.length);
      for (const { text } of notes()) expect(text).toContain("Your request has expired");
      expect(notes()).toEqual(expect.arrayContaining(expected.map((note) => expect.objectContaining(note))));
      expect([calls.lookups, calls.actions]).toEqual([[], []]);
      expect(violations()).toEqual([]);
    } finally {
      await close();
    }
  });
}
