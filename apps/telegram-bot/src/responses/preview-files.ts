import { setTimeout as sleep } from "node:timers/promises";
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

/** The preview of a scene; `clip` resolves to the replacement of `file`. */
type FoundPreview = { file: PreviewFile | undefined; clip?: Promise<PreviewFile | undefined> };

/** A file that Telegram has. */
type KnownFile = PreviewFile & { media: string };

/** Maps previews to Telegram's file ids, so that none is uploaded twice. */
export type PreviewFiles = ReturnType<typeof createPreviewFiles>;

/** A clip that is ready within this time is sent at once, which saves an edit. */
const clipWaitMs = 500;
const fileLimit = 10_000;
/** Telegram's upload limits for bots. */
const limits = { clip: 50 * 1024 * 1024, still: 10 * 1024 * 1024 } as const;

export function createPreviewFiles() {
  const known = new Map<string, { kind: PreviewKind; fileId: string; uniqueId: string }>();
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
    return (
      still && { kind: "photo", media: new InputFile(still.bytes, still.name), uniqueId: undefined, key }
    );
  }

  async function fetchClip(preview: Preview): Promise<PreviewFile | undefined> {
    const clip = await preview.clip(limits.clip);
    const key = keyOf(preview);
    // Another message can have uploaded it in the meantime.
    const cached = findByKey(key);
    if (clip === undefined || cached !== undefined) return cached;
    return { kind: "video", media: new InputFile(clip.bytes, clip.name), uniqueId: undefined, key };
  }

  return {
    /**
     * The preview to send now, and the clip that replaces it later: cutting a clip takes up to 20 seconds,
     * and the still is available at once.
     */
    async find(preview: Preview): Promise<FoundPreview> {
      const cached = findByKey(keyOf(preview));
      if (cached !== undefined) return { file: cached };
      if (preview.variant === "still") return { file: await findStill(preview) };
      const clip = fetchClip(preview);
      const late = Symbol();
      const early = await Promise.race([clip, sleep(clipWaitMs, late, { ref: false })]);
      if (early !== late) return { file: (early as PreviewFile | undefined) ?? (await findStill(preview)) };
      const still = await findStill(preview);
      return still === undefined ? { file: await clip } : { file: still, clip };
    },
    findStill,

    /** Only files that Telegram has. */
    findKnown: (preview: Preview) => findByKey(keyOf(preview)),
    findByKey,

    /** Records the file id of a sent preview. */
    remember({ key }: PreviewFile, message: Message): void {
      const file = readFile(message);
      if (file === undefined) return;
      known.delete(key);
      known.set(key, file);
      const oldest = known.keys().next();
      if (known.size > fileLimit && oldest.done !== true) known.delete(oldest.value);
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
