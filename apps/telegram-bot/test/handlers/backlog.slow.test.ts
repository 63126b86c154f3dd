import type { Fake, Message } from "@koma/fake-telegram";
import { expect, test } from "vitest";
import { openScriptedBot } from "../fixtures/open-scripted-bot.ts";

/** The requests of many people among the messages of a busy group, as they wait after an outage. */
async function write(fake: Fake, messages: number, everyNth: number): Promise<Message[]> {
  const people = Array.from({ length: 20 }, () => fake.createUser({ language: "en" }));
  const group = fake.createGroup({ members: people });
  const requests: Message[] = [];
  for (let index = 0; index < messages; index++) {
    const person = people[index % people.length];
    if (person === undefined) throw new Error("There are no people.");
    if (index % everyNth === 0) requests.push(await person.sends(person.direct, "/help"));
    else await person.sends(group, `message ${index}`);
  }
  return requests;
}

// Ten full responses to getUpdates.
test("a backlog of 1,000 updates leads to one reply per request", { timeout: 300_000 }, async () => {
  let requests: Message[] = [];
  const { fake, close } = await openScriptedBot(
    {},
    {
      hasPrivacyMode: false,
      patienceMs: 120_000,
      prepare: async (opened) => {
        requests = await write(opened, 1000, 21);
        expect(opened.updates.pendingCount).toBeGreaterThanOrEqual(1000);
      },
    },
  );
  try {
    await fake.waitUntil(() => fake.updates.pendingCount === 0, "the backlog to be confirmed");
    await fake.waitUntil(() => requests.every(({ replies }) => replies.length > 0), "the replies");
    await fake.updates.settled();
    expect(requests).toHaveLength(48);
    expect(new Set(requests.map(({ replies }) => replies.map(({ text }) => text).join()))).toEqual(
      new Set(["help"]),
    );
    expect(fake.violations).toEqual([]);
  } finally {
    await close();
  }
});
