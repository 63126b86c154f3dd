import type { Reply, ReplyKind } from "../model/reply.ts";
import type { ActionRequest, Image, LookupRequest, Requester } from "../model/request.ts";
import { type FairQueue, QueueFullError } from "../queue.ts";
import { actionButton, line } from "../replies/build-reply.ts";
import { writeTarget } from "../replies/targets.ts";
import type { Album, Albums } from "../results/albums.ts";
import type { ResultReplies } from "../results/result-reply.ts";
import type { ResultView } from "../results/result-view.ts";
import type { SavedResults } from "../results/saved-results.ts";
import type { Shared } from "../shared.ts";
import { type AlbumLookup, albumLimit } from "./album-lookup.ts";
import { createRepeatedProblems } from "./repeated-problems.ts";
import type { Search, SearchRequest } from "./search.ts";

/** Runs lookup requests. */
export type Lookup = ReturnType<typeof createLookup>;

type WithoutSubject = Omit<LookupRequest, "subject">;
type Seen = Pick<ResultView, "isAlone">;

/** Problems that each further image of a person would have too. */
const limits: ReadonlySet<ReplyKind> = new Set(["quota", "limit"]);

/** A placeholder in the text for channels, which become separate spans. */
const channelsMark = "\u0000";

export function createLookup(
  { platform, settings, translatorFor, guard, replyPrivately, fetchImage, tagOf, measure, now, log }: Shared,
  parts: {
    queue: FairQueue;
    saved: SavedResults;
    albums: Albums;
    albumLookup: AlbumLookup;
    replies: ResultReplies;
    search: Search;
  },
) {
  const { queue, saved, albums, albumLookup, replies, search } = parts;
  const repeatedProblems = createRepeatedProblems({ now });

  return {
    /** Returns one reply per request; never throws. */
    async lookup(request: LookupRequest): Promise<Reply> {
      const { subject } = request;
      const isAlbum = "images" in subject && subject.images.length > 1;
      const reply = isAlbum ? await findAll(request, subject.images) : await findFirst(request);
      if (reply.isRepeatedProblem === true) return reply;
      return reply.isTemporary === true ? await withRetry(reply, request) : reply;
    },

    /** Looks up the first of several images; the others are searched when they are opened. */
    findFirst,

    /** Shows the outcomes of several images again. */
    async list(request: ActionRequest, album: Album): Promise<Reply> {
      const { isPrivate } = await settings.audienceAt(request.chat);
      return await guard(request, () => albumLookup.list(request, album, isPrivate));
    },

    /** Shows one of several images. It is searched unless it has a result. */
    async choose(request: WithoutSubject & Seen, album: Album, index: number): Promise<Reply> {
      const { options } = album;
      const reply = await respond({ ...request, options }, async (isPrivate) => {
        const { resultId } = album.outcomes[index] ?? {};
        const known =
          (resultId === undefined ? undefined : await saved.find(resultId)) ??
          (await saved.findInAlbum(album.id, index));
        if (known !== undefined) {
          await search.refuseBlocked(request);
          // An image that was searched before can belong to another album.
          const result = { ...known, albumId: album.id, albumIndex: index };
          return await replies.show(result, { ...request, isPrivate, album });
        }
        const { reference = "", address, hasSpoiler } = album.pictures[index] ?? {};
        const searchRequest = { ...request, options, album: { id: album.id, index } };
        if (address !== undefined)
          return await find({ ...searchRequest, address, hasSpoiler }, isPrivate, album);
        const image = await fetchImage?.(reference).catch(() => undefined);
        if (image === undefined) return await replyGone(request);
        return await find({ ...searchRequest, image }, isPrivate, album);
      });
      if (reply.resultId !== undefined) await albumLookup.record(album, nameOutcome(reply, index));
      return reply.isTemporary === true ? await addRetryButton(reply, request, album, index) : reply;
    },
  };

  async function findFirst(request: LookupRequest): Promise<Reply> {
    const { subject, options = {} } = request;
    return await respond(request, async (isPrivate) => {
      // A new message has the privacy that the settings intend.
      const searchRequest = { ...request, isAlone: isPrivate };
      if (!("images" in subject)) return await find({ ...searchRequest, ...subject }, isPrivate);
      const { images } = subject;
      const [image] = images;
      if (image === undefined) return await replyGone(request);
      if (images.length === 1) return await find({ ...searchRequest, image }, isPrivate);
      const shown = images.slice(0, albumLimit);
      const album = await albums.save(request.person, request.requestId, shown, options);
      const reply = await find(
        { ...searchRequest, image, album: { id: album.id, index: 0 } },
        isPrivate,
        album,
      );
      await albumLookup.record(album, [reply]);
      return reply;
    });
  }

  async function findAll(request: LookupRequest, images: readonly Image[]): Promise<Reply> {
    const work = (isPrivate: boolean) =>
      albumLookup.search({ ...request, images }, isPrivate, (image, album, index) => {
        const requestId = `${request.requestId}#${index}`;
        const position = { id: album.id, index };
        return find({ ...request, requestId, image, album: position, isAlone: isPrivate }, isPrivate, album);
      });
    return await respond(request, work, { takesTurn: false });
  }

  /** The reply with a button that repeats the request, if its images can be fetched again. */
  async function withRetry(reply: Reply, request: LookupRequest): Promise<Reply> {
    const { person, requestId, subject, options = {} } = request;
    const images = "images" in subject ? subject.images : ["image" in subject ? subject.image : subject];
    try {
      const album = await albums.save(person, requestId, images, options);
      const [first] = album.pictures;
      const isFetchable = first?.reference !== undefined || first?.address !== undefined;
      return isFetchable ? await addRetryButton(reply, request, album, 0) : reply;
    } catch (error) {
      log("warn", `A request cannot be repeated: ${error instanceof Error ? error.name : "unknown"}`);
      return reply;
    }
  }

  async function addRetryButton(
    reply: Reply,
    { person, chat }: Requester,
    album: Album,
    index: number,
  ): Promise<Reply> {
    const { t } = await translatorFor({ person, chat, isPrivate: true });
    const target = writeTarget("t", album.id, index, tagOf(person.id));
    return { ...reply, buttons: [...reply.buttons, [actionButton("retry", t("button.retry"), target)]] };
  }

  async function find(
    searchRequest: SearchRequest & Seen,
    isPrivate: boolean,
    album?: Album,
  ): Promise<Reply> {
    const { person, chat, isAlone } = searchRequest;
    const { result, isRepeated, isSmallPreview = false } = await search.find(searchRequest);
    // An image that was searched before can belong to another album.
    const { albumId = null, albumIndex = null } =
      searchRequest.album === undefined
        ? {}
        : { albumId: searchRequest.album.id, albumIndex: searchRequest.album.index };
    const reply = await replies.show(
      { ...result, albumId, albumIndex },
      { person, chat, isPrivate, isAlone, isRepeated, album, isNew: !isRepeated },
    );
    if (!isSmallPreview) return reply;
    const { t } = await translatorFor({ person, chat, isPrivate });
    return { ...reply, lines: [...reply.lines, line(t("reply.smallPreviewRead"), "quiet")] };
  }

  /** Runs `work` when it is the person's turn, unless its parts take their own turns. */
  async function respond(
    request: WithoutSubject,
    work: (isPrivate: boolean) => Promise<Reply>,
    { takesTurn = true } = {},
  ): Promise<Reply> {
    const startedMs = performance.now();
    const { person, chat, options } = request;
    const there = await settings.audienceAt(chat);
    const isPrivate = options?.isPrivate === true || there.isPrivate;
    let isQueueFull = false;
    const inTurn = () =>
      (takesTurn ? queue.run(person.id, () => work(isPrivate)) : work(isPrivate)).catch((error: unknown) => {
        isQueueFull = error instanceof QueueFullError;
        throw error;
      });
    const reply = await guard({ person, chat }, () => serve(request, there, inTurn));
    measure({ name: "lookup", label: reply.kind, seconds: (performance.now() - startedMs) / 1000 });
    const problem = isQueueFull ? "queue" : limits.has(reply.kind) ? reply.kind : undefined;
    const isRepeatedProblem = problem !== undefined && repeatedProblems.isRepeated(person.id, problem);
    return isRepeatedProblem ? { ...reply, isRepeatedProblem } : reply;
  }

  async function serve(
    request: WithoutSubject,
    { isServed, channels }: { isServed: boolean; channels: readonly string[] },
    work: () => Promise<Reply>,
  ): Promise<Reply> {
    if (!isServed) return await replyNotHere(request, channels);
    return (await settings.permits(request.chat)) ? await work() : await replyNotPermitted(request);
  }

  /** A private reply that names the allowed channels. */
  function replyNotHere(request: Requester, channels: readonly string[]): Promise<Reply> {
    const named = channels.slice(0, 10).map((channelId, index) => ({
      text: `#${index + 1}`,
      channelId,
      ...(platform === "discord" && { url: `https://discord.com/channels/${request.chat.id}/${channelId}` }),
    }));
    return replyPrivately(request, ({ t }, build) => {
      const [before, after = ""] = t("reply.notHere.text", { channels: channelsMark }).split(channelsMark);
      const spans = [{ text: before ?? "" }, ...named.flatMap((span) => [span, { text: " " }])];
      return build({
        kind: "not-allowed",
        title: t("reply.notHere.title"),
        lines: [{ spans: [...spans, { text: after }], style: "normal" }],
      });
    });
  }

  /** A private reply to a member without one of the chosen roles. */
  function replyNotPermitted(request: Requester): Promise<Reply> {
    return replyPrivately(request, ({ t }, build) =>
      build({
        kind: "not-allowed",
        title: t("reply.otherRoles.title"),
        lines: [line(t("reply.otherRoles.text"))],
      }),
    );
  }

  function replyGone(request: Requester): Promise<Reply> {
    return replyPrivately(request, ({ t }, build) =>
      build({
        kind: "unreadable",
        title: t("reply.downloadFailed.title"),
        lines: [line(t("reply.downloadFailed.text"))],
      }),
    );
  }
}

/** The outcomes of an album of which only one is known. */
function nameOutcome(reply: Reply, index: number): (Reply | undefined)[] {
  return [...Array.from({ length: index }, () => undefined), reply];
}
