import { createServer } from "node:net";
import { readFrame } from "@koma/bot-core/testing/open-world";
import { expect, test } from "vitest";
import { openWorld } from "../fixtures/world.ts";

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

test("updates are delivered with the secret alone, and answered once", async () => {
  const port = await freePort();
  const bot = {
    TELEGRAM_WEBHOOK_URL: `http://127.0.0.1:${port}/hooks/telegram`,
    TELEGRAM_WEBHOOK_PORT: String(port),
  };
  const world = await openWorld({ bot });
  try {
    const { standIn } = world;
    const person = standIn.createUser({ language: "en" });
    const asked = await person.sends(person.direct, { photo: await readFrame("alpha", 3) });
    expect((await asked.reply()).text).toMatch(/^Alpha Show/);
    const { secret, url } = standIn.webhook;
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(secret).not.toContain(standIn.token.split(":")[1]);
    expect(await standIn.webhook.post({ secret: undefined })).toBe(401);
    expect(await standIn.webhook.post({ secret: `${secret}x` })).toBe(401);
    expect(await standIn.webhook.post({ secret: "" })).toBe(401);
    expect(await standIn.webhook.post({ secret, url: url.replace("/hooks", "/other") })).toBe(404);
    standIn.updates.deliverAgain(asked.updateId);
    await standIn.updates.settled(500);
    expect(asked.replies).toHaveLength(1);
    expect(standIn.violations).toEqual([]);
  } finally {
    await world.close();
  }
});
