import { createHash } from "node:crypto";
import { z } from "zod";
import type { Image, LookupOptions, Person } from "../model/request.ts";
import type { SealedStorage } from "../vault/sealed-storage.ts";

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
});

/** Several images of one request; each is searched when it is selected. */
export type Album = { id: string; personKey: string } & z.infer<typeof Content>;

/** Stores albums for as long as results. */
export type Albums = ReturnType<typeof createAlbums>;

export function createAlbums({
  platform,
  store,
  vault,
  identities,
  now,
}: SealedStorage & { now: () => Date }) {
  const associatedDataOf = (id: string) => `Album ${id}`;
  return {
    /** Stores the images that can be fetched again. A repeated request returns the same album. */
    async save(
      person: Person,
      requestId: string,
      images: readonly (Image | { address: string; hasSpoiler?: boolean | undefined })[],
      options: LookupOptions,
    ): Promise<Album> {
      const owner = identities.person(person.id);
      const { requestKey } = identities.request(requestId);
      const id = createHash("sha256").update(`album ${requestKey}`).digest("base64url").slice(0, 16);
      const content = {
        pictures: images.flatMap((image): z.input<typeof Content>["pictures"] => {
          if ("address" in image) return [{ address: image.address, hasSpoiler: image.hasSpoiler }];
          const { reference, name } = image;
          return reference === undefined ? [] : [{ reference, name }];
        }),
        options,
      };
      const expiresAt = new Date(now().getTime() + 24 * 3_600_000);
      await store.results.putAlbum({
        id,
        ...owner,
        ...vault.sealJson(associatedDataOf(id), content),
        expiresAt,
      });
      return { id, personKey: owner.personKey, ...Content.parse(content) };
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
  };
}
