import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { MessageReference, Person, Reply } from "../src/index.ts";
import {
  type CoreApi,
  type CoreTest,
  createPerson,
  describeWithApi,
  direct,
  imageOf,
  newRequest,
} from "./fixtures/describe-core.ts";
import { freshImage } from "./fixtures/fresh-image.ts";

const dying = fileURLToPath(new URL("./fixtures/dies-before-sending.mjs", import.meta.url));

describeWithApi("a bot that is killed", (open) => {
  test("sends one reply after a restart, with the same result and one charge", async () => {
    const [person, requestId, bytes] = [createPerson(), newRequest(), await freshImage()];
    const printed = await runUntilKilled(open(), { person, requestId, images: [bytes] });
    const resultId = /^found (\S+)/.exec(printed)?.[1];
    expect(resultId).toBeDefined();

    // The platform sends the event again at once, while the lease of the killed process is still valid.
    const { core } = open();
    const sent: unknown[] = [];
    const isHandled = await core.requests.handle({ requestId }, async ({ isUncertain, sending }) => {
      const subject = { image: imageOf(bytes) };
      const reply = await core.lookup({ person, chat: direct, subject, requestId });
      await sending();
      sent.push({ resultId: reply.resultId, isUncertain });
      return {};
    });
    expect(isHandled).toBe(true);
    expect(sent).toEqual([{ resultId, isUncertain: false }]);
    const credits = await core.credits({ person, chat: direct });
    expect(JSON.stringify(credits.lines)).toContain("2 of 3 left");
  });

  test("during an album: its message gets the lines of all images, and there is no second one", async () => {
    const [person, requestId] = [createPerson(), newRequest()];
    const images = await Promise.all([1, 2, 3].map(() => freshImage()));
    expect(await runUntilKilled(open(), { person, requestId, images })).toBe("shown\n");

    const { core } = open();
    const messages = new Map<unknown, Reply>();
    const isHandled = await core.requests.handle({ requestId }, async ({ isUncertain }) => {
      // As both platforms do: the reply replaces the message of the killed process.
      const shown = isUncertain ? await core.findAlbumMessage(requestId) : undefined;
      const show = async (reply: Reply): Promise<MessageReference> => {
        const { messageId = newRequest() } = shown ?? {};
        messages.set(messageId, reply);
        return { messageId };
      };
      const subject = { images: images.map((bytes) => imageOf(bytes)) };
      const request = { person, chat: direct, subject, requestId };
      return await show(await core.lookup({ ...request, onProgress: show }));
    });
    expect(isHandled).toBe(true);
    expect([...messages.keys()]).toEqual(["shown"]);
    const lines = messages.get("shown")?.lines.map(({ spans }) => spans.map(({ text }) => text).join(""));
    expect(lines).toEqual([1, 2, 3].map((number) => expect.stringMatching(`^${number}\\. Alpha Show · `)));
    const credits = await core.credits({ person, chat: direct });
    expect(JSON.stringify(credits.lines)).toContain("0 of 3 left");
  });
});

/** Runs a bot in a process of its own, kills it after its first line, and returns that line. */
async function runUntilKilled(
  { api, vaultKey }: CoreTest & { api: CoreApi },
  search: { person: Person; requestId: string; images: readonly Uint8Array[] },
): Promise<string> {
  const { dataDir, databaseUrl, url: apiUrl, botKey } = api;
  const images = search.images.map((_, index) => join(dataDir, `${search.requestId}-${index}.jpg`));
  for (const [index, path] of images.entries()) await writeFile(path, search.images[index] ?? "");
  const settings = { dataDir, databaseUrl, apiUrl, botKey, chat: direct, ...search, images };
  const written = JSON.stringify({ ...settings, vaultKey: Buffer.from(vaultKey).toString("hex") });
  const child = spawn(process.execPath, [dying, written], { stdio: ["ignore", "pipe", "inherit"] });
  const [printed] = await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  return String(printed);
}
