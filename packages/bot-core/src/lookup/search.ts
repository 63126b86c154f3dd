import { ApiProblem } from "@koma/client";
import { withOwnKey } from "../accounts/refused-key.ts";
import { outageMs } from "../api/api-clients.ts";
import { ImageError } from "../image/errors.ts";
import { downloadBytes, downloadMs } from "../image/limits.ts";
import { prepareImage } from "../image/prepare-image.ts";
import {
  type Chat,
  type Image,
  ImageTooLargeError,
  type LookupOptions,
  type Person,
} from "../model/request.ts";
import type { Origin, Result, SavedResults } from "../results/saved-results.ts";
import type { Shared } from "../shared.ts";

/** One image or address to search. */
export type SearchRequest = {
  person: Person;
  chat: Chat;
  requestId: string;
  options?: LookupOptions | undefined;
  signal?: AbortSignal | undefined;
  album?: { id: string; index: number } | undefined;
} & ({ image: Image } | { address: string; hasSpoiler?: boolean | undefined });

/** A stored result waits this long for the API's answer whether the requester is blocked. */
const blockDeadlineMs = 5_000;

/** Searches images, each at most once. */
export type Search = ReturnType<typeof createSearch>;

export function createSearch(
  { api, accounts, identities, settings, mediaTools, now }: Shared,
  saved: SavedResults,
) {
  return {
    refuseBlocked,
    /**
     * The result of a request: that of the same request before a restart, that of the same image, or that of
     * a new search. Throws ImageError, KeyRefusedError and the client's errors.
     */
    async find(
      request: SearchRequest,
    ): Promise<{ result: Result; isRepeated: boolean; isSmallPreview?: boolean }> {
      const before = await saved.findByRequest(request.requestId);
      if (before !== undefined) return { result: before, isRepeated: false };
      if ("address" in request) return { result: await searchAddress(request), isRepeated: false };
      return await findImage(request, request.image);
    },
  };

  async function findImage(request: SearchRequest, sourceImage: Image) {
    const frame = nameFrame(request.options);
    const fileKey = sourceImage.identity === undefined ? null : identities.file(sourceImage.identity, frame);
    const sameFile = fileKey === null ? undefined : await saved.findSame(request.person, { fileKey });
    if (sameFile !== undefined) {
      await refuseBlocked(request);
      return { result: await repeat(sameFile, request, sourceImage), isRepeated: true };
    }
    const bytes = await download(sourceImage, request.signal);
    const pictureKey = await identities.image(bytes, frame);
    const same = await saved.findSame(request.person, { pictureKey });
    if (same !== undefined) {
      await refuseBlocked(request);
      return { result: await repeat(same, request, sourceImage), isRepeated: true };
    }
    const { prepared, isSmallPreview } = await prepare(bytes, request, sourceImage);
    const image = new Blob([new Uint8Array(prepared)]);
    const isPublic = await decideListing(request);
    // The key depends on the image and not on the event, so a repeated message after a lost response is not
    // charged twice.
    const sent = await identities.image(prepared, "as sent");
    const searchKey = identities.search(`${request.person.id} ${isPublic} ${sent}`);
    const origin = { requestId: request.requestId, pictureKey, fileKey, ...nameAlbum(request) };
    return {
      result: await search({
        request,
        form: { image, isPublic },
        searchKey,
        origin,
        hasSpoiler: sourceImage.hasSpoiler,
        imageUrl: sourceImage.publicUrl,
      }),
      isRepeated: false,
      isSmallPreview,
    };
  }

  /** The image in a form that the API accepts, or the platform's small preview of a file that cannot be read. */
  async function prepare(bytes: Uint8Array, { options, signal }: SearchRequest, { smallPreview }: Image) {
    const convert = (source: Uint8Array) =>
      prepareImage(source, {
        frame: readFrame(options),
        mediaTools,
        signal: signal ?? new AbortController().signal,
      });
    try {
      return { prepared: await convert(bytes), isSmallPreview: false };
    } catch (error) {
      if (smallPreview === undefined || !(error instanceof ImageError)) throw error;
      try {
        const small = await download({ ...smallPreview, hasSpoiler: false }, signal);
        return { prepared: await convert(small), isSmallPreview: true };
      } catch {
        throw error;
      }
    }
  }

  async function searchAddress(
    request: SearchRequest & { address: string; hasSpoiler?: boolean | undefined },
  ) {
    const form = { url: request.address, isPublic: await decideListing(request) };
    // The content of an address can change, so its result serves no other request.
    const origin = { requestId: request.requestId, pictureKey: null, fileKey: null, ...nameAlbum(request) };
    const searchKey = identities.search(request.requestId);
    const { address: imageUrl, hasSpoiler = false } = request;
    return await search({ request, form, searchKey, origin, hasSpoiler, imageUrl });
  }

  async function search(job: {
    request: SearchRequest;
    form: { image: Blob; isPublic: boolean } | { url: string; isPublic: boolean };
    searchKey: string;
    origin: Origin;
    hasSpoiler: boolean;
    imageUrl: string | undefined;
  }): Promise<Result> {
    const { request, form, searchKey, origin, hasSpoiler, imageUrl } = job;
    const { person, chat } = request;
    const own = await accounts.find(person);
    const client = own === undefined ? api.bot : api.withKey(own.key);
    const headers = { "idempotency-key": searchKey, ...api.headersFor(person, chat, own !== undefined) };
    const { signal } = request;
    const ask = () =>
      api.measured("searchAnime", () => client.searchAnime(form, { headers, signal, outageMs }));
    const withdraw = await settings.countSearch(chat, now());
    const result = await (own === undefined ? ask() : withOwnKey(own, ask)).catch(async (error: unknown) => {
      await withdraw().catch(() => undefined);
      throw error;
    });
    const presentation = await decidePresentation(request);
    return await saved.save(person, origin, result, { ...presentation, hasSpoiler, imageUrl });
  }

  /**
   * Asks the API whether it serves the requester and the chat, because a stored result is shown without a
   * search. Throws its refusal. With any other problem, such as an outage, the stored result is still shown.
   */
  async function refuseBlocked({
    person,
    chat,
    signal,
  }: Pick<SearchRequest, "person" | "chat" | "signal">): Promise<void> {
    const own = await accounts.find(person);
    const client = own === undefined ? api.bot : api.withKey(own.key);
    const headers = api.headersFor(person, chat, own !== undefined);
    const options = { headers, signal, deadlineMs: blockDeadlineMs };
    try {
      await api.measured("getQuota", () => client.getQuota({}, options));
    } catch (error) {
      if (error instanceof ApiProblem && error.code === "forbidden") throw error;
    }
  }

  /** The earlier result with the options of this request, from its first page. */
  async function repeat(
    result: Result,
    request: SearchRequest,
    { hasSpoiler, publicUrl }: Image,
  ): Promise<Result> {
    const { content } = result;
    const isHidden = request.chat.kind === "direct" || request.options?.isPrivate === true;
    // A public reply must not contain the address of an earlier private upload.
    const imageUrl = isHidden ? content.imageUrl : publicUrl;
    const presentation = { ...(await decidePresentation(request)), hasSpoiler, imageUrl };
    const isAsBefore =
      content.preview === presentation.preview &&
      content.isMuted === presentation.isMuted &&
      content.hasSpoiler === hasSpoiler &&
      content.showsImage === presentation.showsImage &&
      !content.isShared &&
      content.imageUrl === imageUrl;
    const shown = isAsBefore ? result : await saved.recontent(result, { ...presentation, isShared: false });
    return result.page === 1 && !result.isOpened
      ? shown
      : await saved.change(shown, { page: 1, isOpened: false });
  }

  async function decideListing({ chat, options }: SearchRequest): Promise<boolean> {
    if (chat.kind === "direct") return false;
    return options?.isPublic ?? (await settings.ofChat(chat)).isListed;
  }

  async function decidePresentation({ person, chat, options }: SearchRequest) {
    const [own, there] = await Promise.all([settings.ofPerson(person), settings.ofChat(chat)]);
    return {
      // Settings of a server can disable previews.
      preview:
        there.preview === "none" && chat.kind !== "direct"
          ? ("none" as const)
          : (options?.preview ?? own.preview ?? there.preview),
      showsImage: options?.showsImage === true,
      isMuted: options?.mute ?? own.isMuted ?? there.isMuted,
    };
  }
}

async function download(sourceImage: Image, callerSignal: AbortSignal | undefined): Promise<Uint8Array> {
  if ((sourceImage.sizeBytes ?? 0) > downloadBytes) throw new ImageError("too-large");
  const timeout = AbortSignal.timeout(downloadMs);
  const signal = callerSignal === undefined ? timeout : AbortSignal.any([callerSignal, timeout]);
  try {
    const bytes = await sourceImage.read({ limitBytes: downloadBytes, signal });
    if (bytes.length > downloadBytes) throw new ImageError("too-large");
    if (bytes.length === 0) throw new ImageError("unsupported");
    return bytes;
  } catch (cause) {
    callerSignal?.throwIfAborted();
    if (cause instanceof ImageError) throw cause;
    if (cause instanceof ImageTooLargeError) throw new ImageError("too-large", { cause });
    const isTimedOut = timeout.aborted || (cause instanceof Error && cause.name === "TimeoutError");
    throw new ImageError(isTimedOut ? "download-timed-out" : "download-failed", { cause });
  }
}

function readFrame(options: LookupOptions | undefined) {
  return options?.frame === "first" ? undefined : options?.frame;
}

function nameFrame(options: LookupOptions | undefined): string {
  const frame = readFrame(options);
  return frame === undefined ? "first" : String(Math.round(frame.atSeconds * 1000));
}

function nameAlbum({ album }: SearchRequest): { albumId: string | null; albumIndex: number | null } {
  return { albumId: album?.id ?? null, albumIndex: album?.index ?? null };
}
