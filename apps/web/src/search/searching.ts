import { ApiProblem } from "@koma/client";
import type { Match } from "@koma/contract";
import { signal } from "@preact/signals";
import { koma } from "../api/koma.ts";
import { navigate, place } from "../routing/router.ts";
import { announce, tell } from "../state/announce.ts";
import { keep, recall } from "../state/kept.ts";
import { say } from "../state/language.ts";
import { loadQuota, quota } from "../state/quota.ts";
import { site } from "../state/site.ts";
import { preparePicture } from "./prepare-picture.ts";

/** What is searched: a picture that can be shown, or an address whose picture only the API sees. */
export type Asked = { url: string; isConverted: boolean; blob: Blob } | { address: string };

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
  | { state: "searching"; asked: Asked }
  | { state: "found"; asked?: Asked | undefined; found: Found }
  | { state: "failed"; asked?: Asked | undefined; error: unknown; retry?: (() => void) | undefined };

/** The search that is shown. */
export const search = signal<Search>({ state: "idle" });

/** May others see what was found, once it is confirmed? */
export const isPublic = signal(recall("private") !== "1");

/** Changes that, for later visits too. */
export function setPublic(wanted: boolean): void {
  isPublic.value = wanted;
  keep("private", wanted ? undefined : "1");
}

let underWay: AbortController | undefined;

/** Searches the scene of a picture. */
export async function searchPicture(file: Blob): Promise<void> {
  const signal = begin();
  goToSearch();
  search.value = { state: "reading" };
  announce(say("web.search.reading"));
  try {
    const prepared = await preparePicture(file, site.value?.limits.imageBytes ?? 10 * 1024 ** 2);
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
  announce(say("web.search.cancelled"));
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
  const confirmToken = recallToken(id);
  try {
    const stored = await koma.getSearch({ id, ...(confirmToken && { confirmToken }) }, { signal });
    const isOld = Date.now() - Date.parse(stored.createdAt) > dayMs;
    search.value = {
      state: "found",
      found: {
        ...{ id, matches: stored.matches, isPublic: stored.isPublic, confirmToken },
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
        ? say("web.result.undone")
        : say(rank === 0 ? "web.result.confirmedNone" : "web.result.confirmDone"),
    );
  } catch (error) {
    setConfirmed(id, confirmedRank);
    const code = error instanceof ApiProblem ? error.code : "unknown";
    tell(`${say(`error.${code}.title`)}. ${say(`error.${code}.text`)}`);
  }
}

async function ask(asked: Asked, signal: AbortSignal): Promise<void> {
  search.value = { state: "searching", asked };
  const frames = site.value?.frameCount ?? 0;
  announce(frames > 0 ? say("web.search.searching", { count: frames }) : say("web.search.searchingAll"));
  const what = "address" in asked ? { url: asked.address } : { image: asked.blob };
  try {
    const {
      matches,
      quota: left,
      ...answer
    } = await koma.searchAnime({ ...what, isPublic: isPublic.value }, { signal });
    if (signal.aborted) return;
    quota.value = left;
    rememberToken(answer.id, answer.confirmToken);
    search.value = {
      state: "found",
      asked,
      found: {
        ...{ id: answer.id, matches, isPublic: isPublic.value, confirmedRank: null, isOwn: true },
        confirmToken: answer.confirmToken,
        figures: { frameCount: answer.frameCount, tookMs: answer.tookMs },
      },
    };
    navigate(`/search/${answer.id}`);
  } catch (error) {
    const retry = () => void ask(asked, begin());
    fail({ asked, error, retry }, signal);
    if (error instanceof ApiProblem && error.quota !== undefined) quota.value = error.quota;
    else void loadQuota();
  }
}

/** A picture may be dropped on any page. */
function goToSearch(): void {
  if (place.value.path !== "/") navigate("/");
}

function begin(): AbortSignal {
  underWay?.abort();
  const shown = search.value;
  if (shown.state === "found" && shown.asked && "url" in shown.asked) URL.revokeObjectURL(shown.asked.url);
  underWay = new AbortController();
  return underWay.signal;
}

function fail(given: Omit<Extract<Search, { state: "failed" }>, "state">, signal: AbortSignal): void {
  if (!signal.aborted) search.value = { state: "failed", ...given };
}

function setConfirmed(id: string, confirmedRank: number | null): void {
  const shown = search.value;
  if (shown.state !== "found" || shown.found.id !== id) return;
  search.value = { ...shown, found: { ...shown.found, confirmedRank } };
}

const dayMs = 86_400_000;

/** The tokens of a day, by which a guest's own searches are known again after a reload. */
function rememberToken(id: string, token: string): void {
  const kept = readTokens().filter(([, , atMs]) => Date.now() - atMs < dayMs);
  keep("searches", JSON.stringify([[id, token, Date.now()], ...kept].slice(0, 50)));
}

function recallToken(id: string): string | undefined {
  return readTokens().find(([known]) => known === id)?.[1];
}

function readTokens(): [id: string, token: string, atMs: number][] {
  try {
    const kept: unknown = JSON.parse(recall("searches") ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}
