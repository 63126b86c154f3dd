import { readFrame } from "@koma/bot-core/testing/open-test-env";
import { saveScreens, screensFolder } from "@koma/bot-core/testing/save-screens";
import type { Message, User } from "@koma/fake-telegram";
import { createTranslator } from "@koma/messages";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestEnv, type TestEnv } from "../fixtures/test-env.ts";

let testEnv: TestEnv;
beforeAll(async () => {
  if (screensFolder === undefined) return;
  const api = { KOMA_GUEST_SEARCHES_PER_DAY: "1" };
  testEnv = await openTestEnv({ api, fake: { patienceMs: 60_000 } });
});
afterAll(() => testEnv?.close());

const pages: [string, string][] = [];

test.skipIf(screensFolder === undefined).each(["en", "ja", "ar"] as const)(
  "renders every kind of reply in %s",
  async (language) => {
    const { fake } = testEnv;
    const { t } = createTranslator(language);
    const join = () => fake.createUser({ name: "Ann", language });
    const save = (name: string, viewer: User, messages: readonly Message[]) => {
      for (const theme of ["dark", "light"] as const) {
        pages.push([`${language}-${name}-${theme}`, fake.renderChat(messages, { theme, viewer })]);
      }
    };
    /** Sends a message in the private chat, and shows it with its reply. */
    const show = async (name: string, written: Parameters<User["sends"]>[1], person = join()) => {
      const requested = await person.sends(person.direct, written);
      const reply = await requested.reply();
      await fake.updates.settled();
      save(name, person, person.direct.messages);
      return { person, reply };
    };

    const ann = join();
    await ann.starts();
    await fake.updates.settled();
    save("start", ann, ann.direct.messages);
    const { person, reply } = await show("match", { photo: await readFrame("alpha", 3) });
    await person.clicks(reply.button(new RegExp(t("button.wrong")))).response();
    await fake.updates.settled();
    save("wrong", person, person.direct.messages);
    await show("used-up", { photo: await readFrame("beta", 3) }, person);
    const noise = { type: "gaussian" as const, mean: 128, sigma: 40 };
    const grey = await sharp({ create: { width: 640, height: 360, channels: 3, background: "#fff", noise } })
      .jpeg()
      .toBuffer();
    await show("uncertain", { photo: new Uint8Array(grey) });
    const words = { bytes: new TextEncoder().encode("words"), name: "scene.png" };
    await show("unsupported", { document: words });
    for (const name of ["help", "privacy", "credits", "settings", "rankings", "recent", "link", "forget"]) {
      await show(name, `/${name}`);
    }
    const group = fake.createGroup({ title: "Fans", members: [ann, fake.createUser()] });
    group.promote(ann);
    const settings = await ann.sends(group, "/settings@koma_bot");
    await settings.reply();
    save("settings-group", ann, group.messages);
    await testEnv.stopApi();
    await show("offline", { photo: await readFrame("alpha", 2) });
    await testEnv.startApi();

    expect(fake.violations).toEqual([]);
    await saveScreens(pages.splice(0));
  },
  600_000,
);
