import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readFrame } from "@koma/bot-core/testing/open-test-env";
import { takeImages } from "@koma/bot-core/testing/take-image";
import type { Message } from "@koma/fake-discord";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestEnv, type TestEnv } from "../fixtures/test-env.ts";

/** The folder for screenshots of every kind of reply. */
const folder = process.env.KOMA_TEST_SCREENS;

let testEnv: TestEnv;
beforeAll(async () => {
  if (folder === undefined) return;
  const api = { KOMA_GUEST_SEARCHES_PER_DAY: "1" };
  testEnv = await openTestEnv({ api, fake: { patienceMs: 90_000 } });
});
afterAll(() => testEnv?.close());

test.skipIf(folder === undefined)(
  "renders every kind of reply",
  async () => {
    const { fake } = testEnv;
    const ann = fake.createUser({ name: "Ann" });
    const guild = fake.createGuild({ name: "Anime club", members: [ann] });
    const channel = guild.channel("general");
    const image = async (video: "alpha" | "beta" | "night", second = 3) => ({
      name: `${video}.jpg`,
      bytes: await readFrame(video, second),
    });
    const guest = (locale = "en-US") => {
      const one = fake.createUser({ name: "Ann", locale });
      guild.addMember(one);
      return one;
    };
    const pages: [string, string][] = [];
    const save = (name: string, message: Message) => pages.push([name, fake.renderMessage(message)]);

    const match = await ann.slash("find", { image: await image("alpha") }, { channel }).reply();
    save("match", match);
    await ann.clickButton(match, match.button("That's it").customId ?? "").reply();
    save("confirmed", match);
    await ann.clickButton(match, match.button("Not it").customId ?? "").reply();
    save("wrong", match);
    await ann.clickButton(match, match.button(/look-alike/).customId ?? "").reply();
    save("look-alikes", match);
    save("used-up", await ann.slash("find", { image: await image("beta") }, { channel }).reply());
    const still = { preview: "still" };
    const yuki = guest("ja");
    const japanese = await yuki.slash("find", { image: await image("beta"), ...still }, { channel }).reply();
    save("japanese", japanese);
    const click = async (label: RegExp) =>
      await yuki.clickButton(japanese, japanese.button(label).customId ?? "").reply();
    await click(/違います/);
    save("japanese-wrong", japanese);
    await click(/似ている/);
    save("japanese-look-alikes", japanese);
    const noise = await grayImage();
    save("japanese-uncertain", await guest("ja").slash("find", { image: noise }, { channel }).reply());
    const hidden = { ...(await image("beta", 2)), isSpoiler: true };
    save(
      "spoiler",
      await guest()
        .slash("find", { image: hidden, ...still }, { channel })
        .reply(),
    );
    const night = guest().slash("find", { image: await image("night"), ...still }, { channel });
    save("adult", await night.reply());
    save("adult-alone", await night.followUp());
    const words = { name: "scene.png", bytes: new TextEncoder().encode("words") };
    save("unsupported", await guest().slash("find", { image: words }, { channel }).reply());
    const attachments = [await image("alpha"), await image("beta")];
    const shown = guest().sendMessage(channel, { attachments });
    save("choice", await guest().messageCommand("Find anime scene", shown).reply());
    const grey = await grayImage();
    const unsure = guest();
    const uncertain = await unsure.slash("find", { image: grey }, { channel }).reply();
    save("uncertain", uncertain);
    for (const name of ["rankings", "recent", "credits", "link", "help", "privacy", "forget"]) {
      save(name, await ann.slash(name, {}, { channel }).reply());
    }
    save("settings", await ann.slash("settings mine", {}, { channel }).reply());
    save("settings-server", await guild.owner.slash("settings server", {}, { channel }).reply());
    await testEnv.stopApi();
    save(
      "offline",
      await guest()
        .slash("find", { image: await image("alpha") }, { channel })
        .reply(),
    );

    save(
      "japanese-offline",
      await guest("ja")
        .slash("find", { image: await image("alpha") }, { channel })
        .reply(),
    );

    expect(fake.violations).toEqual([]);
    const images = await takeImages(pages.map(([, page]) => page));
    await mkdir(folder ?? "", { recursive: true });
    for (const [index, pageImage] of images.entries()) {
      await writeFile(join(folder ?? "", `${pages[index]?.[0]}.png`), pageImage);
    }
  },
  300_000,
);

async function grayImage() {
  const { default: sharp } = await import("sharp");
  const noise = { type: "gaussian" as const, mean: 128, sigma: 40 };
  const drawn = sharp({ create: { width: 640, height: 360, channels: 3, background: "#fff", noise } });
  return { name: "noise.jpg", bytes: new Uint8Array(await drawn.jpeg().toBuffer()) };
}
