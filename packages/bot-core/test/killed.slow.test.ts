import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createPerson, describeWithApi, direct, imageOf, newRequest } from "./fixtures/describe-core.ts";
import { freshImage } from "./fixtures/fresh-image.ts";

const dying = fileURLToPath(new URL("./fixtures/dies-before-sending.mjs", import.meta.url));

describeWithApi("a bot that is killed", {}, (open) => {
  test("sends one reply after a restart, with the same result and one charge", async () => {
    const { api, core, vaultKey } = open();
    const [person, requestId, bytes] = [createPerson(), newRequest(), await freshImage()];
    const image = join(api.dataDir, "picture.jpg");
    await writeFile(image, bytes);
    const { dataDir, databaseUrl, url: apiUrl, botKey } = api;
    const settings = {
      dataDir,
      databaseUrl,
      apiUrl,
      botKey,
      person,
      chat: direct,
      requestId,
      image,
      vaultKey: Buffer.from(vaultKey).toString("hex"),
    };
    const child = spawn(process.execPath, [dying, JSON.stringify(settings)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [printed] = await once(child.stdout, "data");
    const resultId = /^found (\S+)/.exec(String(printed))?.[1];
    expect(resultId).toBeDefined();
    child.kill("SIGKILL");
    await once(child, "exit");

    // The platform sends the event again at once, while the lease of the killed process is still valid.
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
    expect(JSON.stringify(credits.lines)).toContain("4 of 5 left");
  });
});
