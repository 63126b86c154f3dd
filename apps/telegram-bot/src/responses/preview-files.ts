import type { Preview } from "@koma/bot-core";
import { InputFile } from "grammy";
import type { Message } from "grammy/types";

/** Telegram's kinds of preview. */
export type PreviewKind = "video" | "animation" | "photo";

/** A preview to send: a file that Telegram has, or its bytes. */
export type PreviewFile = {
  kind: PreviewKind;
  media: string | InputFile;
  uniqueId: string | undefined;
  key: string;
};

/** The preview that Telegram has already, and how to get those that follow it: the still, then the clip. */
export type FoundPreview = {
  known: KnownFile | undefined;
  later: readonly (() => Promise<PreviewFile | undefined>)[];
};

/** A file that Telegram has. */
export type KnownFile = PreviewFile & { media: string };

/** A file that Telegram has, as it is stored for the next start. */
export type StoredFile = {
  key: string;
  kind: PreviewKind;
  fileId: string;
  uniqueId: string;
  /** Milliseconds since 1970. */
  sentAt: number;
};

/** Maps previews to Telegram's file ids, so that none is uploaded twice. */
export type PreviewFiles = ReturnType<typeof createPreviewFiles>;

const fileLimit = 10_000;
/** Telegram's upload limits for bots. */
const limits = { clip: 50 * 1024 * 1024, still: 10 * 1024 * 1024 } as const;

export function createPreviewFiles() {
  const known = new Map<string, Omit<StoredFile, "key">>();
  const keyOf = ({ key, variant }: Pick<Preview, "key" | "variant">) => `${variant} ${key}`;
  const findByKey = (key: string): KnownFile | undefined => {
    const found = known.get(key);
    return found && { kind: found.kind, media: found.fileId, uniqueId: found.uniqueId, key };
  };

  async function findStill(preview: Preview): Promise<PreviewFile | undefined> {
    const key = keyOf({ ...preview, variant: "still" });
    const cached = findByKey(key);
    if (cached !== undefined) return cached;
    const still = await preview.still(limits.still);
    // Another message can have uploaded it in the meantime.
    const uploaded = findByKey(key);
    if (still === undefined || uploaded !== undefined) return uploaded;
    return { kind: "photo", media: new InputFile(still.bytes, still.name), uniqueId: undefined, key };
  }

  async function fetchClip(preview: Preview): Promise<PreviewFile | undefined> {
    const clip = await preview.clip(limits.clip);
    const key = keyOf(preview);
    const cached = findByKey(key);
    if (clip === undefined || cached !== undefined) return cached;
    return { kind: "video", media: new InputFile(clip.bytes, clip.name), uniqueId: undefined, key };
  }

  return {
    /** The preview to show now, and those to show later, each of which is fetched when it is called. */
    find(preview: Preview): FoundPreview {
      const known = findByKey(keyOf(preview));
      if (known !== undefined) return { known, later: [] };
      if (preview.variant === "still") return { known, later: [() => findStill(preview)] };
      const still = findByKey(keyOf({ ...preview, variant: "still" }));
      const clip = () => fetchClip(preview);
      return { known: still, later: still === undefined ? [() => findStill(preview), clip] : [clip] };
    },

    /** Only files that Telegram has. */
    findKnown: (preview: Preview) => findByKey(keyOf(preview)),
    findByKey,

    /** Records the file id of a sent preview. */
    remember({ key }: PreviewFile, message: Message): void {
      const file = readFile(message);
      if (file === undefined) return;
      known.delete(key);
      known.set(key, { ...file, sentAt: Date.now() });
      const oldest = known.keys().next();
      if (known.size > fileLimit && oldest.done !== true) known.delete(oldest.value);
    },

    list: (): StoredFile[] => [...known].map(([key, file]) => ({ key, ...file })),

    /** Adds the files of an earlier run. */
    restore(files: readonly StoredFile[]): void {
      for (const { key, ...file } of files) if (!known.has(key)) known.set(key, file);
    },

    /** Removes a file id that Telegram rejects. */
    forget({ key }: PreviewFile): void {
      known.delete(key);
    },
  };
}

/** The file of a message of the bot; Telegram turns a video without sound into an animation. */
export function readFile(
  message: Message,
): { kind: PreviewKind; fileId: string; uniqueId: string } | undefined {
  const photo = message.photo?.at(-1);
  const [kind, file] =
    message.animation !== undefined
      ? (["animation", message.animation] as const)
      : message.video !== undefined
        ? (["video", message.video] as const)
        : (["photo", photo] as const);
  return file && { kind, fileId: file.file_id, uniqueId: file.file_unique_id };
}
