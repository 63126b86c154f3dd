import { Anime, Confirmation, Quota } from "@koma/contract";
import { expect, test } from "vitest";
import { type Chat, type Person, type Reply, readCorrectionTarget } from "../src/index.ts";
import {
  channel,
  createPerson,
  describeWithStore,
  direct,
  imageOf,
  newRequest,
} from "./fixtures/describe-core.ts";
import { exampleOf, exampleSearch, openScriptedApi } from "./fixtures/scripted-api.ts";

const bebop = exampleOf(Anime);
const other = (id: string, romaji: string, isAdult = false): Anime => ({
  ...{ ...bebop, id, isAdult },
  title: { romaji, english: null, native: null },
});
const library = [bebop, other("b", "Cowboy Show"), other("c", "Cowboy Nights", true)];
const textOf = ({ lines }: Reply) => lines.flatMap(({ spans }) => spans.map(({ text }) => text)).join(" ");

let images = 0;

describeWithStore("corrections", (open) => {
  /** A result of which all candidates are rejected. */
  async function openRejected(person: Person, chat: Chat = direct) {
    const api = await openScriptedApi((request) => {
      const { pathname, searchParams } = new URL(request.split(" ")[1] ?? "", "http://api");
      if (pathname === "/api/anime/quota") return { body: exampleOf(Quota) };
      if (pathname === "/api/anime/search") return { body: exampleSearch() };
      if (pathname.endsWith("/confirm")) return { body: exampleOf(Confirmation) };
      const query = searchParams.get("query")?.toLowerCase() ?? "";
      const items = library.filter(({ title }) => title.romaji?.toLowerCase().includes(query));
      return pathname === "/api/anime" ? { body: { items } } : { code: "not_found" };
    });
    const core = await open().openCore({ apiUrl: api.url });
    const image = imageOf(new Uint8Array([0xff, 0xd8, 0xff, 0xe0, images++]));
    const found = await core.lookup({ person, chat, subject: { image }, requestId: newRequest() });
    const runTarget = (target = "") => core.runAction({ person, chat, target, requestId: newRequest() });
    const targetOf = (reply: Reply, action: string) =>
      reply.buttons.flat().find((button) => button.action === action)?.target;
    expect(targetOf(found, "correct")).toBeUndefined();
    const rejected = await runTarget(targetOf(found, "wrong"));
    if (rejected.kind !== "update") throw new Error(`The action is ${rejected.kind}.`);
    const resultId = readCorrectionTarget(targetOf(rejected.reply, "correct") ?? "") ?? "";
    const correct = (title: string, episode?: string, by = person) =>
      core.correct({ person: by, chat, resultId, title, episode });
    const lastSent = () => JSON.parse(api.bodies.at(-1) ?? "");
    return { correct, runTarget, lastSent };
  }

  test("an exact title is sent as the anime of the library, another one as it was written", async () => {
    const { correct, lastSent } = await openRejected(createPerson());
    const reply = await correct(" cowboy  BEBOP ", "5");
    expect([textOf(reply), reply.isPrivate]).toEqual([
      "Thank you. The operators of this site will read it.",
      true,
    ]);
    expect(lastSent()).toMatchObject({ rank: 0, correctedAnimeId: bebop.id, correctedEpisode: "5" });
    expect(lastSent()).not.toHaveProperty("correction");
    await correct("Space Dandy", " ");
    expect(lastSent()).toMatchObject({ rank: 0, correction: "Space Dandy" });
    expect(lastSent()).not.toHaveProperty("correctedEpisode");
  });

  test("a part of several titles is a choice, without anime for adults where they are not shown", async () => {
    const person = createPerson();
    const { correct, runTarget, lastSent } = await openRejected(person, channel());
    const { title, menus } = await correct("cowboy", "OVA 2");
    expect(title).toBe("Which of these anime is it?");
    const options = menus[0]?.options ?? [];
    expect(options.map(({ label }) => label)).toEqual(["Cowboy Bebop", "Cowboy Show", "Another one: cowboy"]);
    expect(await runTarget(options[1]?.target)).toMatchObject({ kind: "update", reply: { menus: [] } });
    expect(lastSent()).toMatchObject({ rank: 0, correctedAnimeId: "b", correctedEpisode: "OVA 2" });
    await runTarget(options[2]?.target);
    expect(lastSent()).toMatchObject({ rank: 0, correction: "cowboy", correctedEpisode: "OVA 2" });
    expect(await runTarget(`${options[1]?.target}7`)).toMatchObject({ kind: "notice" });
  });

  test("only the requester corrects a result", async () => {
    const { correct, lastSent } = await openRejected(createPerson());
    const before = lastSent();
    expect(textOf(await correct("Cowboy Bebop", "5", createPerson()))).toMatch(/^Only the person who asked/);
    expect(lastSent()).toEqual(before);
  });
});
