import { randomBytes } from "node:crypto";
import { Match, SearchOutcome, type SearchResult } from "@koma/contract";
import type { SavedResult } from "@koma/database/bots";
import { z } from "zod";
import type { Person } from "../model/request.ts";
import type { Shared } from "../shared.ts";

/** The encrypted content of a result. */
const Content = z.object({
  searchId: z.string(),
  confirmToken: z.string(),
  matches: z.array(Match),
  /** The number of searches that remained afterwards. */
  remaining: z.int(),
  preview: z.enum(["clip", "still", "none"]),
  isMuted: z.boolean(),
  hasSpoiler: z.boolean(),
  /** Absent in results of earlier versions. */
  outcome: SearchOutcome.optional(),
  /** The candidates that the requester rejected. */
  rejectedRanks: z.array(z.int()).default([]),
  /** The requester posted the private result for all. */
  isShared: z.boolean().default(false),
  /** Public replies show the image. */
  showsImage: z.boolean().default(false),
  /** The image's address, if it is public. */
  imageUrl: z.string().optional(),
  /** What the requester wrote instead, while it is open which of several anime it is. */
  correction: z.object({ title: z.string(), episode: z.string(), animeIds: z.array(z.string()) }).optional(),
});
export type ResultContent = z.infer<typeof Content>;

/** A saved result, decrypted. */
export type Result = Omit<SavedResult, "sealed" | "keyId"> & { content: ResultContent };

/** The origin of a result: the request, the image, its position among several. */
export type Origin = {
  requestId: string;
  pictureKey: string | null;
  fileKey: string | null;
  albumId: string | null;
  albumIndex: number | null;
};

/** Stores results for as long as the API stores searches. */
export type SavedResults = ReturnType<typeof createSavedResults>;

export function createSavedResults({ platform, store: { results }, vault, identities, now, log }: Shared) {
  function open({ sealed, keyId, ...row }: SavedResult): Result | undefined {
    try {
      const content = Content.safeParse(vault.openJson(associatedDataOf(row), { sealed, keyId }));
      return content.success ? { ...row, content: content.data } : undefined;
    } catch {
      log("warn", "A saved result cannot be decrypted; it counts as deleted.");
      return undefined;
    }
  }

  const openFound = (row: SavedResult | undefined) => (row === undefined ? undefined : open(row));

  return {
    /** Stores a result; returns the first one if the same request already has one. */
    async save(
      person: Person,
      { requestId, ...origin }: Origin,
      result: SearchResult,
      options: Pick<ResultContent, "preview" | "isMuted" | "hasSpoiler" | "showsImage" | "imageUrl">,
    ): Promise<Result> {
      const { id: searchId, outcome, confirmToken, matches, quota } = result;
      const content = {
        searchId,
        outcome,
        confirmToken,
        matches,
        remaining: quota.remaining,
        rejectedRanks: [],
        isShared: false,
        ...options,
      };
      const id = randomBytes(12).toString("base64url");
      const owner = identities.person(person.id);
      const createdAt = now();
      const row = await results.put({
        id,
        ...owner,
        ...origin,
        ...identities.request(requestId),
        ...vault.sealJson(associatedDataOf({ id, ...owner }), content),
        page: 1,
        isOpened: false,
        confirmedRank: null,
        createdAt,
        expiresAt: new Date(createdAt.getTime() + retentionMs),
      });
      return row.id === id ? { ...row, content } : (open(row) ?? { ...row, content });
    },

    async find(id: string): Promise<Result | undefined> {
      return openFound(await results.find(platform, id, now()));
    },

    async findByRequest(requestId: string): Promise<Result | undefined> {
      const { requestKey } = identities.request(requestId);
      return openFound(await results.findByRequest(platform, requestKey, now()));
    },

    /** The person's own result of the same image. */
    async findSame(
      person: Person,
      by: { pictureKey: string } | { fileKey: string },
    ): Promise<Result | undefined> {
      return openFound(await results.findSame(identities.person(person.id), by, now()));
    },

    async findInAlbum(albumId: string, index: number): Promise<Result | undefined> {
      return openFound(await results.findInAlbum(albumId, index));
    },

    async list(person: Person, limit: number): Promise<Result[]> {
      const rows = await results.list(identities.person(person.id), limit, now());
      return rows.flatMap((row) => open(row) ?? []);
    },

    /** Stores the shown page and the confirmation. */
    async change(
      result: Result,
      changes: Partial<Pick<Result, "page" | "isOpened" | "confirmedRank">>,
    ): Promise<Result> {
      await results.change(result.id, changes);
      return { ...result, ...changes };
    },

    /** Stores changed content: new addresses, other options. */
    async recontent(result: Result, changes: Partial<ResultContent>): Promise<Result> {
      const content = { ...result.content, ...changes };
      await results.reseal(result.id, vault.sealJson(associatedDataOf(result), content));
      return { ...result, content };
    },
  };
}

/** The API stores searches for 24 hours. */
const retentionMs = 24 * 3_600_000;

function associatedDataOf({ id, personKey }: { id: string; personKey: string }): string {
  return `KeptResult ${id} ${personKey}`;
}
