import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readFrame } from "@koma/bot-core/testing/open-world";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorld, type World } from "../fixtures/world.ts";
import { findBrowser, type Message, takePictures } from "../stand-in/index.ts";

/** Where the pictures of every kind of reply are put, to be looked at. */
const folder = process.env.KOMA_TEST_SCREENS;

let world: World;
beforeAll(async () => {
  if (folder === undefined) return;
  const api = { KOMA_GUEST_SEARCHES_PER_DAY: "1" };
  world = await openWorld({ api, standIn: { patienceMs: 90_000 } });
});
afterAll(() => world?.close());

test.skipIf(folder === undefined || findBrowser() === undefined)(
  "every kind of reply, drawn",
  async () => {
    const { standIn } = world;
    const ann = standIn.createUser({ name: "Ann" });
    const guild = standIn.createGuild({ name: "Anime club", members: [ann] });
    const channel = guild.channel("general");
    const image = async (film: "alpha" | "beta" | "night", second = 3) => ({
      name: `${film}.jpg`,
      bytes: await readFrame(film, second),
    });
    const guest = (locale = "en-US") => {
      const one = standIn.createUser({ name: "Ann", locale });
      guild.addMember(one);
      return one;
    };
    const pages: [string, string][] = [];
    const keep = (name: string, message: Message) => pages.push([name, standIn.renderMessage(message)]);

    const match = await ann.slash("find", { image: await image("alpha") }, { channel }).reply();
    keep("match", match);
    await ann.pressButton(match, match.button("That's it").customId ?? "").reply();
    keep("confirmed", match);
    await ann.pressButton(match, match.button("Next").customId ?? "").reply();
    keep("next", match);
    keep("used-up", await ann.slash("find", { image: await image("beta") }, { channel }).reply());
    const still = { preview: "still" };
    keep(
      "japanese",
      await guest("ja")
        .slash("find", { image: await image("beta"), ...still }, { channel })
        .reply(),
    );
    const hidden = { ...(await image("beta", 2)), isSpoiler: true };
    keep(
      "spoiler",
      await guest()
        .slash("find", { image: hidden, ...still }, { channel })
        .reply(),
    );
    const night = guest().slash("find", { image: await image("night"), ...still }, { channel });
    keep("adult", await night.reply());
    keep("adult-alone", await night.followUp());
    const words = { name: "scene.png", bytes: new TextEncoder().encode("words") };
    keep("unsupported", await guest().slash("find", { image: words }, { channel }).reply());
    const attachments = [await image("alpha"), await image("beta")];
    const shown = guest().sendMessage(channel, { attachments });
    keep("choice", await guest().messageCommand("Find anime scene", shown).reply());
    const grey = await grayPicture();
    const unsure = guest();
    const uncertain = await unsure.slash("find", { image: grey }, { channel }).reply();
    keep("uncertain", uncertain);
    for (const name of ["rankings", "recent", "credits", "link", "help", "privacy", "forget"]) {
      keep(name, await ann.slash(name, {}, { channel }).reply());
    }
    keep("settings", await ann.slash("settings mine", {}, { channel }).reply());
    keep("settings-server", await guild.owner.slash("settings server", {}, { channel }).reply());
    await world.stopApi();
    keep(
      "offline",
      await guest()
        .slash("find", { image: await image("alpha") }, { channel })
        .reply(),
    );

    expect(standIn.violations).toEqual([]);
    const pictures = await takePictures(pages.map(([, page]) => page));
    await mkdir(folder ?? "", { recursive: true });
    for (const [index, picture] of pictures.entries()) {
      await writeFile(join(folder ?? "", `${pages[index]?.[0]}.png`), picture);
    }
  },
  300_000,
);

async function grayPicture() {
  const { default: sharp } = await import("sharp");
  const noise = { type: "gaussian" as const, mean: 128, sigma: 40 };
  const drawn = sharp({ create: { width: 640, height: 360, channels: 3, background: "#fff", noise } });
  return { name: "noise.jpg", bytes: new Uint8Array(await drawn.jpeg().toBuffer()) };
}
