import type { Context } from "../context.ts";
import {
  type LookupOptions,
  type Person,
  type Picture,
  PictureTooLargeError,
  type Place,
} from "../model/request.ts";
import { withOwnKey } from "../people/refused-key.ts";
import { PictureError } from "../picture/errors.ts";
import { downloadBytes, downloadMs } from "../picture/limits.ts";
import { preparePicture } from "../picture/prepare-picture.ts";
import type { KeptResults, Origin, Result } from "../results/kept-results.ts";

/** One picture, or address, to search. */
export type SearchWish = {
  person: Person;
  place: Place;
  requestId: string;
  options?: LookupOptions | undefined;
  signal?: AbortSignal | undefined;
  album?: { id: string; index: number } | undefined;
} & ({ picture: Picture } | { address: string; hasSpoiler?: boolean | undefined });

/** Searches pictures, each at most once. */
export type Search = ReturnType<typeof createSearch>;

export function createSearch(context: Context, kept: KeptResults) {
  const { api, accounts, identities, settings } = context;

  return {
    /**
     * The result of a wish: of the same request before a restart, of the same picture before, else of a new search.
     * Throws PictureError, KeyRefusedError and the client's errors.
     */
    async find(wish: SearchWish): Promise<{ result: Result; isRepeated: boolean }> {
      const before = await kept.findByRequest(wish.requestId);
      if (before !== undefined) return { result: before, isRepeated: false };
      if ("address" in wish) return { result: await searchAddress(wish), isRepeated: false };
      return await findPicture(wish, wish.picture);
    },
  };

  async function findPicture(wish: SearchWish, picture: Picture) {
    const frame = nameFrame(wish.options);
    const fileKey = picture.identity === undefined ? null : identities.file(picture.identity, frame);
    const sameFile = fileKey === null ? undefined : await kept.findSame(wish.person, { fileKey });
    if (sameFile !== undefined) return { result: await repeat(sameFile, wish, picture), isRepeated: true };
    const bytes = await download(picture, wish.signal);
    const pictureKey = await identities.picture(bytes, frame);
    const same = await kept.findSame(wish.person, { pictureKey });
    if (same !== undefined) return { result: await repeat(same, wish, picture), isRepeated: true };
    const prepared = await preparePicture(bytes, {
      frame: readFrame(wish.options),
      mediaTools: context.options.mediaTools,
      signal: wish.signal ?? new AbortController().signal,
    });
    const image = new Blob([new Uint8Array(prepared)]);
    const isPublic = await decideListing(wish);
    // By the picture, not by the event: whoever sends it again because no answer came does not pay twice either.
    const sent = await identities.picture(prepared, "as sent");
    const searchKey = identities.search(`${wish.person.id} ${isPublic} ${sent}`);
    const origin = { requestId: wish.requestId, pictureKey, fileKey, ...nameAlbum(wish) };
    return {
      result: await search({
        wish,
        form: { image, isPublic },
        searchKey,
        origin,
        hasSpoiler: picture.hasSpoiler,
      }),
      isRepeated: false,
    };
  }

  async function searchAddress(wish: SearchWish & { address: string; hasSpoiler?: boolean | undefined }) {
    const form = { url: wish.address, isPublic: await decideListing(wish) };
    // What stands at an address may be another picture tomorrow, so it answers for no other request.
    const origin = { requestId: wish.requestId, pictureKey: null, fileKey: null, ...nameAlbum(wish) };
    const searchKey = identities.search(wish.requestId);
    return await search({ wish, form, searchKey, origin, hasSpoiler: wish.hasSpoiler === true });
  }

  async function search(job: {
    wish: SearchWish;
    form: { image: Blob; isPublic: boolean } | { url: string; isPublic: boolean };
    searchKey: string;
    origin: Origin;
    hasSpoiler: boolean;
  }): Promise<Result> {
    const { wish, form, searchKey, origin, hasSpoiler } = job;
    const { person, place } = wish;
    const own = await accounts.find(person);
    const client = own === undefined ? api.bot : api.withKey(own.key);
    const headers = { "idempotency-key": searchKey, ...api.headersFor(person, place, own !== undefined) };
    const ask = () =>
      api.measured("searchAnime", () => client.searchAnime(form, { headers, signal: wish.signal }));
    const answer = await (own === undefined ? ask() : withOwnKey(own, ask));
    return await kept.keep(person, origin, answer, { ...(await decideLooks(wish)), hasSpoiler });
  }

  /** The earlier result, as this request wishes to see it: from its first page. */
  async function repeat(result: Result, wish: SearchWish, { hasSpoiler }: Picture): Promise<Result> {
    const looks = { ...(await decideLooks(wish)), hasSpoiler };
    const { content } = result;
    const isAsBefore =
      content.preview === looks.preview &&
      content.isMuted === looks.isMuted &&
      content.hasSpoiler === hasSpoiler;
    const shown = isAsBefore ? result : await kept.recontent(result, looks);
    return result.page === 1 && !result.isOpened
      ? shown
      : await kept.change(shown, { page: 1, isOpened: false });
  }

  async function decideListing({ place, options }: SearchWish): Promise<boolean> {
    if (place.kind === "direct") return false;
    return options?.isPublic ?? (await settings.ofPlace(place)).isListed;
  }

  async function decideLooks({ person, place, options }: SearchWish) {
    const [own, there] = await Promise.all([settings.ofPerson(person), settings.ofPlace(place)]);
    return {
      // A server that wants no previews gets none.
      preview:
        there.preview === "none" && place.kind !== "direct"
          ? ("none" as const)
          : (options?.preview ?? own.preview ?? there.preview),
      isMuted: options?.mute ?? own.isMuted ?? there.isMuted,
    };
  }
}

async function download(picture: Picture, given: AbortSignal | undefined): Promise<Uint8Array> {
  if ((picture.sizeBytes ?? 0) > downloadBytes) throw new PictureError("too-large");
  const timeout = AbortSignal.timeout(downloadMs);
  const signal = given === undefined ? timeout : AbortSignal.any([given, timeout]);
  try {
    const bytes = await picture.read({ limitBytes: downloadBytes, signal });
    if (bytes.length > downloadBytes) throw new PictureError("too-large");
    if (bytes.length === 0) throw new PictureError("unsupported");
    return bytes;
  } catch (cause) {
    given?.throwIfAborted();
    if (cause instanceof PictureError) throw cause;
    throw new PictureError(cause instanceof PictureTooLargeError ? "too-large" : "download-failed", {
      cause,
    });
  }
}

function readFrame(options: LookupOptions | undefined) {
  return options?.frame === "first" ? undefined : options?.frame;
}

function nameFrame(options: LookupOptions | undefined): string {
  const frame = readFrame(options);
  return frame === undefined ? "first" : String(Math.round(frame.atSeconds * 1000));
}

function nameAlbum({ album }: SearchWish): { albumId: string | null; albumIndex: number | null } {
  return { albumId: album?.id ?? null, albumIndex: album?.index ?? null };
}
