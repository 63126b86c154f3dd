import { createHash } from "node:crypto";
import { z } from "zod";
import type { Image, LookupOptions, MessageReference, Person } from "../model/request.ts";
import type { Shared } from "../shared.ts";

const Content = z.object({
  pictures: z.array(
    z.object({
      /** The argument of `fetchImage` for the image. */
      reference: z.string().optional(),
      address: z.string().optional(),
      name: z.string().optional(),
      hasSpoiler: z.boolean().optional(),
    }),
  ),
  options: z.object({
    isPublic: z.boolean().optional(),
    preview: z.enum(["clip", "still", "none"]).optional(),
    mute: z.boolean().optional(),
    crop: z.boolean().optional(),
    frame: z.union([z.literal("first"), z.object({ atSeconds: z.number() })]).optional(),
    isPrivate: z.boolean().optional(),
    showsImage: z.boolean().optional(),
  }),
  /** The outcomes of the images that were searched: a saved result, or only the words of a problem. */
  outcomes: z
    .array(z.object({ resultId: z.string().optional(), title: z.string().optional() }).nullable())
    .default([]),
  /** The message that shows the images while they are searched. */
  message: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
});

/** Several images of one request. */
export type Album = { id: string; personKey: string } & z.infer<typeof Content>;

/** Stores albums for as long as results. */
export type Albums = ReturnType<typeof createAlbums>;

export function createAlbums({ platform, store, vault, identities, now }: Shared) {
  const associatedDataOf = (id: string) => `Album ${id}`;

  const albums = {
    /** Stores the images that can be fetched again. A repeated request returns the same album. */
    async save(
      person: Person,
      requestId: string,
      images: readonly (Image | { address: string; hasSpoiler?: boolean | undefined })[],
      options: LookupOptions,
    ): Promise<Album> {
      const id = nameAlbum(requestId);
      const known = await albums.find(id);
      if (known !== undefined) return known;
      const owner = identities.person(person.id);
      const content = Content.parse({
        pictures: images.map((image) => {
          if ("address" in image) return { address: image.address, hasSpoiler: image.hasSpoiler };
          return { reference: image.reference, name: image.name };
        }),
        options,
      });
      const expiresAt = new Date(now().getTime() + 24 * 3_600_000);
      const sealed = vault.sealJson(associatedDataOf(id), content);
      await store.results.putAlbum({ id, ...owner, ...sealed, expiresAt });
      return { id, personKey: owner.personKey, ...content };
    },

    async find(id: string): Promise<Album | undefined> {
      const row = await store.results.findAlbum(platform, id, now());
      if (row === undefined) return undefined;
      try {
        const content = Content.parse(vault.openJson(associatedDataOf(id), row));
        return { id, personKey: row.personKey, ...content };
      } catch {
        return undefined;
      }
    },

    /** The message that showed the images of a request while they were searched. */
    async findMessage(requestId: string): Promise<MessageReference | undefined> {
      return (await albums.find(nameAlbum(requestId)))?.message;
    },

    /** Records the outcomes of images, by their numbers, and the message that shows them. */
    async record(
      { id }: Album,
      outcomes: ReadonlyMap<number, NonNullable<Album["outcomes"][number]>>,
      message?: MessageReference,
    ): Promise<void> {
      const album = await albums.find(id);
      if (album === undefined) return;
      const { id: _id, personKey: _owner, ...content } = album;
      const changed = {
        ...content,
        outcomes: content.pictures.map((_, index) => outcomes.get(index) ?? content.outcomes[index] ?? null),
        message: message ?? content.message,
      };
      await store.results.resealAlbum(id, vault.sealJson(associatedDataOf(id), changed));
    },
  };

  return albums;

  function nameAlbum(requestId: string): string {
    const { requestKey } = identities.request(requestId);
    return createHash("sha256").update(`album ${requestKey}`).digest("base64url").slice(0, 16);
  }
}
