import type { BotTranslator } from "@koma/messages";
import type { Line, Reply, ReplyKind } from "../model/reply.ts";
import type { Image, LookupRequest, Requester } from "../model/request.ts";
import { type FairQueue, QueueClosedError } from "../queue.ts";
import { actionButton, buildReply, line } from "../replies/build-reply.ts";
import { writeTarget } from "../replies/targets.ts";
import type { Album, Albums } from "../results/albums.ts";
import type { ResultReplies } from "../results/result-reply.ts";
import type { SavedResults } from "../results/saved-results.ts";
import type { Shared } from "../shared.ts";

/** The maximum number of images that one request searches. */
export const albumLimit = 10;
/** The time between two changes of the message that shows the outcomes so far. */
const progressMs = 2_000;
const buttonsPerRow = 5;

/** The outcome of each image; undefined: it is not searched yet. */
type Outcomes = (Reply | undefined)[];

/** Searches several images of one request. */
export type AlbumLookup = ReturnType<typeof createAlbumLookup>;

export function createAlbumLookup(
  { translatorFor, tagOf, guard }: Shared,
  parts: { queue: FairQueue; saved: SavedResults; albums: Albums; replies: ResultReplies },
) {
  const { queue, saved, albums, replies } = parts;

  return {
    record,

    /**
     * Searches the images one after the other, each in its own turn of the person, and returns the list of
     * their outcomes. A problem that all images would have ends the search: that of the first image is the
     * reply itself. Throws QueueFullError.
     */
    async search(
      request: LookupRequest & { images: readonly Image[] },
      isPrivate: boolean,
      find: (image: Image, album: Album, index: number) => Promise<Reply>,
    ): Promise<Reply> {
      const { person, requestId, options = {} } = request;
      const images = request.images.slice(0, albumLimit);
      const album = await albums.save(person, requestId, images, options);
      const outcomes: Outcomes = images.map(() => undefined);
      const translator = await translatorFor({ ...request, isPrivate });
      const write = (isDone: boolean) =>
        writeList(
          request,
          { album, outcomes, isPrivate, isDone, isCut: images.length < request.images.length },
          translator,
        );
      const progress = startProgress(request, album, { outcomes, write: () => write(false) });
      try {
        for (const [index, image] of images.entries()) {
          const reply = await inTurn(request, index, () => find(image, album, index));
          if (reply === undefined) break;
          outcomes[index] = reply;
          if (index === 0 && commonProblems.has(reply.kind)) return reply;
          if (commonProblems.has(reply.kind)) break;
        }
        await record(album, outcomes);
        return write(true);
      } finally {
        await progress.end();
      }
    },

    /** The list of the outcomes so far, after one of the images was opened. */
    async list(
      request: Requester & { isPrivate?: boolean | undefined },
      album: Album,
      isPrivate: boolean,
    ): Promise<Reply> {
      const view = { ...request, isPrivate, isAlone: request.isPrivate };
      const outcomes = await Promise.all(
        album.pictures.map(async (_, index): Promise<Reply | undefined> => {
          const { resultId, title } = album.outcomes[index] ?? {};
          const result = resultId === undefined ? undefined : await saved.find(resultId);
          if (result !== undefined) return await replies.show(result, view);
          if (title === undefined) return undefined;
          return buildReply(await translatorFor({ ...request, isPrivate }), request.person, {
            kind: "failure",
            title,
          });
        }),
      );
      const translator = await translatorFor({ ...request, isPrivate });
      return writeList(request, { album, outcomes, isPrivate, isDone: true, isCut: false }, translator);
    },
  };

  /** The reply about one image; undefined if the bot stops before it. */
  async function inTurn(
    { person, chat }: Requester,
    index: number,
    find: () => Promise<Reply>,
  ): Promise<Reply | undefined> {
    const work = () => guard({ person, chat }, find);
    if (index === 0) return await queue.run(person.id, work);
    try {
      return await queue.runAfterAll(person.id, work);
    } catch (error) {
      if (error instanceof QueueClosedError) return undefined;
      throw error;
    }
  }

  /**
   * Shows the outcomes so far from time to time, each change after the one before. Telegram rejects an edit that
   * changes nothing.
   */
  function startProgress(
    { onProgress }: LookupRequest,
    album: Album,
    { outcomes, write }: { outcomes: Outcomes; write: () => Reply },
  ) {
    let showing: Promise<void> | undefined;
    let shown: number | undefined;
    let isStored = false;
    const show = async () => {
      const known = outcomes.filter((outcome) => outcome !== undefined).length;
      if (known === shown) return;
      shown = known;
      const message = await onProgress?.(write());
      if (message === undefined || isStored) return;
      isStored = true;
      await albums.record(album, new Map(), message);
    };
    const timer = setInterval(() => {
      showing ??= show()
        .catch(() => undefined)
        .finally(() => {
          showing = undefined;
        });
    }, progressMs);
    return {
      async end(): Promise<void> {
        clearInterval(timer);
        await showing;
      },
    };
  }

  /** Records what was found, so that the list can be shown again. */
  async function record(album: Album, outcomes: Outcomes): Promise<void> {
    const known = outcomes.flatMap((reply, index) => {
      if (reply === undefined) return [];
      const { resultId, title } = reply;
      return [[index, resultId === undefined ? { title } : { resultId }] as const];
    });
    await albums.record(album, new Map(known));
  }

  function writeList(
    { person }: Requester,
    {
      album,
      outcomes,
      isPrivate,
      isDone,
      isCut,
    }: { album: Album; outcomes: Outcomes; isPrivate: boolean; isDone: boolean; isCut: boolean },
    translator: BotTranslator,
  ): Reply {
    const { t } = translator;
    const problem = outcomes.find((reply) => reply !== undefined && commonProblems.has(reply.kind));
    const tag = tagOf(person.id);
    const numbers = outcomes.map((_, index) =>
      actionButton("image", String(index + 1), writeTarget("a", album.id, index, tag)),
    );
    const rows = Array.from({ length: Math.ceil(numbers.length / buttonsPerRow) }, (_, row) =>
      numbers.slice(row * buttonsPerRow, (row + 1) * buttonsPerRow),
    );
    return buildReply(translator, person, {
      kind: "choice",
      isPrivate,
      title: t("reply.album.title", { count: outcomes.length }),
      lines: [
        ...outcomes.map((reply, index) => describeOutcome(reply, index, translator)),
        ...(problem?.lines ?? []),
        ...(isCut ? [line(t("reply.album.first", { count: albumLimit }), "quiet")] : []),
      ],
      // An image that is opened during the search would be replaced by the next change of the list.
      buttons: isDone
        ? [
            ...rows,
            ...(problem?.buttons ?? []),
            [actionButton("delete", t("button.delete"), writeTarget("d", tag))],
          ]
        : [],
      retryAt: problem?.retryAt,
    });
  }
}

/** Number, title, episode, time and similarity of what an image shows, or the words of its outcome. */
function describeOutcome(reply: Reply | undefined, index: number, { t }: BotTranslator): Line {
  const number = { text: `${index + 1}. ` };
  const { match, title } = reply ?? {};
  if (match === undefined) {
    const text = reply === undefined ? t("reply.album.open") : (title ?? "");
    return { style: "item", spans: [number, { text }] };
  }
  const { episodeLine, timeLine, similarityLine, hasSpoiler: isHidden } = match;
  const where = [episodeLine, timeLine].filter((part) => part !== undefined).join(" · ");
  return {
    style: "item",
    spans: [
      number,
      { text: match.title, style: "strong", isHidden },
      { text: ` · ${where}`, isHidden },
      { text: ` · ${similarityLine}` },
    ],
  };
}

/** Problems that the further images of a request would have too. */
const commonProblems: ReadonlySet<ReplyKind> = new Set([
  ...(["quota", "limit", "busy", "offline", "not-ready"] as const),
  ...(["not-allowed", "unlinked"] as const),
]);
