import { createClient } from "@koma/client";
import { expect, inject, test } from "vitest";
import {
  channel,
  createPerson,
  describeWithApi,
  direct,
  imageOf,
  newRequest,
} from "./fixtures/describe-core.ts";
import { freshImage } from "./fixtures/fresh-image.ts";
import { koma } from "./shared/prepare-library.ts";
import { start } from "./shared/run.ts";

describeWithApi("keys that people publish", (open) => {
  const chat = channel();

  async function signUpWithKey() {
    const user = await open().api.signUp();
    const { id, key } = await user.createApiKey({ title: "Published" });
    const find = async () => (await user.listApiKeys()).items.find((one) => one.id === id);
    return { user, key, revokedAt: async () => (await find())?.revokedAt };
  }

  async function listStored() {
    return await open().store.memory.listSecrets("leaked key ");
  }

  test("are revoked in a channel, all of one message, and stay valid in a direct message", async () => {
    const { core } = open();
    const person = createPerson();
    const [one, two] = [await signUpWithKey(), await signUpWithKey()];
    const text = `${one.key}, ${two.key} and again ${one.key}`;
    expect(await core.revokeLeakedKeys({ person, chat: direct, text })).toBe("notPublic");
    expect([await one.revokedAt(), await two.revokedAt()]).toEqual([null, null]);
    expect(await core.revokeLeakedKeys({ person, chat, text })).toBe("revoked");
    expect(await one.revokedAt()).toMatch(/^\d{4}-/);
    expect(await two.revokedAt()).toMatch(/^\d{4}-/);
    // A repeated delivery of the message has no effect.
    expect(await core.revokeLeakedKeys({ person, chat, text })).toBe("revoked");
    expect(await listStored()).toEqual([]);
  });

  test("of a linked chat user lead to the request to connect again", async () => {
    const { core } = open();
    const [person, other] = [createPerson(), createPerson()];
    const { key } = await signUpWithKey();
    expect(await core.pasteKey({ person, chat: direct, key })).toMatchObject({ title: "Connected" });
    await core.revokeLeakedKeys({ person: other, chat, text: key });
    const subject = { image: imageOf(await freshImage("alpha")) };
    const reply = await core.lookup({ person, chat: direct, subject, requestId: newRequest() });
    expect(reply).toMatchObject({ kind: "unlinked", title: "Your account is no longer connected" });
    expect(reply.buttons.flat()).toMatchObject([{ action: "link" }]);
  });

  test("are revoked later while the API cannot be reached, also after a restart", async () => {
    const { api, openCore, store, logs } = open();
    const person = createPerson();
    const [one, two] = [await signUpWithKey(), await signUpWithKey()];
    const first = await openCore();
    await api.stop();
    expect(await first.revokeLeakedKeys({ person, chat, text: one.key })).toBe("pending");
    await first.close();
    const stored = await listStored();
    expect(stored).toHaveLength(1);
    // The stored key is encrypted.
    expect(Buffer.from(stored[0]?.sealed ?? []).includes(one.key)).toBe(false);
    const second = await openCore();
    expect(await second.revokeLeakedKeys({ person, chat, text: two.key })).toBe("pending");
    await api.start();
    await expect.poll(() => one.revokedAt()).toMatch(/^\d{4}-/);
    await expect.poll(() => two.revokedAt()).toMatch(/^\d{4}-/);
    await expect.poll(() => store.memory.listSecrets("leaked key ")).toEqual([]);
    expect(logs.join("\n")).toContain("A published key could not be revoked");
    expect(logs.join("\n")).not.toMatch(/koma_\w{10}/);
  });

  test("include the bot's own key, which the bot reports to its operator", async () => {
    const { api, logs, openCore } = open();
    const person = createPerson();
    // Other files use the key of the run.
    const environment = { KOMA_DATA_DIR: api.dataDir, DATABASE_URL: inject("botApi").databaseUrl };
    const { stdout } = await start([koma, "bot", "key", "create", "--json"], environment).ended;
    const { key: botKey } = JSON.parse(stdout) as { key: string };
    const core = await openCore({ botKey });
    for (let times = 0; times < 2; times++) {
      expect(await core.revokeLeakedKeys({ person, chat, text: botKey })).toBe("revoked");
    }
    const bot = createClient({ baseUrl: api.url, apiKey: botKey });
    await expect(bot.getCredits()).rejects.toMatchObject({ code: "invalid_api_key" });
    expect(logs.join("\n")).toContain("The bot's own key (KOMA_BOT_KEY) was published and is revoked");
    expect(await listStored()).toEqual([]);
  });
});
