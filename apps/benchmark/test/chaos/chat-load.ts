import { setTimeout as wait } from "node:timers/promises";
import type { Message } from "@koma/fake-telegram";
import type { System } from "./open-system.ts";

const people = 5;
const pauseMs = 2000;

/** Sends images to the Telegram bot as several users, each after the reply to the last one. */
export function startChats({ fake, images }: System) {
  const stopping = new AbortController();
  const requested: Message[] = [];
  const working = Array.from({ length: people }, async (_, number) => {
    const person = fake.createUser({ name: `Person ${number}`, language: "en" });
    for (let turn = number; !stopping.signal.aborted; turn++) {
      const photo = images[turn % images.length];
      if (photo === undefined) throw new Error("There are no images.");
      const message = await person.sends(person.direct, { photo });
      requested.push(message);
      await message.reply();
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  });
  return {
    /** The number of users; each waits for one reply at a time. */
    people,
    requested,
    /** Waits for the last replies. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(working);
      await fake.updates.settled();
    },
  };
}
