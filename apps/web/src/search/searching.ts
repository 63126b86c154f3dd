import { ApiProblem } from "@koma/client";
import type { Anime, Match, SearchOutcome } from "@koma/contract";
import { signal } from "@preact/signals";
import { findSearchDeadline, koma } from "../api/koma.ts";
import { navigate, pageLocation, setQuery } from "../routing/router.ts";
import { announce } from "../state/announce.ts";
import { t } from "../state/language.ts";
import { load, save } from "../state/local-storage.ts";
import { loadQuota, quota } from "../state/quota.ts";
import { session } from "../state/session.ts";
import { site } from "../state/site.ts";
import { animeFilter, resolveFilter, setAnimeFilter } from "./anime-filter.ts";
import { loadImage, removeImage, type SavedImage, saveImage } from "./image-store.ts";
import { ImageRefused, type PreparedImage, prepareImage } from "./prepare-image.ts";
import { confirmableMs, loadToken, saveToken, takeToken } from "./search-tokens.ts";
import { sharedFiles } from "./shared-files.ts";

/**
 * The input of a search: an image or a video that the page can show, or an address that only the API reads.
 */
export type Query = (PreparedImage & { url: string }) | { address: string };

/** The result of a search. */
export type Found = {
  id: string;
  matches: readonly Match[];
  outcome: SearchOutcome;
  isPublic: boolean;
  /** The confirmed rank; 0 if the user rejected all matches, null before a confirmation. */
  confirmedRank: number | null;
  /** The reader made the search within the last 24 hours and may confirm it. */
  isOwn: boolean;
  confirmToken?: string | undefined;
  /** The time of the frame of an animation or a video that was searched. */
  queryFrameSeconds?: number | undefined;
  /** The anime that the search was limited to, if this tab made the search. */
  onlyIn?: Anime | undefined;
  figures?: { frameCount: number; tookMs: number } | undefined;
};

/** Whether none of the matches shows the scene, by the outcome or by the answer of the maker. */
export function isRejected({ outcome, confirmedRank }: Found): boolean {
  return confirmedRank === 0 || (outcome === "not_in_library" && confirmedRank === null);
}

/** The states of the search that the page shows. */
export type Search =
  | { state: "idle" }
  | { state: "reading" }
  | { state: "searching"; query: Query }
  | { state: "found"; query?: Query | undefined; found: Found }
  | { state: "failed"; query?: Query | undefined; error: unknown; retry?: (() => void) | undefined };

/** The search that is shown. */
export const search = signal<Search>({ state: "idle" });

/** The options of the next search. */
export function readSearchOptions(): { isPublic: boolean; animeId?: string } {
  const anime = animeFilter.value;
  return { isPublic: isPublic.value, ...(anime !== undefined && { animeId: anime.id }) };
}

/** Whether other people may see a confirmed result. */
export const isPublic = signal(load("private") !== "1");

/** Changes whether other people may see results, for later visits as well. */
export function setPublic(value: boolean): void {
  isPublic.value = value;
  save("private", value ? undefined : "1");
}

let underWay: AbortController | undefined;

/** Searches the scene of an image. */
export async function searchImage(file: Blob): Promise<void> {
  const signal = begin();
  goToSearch();
  search.value = { state: "reading" };
  announce(t("web.search.reading"));
  try {
    const prepared = await prepareImage(file, site.value?.limits.imageBytes ?? 10 * 1024 ** 2);
    if (signal.aborted) return;
    await ask({ ...prepared, url: URL.createObjectURL(prepared.blob) }, signal);
  } catch (error) {
    fail({ error }, signal);
  }
}

/** Searches the scene of the image at an address. */
export async function searchAddress(address: string): Promise<void> {
  const signal = begin();
  goToSearch();
  await ask({ address }, signal);
}

/** Repeats a search that was limited to one anime, in all anime. */
export async function searchAll(query: Query): Promise<void> {
  const signal = begin();
  setAnimeFilter(undefined);
  goToSearch();
  // `begin` revoked the URL of the query that was shown.
  await ask("blob" in query ? { ...query, url: URL.createObjectURL(query.blob) } : query, signal);
}

/** Ends the search that is under way. */
export function cancelSearch(): void {
  underWay?.abort();
  search.value = { state: "idle" };
  announce(t("web.search.cancelled"));
}

/** Shows the empty page again. */
export function startOver(): void {
  forgetSearch();
  navigate("/");
}

/** Ends the search and removes it from the page, when another user or a guest follows. */
export function forgetSearch(): void {
  begin();
  search.value = { state: "idle" };
}

/** Shows that the input was no image. */
export function refuse(error: unknown): void {
  const signal = begin();
  goToSearch();
  fail({ error }, signal);
}

/** Shows an earlier search, or another person's, by its id. */
export async function openSearch(id: string): Promise<void> {
  const shown = search.value;
  if (shown.state === "found" && shown.found.id === id) return;
  const signal = begin();
  search.value = { state: "reading" };
  takeToken(id);
  const confirmToken = loadToken(id);
  try {
    const stored = await koma.getSearch({ id, ...(confirmToken && { confirmToken }) }, { signal });
    const saved = await findSavedQuery(id);
    if (signal.aborted) return;
    const isOld = Date.now() - Date.parse(stored.createdAt) > confirmableMs;
    search.value = {
      state: "found",
      query: saved?.query,
      found: {
        id,
        queryFrameSeconds: saved?.frameSeconds,
        onlyIn: saved?.onlyIn,
        matches: stored.matches,
        outcome: stored.outcome ?? outcomeOf(stored.matches),
        isPublic: stored.isPublic,
        confirmToken,
        confirmedRank: stored.confirmation?.rank ?? null,
        isOwn: stored.isOwn && !isOld,
      },
    };
  } catch (error) {
    fail({ error, retry: () => void openSearch(id) }, signal);
  }
}

async function ask(query: Query, signal: AbortSignal): Promise<void> {
  search.value = { state: "searching", query };
  const frames = site.value?.frameCount ?? 0;
  announce(frames > 0 ? t("web.search.searching", { count: frames }) : t("web.search.searchingAll"));
  const what = "address" in query ? { url: query.address } : { image: query.blob };
  try {
    if (!(await resolveFilter(signal))) {
      if (!signal.aborted) search.value = { state: "idle" };
      return;
    }
    const onlyIn = animeFilter.value;
    const {
      matches,
      quota: left,
      ...response
    } = await koma.searchAnime(
      { ...what, ...readSearchOptions() },
      { signal, ...("blob" in query && { deadlineMs: findSearchDeadline(query.blob) }) },
    );
    if (signal.aborted) return;
    quota.value = left;
    // An account proves by its session that the search is its own, so that a signed-out device keeps no
    // access.
    if (left.kind === "guest") saveToken(response.id, response.confirmToken);
    const frameSeconds = response.queryFrame?.timestamp;
    void saveImage(response.id, { blob: toBlob(query), frameSeconds, onlyIn });
    search.value = {
      state: "found",
      query,
      found: {
        id: response.id,
        matches,
        outcome: response.outcome,
        isPublic: isPublic.value,
        confirmedRank: null,
        isOwn: true,
        confirmToken: left.kind === "guest" ? response.confirmToken : undefined,
        queryFrameSeconds: frameSeconds,
        onlyIn,
        figures: { frameCount: response.frameCount, tookMs: response.tookMs },
      },
    };
    navigate(`/search/${response.id}`);
  } catch (error) {
    const retry = () => void ask(query, begin());
    if (error instanceof ApiProblem && error.code === "guest_limit_reached") void savePendingQuery(query);
    fail({ query, error: describeFailure(error, query), retry }, signal);
    if (error instanceof ApiProblem && error.quota !== undefined) quota.value = error.quota;
    else void loadQuota();
  }
}

/** An image may be dropped on any page. */
function goToSearch(): void {
  if (pageLocation.value.path !== "/") navigate("/");
}

function begin(): AbortSignal {
  underWay?.abort();
  sharedFiles.value = [];
  const shown = search.value;
  if (shown.state === "found" && shown.query && "url" in shown.query) URL.revokeObjectURL(shown.query.url);
  underWay = new AbortController();
  return underWay.signal;
}

function fail(failure: Omit<Extract<Search, { state: "failed" }>, "state">, signal: AbortSignal): void {
  if (!signal.aborted) search.value = { state: "failed", ...failure };
}

/**
 * The texts of the contract's errors describe images: for a video the page has its own, and for an address,
 * whose content it does not know, one for both.
 */
function describeFailure(error: unknown, query: Query): unknown {
  if (!(error instanceof ApiProblem)) return error;
  if ("address" in query)
    return error.code === "image_too_large" ? new ImageRefused("addressTooLarge") : error;
  if (!query.isVideo) return error;
  if (error.code === "image_too_large") return new ImageRefused("videoTooLarge");
  const isUnreadable = error.code === "unsupported_image_type" || error.code === "image_unreadable";
  return isUnreadable ? new ImageRefused("video") : error;
}

/** The outcome of a search that an earlier version stored without one. */
function outcomeOf([first]: readonly Match[]): SearchOutcome {
  if (first === undefined) return "not_in_library";
  return first.isConfident ? "found" : "uncertain";
}

const pendingKey = "pending";
const addressType = "text/uri-list";

/** The path that continues the search that the guest limit interrupted, for the links to sign up or in. */
export const resumePath = "/?resume";

/**
 * Continues the search that the guest limit interrupted, for the account that signed in by the link of the
 * error. Any other sign-in in this tab may be another person's and discards the search.
 */
export function resumeSearch(): void {
  if (!session.value) return;
  const isMeant = pageLocation.value.query.has("resume");
  if (isMeant) setQuery({});
  void takePendingQuery().then(async (pending) => {
    if (!isMeant || pending === undefined) return;
    if (pending.type === addressType) await searchAddress(await pending.text());
    else await searchImage(pending);
  });
}

async function takePendingQuery(): Promise<Blob | undefined> {
  const pending = await loadImage(pendingKey);
  // A slow disk must not delay the search.
  void removeImage(pendingKey);
  return pending?.blob;
}

async function savePendingQuery(query: Query): Promise<void> {
  await saveImage(pendingKey, { blob: toBlob(query) });
}

function toBlob(query: Query): Blob {
  return "blob" in query ? query.blob : new Blob([query.address], { type: addressType });
}

/** The query of a search that was made in this tab. */
async function findSavedQuery(
  id: string,
): Promise<({ query: Query } & Pick<Found, "onlyIn"> & Pick<SavedImage, "frameSeconds">) | undefined> {
  const saved = await loadImage(id);
  if (saved === undefined) return undefined;
  const { blob, ...context } = saved;
  if (blob.type === addressType) return { query: { address: await blob.text() }, ...context };
  const isVideo = blob.type.startsWith("video/");
  return { query: { blob, url: URL.createObjectURL(blob), isConverted: false, isVideo }, ...context };
}
