import type { Button, MatchCard, Reply } from "../../src/index.ts";

/** A reply with these fields only. */
export function makeReply(overrides: Partial<Reply> & { text?: string } = {}): Reply {
  const { text, ...reply } = overrides;
  return {
    kind: "text",
    isPrivate: false,
    language: "en",
    requesterId: "1",
    resultId: undefined,
    title: undefined,
    lines: text === undefined ? [] : [{ style: "normal", spans: [{ text }] }],
    match: undefined,
    preview: undefined,
    buttons: [],
    menus: [],
    retryAt: undefined,
    privately: undefined,
    ...reply,
  };
}

/** The card of a scene. */
export function makeMatch(overrides: Partial<MatchCard> = {}): MatchCard {
  return {
    rank: 1,
    count: 5,
    title: "Alpha Show",
    subtitle: "アルファ",
    workLine: "TV series · 1998",
    episodeLine: "Episode 3",
    timeLine: "12:34 of 23:40",
    similarityLine: "Almost certain · 97.3%",
    notes: [],
    isConfident: true,
    isAdult: false,
    hasSpoiler: false,
    confirmation: undefined,
    links: [
      { label: "AniList", url: "https://anilist.co/anime/1" },
      { label: "MyAnimeList", url: "https://myanimelist.net/anime/1" },
    ],
    ...overrides,
  };
}

/** A button of the core. */
export function makeButton(overrides: Partial<Button> = {}): Button {
  return {
    action: "next",
    label: "Next",
    target: "t.next",
    url: undefined,
    isDisabled: false,
    isActive: false,
    ...overrides,
  };
}
