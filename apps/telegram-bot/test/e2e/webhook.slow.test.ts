import { createServer } from "node:net";
import { readFrame } from "@koma/bot-core/testing/open-test-env";
import { expect, test } from "vitest";
import { openTestEnv } from "../fixtures/test-env.ts";

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

test("accepts updates with the secret only, and serves each once", async () => {
  const port = await freePort();
  const bot = {
    TELEGRAM_WEBHOOK_URL: `http://127.0.0.1:${port}/hooks/telegram`,
    TELEGRAM_WEBHOOK_PORT: String(port),
  };
  const testEnv = await openTestEnv({ bot });
  try {
    const { fake } = testEnv;
    const person = fake.createUser({ language: "en" });
    const requested = await person.sends(person.direct, { photo: await readFrame("alpha", 3) });
    expect((await requested.reply()).text).toMatch(/^Alpha Show/);
    const { secret, url } = fake.webhook;
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(secret).not.toContain(fake.token.split(":")[1]);
    expect(await fake.webhook.post({ secret: undefined })).toBe(401);
    expect(await fake.webhook.post({ secret: `${secret}x` })).toBe(401);
    expect(await fake.webhook.post({ secret: "" })).toBe(401);
    expect(await fake.webhook.post({ secret, url: url.replace("/hooks", "/other") })).toBe(404);
    fake.updates.deliverAgain(requested.updateId);
    await fake.updates.settled(500);
    expect(requested.replies).toHaveLength(1);
    expect(fake.violations).toEqual([]);
  } finally {
    await testEnv.close();
  }
});
