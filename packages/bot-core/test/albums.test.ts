import { afterEach, expect, test, vi } from "vitest";
import type { ActionResult, BotCore, Image, LookupRequest, Reply } from "../src/index.ts";
import {
  channel,
  createPerson,
  describeWithStore,
  direct,
  imageOf,
  newRequest,
} from "./fixtures/describe-core.ts";
import { exampleSearch, openScriptedApi, textsOf } from "./fixtures/scripted-api.ts";

afterEach(() => {
  vi.useRealTimers();
});

const found = "Cowboy Bebop · Episode 3 · At 12:34 of 23:55 (12:32–12:36) · Almost certain · 97.3%";

/** Different images: files that the bot sends to the API as they are. */
function makeImages(count: number, changes: Partial<Image> = {}): Image[] {
  return Array.from({ length: count }, (_, index) =>
    imageOf(new Uint8Array([0xff, 0xd8, 0xff, 0xe0, index]), { reference: String(index), ...changes }),
  );
}

function replyOf(result: ActionResult): Reply {
  if (result.kind !== "update") throw new Error(`It is ${result.kind}.`);
  return result.reply;
}

describeWithStore("several images", (open) => {
  /** A core with an API of which the searches of these numbers fail. */
  async function openAlbumCore(
    fails: (search: number) => "guest_limit_reached" | "image_unreadable" | undefined,
  ) {
    let searches = 0;
    const api = await openScriptedApi((request) => {
      if (!request.startsWith("POST /api/anime/search")) return { code: "not_found" };
      searches += 1;
      const code = fails(searches);
      return code === undefined ? { body: { ...exampleSearch(), id: `search${searches}` } } : { code };
    });
    const images = makeImages(12);
    const fetchImage = async (reference: string) => images[Number(reference)];
    const openCore = () => open().openCore({ apiUrl: api.url, fetchImage });
    return { core: await openCore(), openCore, images, countSearches: () => searches };
  }

  function lookup(core: BotCore, request: Pick<LookupRequest, "subject"> & Partial<LookupRequest>) {
    return core.lookup({ person: createPerson(), chat: direct, requestId: newRequest(), ...request });
  }

  test("each has a line and a button that opens it, is searched once, and leads back", async () => {
    const { core, openCore, images, countSearches } = await openAlbumCore((search) =>
      search === 2 ? "image_unreadable" : undefined,
    );
    const request = { person: createPerson(), requestId: newRequest() };
    const subject = { images: images.slice(0, 3) };
    const list = await lookup(core, { ...request, subject });
    expect(list).toMatchObject({ kind: "choice", title: "There are 3 pictures here", isPrivate: false });
    const texts = [`1. ${found}`, "2. The picture seems to be damaged", `3. ${found}`];
    expect(textsOf(list)).toEqual(texts);
    expect(list.buttons.map((row) => row.map(({ label }) => label))).toEqual([["1", "2", "3"], ["Delete"]]);
    const click = (button = list.buttons[0]?.[0], person = request.person) =>
      core.runAction({ person, chat: direct, target: button?.target ?? "", requestId: newRequest() });
    expect(await click(list.buttons[0]?.[2], createPerson())).toMatchObject({ kind: "notice" });
    const third = replyOf(await click(list.buttons[0]?.[2]));
    expect(third).toMatchObject({ kind: "match", title: "Cowboy Bebop" });
    expect(textsOf(third)).toEqual(["Picture 3 of 3"]);
    expect(countSearches()).toBe(3);
    const back = third.buttons.flat().find(({ action }) => action === "images");
    expect(textsOf(replyOf(await click(back)))).toEqual(texts);
    // After a crash, another process repeats the request.
    const again = await lookup(await openCore(), { ...request, subject });
    expect([textsOf(again)[2], countSearches()]).toEqual([texts[2], 4]);
  });

  test("a limit in the middle ends the search, and the lines say so", async () => {
    const { core, images, countSearches } = await openAlbumCore((search) =>
      search > 1 ? "guest_limit_reached" : undefined,
    );
    const list = await lookup(core, { subject: { images: images.slice(0, 4) }, chat: channel() });
    expect(textsOf(list).slice(0, 4)).toEqual([
      `1. ${found}`,
      "2. Your free searches for today are used up",
      "3. Not searched yet",
      "4. Not searched yet",
    ]);
    expect(list.buttons.flat().map(({ action }) => action)).toContain("link");
    expect(countSearches()).toBe(2);
    const whole = await lookup(core, { subject: { images: images.slice(4, 6) } });
    expect(whole).toMatchObject({ kind: "quota", isPrivate: true });
  });

  test("ten are searched, spoilers are hidden, and images not addressed to the bot are one search", async () => {
    const { core, images, countSearches } = await openAlbumCore(() => undefined);
    const hidden = images.map((image) => ({ ...image, hasSpoiler: true }));
    const list = await lookup(core, { subject: { images: hidden } });
    expect(countSearches()).toBe(10);
    expect(textsOf(list)[10]).toBe("I search the first 10 pictures of a message.");
    expect(list.lines[0]?.spans.map(({ isHidden }) => isHidden)).toEqual([undefined, true, true, undefined]);
    const request = { person: createPerson(), chat: channel(), requestId: newRequest() };
    const automatic = await core.lookupAutomatically({ ...request, subject: { images } });
    expect([automatic?.kind, countSearches()]).toEqual(["match", 11]);
  });

  test("a message shows the outcomes so far, and another process finds it", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    const { core, openCore } = await openAlbumCore(() => undefined);
    const { promise: isRead, resolve: read } = Promise.withResolvers<Uint8Array>();
    const [first, second] = makeImages(2);
    if (first === undefined || second === undefined) throw new Error("There are two images.");
    const slow = { ...second, read: () => isRead };
    const shown: Reply[] = [];
    const requestId = newRequest();
    const searched = lookup(core, {
      requestId,
      subject: { images: [first, slow] },
      async onProgress(reply) {
        shown.push(reply);
        return { messageId: "7" };
      },
    });
    await vi.waitFor(async () => {
      vi.advanceTimersByTime(2_000);
      expect(shown.at(-1) && textsOf(shown.at(-1) as Reply)).toEqual([`1. ${found}`, "2. Not searched yet"]);
    });
    expect(shown[0]?.buttons).toEqual([]);
    const other = await openCore();
    await vi.waitFor(async () => {
      vi.advanceTimersByTime(2_000);
      expect(await other.findAlbumMessage(requestId)).toEqual({ messageId: "7" });
    });
    // Each interval has time to show something again.
    for (let interval = 0; interval < 3; interval++) {
      vi.advanceTimersByTime(2_000);
      await new Promise(setImmediate);
    }
    const texts = shown.map((reply) => textsOf(reply).join("\n"));
    expect(texts).toEqual([...new Set(texts)]);
    read(new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 9]));
    expect(textsOf(await searched)).toEqual([`1. ${found}`, `2. ${found}`]);
  });
});
