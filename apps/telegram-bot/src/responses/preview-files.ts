import type { Preview } from "@koma/bot-core";
import { InputFile } from "grammy";
import type { Message } from "grammy/types";

/** How Telegram shows a preview. */
export type PreviewKind = "video" | "animation" | "photo";

/** A preview that can be sent: one that Telegram has already, or its bytes. */
export type PreviewFile = {
  kind: PreviewKind;
  media: string | InputFile;
  uniqueId: string | undefined;
  key: string;
};

/** One that Telegram has. */
type KnownFile = PreviewFile & { media: string };

/** Previews by what Telegram knows them by, so that none is sent twice. */
export type PreviewFiles = ReturnType<typeof createPreviewFiles>;

const fileLimit = 10_000;
/** What bots may upload. */
const limits = { clip: 50 * 1024 * 1024, still: 10 * 1024 * 1024 } as const;

export function createPreviewFiles() {
  const known = new Map<string, { kind: PreviewKind; fileId: string; uniqueId: string }>();
  const keyOf = ({ key, variant: options }: Preview) => `${options} ${key}`;
  const findByKey = (key: string): KnownFile | undefined => {
    const found = known.get(key);
    return found && { kind: found.kind, media: found.fileId, uniqueId: found.uniqueId, key };
  };

  return {
    /** What shows the scene; undefined where nothing does. */
    async find(preview: Preview): Promise<PreviewFile | undefined> {
      const cached = findByKey(keyOf(preview));
      if (cached !== undefined) return cached;
      const clip = preview.variant === "clip" ? await preview.clip(limits.clip) : undefined;
      const file = clip ?? (await preview.still(limits.still));
      if (file === undefined) return undefined;
      const kind = file.contentType === "video/mp4" ? "video" : "photo";
      const media = new InputFile(file.bytes, file.name);
      // A still in place of a clip that was not to be had must not stay in its place.
      const key =
        clip === undefined && preview.variant === "clip" ? `instead ${preview.key}` : keyOf(preview);
      return { kind, media, uniqueId: undefined, key };
    },

    /** Only what Telegram has already. */
    findKnown: (preview: Preview) => findByKey(keyOf(preview)),
    findByKey,

    /** Notes how Telegram names what was sent. */
    remember({ key }: PreviewFile, message: Message): void {
      const file = readFile(message);
      if (file === undefined) return;
      known.delete(key);
      known.set(key, file);
      const oldest = known.keys().next();
      if (known.size > fileLimit && oldest.done !== true) known.delete(oldest.value);
    },

    /** Telegram does not take it any more. */
    forget({ key }: PreviewFile): void {
      known.delete(key);
    },
  };
}

/** What a message of the bot's shows; Telegram makes an animation of a film without sound. */
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
