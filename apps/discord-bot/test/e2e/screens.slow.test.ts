import { readFrame } from "@koma/bot-core/testing/open-test-env";
import { saveScreens, screensFolder } from "@koma/bot-core/testing/save-screens";
import type { Message, OwnFile } from "@koma/fake-discord";
import { createTranslator, type Language } from "@koma/messages";
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
    const ann = fake.createUser({ name: "Ann" });
    const guild = fake.createGuild({ name: "Anime club", members: [ann], hasBot: false });
    const channel = guild.channel("general");
    const save = (name: string, message: Message) => {
      for (const theme of ["dark", "light"] as const) {
        pages.push([`${language}-${name}-${theme}`, fake.renderMessage(message, { theme })]);
      }
    };
    // Discord has no app in Arabic, so the language is a setting.
    const choose = (user: typeof ann) => user.slash("settings mine", { language }, { channel });
    const guest = async () => {
      const one = fake.createUser({ name: "Ann" });
      guild.addMember(one);
      await choose(one).reply();
      return one;
    };
    const find = async (image: OwnFile, user?: typeof ann) => {
      const interaction = (user ?? (await guest())).slash("find", { preview: "still", image }, { channel });
      // A refusal is a private message after the public "thinking".
      return await Promise.any([interaction.reply(), interaction.followUp()]);
    };

    guild.addBot();
    save("welcome", await channel.waitForMessage(({ author }) => author.isBot));
    save("settings", await choose(ann).reply());
    const match = await ann.slash("find", { image: await drawImage("alpha") }, { channel }).reply();
    save("match", match);
    const click = (label: string | RegExp) =>
      ann.clickButton(match, match.button(label).customId ?? "").reply();
    await click(t("button.right"));
    save("confirmed", match);
    await click(t("button.wrong"));
    save("wrong", match);
    await click(similarScenes(language));
    save("look-alikes", match);
    save("used-up", await find(await drawImage("beta"), ann));
    save("uncertain", await find(await drawNoise()));
    save("spoiler", await find({ ...(await drawImage("beta", 2)), isSpoiler: true }));
    const night = (await guest()).slash("find", { image: await drawImage("night") }, { channel });
    save("adult", await night.reply());
    save("adult-alone", await night.followUp());
    save("unsupported", await find({ name: "scene.png", bytes: new TextEncoder().encode("words") }));
    const attachments = [await drawImage("alpha"), await drawImage("beta")];
    const user = await guest();
    const shown = user.sendMessage(channel, { attachments });
    save("choice", await user.messageCommand("Find anime scene", shown).reply());
    for (const name of ["rankings", "recent", "credits", "link", "help", "privacy", "forget"]) {
      save(name, await ann.slash(name, {}, { channel }).reply());
    }
    await choose(guild.owner).reply();
    save("settings-server", await guild.owner.slash("settings server", {}, { channel }).reply());
    await testEnv.stopApi();
    save("offline", await find(await drawImage("alpha")));
    await testEnv.startApi();

    expect(fake.violations).toEqual([]);
    await saveScreens(pages.splice(0));
  },
  600_000,
);

async function drawImage(video: "alpha" | "beta" | "night", second = 3) {
  return { name: `${video}.jpg`, bytes: await readFrame(video, second) };
}

async function drawNoise() {
  const { default: sharp } = await import("sharp");
  const noise = { type: "gaussian" as const, mean: 128, sigma: 40 };
  const drawn = sharp({ create: { width: 640, height: 360, channels: 3, background: "#fff", noise } });
  return { name: "noise.jpg", bytes: new Uint8Array(await drawn.jpeg().toBuffer()) };
}

/** The button's label without its number. */
function similarScenes(language: Language): RegExp {
  const [longest = ""] = createTranslator(language)
    .t("button.lookAlikes", { count: 4 })
    .split(/[\s\d٤]+/u)
    .toSorted((one, other) => other.length - one.length);
  return new RegExp(longest);
}
