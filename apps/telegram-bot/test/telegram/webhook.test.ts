import { openOnScriptedCore } from "@koma/bot-core/testing/scripted-core";
import { openFake } from "@koma/fake-telegram";
import { expect, onTestFinished, test } from "vitest";
import { openBot } from "../../src/open-bot.ts";
import { openProxy } from "../fixtures/open-proxy.ts";

test("accepts updates with the secret only, and serves each once", async () => {
  const [fake, proxy] = [await openFake(), await openProxy()];
  onTestFinished(proxy.close);
  const environment = { TELEGRAM_WEBHOOK_URL: proxy.url, TELEGRAM_WEBHOOK_PORT: "0" };
  const { close, lines } = await openOnScriptedCore("telegram", fake, openBot, {}, environment);
  onTestFinished(close);
  proxy.targets.add(Number(/^Telegram delivers \{"port":(\d+)\}$/m.exec(lines.join("\n"))?.[1]));
  const person = fake.createUser({ language: "en" });
  const requested = await person.sends(person.direct, "/help");
  expect((await requested.reply()).text).toBe("help");
  const { secret, url } = fake.webhook;
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(secret).not.toContain(fake.token.split(":")[1]);
  expect(await fake.webhook.post({ secret: undefined })).toBe(401);
  expect(await fake.webhook.post({ secret: `${secret}x` })).toBe(401);
  expect(await fake.webhook.post({ secret: "" })).toBe(401);
  expect(await fake.webhook.post({ secret, url: url.replace("/telegram", "/other") })).toBe(404);
  fake.updates.deliverAgain(requested.updateId);
  await fake.updates.settled();
  expect(requested.replies).toHaveLength(1);
  expect(fake.violations).toEqual([]);
});
