import { expect, test } from "vitest";
import type { CoreCalls } from "./scripted-core.ts";

/** One event of a platform that sends `null` for each absent field. */
export type NullFieldsStep = {
  /** Causes the event; resolves after the reply. */
  run(): Promise<unknown>;
  /** The kinds of chat and subject of the search that it causes, if it causes one. */
  search?: readonly [chat: string, subject: "image" | "address"];
};

/** The platform of a bot, with its events in their order; one of them presses a button. */
export type NullFieldsPlatform = {
  calls: CoreCalls;
  violations(): readonly unknown[];
  steps: Readonly<Record<string, NullFieldsStep>>;
  close(): Promise<void>;
};

/** Tests that a bot accepts null for absent fields. */
export function testNullFields(open: () => Promise<NullFieldsPlatform>): void {
  test("null stands for an absent field in every event", async () => {
    const { calls, violations, steps, close } = await open();
    try {
      for (const [name, { run, search }] of Object.entries(steps)) {
        const before = calls.lookups.length;
        await run();
        const searches = calls.lookups
          .slice(before)
          .map(({ chat, subject }) => [chat.kind, "image" in subject ? "image" : "address"]);
        expect(searches, name).toEqual(search === undefined ? [] : [search]);
      }
      expect(calls.actions).toHaveLength(1);
      expect(violations()).toEqual([]);
    } finally {
      await close();
    }
  });
}
