import { createHash } from "node:crypto";
import { formatOf } from "@koma/fake-chat";
import sharp from "sharp";
import type { FileKind, StoredFile } from "./content.ts";
import type { FakeState } from "./fake-state.ts";

const folders: Readonly<Record<FileKind, string>> = {
  photo: "photos",
  video: "videos",
  animation: "animations",
  document: "documents",
  sticker: "stickers",
  video_note: "video_notes",
  voice: "voice",
  thumbnail: "thumbnails",
};

/** The longest sides of Telegram's photo sizes. */
const photoSides = [90, 320, 800, 1280];

/** The fields of a new file besides the defaults. */
export type NewFile = { kind: FileKind; bytes: Uint8Array } & {
  [Key in "name" | "mimeType" | "size" | "isSizeUntold" | "width" | "height"]?: StoredFile[Key] | undefined;
} & { thumbnail?: Uint8Array | undefined; sticker?: StoredFile["sticker"] };

/** Stores files in Telegram's form. */
export function createFiles(state: FakeState) {
  const store = (file: NewFile, ending: string): StoredFile => {
    const number = state.createNumber();
    const digest = createHash("sha256").update(file.bytes).digest("base64url");
    const stored: StoredFile = {
      id: `${file.kind.slice(0, 2)}CAAD${digest.slice(0, 24)}_${number}`,
      uniqueId: `AgAD${createHash("sha256").update(file.kind).update(digest).digest("base64url").slice(0, 12)}`,
      kind: file.kind,
      bytes: file.bytes,
      size: file.size ?? file.bytes.length,
      isSizeUntold: file.isSizeUntold ?? false,
      name: file.name,
      mimeType: file.mimeType,
      width: file.width,
      height: file.height,
      thumbnail: undefined,
      sizes: [],
      sticker: file.sticker,
      path: `${folders[file.kind]}/file_${number}${ending}`,
      expiresAt: 0,
    };
    state.files.set(stored.id, stored);
    return stored;
  };

  const storeStill = async (bytes: Uint8Array, side: number, kind: "photo" | "thumbnail") => {
    const { data, info } = await sharp(bytes)
      .rotate()
      .resize(side, side, { fit: "inside", withoutEnlargement: true })
      .flatten({ background: "white" })
      .jpeg({ quality: 87 })
      .toBuffer({ resolveWithObject: true });
    return store({ kind, bytes: new Uint8Array(data), width: info.width, height: info.height }, ".jpg");
  };

  return {
    /** A photo of a user: JPEGs of several sizes. Throws if the bytes are no image. */
    async storePhoto(bytes: Uint8Array, size?: number): Promise<StoredFile> {
      const { width, height } = await sharp(bytes).metadata();
      const longest = Math.max(width, height);
      const sides = [...photoSides.filter((side) => side < longest), Math.min(longest, 2560)];
      const sizes = await Promise.all([...new Set(sides)].map((side) => storeStill(bytes, side, "photo")));
      const largest = sizes.at(-1);
      if (largest === undefined) throw new Error("A photo has at least one size.");
      largest.size = size ?? largest.size;
      largest.sizes = sizes;
      return largest;
    },

    /** A photo of the bot: its bytes stay unchanged, with a small size in addition. */
    async storeOwnPhoto(bytes: Uint8Array): Promise<StoredFile> {
      const { width, height } = await sharp(bytes).metadata();
      const small = await storeStill(bytes, 90, "photo");
      const whole = store({ kind: "photo", bytes, width, height }, ".jpg");
      whole.sizes = [small, whole];
      return whole;
    },

    /** Any other file, with its name's extension, and a thumbnail if possible. */
    async storeFile(file: NewFile): Promise<StoredFile> {
      const stored = store(file, /\.\w+$/.exec(file.name ?? "")?.[0] ?? "");
      const isImage = ["jpeg", "png", "gif", "webp"].includes(formatOf(file.bytes));
      const still = file.thumbnail ?? (isImage ? file.bytes : undefined);
      stored.thumbnail = still && (await storeStill(still, 320, "thumbnail").catch(() => undefined));
      return stored;
    },
  };
}

/** See `createFiles`. */
export type Files = ReturnType<typeof createFiles>;
