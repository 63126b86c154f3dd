import { randomUUID } from "node:crypto";
import type { AnimeMetadata, Database, SettledSearch, StoredMatch } from "@koma/database";

/** The default day and time of searches. */
export const day = "2026-11-20";
export const noon = new Date("2026-11-20T12:00:00.000Z");

/** Returns the time so many minutes after noon. */
export function minutesLater(minutes: number): Date {
  return new Date(noon.getTime() + minutes * 60_000);
}

/** The search of a released reservation. */
export const failed = { callerKind: "guest", at: noon } as const;

/** Generates one match per anime, the first of them confident. */
export function generateMatches(...animeIds: string[]): StoredMatch[] {
  return animeIds.map((animeId, index) => ({
    rank: index + 1,
    animeId,
    similarity: 0.93,
    isConfident: index === 0,
    timestamp: 754.25,
  }));
}

/** Generates a search that can be settled for a caller. */
export function generateSearch(
  callerHash: string,
  change: Partial<SettledSearch["search"]> = {},
): SettledSearch["search"] {
  return {
    id: randomUUID(),
    callerHash,
    callerKind: "guest",
    inHistory: false,
    isPublic: true,
    confirmTokenHash: randomUUID(),
    queryKind: "file",
    outcome: "found",
    matches: generateMatches("unknown"),
    frameCount: 1234,
    tookMs: 41,
    ...change,
  };
}

/** Returns a reservation that was not rejected. */
export function granted<Result extends { isRefused: boolean }>(result: Result) {
  if (result.isRefused) throw new Error("The reservation was rejected.");
  return result as Extract<Result, { isRefused: false }>;
}

/** Reserves a guest's search; the default caller is a new one. */
export async function reserveGuest(
  database: Database,
  callerHash: string = randomUUID(),
  leaseSeconds = 60,
): Promise<{ id: string; owner: string }> {
  const owner = randomUUID();
  const options = { callerHash, day, owner, limit: 1000, leaseSeconds };
  return { id: granted(await database.quota.reserveGuest(options)).reservationId, owner };
}

/** Generates metadata of an anime. */
export function generateMetadata(change: Partial<AnimeMetadata>): AnimeMetadata {
  const titles = { titleRomaji: "One", titleEnglish: null, titleNative: null, synonyms: [] };
  const facts = { anilistId: null, malId: null, format: null, year: null, isAdult: false, coverUrl: null };
  return { ...titles, ...facts, ...change };
}

/** Reserves and settles a guest's search; the default caller is a new one. */
export async function makeSearch(
  database: Database,
  change: Partial<SettledSearch["search"]> & { at?: Date } = {},
): Promise<SettledSearch["search"]> {
  const { at = noon, ...changed } = change;
  const callerHash = changed.callerHash ?? randomUUID();
  const reservation = await reserveGuest(database, callerHash);
  const search = generateSearch(callerHash, changed);
  if (!(await database.searches.settle({ search, reservation, at })))
    throw new Error("The search was not settled.");
  return search;
}

/** Creates a user in the form of better-auth. */
export async function makeUser(
  database: Database,
  email = `${randomUUID()}@example.org`,
): Promise<{ userId: string; callerHash: string }> {
  const user = await (await database.loadAuthAdapter())({}).create({
    model: "user",
    data: { name: "Rin", email, emailVerified: false, createdAt: new Date(), updatedAt: new Date() },
  });
  return { userId: String(user.id), callerHash: randomUUID() };
}

/** Creates an anime without an episode. */
export async function makeAnime(database: Database, title: string = randomUUID()): Promise<string> {
  return (await database.anime.findOrCreate({ key: `${title} ${randomUUID()}`, title })).id;
}
