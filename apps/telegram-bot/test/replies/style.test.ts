import type { Button, Reply } from "@koma/bot-core";
import { makeButton, makeMatch, makeReply } from "@koma/bot-core/testing/replies";
import { type Fake, openFake } from "@koma/fake-telegram";
import { createTranslator, type Language } from "@koma/messages";
import { Api } from "grammy";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSender } from "../../src/responses/sender.ts";
import { makeButtons, makeMenu, makePreview } from "../fixtures/replies.ts";

const languages = ["en", "ja"] as const;
const normal = (text: string) => ({ style: "normal" as const, spans: [{ text }] });
const engines = ["SauceNAO", "trace.moe", "iqdb", "ascii2d", "Google Lens"].map((label) =>
  makeButton({ action: "open", label, target: undefined, url: "https://site.example/" }),
);
const longTitle =
  "Do You Love Your Mom and Her Two-Hit Multi-Target Attacks?: The Very Long Title of a Season That Nobody Ever Says Out Loud, with an Appendix & <Notes>";

let fake: Fake;
let still: Uint8Array;
beforeAll(async () => {
  fake = await openFake();
  const scene = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360"><defs><linearGradient id="g" x2="0" y2="1"><stop offset="0" stop-color="#f7b267"/><stop offset="1" stop-color="#5b5f97"/></linearGradient></defs><rect width="640" height="360" fill="url(#g)"/><circle cx="470" cy="130" r="60" fill="#fff3d6"/><path d="M0 300 L160 180 L280 270 L400 200 L640 320 V360 H0Z" fill="#2e294e"/></svg>`;
  still = new Uint8Array(await sharp(Buffer.from(scene)).jpeg().toBuffer());
});
afterAll(async () => {
  expect(fake.violations).toEqual([]);
  await fake.close();
});

async function open(language: Language) {
  const api = new Api(fake.token, { apiRoot: fake.apiUrl });
  const onError = (what: string, error: unknown) => {
    throw new Error(`${what}: ${String(error)}`);
  };
  const person = fake.createUser({ name: "Ann", language });
  await person.starts();
  const works: Promise<void>[] = [];
  const background = (_name: string, work: () => Promise<void>) => void works.push(work());
  const sender = createSender({ api, username: fake.bot.username, onError, background });
  /** Sends a reply, and returns its message with the preview that is added later. */
  const send = async (...args: Parameters<typeof sender.send>) => {
    await sender.send(...args);
    await Promise.all(works);
    const sent = person.direct.messages.at(-1);
    if (sent === undefined) throw new Error("There is no message.");
    return sent;
  };
  return { person, send };
}

describe.each(languages)("%s", (language) => {
  const translator = createTranslator(language);
  const { t } = translator;
  const episodeLine = t("scene.episode", { number: "3" });

  test("scenes: usual, long, without an episode, without a preview, as a spoiler", async () => {
    const { person, send } = await open(language);
    const requested = await person.sends(person.direct, { photo: still });
    const cards = [
      makeMatch({ episodeLine, rank: 2 }),
      makeMatch({
        title: longTitle,
        subtitle: `${longTitle} · ${longTitle}`,
        episodeLine,
        notes: [t("scene.mirrored")],
      }),
      makeMatch({ episodeLine: undefined, rank: 5 }),
      makeMatch({ isConfident: false, similarityLine: "Perhaps just a look-alike · 41.2%" }),
      makeMatch({ episodeLine, hasSpoiler: true }),
    ];
    for (const [index, match] of cards.entries()) {
      const hasPreview = index !== 3;
      const preview = hasPreview
        ? makePreview(still, { key: String(index), hasSpoiler: match.hasSpoiler })
        : undefined;
      const isUnsure = !match.isConfident;
      const reply = makeReply({
        kind: isUnsure ? "uncertain" : "match",
        language,
        title: match.title,
        match,
        preview,
        lines: isUnsure ? [{ style: "normal", spans: [{ text: t("reply.uncertain.shown") }] }] : [],
        buttons: makeButtons(language, match),
      });
      const to = { chatId: person.id, replyTo: requested.id, isShared: false };
      const sent = await send(reply, to);
      expect(sent.text.length).toBeLessThanOrEqual(1024);
      expect(sent.media?.kind).toBe(hasPreview ? "photo" : undefined);
    }
  });

  test("feedback: the next candidate after a wrong one, and no candidate left", async () => {
    const { person, send } = await open(language);
    const next = makeMatch({ episodeLine, rank: 2, count: 2 });
    const last = makeMatch({ episodeLine, rank: 2, count: 2, confirmation: "none" });
    for (const [match, text, links] of [
      [next, t("reply.wrong.next"), []],
      [last, t("reply.wrong.last"), engines],
    ] as const) {
      const buttons = [...makeButtons(language, match), [...links]];
      const preview = makePreview(still, { key: text });
      const reply = makeReply({ kind: "match", language, title: match.title, match, preview, buttons });
      const sent = await send({ ...reply, lines: [normal(text)] }, { chatId: person.id, isShared: false });
      expect([sent.media?.kind, sent.text]).toEqual(["photo", expect.stringContaining(text)]);
    }
  });

  test("the longest possible texts", async () => {
    const { person, send } = await open(language);
    const long = "長い&<".repeat(2_000);
    const match = makeMatch({ title: long, subtitle: long, episodeLine: long, notes: [long] });
    const to = { chatId: person.id, isShared: false };
    const captioned = await send(makeReply({ match, preview: makePreview(still) }), to);
    expect(captioned.media?.kind).toBe("photo");
    expect(captioned.text.length).toBeLessThanOrEqual(1024);
    const lines = [{ style: "quiet" as const, spans: [{ text: long }] }];
    const sent = await send(makeReply({ title: long, lines }), to);
    expect(sent.text.length).toBeLessThanOrEqual(4096);
  });

  test("other replies", async () => {
    const { person, send } = await open(language);
    const quiet = (text: string) => ({ style: "quiet" as const, spans: [{ text }] });
    const at = new Date(Date.now() + 6 * 3_600_000);
    const button = (action: Button["action"], label: string, url?: string) =>
      makeButton({ action, label, url, target: url === undefined ? "x" : undefined });
    const buttons = [[button("more", t("button.more")), button("delete", t("button.delete"))]];
    const code = { style: "normal" as const, spans: [{ text: "ABCD-EFGH", style: "code" as const }] };
    const parts: readonly Partial<Reply>[] = [
      {
        kind: "uncertain",
        title: t("scene.outcome.uncertain.title"),
        lines: [normal(t("scene.outcome.uncertain.text")), quiet(t("reply.tip"))],
        buttons,
      },
      {
        kind: "none",
        title: t("scene.outcome.notInLibrary.title"),
        lines: [normal(t("scene.outcome.notInLibrary.text")), quiet(t("reply.tip"))],
        buttons: [...buttons, engines],
      },
      {
        kind: "quota",
        title: t("reply.guestLimit.title"),
        lines: [normal(t("reply.guestLimit.text")), quiet(t("error.againAt", { at }))],
        buttons: [[button("link", t("button.link"))]],
      },
      {
        kind: "link",
        title: t("link.title"),
        lines: [normal(t("link.text")), code],
        buttons: [[button("open", t("button.approve"), "https://koma.example/link")]],
      },
      {
        kind: "settings",
        title: t("settings.title"),
        menus: [
          makeMenu(t("settings.language.label"), [t("settings.language.automatic"), "English", "日本語"]),
          makeMenu(t("settings.preview.label"), [t("settings.preview.clip"), t("settings.preview.still")]),
        ],
      },
      {
        kind: "list",
        title: t("reply.rankings.title"),
        lines: [{ style: "item", spans: [{ text: `1. ${longTitle}`, style: "strong" }, { text: " · 3" }] }],
        menus: [makeMenu("p", ["daily", "weekly", "monthly", "yearly", "all"], 4)],
      },
    ];
    const replies = parts.map((part) => makeReply({ language, ...part }));
    for (const reply of replies) await send(reply, { chatId: person.id, isShared: false });
    const settings = replies.find(({ kind }) => kind === "settings") ?? makeReply();
    await send(settings, { chatId: person.id, isShared: false, openMenu: 0 });
  });
});
