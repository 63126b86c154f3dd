import type { BotCore, OpenRequest } from "@koma/bot-core";
import { type APIInteraction, type APIMessage, DiscordAPIError } from "discord.js";
import { expect, test } from "vitest";
import { readResume, writeResume } from "../../src/handlers/resume.ts";
import { resumeOpenRequests } from "../../src/handlers/resume-open-requests.ts";

const message = {
  channelId: "1",
  messageId: "2",
  guildId: "3",
  guildLocale: "ja",
  nick: "Ann",
  roles: ["4", "5"],
};

test("a stored message keeps what only its gateway event contains", () => {
  expect(readResume(writeResume(message))).toEqual(message);
  const direct = { ...message, guildId: undefined, guildLocale: undefined, nick: undefined, roles: [] };
  expect(readResume(writeResume(direct))).toEqual(direct);
});

test("a stored interaction keeps the roles of its member", () => {
  const member = { nick: null, permissions: "0", user: { id: "7" }, roles: ["4"], avatar: "a" };
  const interaction = { id: "6", member } as unknown as APIInteraction;
  const { avatar: _, ...stored } = member;
  expect(readResume(writeResume({ interaction, isPrivate: true }))).toEqual({
    interaction: { id: "6", member: stored },
    isPrivate: true,
  });
});

const failure = (status: number, code: number) =>
  new DiscordAPIError({ message: "", code }, code, status, "GET", "", { body: undefined, files: undefined });

test.each([
  ["exists", undefined, { served: ["2"], dropped: [], errors: 0 }],
  ["was deleted", failure(404, 10_008), { served: [], dropped: ["2"], errors: 0 }],
  ["cannot be fetched now", failure(500, 0), { served: [], dropped: [], errors: 1 }],
])("a request whose message %s", async (_, error, expected) => {
  expect(await resume({ resume: writeResume(message), error })).toEqual(expected);
});

test("a request without the data for resuming it stays with its process, and is dropped after an hour", async () => {
  const inAnHour = () => Date.now() + 61 * 60_000;
  expect(await resume({ resume: {} })).toEqual({ served: [], dropped: [], errors: 0 });
  expect(await resume({ resume: {}, now: inAnHour })).toEqual({ served: [], dropped: ["2"], errors: 0 });
});

async function resume(options: {
  resume: OpenRequest["resume"];
  error?: Error | undefined;
  now?: () => number;
}) {
  const served: string[] = [];
  const dropped: string[] = [];
  let errors = 0;
  const requests = { handle: async ({ requestId }: { requestId: string }) => dropped.push(requestId) > 0 };
  await resumeOpenRequests({
    core: { requests } as unknown as BotCore,
    open: [{ requestId: "2", resume: options.resume, state: "working", startedAt: new Date() }],
    serveInteraction: async () => {},
    expireInteraction: async () => false,
    serveMessage: async (_, { requestId }) => served.push(requestId) > 0,
    getMessage: async () => {
      if (options.error !== undefined) throw options.error;
      return {} as APIMessage;
    },
    onError: () => {
      errors += 1;
    },
    ...(options.now && { now: options.now }),
  });
  return { served, dropped, errors };
}
