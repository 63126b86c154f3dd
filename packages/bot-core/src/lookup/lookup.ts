import type { Context } from "../context.ts";
import type { Reply } from "../model/reply.ts";
import type { LookupRequest } from "../model/request.ts";
import type { FairQueue } from "../queue.ts";
import { buildReply, line, pressButton } from "../replies/build-reply.ts";
import type { Guard } from "../replies/guard.ts";
import { writeTarget } from "../replies/targets.ts";
import type { Album, Albums } from "../results/albums.ts";
import type { KeptResults } from "../results/kept-results.ts";
import type { ResultReplies, ResultView } from "../results/result-reply.ts";
import type { Search, SearchWish } from "./search.ts";

/** Answers wishes to find a scene. */
export type Lookup = ReturnType<typeof createLookup>;

type Asked = Omit<LookupRequest, "subject">;
type Seen = Pick<ResultView, "isAlone">;

/** Stands in a sentence for channels, which become spans of their own. */
const placesMark = "\u0000";

export function createLookup(
  context: Context,
  parts: {
    queue: FairQueue;
    kept: KeptResults;
    albums: Albums;
    replies: ResultReplies;
    search: Search;
    guard: Guard;
  },
) {
  const { platform, settings, speak, measure, tagOf } = context;
  const { queue, kept, albums, replies, search, guard } = parts;

  return {
    /** One reply for one request; never throws. */
    lookup: (request: LookupRequest): Promise<Reply> =>
      answer(request, async (isPrivate) => {
        const { subject, options = {} } = request;
        // A new message: it is as private as it is meant to be.
        const wish = { ...request, isAlone: isPrivate };
        if (!("pictures" in subject)) return await find({ ...wish, ...subject }, isPrivate);
        const { pictures, start } = subject;
        const [picture] = pictures;
        if (picture === undefined) return await sayGone(request);
        if (pictures.length === 1) return await find({ ...wish, picture }, isPrivate);
        const album = await albums.keep(request.person, request.requestId, pictures, options);
        if (start === "ask") return await askWhich(request, album, isPrivate);
        return await find({ ...wish, picture, album: { id: album.id, index: 0 } }, isPrivate, album);
      }),

    /** Another picture of several; searched when it is asked for the first time. */
    choose: (request: Asked & Seen, album: Album, index: number): Promise<Reply> =>
      answer({ ...request, options: album.options }, async (isPrivate) => {
        const known = await kept.findInAlbum(album.id, index);
        if (known !== undefined) return await replies.show(known, { ...request, isPrivate, album });
        const reference = album.pictures[index]?.reference ?? "";
        const picture = await context.options.fetchPicture?.(reference).catch(() => undefined);
        if (picture === undefined) return await sayGone(request);
        const wish = { ...request, options: album.options, picture, album: { id: album.id, index } };
        return await find(wish, isPrivate, album);
      }),
  };

  async function find(wish: SearchWish & Seen, isPrivate: boolean, album?: Album): Promise<Reply> {
    const { person, place, isAlone } = wish;
    const { result, isRepeated } = await search.find(wish);
    // A picture that was asked before has its own place elsewhere.
    const { albumId = null, albumIndex = null } =
      wish.album === undefined ? {} : { albumId: wish.album.id, albumIndex: wish.album.index };
    return await replies.show(
      { ...result, albumId, albumIndex },
      { person, place, isPrivate, isAlone, isRepeated, album },
    );
  }

  /** Runs `work` when it is the person's turn. */
  async function answer(request: Asked, work: (isPrivate: boolean) => Promise<Reply>): Promise<Reply> {
    const startedMs = performance.now();
    const { person, place, options, onQueued } = request;
    const there = await settings.audienceAt(place);
    const isPrivate = options?.isPrivate === true || there.isPrivate;
    const reply = await guard({ person, place }, () =>
      there.isServed
        ? queue.run(person.id, () => work(isPrivate), onQueued)
        : sayNotHere(request, there.channels),
    );
    measure({ name: "lookup", label: reply.kind, seconds: (performance.now() - startedMs) / 1000 });
    return reply;
  }

  async function askWhich({ person, place }: Asked, album: Album, isPrivate: boolean): Promise<Reply> {
    const speaker = await speak({ person, place, isPrivate });
    const { say } = speaker;
    const options = album.pictures.map(({ name }, index) => ({
      target: writeTarget("a", album.id, index, tagOf(person.id)),
      label: say("reply.choosePicture.option", { number: index + 1 }),
      ...{ description: name, isChosen: false },
    }));
    const menu = { kind: "one", target: writeTarget("A", album.id), options, values: [] } as const;
    return buildReply(speaker, person, {
      ...{ kind: "choice", isPrivate },
      title: say("reply.choosePicture.title", { count: options.length }),
      lines: [line(say("reply.choosePicture.text"))],
      menus: [{ ...menu, label: say("reply.choosePicture.placeholder") }],
      buttons: [[pressButton("delete", say("button.delete"), writeTarget("d", tagOf(person.id)))]],
    });
  }

  /** The channels that the place allows others, for the asker alone. */
  async function sayNotHere({ person, place }: Asked, channels: readonly string[]): Promise<Reply> {
    const speaker = await speak({ person, place, isPrivate: true });
    const named = channels.slice(0, 10).map((channelId, index) => ({
      ...{ text: `#${index + 1}`, channelId },
      ...(platform === "discord" && { url: `https://discord.com/channels/${place.id}/${channelId}` }),
    }));
    const [before, after = ""] = speaker.say("reply.notHere.text", { places: placesMark }).split(placesMark);
    const spans = [{ text: before ?? "" }, ...named.flatMap((span) => [span, { text: " " }])];
    return buildReply(speaker, person, {
      ...{ kind: "not-allowed", isPrivate: true, title: speaker.say("reply.notHere.title") },
      lines: [{ spans: [...spans, { text: after }], style: "normal" }],
    });
  }

  async function sayGone({ person, place }: Asked): Promise<Reply> {
    const speaker = await speak({ person, place, isPrivate: true });
    const { say } = speaker;
    return buildReply(speaker, person, {
      ...{ kind: "unreadable", isPrivate: true, title: say("reply.downloadFailed.title") },
      lines: [line(say("reply.downloadFailed.text"))],
    });
  }
}
