import {
  Anime,
  Confirmation,
  Credits,
  LibraryAnimeList,
  Quota,
  SceneRankings,
  UserSearchList,
} from "@koma/contract";
import { expect, test } from "vitest";
import type { ActionRequest, Chat, Reply } from "../src/index.ts";
import {
  channel,
  createPerson,
  describeWithStore,
  direct,
  imageOf,
  newRequest,
  runTarget,
} from "./fixtures/describe-core.ts";
import { exampleOf, exampleSearch, openScriptedApi, textsOf } from "./fixtures/scripted-api.ts";

const bebop = exampleOf(Anime);
const other = (id: string, title: string, changes: Partial<Anime> = {}): Anime => ({
  ...bebop,
  ...{ id, anilistId: null, malId: null, coverPath: null, links: [], ...changes },
  title: { romaji: title, english: null, native: null },
});
const library = [bebop, other("b", "Cowboy Show"), other("c", "Cowboy Nights", { isAdult: true })];

describeWithStore("information", (open) => {
  async function openInfoCore() {
    const api = await openScriptedApi((request) => {
      const url = new URL(request.split(" ")[1] ?? "", "http://api");
      const { pathname } = url;
      if (pathname === "/api/library") return { body: exampleOf(LibraryAnimeList) };
      if (pathname === "/api/anime/rankings/scenes") return { body: exampleOf(SceneRankings) };
      if (pathname === "/api/user/searches") return { body: exampleOf(UserSearchList) };
      if (pathname === "/api/user/anime-credits") return { body: exampleOf(Credits) };
      if (pathname === "/api/anime/quota") return { body: exampleOf(Quota) };
      if (pathname === "/api/anime/search") return { body: exampleSearch() };
      if (pathname.endsWith("/confirm")) return { body: exampleOf(Confirmation) };
      if (pathname !== "/api/anime") return { code: "not_found" };
      const [query = "", id] = [
        url.searchParams.get("query")?.toLowerCase(),
        url.searchParams.get("animeId"),
      ];
      const fits = ({ title, ...anime }: Anime) =>
        id === null ? title.romaji?.toLowerCase().includes(query) : anime.id === id;
      return { body: { items: library.filter(fits) } };
    });
    return await open().openCore({ apiUrl: api.url });
  }

  test("/anime shows what is known of an anime, and its most looked-up moments", async () => {
    const core = await openInfoCore();
    const reply = await core.anime({ person: createPerson(), chat: channel(), title: " cowboy bebop " });
    expect(reply).toMatchObject({ kind: "list", title: "Cowboy Bebop", isPrivate: false });
    expect(textsOf(reply)).toEqual([
      "カウボーイビバップ",
      "TV series · 1998 · Sunrise",
      "26 episodes in this library",
      "Most looked-up moments of the last 30 days",
      "Episode 3 · 12:34 · 4 searches",
    ]);
    expect(reply.buttons.flat().map(({ label, url }) => [label, url?.split("/")[2]])).toEqual([
      ["Crunchyroll", "www.crunchyroll.com"],
      ["AniList", "anilist.co"],
      ["MyAnimeList", "myanimelist.net"],
      ["Delete", undefined],
    ]);
    expect(reply.preview).toMatchObject({ variant: "still", key: expect.stringContaining("cover.") });
  });

  test("/anime offers several, hides those for adults, and names similar ones for an unknown title", async () => {
    const core = await openInfoCore();
    const person = createPerson();
    const find = (title: string, chat: Chat = channel()) => core.anime({ person, chat, title });
    const several = await find("cowboy");
    const labelsOf = ({ menus }: Reply) => menus[0]?.options.map(({ label }) => label);
    expect([several.title, labelsOf(several)]).toEqual([
      "Which anime do you mean?",
      ["Cowboy Bebop", "Cowboy Show"],
    ]);
    expect(labelsOf(await find("cowboy", direct))).toContain("Cowboy Nights");
    const target = several.menus[0]?.options[1]?.target ?? "";
    const choose = (chooser = person) =>
      core.runAction({ person: chooser, chat: channel(), target, requestId: newRequest() });
    expect(await choose()).toMatchObject({ kind: "update", reply: { title: "Cowboy Show" } });
    expect(await choose(createPerson())).toMatchObject({ kind: "notice" });
    const unknown = await find("Cowboy Bepop");
    expect([unknown.title, ...textsOf(unknown)]).toEqual([
      "I don't know this anime",
      "No title in this library contains “Cowboy Bepop”.",
      "These are similar:",
    ]);
    expect(labelsOf(unknown)).toEqual(["Cowboy Bebop", "Cowboy Show"]);
    expect((await find("xyz")).menus).toEqual([]);
    expect((await find("")).title).toContain("behind the command: /anime");
  });

  test("/history lists the searches of this bot, or those of the account", async () => {
    const core = await openInfoCore();
    const person = createPerson();
    const history = async () => await core.history({ person, chat: channel() });
    expect(textsOf(await history())[0]).toBe("You haven't searched for anything lately.");
    const subject = { image: imageOf(new Uint8Array([0xff, 0xd8, 0xff, 0xe0])) };
    await core.lookup({ person, chat: direct, subject, requestId: newRequest() });
    const own = await history();
    expect(own).toMatchObject({ isPrivate: true, title: "Your latest searches" });
    expect(textsOf(own)[0]).toMatch(/^Cowboy Bebop · Episode 3 · 12:34 · /);
    expect(textsOf(own)[1]).toContain("in the last 24 hours");
    await core.pasteKey({ person, chat: direct, key: `koma_${"aB3".repeat(17)}x` });
    const account = await history();
    expect(textsOf(account)).toEqual([expect.stringMatching(/^Cowboy Bebop · Episode 3 · 12:34 · /)]);
    expect(account.buttons).toEqual([]);
  });

  test("/top counts what members confirm in public, once its managers chose it, until they forget it", async () => {
    const core = await openInfoCore();
    const chat = channel();
    const [person, manager] = [createPerson(), createPerson()];
    const top = async () => await core.top({ person, chat });
    const run = async (
      button: { target?: string | undefined } | undefined,
      changes: Partial<ActionRequest> = {},
    ) => await runTarget(core, { person, chat }, button?.target ?? "", { ...changes });
    let images = 0;
    async function confirm(changes: Partial<ActionRequest> = {}) {
      images += 1;
      const subject = { image: imageOf(new Uint8Array([0xff, 0xd8, 0xff, 0xe0, images])) };
      const found = await core.lookup({ person, chat, subject, requestId: newRequest() });
      const result = await run(
        found.buttons.flat().find(({ action }) => action === "right"),
        changes,
      );
      if (result.kind !== "update") throw new Error(`It is ${result.kind}.`);
      return result.reply;
    }
    async function turn(label: "On" | "Off") {
      const managed = { person: manager, chat: { ...chat, isManagedByRequester: true } };
      const { menus } = await core.settings({ ...managed, scope: "place" });
      const menu = menus.find((one) => one.label.startsWith("/top"));
      expect(menu?.options.find(({ isChosen }) => isChosen)?.label).toBe(label === "On" ? "Off" : "On");
      await run(
        menu?.options.find((one) => one.label === label),
        managed,
      );
    }
    await confirm();
    expect((await top()).title).toContain("This list is off");
    await turn("On");
    expect(textsOf(await top())[0]).toContain("No scene was confirmed here recently");
    await confirm({ isPrivate: true });
    await confirm();
    const last = await confirm();
    expect(textsOf(await top())).toEqual([
      "1. Cowboy Bebop · 2 finds",
      "Of the last 90 days, without names.",
    ]);
    await run(last.buttons.flat().find(({ action }) => action === "wrong"));
    expect(textsOf(await top())[0]).toBe("1. Cowboy Bebop · 1 find");
    expect((await core.top({ person, chat: direct })).title).toContain("several people");
    await core.forget({ person, chat, isConfirmed: true });
    expect(textsOf(await top())[0]).toContain("No scene was confirmed here");
    await confirm();
    await turn("Off");
    await turn("On");
    expect(textsOf(await top())[0]).toContain("No scene was confirmed here");
  });
});
