import { ApiProblem } from "@koma/client";
import type { Match } from "@koma/contract";
import { signal } from "@preact/signals";
import { koma } from "../api/koma.ts";
import { navigate, pageLocation } from "../routing/router.ts";
import { announce, notify } from "../state/announce.ts";
import { t } from "../state/language.ts";
import { load, save } from "../state/local-storage.ts";
import { loadQuota, quota } from "../state/quota.ts";
import { site } from "../state/site.ts";
import { prepareImage } from "./prepare-image.ts";

/** What is searched: a picture that can be shown, or an address whose picture only the API sees. */
export type Query = { url: string; isConverted: boolean; blob: Blob } | { address: string };

/** A search that was answered. */
export type Found = {
  id: string;
  matches: readonly Match[];
  isPublic: boolean;
  /** The confirmed rank, 0 for none of them, null while nothing was said. */
  confirmedRank: number | null;
  /** Made here, so that it can be confirmed. */
  isOwn: boolean;
  confirmToken?: string | undefined;
  figures?: { frameCount: number; tookMs: number } | undefined;
};

/** What goes on with the search that is shown. */
export type Search =
  | { state: "idle" }
  | { state: "reading" }
  | { state: "searching"; query: Query }
  | { state: "found"; query?: Query | undefined; found: Found }
  | { state: "failed"; query?: Query | undefined; error: unknown; retry?: (() => void) | undefined };

/** The search that is shown. */
export const search = signal<Search>({ state: "idle" });

/** May others see what was found, once it is confirmed? */
export const isPublic = signal(load("private") !== "1");

/** Changes that, for later visits too. */
export function setPublic(value: boolean): void {
  isPublic.value = value;
  save("private", value ? undefined : "1");
}

let underWay: AbortController | undefined;

/** Searches the scene of a picture. */
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

/** Searches the scene of the picture at an address. */
export async function searchAddress(address: string): Promise<void> {
  const signal = begin();
  goToSearch();
  await ask({ address }, signal);
}

/** Ends the search that is under way. */
export function cancelSearch(): void {
  underWay?.abort();
  search.value = { state: "idle" };
  announce(t("web.search.cancelled"));
}

/** Shows the empty page again. */
export function startOver(): void {
  underWay?.abort();
  search.value = { state: "idle" };
  navigate("/");
}

/** Says that something given was no picture. */
export function refuse(error: unknown): void {
  const signal = begin();
  goToSearch();
  fail({ error }, signal);
}

/** Shows a search of earlier, or of somebody else, by its id. */
export async function openSearch(id: string): Promise<void> {
  const shown = search.value;
  if (shown.state === "found" && shown.found.id === id) return;
  const signal = begin();
  search.value = { state: "reading" };
  takeToken(id);
  const confirmToken = loadToken(id);
  try {
    const stored = await koma.getSearch({ id, ...(confirmToken && { confirmToken }) }, { signal });
    const isOld = Date.now() - Date.parse(stored.createdAt) > dayMs;
    search.value = {
      state: "found",
      found: {
        id,
        matches: stored.matches,
        isPublic: stored.isPublic,
        confirmToken,
        confirmedRank: stored.confirmation?.rank ?? null,
        isOwn: !isOld && confirmToken !== undefined,
      },
    };
  } catch (error) {
    fail({ error, retry: () => void openSearch(id) }, signal);
  }
}

/** Says which match is right (0: none of them), or takes that back with null. */
export async function confirmMatch(rank: number | null): Promise<void> {
  const shown = search.value;
  if (shown.state !== "found") return;
  const { id, confirmToken, confirmedRank } = shown.found;
  const proof = confirmToken === undefined ? {} : { confirmToken };
  setConfirmed(id, rank);
  try {
    if (rank === null) await koma.unconfirmSearch({ id, ...proof });
    else await koma.confirmSearch({ id, rank, ...proof });
    announce(
      rank === null
        ? t("web.result.undone")
        : t(rank === 0 ? "web.result.confirmedNone" : "web.result.confirmDone"),
    );
  } catch (error) {
    setConfirmed(id, confirmedRank);
    const code = error instanceof ApiProblem ? error.code : "unknown";
    notify(`${t(`error.${code}.title`)}. ${t(`error.${code}.text`)}`);
  }
}

async function ask(query: Query, signal: AbortSignal): Promise<void> {
  search.value = { state: "searching", query };
  const frames = site.value?.frameCount ?? 0;
  announce(frames > 0 ? t("web.search.searching", { count: frames }) : t("web.search.searchingAll"));
  const what = "address" in query ? { url: query.address } : { image: query.blob };
  try {
    const {
      matches,
      quota: left,
      ...response
    } = await koma.searchAnime({ ...what, isPublic: isPublic.value }, { signal });
    if (signal.aborted) return;
    quota.value = left;
    rememberToken(response.id, response.confirmToken);
    search.value = {
      state: "found",
      query,
      found: {
        id: response.id,
        matches,
        isPublic: isPublic.value,
        confirmedRank: null,
        isOwn: true,
        confirmToken: response.confirmToken,
        figures: { frameCount: response.frameCount, tookMs: response.tookMs },
      },
    };
    navigate(`/search/${response.id}`);
  } catch (error) {
    const retry = () => void ask(query, begin());
    fail({ query, error, retry }, signal);
    if (error instanceof ApiProblem && error.quota !== undefined) quota.value = error.quota;
    else void loadQuota();
  }
}

/** A picture may be dropped on any page. */
function goToSearch(): void {
  if (pageLocation.value.path !== "/") navigate("/");
}

function begin(): AbortSignal {
  underWay?.abort();
  const shown = search.value;
  if (shown.state === "found" && shown.query && "url" in shown.query) URL.revokeObjectURL(shown.query.url);
  underWay = new AbortController();
  return underWay.signal;
}

function fail(failure: Omit<Extract<Search, { state: "failed" }>, "state">, signal: AbortSignal): void {
  if (!signal.aborted) search.value = { state: "failed", ...failure };
}

function setConfirmed(id: string, confirmedRank: number | null): void {
  const shown = search.value;
  if (shown.state !== "found" || shown.found.id !== id) return;
  search.value = { ...shown, found: { ...shown.found, confirmedRank } };
}

const dayMs = 86_400_000;

/** The tokens of a day, by which a guest's own searches are known again after a reload. */
function rememberToken(id: string, token: string): void {
  const saved = readTokens().filter(([, , atMs]) => Date.now() - atMs < dayMs);
  save("searches", JSON.stringify([[id, token, Date.now()], ...saved].slice(0, 50)));
}

/** A search of the browser extension opens with its token in the fragment, which browsers never send to the server. */
function takeToken(id: string): void {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token === null) return;
  rememberToken(id, token);
  history.replaceState(history.state, "", location.pathname + location.search);
}

function loadToken(id: string): string | undefined {
  return readTokens().find(([known]) => known === id)?.[1];
}

function readTokens(): [id: string, token: string, atMs: number][] {
  try {
    const saved: unknown = JSON.parse(load("searches") ?? "[]");
    return Array.isArray(saved) ? saved : [];
  } catch {
    return [];
  }
}
