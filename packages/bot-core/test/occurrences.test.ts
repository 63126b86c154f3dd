import { Match } from "@koma/contract";
import {
  createTranslator,
  describeOutcome,
  formatOccurrences,
  type Language,
  languages,
} from "@koma/messages";
import { expect, test } from "vitest";
import type { Platform } from "../src/model/request.ts";
import { createReplyWriters } from "../src/replies/reply-writers.ts";
import type { Previews } from "../src/results/previews.ts";
import { createResultReplies } from "../src/results/result-reply.ts";
import type { Result } from "../src/results/saved-results.ts";
import type { Shared } from "../src/shared.ts";

const episode = (number: number) => ({ season: null, number, title: null });
const occurrence = { episode: episode(4), from: 62, to: 66.5 };
const view = {
  person: { id: "1", displayName: "Ann" },
  chat: { kind: "direct", id: "1", isAgeRestricted: false } as const,
  isPrivate: false,
};

const exampleMatch = () => {
  const [example] = (Match.meta()?.examples ?? []) as unknown[];
  return Match.parse(example);
};

function resultOf(match: Match): Result {
  return {
    ...{ id: "result", platform: "discord", personKey: "person", requestKey: "request", page: 1 },
    ...{ pictureKey: null, fileKey: null, albumId: null, albumIndex: null, isOpened: false },
    ...{ confirmedRank: null, createdAt: new Date(0), expiresAt: new Date(0) },
    content: {
      ...{ searchId: "search", confirmToken: "token", matches: [match], remaining: 9 },
      ...{ preview: "none", isMuted: false, hasSpoiler: false, rejectedRanks: [] },
      ...{ isShared: false, showsImage: false },
    },
  };
}

function createReplies(language: Language = "en", platform: Platform = "discord") {
  const translator = createTranslator(language);
  const translatorFor = async () => translator;
  const shared = {
    platform,
    translatorFor,
    ...createReplyWriters({ settings: {} as Shared["settings"], translatorFor, guard: (_, work) => work() }),
    tagOf: () => "tag",
  } as unknown as Shared;
  const previews = { refresh: async (result: Result) => result, describe: () => undefined };
  return createResultReplies(shared, previews as unknown as Previews);
}

test("a match with other occurrences has a button, and the list names all of them", async () => {
  const match = { ...exampleMatch(), otherOccurrences: [occurrence] };
  const replies = createReplies();
  const reply = await replies.show(resultOf(match), view);
  expect(reply.match?.episodeLine).toBe("Episode 3, also 4");
  const button = reply.buttons.flat().find(({ action }) => action === "occurrences");
  expect(button).toMatchObject({ label: "Every episode with this shot", target: "o.result.1" });
  const list = await replies.listOccurrences(match, view);
  expect(list).toMatchObject({ isPrivate: true, title: "The same shot in Cowboy Bebop" });
  expect(list.lines.map(({ spans }) => spans[0]?.text)).toEqual([
    "Episode 3 · 12:32–12:36",
    "Episode 4 · 1:02–1:06",
  ]);
});

test("a match without other occurrences has no such button; its card names kind, year and studios", async () => {
  const example = exampleMatch();
  const coverPath = "/previews/cover/a/9f86d081884c7d65.webp";
  const anime = { ...example.anime, coverPath, studios: ["Sunrise", "Bandai", "Other"] };
  const match = { ...example, anime, imageUrl: "https://koma.example/app/previews/still/a/b/c/d.jpg" };
  const reply = await createReplies().show(resultOf(match), view);
  expect(reply.buttons.flat().map(({ action }) => action)).not.toContain("occurrences");
  expect(reply.match?.workLine).toBe("TV series · 1998 · Sunrise · Bandai");
  expect(reply.match?.coverUrl).toBe(`https://koma.example/app${coverPath}`);
  const local = { ...match, imageUrl: "http://127.0.0.1:3000/previews/still/a/b/c/d.jpg" };
  expect((await createReplies().show(resultOf(local), view)).match?.coverUrl).toBeUndefined();
});

test("a match without a video says so, one with a video does not", async () => {
  const match = exampleMatch();
  if (match.previewPaths === null) throw new Error("The example has no paths.");
  const imported = { ...match, videoUrl: null, previewPaths: { ...match.previewPaths, clips: null } };
  const notes = async (of: Match) => (await createReplies().show(resultOf(of), view)).match?.notes;
  expect(await notes(match)).toEqual([]);
  expect(await notes(imported)).toEqual([createTranslator("en").t("scene.noVideo")]);
});

test("a match of another service names it, with a link to a public address only", async () => {
  const example = { ...exampleMatch(), imageUrl: null, videoUrl: null, previewPaths: null };
  const show = async (url: string) => {
    const match = { ...example, source: { name: "trace.moe", url } };
    return (await createReplies().show(resultOf(match), view)).match;
  };
  const link = { label: "trace.moe", url: "https://trace.moe" };
  const card = await show(link.url);
  expect(card?.timeLine).toMatch(/ of \d/);
  expect(card?.notes).toContain("From trace.moe");
  expect(card?.links).toContainEqual(link);
  const local = await show("http://10.0.0.2:3000");
  expect(local?.notes).toContain("From trace.moe");
  expect(local?.links).toHaveLength((card?.links.length ?? 0) - 1);
});

test("the end of a scene of another service is not named as the duration of the video", async () => {
  const source = { name: "trace.moe", url: "https://trace.moe" };
  const match = { ...exampleMatch(), from: 60, timestamp: 62, to: 63, duration: 63, source };
  const card = (await createReplies().show(resultOf(match), view)).match;
  expect(card?.timeLine).toBe("At 1:02 (1:00–1:03)");
});

const platforms = ["discord", "telegram"] as const;
const chats = platforms.flatMap((platform) => languages.map((language) => [platform, language] as const));

test.each(chats)(
  "%s, %s: each outcome and the other episodes have the common words",
  async (platform, language) => {
    const translator = createTranslator(language);
    const replies = createReplies(language, platform);
    const unsure = { ...exampleMatch(), isConfident: false };
    const show = (outcome: "uncertain" | "not_in_library", matches: Match[]) => {
      const result = resultOf(unsure);
      return replies.show({ ...result, content: { ...result.content, outcome, matches } }, view);
    };
    for (const [outcome, matches, kind] of [
      ["uncertain", [unsure], "uncertain"],
      ["not_in_library", [unsure], "none"],
      ["not_in_library", [], "none"],
    ] as const) {
      const { title, text } = describeOutcome(translator, outcome);
      const reply = await show(outcome, [...matches]);
      expect(reply).toMatchObject({ kind, title, lines: [{ spans: [{ text }] }, {}] });
      expect(reply.buttons.flat().some(({ action }) => action === "more")).toBe(matches.length > 0);
    }
    const others = Array.from({ length: 11 }, (_, at) => ({ ...occurrence, episode: episode(at + 2) }));
    const first = { ...exampleMatch(), episode: episode(1), otherOccurrences: others };
    const { match } = await replies.show(resultOf(first), view);
    expect(match?.episodeLine).toBe(
      formatOccurrences(
        translator,
        episode(1),
        others.map((one) => one.episode),
      ),
    );
  },
);

test("the time names the part of the episode, in every language", async () => {
  const match = { ...exampleMatch(), label: "opening" as const };
  const named = await createReplies().show(resultOf(match), view);
  expect(named.match?.timeLine).toBe("At 12:34 of 23:55 (12:32–12:36) · Opening");
  const unnamed = await createReplies().show(resultOf(exampleMatch()), view);
  expect(unnamed.match?.timeLine).not.toContain("·");
  for (const language of languages) {
    const reply = await createReplies(language).show(resultOf(match), view);
    expect(reply.match?.timeLine).toMatch(/ · .+/);
  }
});
